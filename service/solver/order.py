"""Which slide a depth-first search tries first, and which it may play without looking further."""

from typing import Any, Final

import numpy as np

from service.solver.compiled import compiled
from service.solver.kernel import COLUMN_MASK, RANK_MASK, ROW_SHIFT, WALL
from service.solver.table import Int64s


def _weights() -> Int64s:
    weights = np.zeros(48, np.int64)
    weights[:14] = (400, -300, -200, 20, 60, 80, 300, -150, -200, 60, 40, -60, -80, 40)
    return weights


WEIGHTS: Final = _weights()
"""What `slide_score` adds for each thing it sees."""


@compiled
def is_safe(board: Any, source: int, card: int, top: int) -> bool:
    """Whether a slide that extends a run, of the one copy of a card, can never be regretted.

    It must not be possible that the run's own 2 moves. Then only this card fits the gap, so the
    slide can be brought to the front of any line unless it takes a slide away; the only one that
    it could take away is that of the card's successor to the card's right, which cannot be where
    the card is a king, stands in the last column, or has its successor there already.
    """
    right = board[source + 1]
    return (card & RANK_MASK) == top or right == WALL or right == card + 1


@compiled
def settled(places: Any, base: int) -> bool:
    """Whether the base cards of one pack are all in column 1, so that none can ever move."""
    for suit in range(4):
        if base == 2 and (places[2 * (suit * 16 + 2)] & COLUMN_MASK) != 1:
            return False
    return True


@compiled
def slide_score(
    board: Any, places: Any, runs: Any, source: int, target: int, top: int, weights: Any
) -> int:
    """How promising a slide looks; the higher the sooner it is tried.

    `weights` is what tells one kind of slide from another: see `WEIGHTS`.
    """
    card = board[source]
    rank = card & RANK_MASK
    left = board[source - 1]
    score = int(weights[16 + rank])
    if (target & COLUMN_MASK) == runs[target >> ROW_SHIFT] + 1:
        score += int(weights[0])
    if (source & COLUMN_MASK) <= runs[source >> ROW_SHIFT]:
        score += int(weights[1])
    if left == card - 1:
        score += int(weights[2])
    if board[source + 1] == 0:
        score += int(weights[3])
    if board[target + 1] == 0:
        score += int(weights[4])
    elif board[target + 1] == card + 1:
        score += int(weights[5])
    if left == WALL:
        return score + int(weights[6])
    if left == 0:
        return score + int(weights[7])
    if (left & RANK_MASK) == top:
        return score + int(weights[8])
    score += int(weights[32 + (left & RANK_MASK)])
    if (source & COLUMN_MASK) == runs[source >> ROW_SHIFT] + 1:
        score += int(weights[9])
    wanted = places[2 * (left + 1)]
    behind = board[wanted - 1]
    if behind == WALL:
        score += int(weights[10])
    elif behind == 0:
        score += int(weights[11])
    elif (behind & RANK_MASK) == top:
        score += int(weights[12])
    elif behind == left:
        score += int(weights[13])
    return score


@compiled
def sort_slides(slides: Any, first: int, last: int) -> None:
    """Sorts ``slides[first:last]`` downwards; few are ever there at once."""
    for i in range(first + 1, last):
        slide = slides[i]
        j = i - 1
        while j >= first and slides[j] < slide:
            slides[j + 1] = slides[j]
            j -= 1
        slides[j + 1] = slide
