"""What a position looks like to the learned evaluation, and what it is worth.

A position's value is a sum of weights, one for each of its *features*. The *local* features are
those of a cell with its left neighbour: a slide changes few of them. The *wide* ones are those of
the gaps, and of the rows' runs. A value only decides what is looked at first; no outcome rests
on it.

Cards count by rank alone, gaps as 0, the wall as 15 (its code's last four bits).
"""

import json
from functools import cache
from importlib import resources
from typing import Any, Final

import numpy as np

from service.solver.compiled import compiled
from service.solver.kernel import COLUMN_MASK, RANK_MASK, WALL
from service.solver.table import Int64s

# The first index of each kind of feature, and what the index then counts.
_PLACE: Final = 0  # rank, column
_PAIR: Final = _PLACE + 16 * 16  # left rank, rank, 0 other suit 1 same suit 2 successor
_GAP: Final = _PAIR + 16 * 16 * 3  # left rank, column
_PULL: Final = _GAP + 16 * 16  # left rank, rank left of the wanted card
_NEXT: Final = _PULL + 16 * 16  # the same as _PULL, one step later
_CHAIN: Final = _NEXT + 16 * 16  # steps, how they end
_BLOCK: Final = _CHAIN + 16 * 4  # run length, rank in the cell right of the run
_NEED: Final = _BLOCK + 16 * 16  # run length, rank left of the card that the run needs
_HOME: Final = _NEED + 16 * 16  # 2s in column 1
_DEAD: Final = _HOME + 8  # dead gaps
FEATURES: Final = _DEAD + 8

_LONGEST_CHAIN: Final = 8

MOST_FEATURES: Final = 2 * 56 + 4 * 4 + 4 * 2 + 2
"""The most features a position has."""


@cache
def weights() -> Int64s:
    """The learned weights, in 256ths of a logit, one for each feature."""
    text = resources.files(__package__).joinpath("weights.json").read_text("ascii")
    return np.array(json.loads(text)["weights"], np.int64)


@compiled
def _pair(left: Any, card: Any) -> Any:
    relation = 0
    if left >> 4 == card >> 4 and left != 0 and card != 0:
        relation = 2 if card == left + 1 else 1
    return _PAIR + ((left & RANK_MASK) * 16 + (card & RANK_MASK)) * 3 + relation


@compiled
def _cell_value(board: Any, weights: Any, cell: int) -> Any:
    card = board[cell]
    if card == WALL:
        return 0
    place = _PLACE + (card & RANK_MASK) * 16 + (cell & COLUMN_MASK)
    return weights[place] + weights[_pair(board[cell - 1], card)]


@compiled
def touched_value(board: Any, weights: Any, source: int, target: int) -> Any:
    """What the local features that a slide changes are worth, before it or after it."""
    value = _cell_value(board, weights, source) + _cell_value(board, weights, target)
    if source + 1 != target:
        value += _cell_value(board, weights, source + 1)
    if target + 1 != source:
        value += _cell_value(board, weights, target + 1)
    return value


@compiled
def local_features(board: Any, out: Any) -> int:
    """Writes all local features to `out`; gives how many they are."""
    count = 0
    for cell in range(64):
        card = board[cell]
        if card != WALL:
            out[count] = _PLACE + (card & RANK_MASK) * 16 + (cell & COLUMN_MASK)
            out[count + 1] = _pair(board[cell - 1], card)
            count += 2
    return count


@compiled
def wide_features(
    board: Any, places: Any, gaps: Any, runs: Any, top: int, out: Any, at: int
) -> int:
    """Writes all wide features to `out` from index `at` on; gives how many they are."""
    count = at
    dead = 0
    for gap in range(4):
        cell = gaps[gap]
        left = board[cell - 1]
        rank = left & RANK_MASK
        out[count] = _GAP + rank * 16 + (cell & COLUMN_MASK)
        count += 1
        steps = 0
        end = 3
        while steps < _LONGEST_CHAIN:
            if left == WALL:
                end = 2
                break
            if left == 0:
                end = 0
                break
            if rank == top:
                end = 1
                break
            source = places[2 * left + 2]
            left = board[source - 1]
            following = left & RANK_MASK
            if steps == 0:
                out[count] = _PULL + rank * 16 + following
                count += 1
            elif steps == 1:
                out[count] = _NEXT + rank * 16 + following
                count += 1
            rank = following
            steps += 1
        if steps == 0 and end < 2:
            dead += 1
        out[count] = _CHAIN + steps * 4 + end
        count += 1
    home = 0
    for row in range(4):
        run = runs[row]
        start = row * 16 + 1
        out[count] = _BLOCK + run * 16 + (board[start + run] & RANK_MASK)
        count += 1
        if run > 0:
            home += 1
            card = board[start] + run - 1
            if (card & RANK_MASK) < top:
                out[count] = _NEED + run * 16 + (board[places[2 * card + 2] - 1] & RANK_MASK)
                count += 1
    out[count] = _HOME + home
    out[count + 1] = _DEAD + dead
    return count + 2 - at


@compiled
def sum_of(weights: Any, features: Any, count: int) -> Any:
    """The sum of the weights of the first `count` features."""
    value = 0
    for index in range(count):
        value += weights[features[index]]
    return value
