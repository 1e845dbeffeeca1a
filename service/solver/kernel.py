"""The board of the searches: padded cells, where each card lies, the gaps, run lengths, keys.

A *cell* here is ``row * 16 + column`` with columns from 1, so that row and column are a shift and
a mask and every cell has neighbours; the cells beside a row hold `WALL`. A search owns four int64
arrays, made by `Position`:

- ``board[128]``: the card in each cell (`service.game.cards` codes), 0 a gap, `WALL` no cell;
- ``places[128]``: ``places[2 * card + copy]`` is the cell of a card; the second copy only with two
  packs, 0 without; which copy is which means nothing;
- ``gaps[4 * packs]``: the cells of the gaps, in any order;
- ``runs[rows]``: the run length of each row, fixed aces counted.

A position's key is the exclusive or of `KEYS` ``[card * 128 + cell]`` over all cards.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from service.game.board import Slide, run_lengths
from service.game.cards import GAP
from service.game.variants import Rules
from service.solver.compiled import compiled
from service.solver.table import Int64s

WALL: Final = 127
CELLS: Final = 128
ROW_SHIFT: Final = 4
COLUMN_MASK: Final = 15
RANK_MASK: Final = 15

KEYS: Final[Int64s] = (
    np.random.PCG64(0x6A75).random_raw(64 * CELLS).astype(np.uint64).view(np.int64)
)
"""A random key for each card in each cell; a bit generator's raw stream never changes."""


class Position:
    """The arrays of one board that a search changes as it goes."""

    def __init__(self, rules: Rules, layout: Sequence[int]) -> None:
        self.rules = rules
        self.board = np.full(CELLS, WALL, np.int64)
        self.places = np.zeros(CELLS, np.int64)
        self.gaps = np.zeros(4 * rules.variant.packs, np.int64)
        self.runs = np.array(run_lengths(rules, layout), np.int64)
        self.key = 0
        gap = 0
        for index, card in enumerate(layout):
            cell = padded(rules, index)
            self.board[cell] = card
            if card == GAP:
                self.gaps[gap] = cell
                gap += 1
                continue
            self.places[2 * card + (self.places[2 * card] != 0)] = cell
            self.key ^= int(KEYS[card * CELLS + cell])

    def layout(self) -> tuple[int, ...]:
        """The board as the rules know it."""
        return unpadded(self.rules, self.board)


def misplaced(position: Position) -> int:
    """How many cards lie in another column than when won; each will take a slide at least."""
    count = 0
    for cell, card in enumerate(position.board.tolist()):
        if card not in (GAP, WALL):
            count += (cell & COLUMN_MASK) != (card & RANK_MASK) - position.rules.base + 1
    return count


def padded(rules: Rules, index: int) -> int:
    """The kernel's cell for a layout's index. The inverse of `index_of`."""
    row, column = divmod(index, rules.columns)
    return row << ROW_SHIFT | column + 1


def index_of(rules: Rules, cell: int) -> int:
    """The layout's index of a kernel's cell. The inverse of `padded`."""
    return (cell >> ROW_SHIFT) * rules.columns + (cell & COLUMN_MASK) - 1


def unpadded(rules: Rules, board: Sequence[int] | Any) -> tuple[int, ...]:
    """The layout that a padded board holds."""
    return tuple(int(board[padded(rules, index)]) for index in range(rules.cells))


def pack_slide(slide: Slide, rules: Rules) -> int:
    """A slide as one number, ``source * 128 + target`` in kernel cells."""
    return padded(rules, slide.source) * CELLS + padded(rules, slide.target)


def unpack_slide(packed: int, rules: Rules) -> Slide:
    """The slide of such a number. The inverse of `pack_slide`."""
    return Slide(index_of(rules, packed // CELLS), index_of(rules, packed % CELLS))


@compiled
def run_length(board: Any, row: int, base: int) -> int:
    """The run length of a row of padded cells, a fixed ace counted."""
    start = row << ROW_SHIFT | 1
    if (board[start] & RANK_MASK) != base:
        return 0
    run = 1
    while board[start + run] == board[start] + run:
        run += 1
    return run


@compiled
def column_change(card: int, source: int, target: int, base: int) -> int:
    """By how much a slide changes the number of cards in another column than when won."""
    column = (card & RANK_MASK) - base + 1
    return int((source & COLUMN_MASK) == column) - int((target & COLUMN_MASK) == column)


@compiled
def move_card(
    board: Any, places: Any, gaps: Any, runs: Any, gap: int, source: int
) -> tuple[int, int, int]:
    """Slides the card at `source` into the gap of that number.

    Gives what `take_back` needs (the two rows' run lengths, packed), the change of the ordered
    count, and the cell entered.
    """
    target = gaps[gap]
    card = board[source]
    board[target] = card
    board[source] = 0
    gaps[gap] = source
    if places[2 * card] == source:
        places[2 * card] = target
    else:
        places[2 * card + 1] = target
    from_row = source >> ROW_SHIFT
    to_row = target >> ROW_SHIFT
    saved = runs[from_row] | runs[to_row] << 8
    change = 0
    column = source & COLUMN_MASK
    if column <= runs[from_row]:
        change -= runs[from_row] - column + 1
        runs[from_row] = column - 1
    if (target & COLUMN_MASK) == runs[to_row] + 1:
        last = target
        while board[last + 1] == card + 1:
            last += 1
            card += 1
        change += last - target + 1
        runs[to_row] = last & COLUMN_MASK
    return saved, change, target


@compiled
def take_back(
    board: Any, places: Any, gaps: Any, runs: Any, gap: int, target: int, saved: int
) -> None:
    """Takes a slide back: the card at `target` returns to where that gap is now."""
    source = gaps[gap]
    card = board[target]
    board[source] = card
    board[target] = 0
    gaps[gap] = target
    if places[2 * card] == target:
        places[2 * card] = source
    else:
        places[2 * card + 1] = source
    runs[target >> ROW_SHIFT] = saved >> 8
    runs[source >> ROW_SHIFT] = saved & 255


@compiled
def all_dead(board: Any, gaps: Any, top: int) -> bool:
    """Whether the board is stuck: every gap stands right of a gap or of a king.

    A gap elsewhere always takes some card: the one it wants is on the board, and not there.
    """
    for gap in range(len(gaps)):
        left = board[gaps[gap] - 1]
        if left == WALL or (left != 0 and (left & RANK_MASK) != top):
            return False
    return True
