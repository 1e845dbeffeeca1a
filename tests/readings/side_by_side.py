"""Engine and checker side by side: the same document, the same tokens, and all that they tell."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias, TypeVar

import checker
from checker.document import read_deal
from checker.replay import Replay
from service.game.board import is_stuck, slides
from service.game.document import board_rows
from service.game.notation import REDEAL, UNDO, cell_name, slide_token
from service.game.parsing import DocumentError, parse_document
from service.game.play import Fault, Game, IllegalTokenError
from service.game.redeal import may_redeal

Document: TypeAlias = dict[str, Any]
T = TypeVar("T")

KINDS = {
    "legal": 50,
    "undo": 10,
    "redeal": 12,
    "a card into a gap": 12,
    "a card onto a card": 4,
    "from a gap": 4,
    "any cells": 6,
    "odd": 2,
}
"""What tokens are tried, and how often of a hundred where they are taken at random."""

CELLS = [f"{row}{column}" for row in "abcdefgh" for column in range(1, 15)]
ODD: list[Any] = [
    "", "a1", "A1b2", "undo ", "REDEAL", "a0b1", "a15b1", "i1a1", "a1b2c3", "a01b2", "\u0661a1b2",
    "a1\u0662b", "redeal\n", None, True, 7, 1.5, ["a1b2"], {"undo": 1},
]  # fmt: skip


class DifferenceError(AssertionError):
    """The readings come to different things."""


class Pair:
    """One deal, played by both readings."""

    def __init__(self, written: Document) -> None:
        self.written = written
        self.game = Game(parse_document(written))
        self.replay = Replay(read_deal(written))
        self.tokens: list[Any] = []
        self._compare("the opening")

    def play(self, token: Any) -> str | None:
        """Plays a token by both; the code of its fault, if any.

        Raises `DifferenceError` where they differ.
        """
        rules = self.game.rules
        due = may_redeal(rules, self.game.board, self.game.redeals)
        self.tokens.append(token)
        try:
            self.game.play(token)
            fault = None
        except IllegalTokenError as error:
            fault = error.fault.value
        objection = self.replay.play(token)
        told = objection.code if objection else None
        if told != fault:
            raise DifferenceError(f"{token!r}: engine {fault}, checker {told}")
        if token == REDEAL and due != (fault in {None, Fault.REDEAL_UNKNOWN}):
            raise DifferenceError(f"the engine calls a redeal due: {due}; its fault is {fault}")
        self._compare(repr(token))
        return fault

    def legal(self) -> list[str]:
        """The legal slides."""
        rules = self.game.rules
        return [slide_token(rules, slide) for slide in slides(rules, self.game.board)]

    def token(self, kind: str, choose: Callable[[Sequence[Any]], Any]) -> Any:
        """A token of one of `KINDS`; `choose` takes one of several."""
        if kind == "legal":
            legal = self.legal()
            return choose(legal) if legal else REDEAL
        if kind in {UNDO, REDEAL}:
            return kind
        if kind == "odd":
            return choose(ODD)
        if kind == "any cells":
            return choose(CELLS) + choose(CELLS)
        cards: list[str] = []
        gaps: list[str] = []
        for cell, card in enumerate(self.game.board):
            (cards if card else gaps).append(cell_name(self.game.rules, cell))
        sources = gaps if kind == "from a gap" else cards
        goals = {"a card into a gap": gaps, "a card onto a card": cards}.get(kind, cards + gaps)
        return choose(sources) + choose(goals)

    def _compare(self, after: str) -> None:
        game, rules = self.game, self.game.rules
        verdict, legal = self.replay.verdict(None), self.replay.board.legal_slides()
        engine = {
            "layout": board_rows(rules, game.board),
            "counts": (game.slides, game.redeals, game.undos, game.ordered),
            "won": game.won,
            "legal slides": sorted(self.legal()),
            "stuck": is_stuck(rules, game.board),
        }
        told = {
            "layout": verdict.layout,
            "counts": (verdict.slides, verdict.redeals, verdict.undos, verdict.ordered),
            "won": verdict.won,
            "legal slides": sorted(legal),
            "stuck": not legal,
        }
        for what, there in engine.items():
            if there != told[what]:
                raise DifferenceError(f"{what} after {after}: {there}, checker {told[what]}")


def play_both(written: Document, tokens: Iterable[Any]) -> None:
    """Plays a log by both readings; `DifferenceError` where they differ."""
    pair = Pair(written)
    for token in tokens:
        pair.play(token)


def is_refused(value: Any) -> bool:
    """Whether both readings refuse a document; `DifferenceError` where one of them does."""
    try:
        parse_document(value)
        refused = False
    except DocumentError:
        refused = True
    faults = checker.check_deal(value)
    if bool(faults) != refused:
        raise DifferenceError(f"engine refuses: {refused}; checker's faults: {faults}")
    return refused


def regression(written: Any, tokens: Sequence[Any]) -> str:
    """The text of a test that fails as long as the readings differ; the log made shorter first."""
    left = list(tokens)
    size = len(left)
    while size:
        for start in range(len(left) - size, -1, -1):
            shorter = left[:start] + left[start + size :]
            if _differs(written, shorter):
                left = shorter
        size //= 2
    return (
        f"def test_regression() -> None:\n    written: Any = {written!r}\n"
        f"    if not is_refused(written):\n        play_both(written, {left!r})\n"
    )


def _differs(written: Document, tokens: Iterable[Any]) -> bool:
    """Whether the readings differ, or one of them fails."""
    try:
        play_both(written, tokens)
    except Exception:
        return True
    return False
