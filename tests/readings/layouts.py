"""Every one-deal layout of three ranks, up to what rows and suits make equal.

Without a redeal it does not matter which row lies above which, nor which suit is which: a layout
stands for all that come from it by exchanging whole rows and whole suits.
"""

from collections.abc import Iterator
from itertools import permutations
from math import factorial
from typing import TypeAlias

from service.game.board import Layout
from service.game.cards import GAP, sorted_pack

ROWS, COLUMNS, RANKS = 4, 3, 3
CARDS = sorted_pack(1, RANKS, aces=False)
ALL = factorial(ROWS * COLUMNS) // factorial(ROWS)
"""How many layouts there are; the four gaps are alike."""

Rows: TypeAlias = tuple[tuple[int, ...], ...]


def representatives() -> Iterator[tuple[Layout, int]]:
    """One layout of each kind, and how many layouts it stands for; these add up to `ALL`."""
    for rows in _rising((), (GAP,) * ROWS + tuple(CARDS)):
        images = [rows]
        for suits in permutations(range(4)):
            images.append(_with_suits(rows, suits))
            if images[-1] < rows:
                break
        else:
            # No two rows are equal: at most one has no card.
            standing_for = factorial(ROWS) * factorial(4) // images[1:].count(rows)
            yield tuple(card for row in rows for card in row), standing_for


def _rising(rows: Rows, left: tuple[int, ...]) -> Iterator[Rows]:
    """All ways to lay out cards and gaps in rows of which each is greater than the one before."""
    if len(rows) == ROWS:
        yield rows
        return
    for row in sorted(set(permutations(left, COLUMNS))):
        if not rows or row > rows[-1]:
            rest = list(left)
            for card in row:
                rest.remove(card)
            yield from _rising((*rows, row), tuple(rest))


def _with_suits(rows: Rows, suits: tuple[int, ...]) -> Rows:
    """The same rows with other suits, in order again."""
    return tuple(sorted(tuple(_with_suit(card, suits) for card in row) for row in rows))


def _with_suit(card: int, suits: tuple[int, ...]) -> int:
    return card if card == GAP else suits[card >> 4] << 4 | card & 15
