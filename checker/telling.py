"""Tells a person in plain words what was verified and what came of it."""

import json
from collections import Counter
from collections.abc import Sequence

from .document import Deal
from .faults import DealFault
from .variants import Variant
from .verdict import Fault, Verdict


def refusal(faults: Sequence[DealFault]) -> str:
    """Return the text about a document that is refused."""
    # The pointer is escaped as in JSON: a key may hold what should not reach a terminal.
    lines = [f"  {json.dumps(fault.where)[1:-1] or 'whole'}: {fault.message}" for fault in faults]
    return "\n".join(
        ["The deal document is refused:", *lines, "Correct these places or get the document anew."]
    )


def good_document(deal: Deal) -> str:
    """Return the text about a good document: what it holds and how far it could be verified."""
    variant = deal.variant
    size = f"{variant.rows} rows of {variant.columns}"
    miniature = f", a miniature of {variant.ranks} ranks" if variant.ranks < 13 else ""
    lines = [
        f"Deal: {variant.name}, {size}{miniature}. The document is good.",
        "  Opening: follows from the seed."
        if deal.seed
        else "  Opening: complete; taken as it stands, since the document has no seed.",
    ]
    if deal.entries:
        lines.append(f"  Redeal orders: {_about_orders(deal)}.")
    return "\n".join(lines)


def outcome(verdict: Verdict, variant: Variant, tokens: int) -> str:
    """Return the text about a log of that many tokens: the board, the counts, the fault."""
    return "\n".join(
        [
            f"Log: {_number(tokens, 'token')}, "
            + ("every one legal." if verdict.legal else "not legal."),
            "",
            *_board(verdict.layout),
            "",
            f"Ordered {verdict.ordered} of {variant.most_ordered}; slides {verdict.slides}, "
            f"redeals {verdict.redeals}, moves {verdict.moves}, undos {verdict.undos}.",
            *(_about(verdict.fault) if verdict.fault else ["Won." if verdict.won else "Not won."]),
        ]
    )


def _about_orders(deal: Deal) -> str:
    kinds = deal.kinds()
    if deal.seed:
        return f"{len(kinds)}, each follows from the seed"
    count = Counter(kinds)
    words = {
        "open": "open and true to the commitment",
        "sealed": "sealed, not known yet",
        "made by hand": "made by hand, without a commitment",
    }
    return "; ".join(f"{count[kind]} {words[kind]}" for kind in words if count[kind])


def _board(layout: Sequence[Sequence[str | None]]) -> list[str]:
    columns = range(1, len(layout[0]) + 1)
    heading = "   " + "".join(f"{column:>3}" for column in columns)
    rows = [
        f"  {letter}" + "".join(f" {card or '--'}" for card in row)
        for letter, row in zip("abcdefgh", layout, strict=False)
    ]
    return [heading, *rows]


def _about(fault: Fault) -> list[str]:
    return [
        f"Fault: {fault.code} at token {fault.index}, counted from 0. {fault.message}",
        "The board and the counts are those just before it. "
        "Correct the log at this token and check it again.",
    ]


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
