"""Slides that a line can do without: each is left out in turn, and the rest is played on.

Here a slide says which card goes where in terms of cards: to the right of its predecessor,
wherever that stands by then, or to column 1 of a row. So the slides after one that is left out
mostly keep their sense; those that lose it are left out too.
"""

from typing import Any

import numpy as np

from service.solver.compiled import allocating, compiled
from service.solver.kept import runs_key
from service.solver.kernel import CELLS, COLUMN_MASK, ROW_SHIFT, WALL, all_dead, move_card
from service.solver.redealing import set_up


@compiled
def _copy(source: Any, target: Any) -> None:
    # An assignment of slices does the same, but takes seconds to compile.
    for index in range(len(source)):
        target[index] = source[index]


@compiled
def _gap_at(gaps: Any, cell: int) -> int:
    for gap in range(len(gaps)):
        if gaps[gap] == cell:
            return gap
    return -1


@compiled
def reaches(
    board: Any, gaps: Any, runs: Any, keys: Any, top: int, goal: int, end: int, whole: bool
) -> bool:
    """Whether a board ends a round as wanted: won where `end` is 0, else stuck with that key.

    `goal` is the run total of a won board; `whole` tells that the key is of the whole board.
    """
    total = 0
    for row in range(len(runs)):
        total += runs[row]
    if end == 0:
        return total == goal
    if total == goal or not all_dead(board, gaps, top):
        return False
    if not whole:
        return runs_key(board, runs, keys) == end
    key = 0
    for row in range(len(runs)):
        for cell in range(row << ROW_SHIFT, (row + 1) << ROW_SHIFT):
            if board[cell] != 0 and board[cell] != WALL:
                key ^= keys[board[cell] * CELLS + cell]
    return key == end


@compiled
def _follow(
    board: Any, places: Any, gaps: Any, runs: Any, cards: Any, anchors: Any, first: int, last: int,
    skipped: int, other: int, out: Any, filled: int,
) -> int:  # fmt: skip
    for move in range(first, last):
        if move in (skipped, other):
            continue
        anchor = anchors[move]
        target = places[anchor] + 1 if anchor >= 0 else ((-anchor - 1) << ROW_SHIFT) + 1
        if board[target] != 0:
            continue
        source = places[cards[move]]
        out[filled] = source << 7 | target
        filled += 1
        move_card(board, places, gaps, runs, _gap_at(gaps, target), source)
    return filled


@compiled
def _name_slides(
    board: Any, places: Any, gaps: Any, runs: Any, line: Any, first: int, last: int, cards: Any,
    anchors: Any,
) -> None:  # fmt: skip
    for move in range(first, last):
        source = line[move] >> 7
        target = line[move] & 127
        card = board[source]
        cards[move] = 2 * card + (places[2 * card] != source)
        if (target & COLUMN_MASK) == 1:
            anchors[move] = -(target >> ROW_SHIFT) - 1
        else:
            anchors[move] = 2 * (card - 1) + (places[2 * (card - 1)] != target - 1)
        move_card(board, places, gaps, runs, _gap_at(gaps, target), source)


@allocating
def elide(
    layout: Any, base: int, top: int, goal: int, end: int, whole: bool, keys: Any, line: Any,
    count: int, packs: int, reach: int, limit: int,
) -> tuple[int, int]:  # fmt: skip
    """Shortens ``line[:count]`` in place; its new length, and the positions that took.

    Slides are left out one at a time, or in pairs up to `reach` slides apart. The round that
    begins at the padded board `layout` must end as `reaches` tells. No trial begins after `limit`
    positions.
    """
    board = np.zeros(CELLS, np.int64)
    places = np.zeros(CELLS, np.int64)
    gaps = np.zeros(4 * packs, np.int64)
    runs = np.zeros(4 * packs, np.int64)
    head_board = np.zeros(CELLS, np.int64)
    head_places = np.zeros(CELLS, np.int64)
    head_gaps = np.zeros(4 * packs, np.int64)
    head_runs = np.zeros(4 * packs, np.int64)
    cards = np.zeros(len(line), np.int64)
    anchors = np.zeros(len(line), np.int64)
    out = np.zeros(len(line), np.int64)
    set_up(layout, base, keys, head_board, head_places, head_gaps, head_runs)
    positions = 0
    first = 0
    named = False
    while first < count and positions < limit:
        if not named:
            _copy(head_board, board)
            _copy(head_places, places)
            _copy(head_gaps, gaps)
            _copy(head_runs, runs)
            _name_slides(board, places, gaps, runs, line, first, count, cards, anchors)
            named = True
        shorter = -1
        for other in range(first, min(first + reach, count - 1) + 1):
            _copy(head_board, board)
            _copy(head_places, places)
            _copy(head_gaps, gaps)
            _copy(head_runs, runs)
            last = _follow(
                board, places, gaps, runs, cards, anchors, first, count, first, other, out, first
            )
            positions += last - first
            if last < count and reaches(board, gaps, runs, keys, top, goal, end, whole):
                shorter = last
                break
        if shorter >= 0:
            for move in range(first, shorter):
                line[move] = out[move]
            count = shorter
            named = False
            continue
        target = line[first] & 127
        move_card(
            head_board, head_places, head_gaps, head_runs, _gap_at(head_gaps, target),
            line[first] >> 7,
        )  # fmt: skip
        first += 1
    return count, positions
