"""Tells a person in plain words what was verified and what came of it."""

import json
from collections.abc import Sequence

from .board import LETTERS
from .facts import Facts
from .faults import DealFault
from .provenance import shown
from .variants import Variant
from .verdict import Fault, Verdict


def refusal(faults: Sequence[DealFault], what: str) -> str:
    """Return the text about a deal document or bundle that is refused."""
    # The pointer is escaped as in JSON: a key may hold what should not reach a terminal.
    lines = [f"  {json.dumps(fault.where)[1:-1] or 'whole'}: {fault.message}" for fault in faults]
    return "\n".join(
        [f"The {what} is refused:", *lines, "Correct these places or get the file anew."]
    )


def good_document(variant: Variant, facts: Facts) -> str:
    """Return the text about a good document: what it is of, and how far it was verified."""
    size = f"{variant.rows} rows of {variant.columns}"
    miniature = f", a miniature of {variant.ranks} ranks" if variant.ranks < 13 else ""
    return "\n".join(
        [
            f"Deal: {variant.name}, {size}{miniature}. The document is good.",
            *_listed("Verified:", facts.verified),
            *_listed("Not verified:", facts.not_verified),
        ]
    )


def claims(provenance: dict[str, object]) -> str:
    """Return the text that shows what the publisher says of how the deal was made."""
    return "\n".join(_listed("Provenance, as the publisher claims it:", shown(provenance)))


def outcome(verdict: Verdict, variant: Variant, noun: str) -> str:
    """Return the text about a log (`noun`: what it is called): board, counts, fault or result."""
    return "\n".join(
        [
            *_board(verdict.layout, variant.columns),
            "",
            f"Ordered {verdict.ordered} of {variant.most_ordered}; slides {verdict.slides}, "
            f"redeals {verdict.redeals}, moves {verdict.moves}, undos {verdict.undos}.",
            *(
                _about(verdict.fault, noun)
                if verdict.fault
                else ["Won." if verdict.won else "Not won."]
            ),
        ]
    )


def _listed(heading: str, lines: Sequence[str]) -> list[str]:
    return [heading, *(f"  {line}" for line in lines)] if lines else []


def _board(layout: Sequence[Sequence[str | None]], columns: int) -> list[str]:
    heading = "   " + "".join(f"{column:>3}" for column in range(1, columns + 1))
    rows = [
        f"  {letter}" + "".join(f" {card or '--'}" for card in row)
        for letter, row in zip(LETTERS, layout, strict=False)
    ]
    return [heading, *rows]


def _about(fault: Fault, noun: str) -> list[str]:
    return [
        f"The {noun} is not legal.",
        f"Fault: {fault.code} at token {fault.index}, counted from 0. {fault.message}",
        "The board and the counts are those just before it. "
        f"Correct the {noun} at this token and check it again.",
    ]
