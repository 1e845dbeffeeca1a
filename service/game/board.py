"""What can be said of a board and done to it: runs, slides, stuck, won.

A board is a flat sequence of ``rules.cells`` cards, row ``a`` first, each row from left to right;
0 is a gap. Source: docs/rules.md, sections 1 and 2.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from service.game.cards import ACE, GAP, TWO, rank_of
from service.game.variants import Rules

Layout: TypeAlias = tuple[int, ...]
"""A board that does not change: ``rules.cells`` cards, row ``a`` first."""


class Slide(NamedTuple):
    """One card moved into a gap: the cells it leaves and enters, numbered from 0."""

    source: int
    target: int


def run_length(rules: Rules, board: Sequence[int], row: int) -> int:
    """How many cards the row's run has, a fixed ace counted."""
    start = row * rules.columns
    first = board[start]
    if rank_of(first) != rules.base:
        return 0
    length = 1
    while length < rules.columns and board[start + length] == first + length:
        length += 1
    return length


def run_lengths(rules: Rules, board: Sequence[int]) -> list[int]:
    """The run lengths of all rows, fixed aces counted."""
    return [run_length(rules, board, row) for row in range(rules.rows)]


def ordered(rules: Rules, board: Sequence[int]) -> int:
    """The progress count: cards in runs, fixed aces not counted."""
    return sum(run_lengths(rules, board)) - (rules.rows if rules.fixed_aces else 0)


def is_won(rules: Rules, board: Sequence[int]) -> bool:
    """Whether every row is a full run and then a gap. Which suit has which row is free."""
    return all(length == rules.full_run for length in run_lengths(rules, board))


def accepts(rules: Rules, board: Sequence[int], gap: int) -> int | None:
    """What the gap at a cell takes: a card, or `TWO` for any 2, or None where it is dead."""
    if gap % rules.columns == 0:
        return TWO if rules.base == TWO else None
    left = board[gap - 1]
    if left == GAP or rank_of(left) == rules.ranks:
        return None
    return left + 1


def slides(rules: Rules, board: Sequence[int]) -> Iterator[Slide]:
    """All legal slides, by the gap they fill, then by the card's cell."""
    places: dict[int, list[int]] = {}
    for cell, card in enumerate(board):
        places.setdefault(card, []).append(cell)
    twos = sorted(cell for card, cells in places.items() if rank_of(card) == TWO for cell in cells)
    for gap in places.get(GAP, ()):
        wanted = accepts(rules, board, gap)
        if wanted is None:
            continue
        # A bare 2 is no card of a suit: it stands for all of them, in column 1.
        sources = twos if gap % rules.columns == 0 else places.get(wanted, ())
        for source in sources:
            yield Slide(source, gap)


def is_stuck(rules: Rules, board: Sequence[int]) -> bool:
    """Whether no slide is legal."""
    return next(slides(rules, board), None) is None


def is_fixed_ace(rules: Rules, board: Sequence[int], cell: int) -> bool:
    """Whether the card at a cell is an ace that stands at the left and so never moves."""
    return rules.fixed_aces and cell % rules.columns == 0 and rank_of(board[cell]) == ACE
