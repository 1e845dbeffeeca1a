"""The deep audit: one log, replayed by both readings of the rules, and where they differ.

The engine deals, plays and searches; the checker judges. What they agree on has been worked out
twice, by programs that share nothing. Nothing here knows of a database.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import checker
from service.game.board import is_stuck
from service.game.document import board_rows
from service.game.parsing import DocumentError, parse_document
from service.game.play import replay

PUT_RIGHT: Final = (
    "Replay its document and log with gaps-check, find out by docs/rules.md which reading is "
    "wrong, and mint and publish nothing of this variant before that one is put right."
)
FAILURES: Final = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError)
"""What a reading raises that is broken."""

_ROWS: Final = "abcdefgh"
# By the number of rows, and whether there are aces: a variant that redeals when a board is stuck.
_WHEN_STUCK: Final = {
    (4, False): "classic",
    (4, True): "blue-moon",
    (8, False): "double-montana",
    (8, True): "big-paganini",
}
_WHETHER_REFUSED: Final = "whether the document is refused"
_REFUSED: Final[dict[str, Any]] = {_WHETHER_REFUSED: True}
_SEALED: Final = {"commitment": "0" * 64}


class Comparison(NamedTuple):
    """A sentence for each thing in which the readings differ, and whether both have replayed."""

    differences: Sequence[str]
    replayed: bool


def compare(document: Any, moves: Sequence[Any], verdict: checker.Verdict | None) -> Comparison:
    """What the engine makes of a document and a log, beside the checker's verdict on them.

    Document and log are parsed JSON of any kind; the verdict is None where the checker refuses the
    document. Compared are whether the document is refused, the board row by row, the counts, won,
    stuck, legal, and the fault's code and index.
    """
    checked = _REFUSED if verdict is None else _checked(document, verdict)
    try:
        played = _played(document, moves)
    except DocumentError:
        played = _REFUSED
    except FAILURES as error:
        failed = f"The engine fails at it ({type(error).__name__}), and the checker does not."
        return Comparison([failed], replayed=False)
    replayed = _REFUSED not in (checked, played)
    differences = [
        f"The readings differ in {what}: engine {played.get(what)}, checker {theirs}."
        for what, theirs in checked.items()
        if played.get(what) != theirs and (replayed or what == _WHETHER_REFUSED)
    ]
    return Comparison(differences, replayed)


def _played(document: Any, moves: Sequence[Any]) -> dict[str, Any]:
    """What the engine makes of it. Raises `DocumentError`."""
    came = replay(parse_document(document), moves)
    game = came.game
    return _facts(
        board_rows(game.rules, game.board),
        {"slides": game.slides, "redeals": game.redeals, "undos": game.undos},
        ordered=game.ordered,
        legal=came.legal,
        won=came.won,
        stuck=game.won or is_stuck(game.rules, game.board),
        fault=None if came.fault is None else (came.index, came.fault.value),
    )


def _checked(document: Mapping[str, Any], verdict: checker.Verdict) -> dict[str, Any]:
    """What the checker makes of it."""
    fault = verdict.fault
    return _facts(
        verdict.layout,
        {"slides": verdict.slides, "redeals": verdict.redeals, "undos": verdict.undos},
        ordered=verdict.ordered,
        legal=verdict.legal,
        won=verdict.won,
        stuck=_checked_stuck(document, verdict.layout),
        fault=None if fault is None else (fault.index, fault.code),
    )


def _facts(
    layout: Sequence[Sequence[str | None]], counts: Mapping[str, int], **more: Any
) -> dict[str, Any]:
    board = {f"row {letter}": list(row) for letter, row in zip(_ROWS, layout, strict=False)}
    return {_WHETHER_REFUSED: False, "rows": len(layout), **board, **counts, **more}


def _checked_stuck(document: Mapping[str, Any], layout: Sequence[Sequence[str | None]]) -> bool:
    """Whether the checker finds that no slide is legal on a board, or the board won.

    A verdict does not say so, but a redeal does: on the same board in a variant whose redeals wait
    until nothing slides, and whose order nobody knows. Which variant that is can be seen on the
    board: the engine's table of variants is the other reading's.
    """
    aces = any(card is not None and card.startswith("A") for row in layout for card in row)
    twin = _WHEN_STUCK[len(layout), aces]
    laid = {
        **{key: document[key] for key in ("format", "ranks") if key in document},
        "variant": twin,
        "layout": layout,
        "redeals": [_SEALED, _SEALED],
    }
    fault = checker.verify(laid, ["redeal"]).fault
    return fault is not None and fault.code in {"redeal-unknown", "already-won"}
