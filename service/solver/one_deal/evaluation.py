"""What a position looks like to the learned evaluation, and what it is worth.

A position's value is a sum of weights, one for each of its *features*: those of each cell with its
left neighbour, so that a slide changes few of them. A value only decides what is looked at first;
no outcome rests on it.

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
FEATURES: Final = _PAIR + 16 * 16 * 3

MOST_FEATURES: Final = 2 * 56
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
    """What the features that a slide changes are worth, before it or after it."""
    value = _cell_value(board, weights, source) + _cell_value(board, weights, target)
    if source + 1 != target:
        value += _cell_value(board, weights, source + 1)
    if target + 1 != source:
        value += _cell_value(board, weights, target + 1)
    return value


@compiled
def features_of(board: Any, out: Any) -> int:
    """Writes the features of a board to `out`; gives how many they are."""
    count = 0
    for cell in range(64):
        card = board[cell]
        if card != WALL:
            out[count] = _PLACE + (card & RANK_MASK) * 16 + (cell & COLUMN_MASK)
            out[count + 1] = _pair(board[cell - 1], card)
            count += 2
    return count


@compiled
def sum_of(weights: Any, features: Any, count: int) -> Any:
    """The sum of the weights of the first `count` features."""
    value = 0
    for index in range(count):
        value += weights[features[index]]
    return value
