"""Fits the evaluation's weights to pairs of positions of which one can be won and one cannot.

Logistic regression on the difference of the two positions' features, by stochastic gradient
descent in an order that is the same on every run. Boards are rows of 64 cells as the kernel
numbers them, four walls left of the rows.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from service.solver.compiled import compiled
from service.solver.kernel import CELLS, WALL, run_length
from service.solver.one_deal.controls import MOST_CONTROLS, WITH_CONTROLS, controls_of
from service.solver.one_deal.evaluation import MOST_FEATURES, features_of

Floats = npt.NDArray[np.float64]

UNIT: Final = 256
"""A logit in the whole numbers that the search adds up."""

_EPOCHS: Final = 8
_RATE: Final = 0.005
_DECAY: Final = 1e-3


@compiled
def _feature_rows(
    boards: Any,
    board: Any,
    places: Any,
    gaps: Any,
    runs: Any,
    features: Any,
    top: int,
    base: int,
    out: Any,
) -> None:
    for index in range(len(boards)):
        gap = 0
        for cell in range(64):
            card = boards[index, cell]
            board[cell] = card
            if card == 0:
                gaps[gap] = cell
                gap += 1
            elif card != WALL:
                places[2 * card] = cell
        for row in range(4):
            runs[row] = run_length(board, row, base)
        count = features_of(board, features)
        count += controls_of(board, places, gaps, runs, top, features, count)
        for column in range(count):
            out[index, column] = features[column]


def feature_rows(boards: npt.NDArray[np.uint8], top: int, base: int) -> npt.NDArray[np.int16]:
    """The features of each board, in rows filled up with -1."""
    rows = np.full((len(boards), MOST_FEATURES + MOST_CONTROLS), -1, np.int16)
    board, places = np.zeros(CELLS, np.int64), np.zeros(CELLS, np.int64)
    gaps, runs = np.zeros(4, np.int64), np.zeros(4, np.int64)
    features = np.zeros(MOST_FEATURES + MOST_CONTROLS, np.int64)
    _feature_rows(boards.astype(np.int64), board, places, gaps, runs, features, top, base, rows)
    return rows


@compiled
def _margin(alive: Any, dead: Any, weights: Any) -> float:
    margin = 0.0
    for column in range(len(alive)):
        if alive[column] != dead[column]:
            if alive[column] >= 0:
                margin += weights[alive[column]]
            if dead[column] >= 0:
                margin -= weights[dead[column]]
    return margin


@compiled
def _epoch(rows: Any, pairs: Any, order: Any, weights: Any, rate: float, decay: float) -> None:
    for index in order:
        alive = rows[pairs[index, 0]]
        dead = rows[pairs[index, 1]]
        margin = _margin(alive, dead, weights)
        pull = rate / (1.0 + np.exp(min(margin, 30.0)))
        for column in range(len(alive)):
            if alive[column] != dead[column]:
                if alive[column] >= 0:
                    weights[alive[column]] += pull - rate * decay * weights[alive[column]]
                if dead[column] >= 0:
                    weights[dead[column]] -= pull + rate * decay * weights[dead[column]]


def fit(rows: npt.NDArray[np.int16], pairs: npt.NDArray[np.int64], seed: int = 0) -> Floats:
    """The weights, one for each feature and then one for each control, in logits.

    `pairs` has rows of two: which row of features can be won, and which cannot.
    """
    weights = np.zeros(WITH_CONTROLS)
    random = np.random.default_rng(seed)
    for epoch in range(_EPOCHS):
        order = random.permutation(len(pairs))
        _epoch(rows, pairs, order, weights, _RATE / (1 + epoch / 2), _DECAY)
    return weights


@compiled
def accuracy(rows: Any, pairs: Any, weights: Any) -> float:
    """The share of pairs in which the position that can be won is worth more."""
    right = 0.0
    for index in range(len(pairs)):
        margin = _margin(rows[pairs[index, 0]], rows[pairs[index, 1]], weights)
        right += 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0
    return right / max(len(pairs), 1)
