"""A beam along a line that wins: level by level, the boards that look best after so many slides.

All boards of a level are as many slides from the start, so the first win is the shortest that the
beam can find. The line's own board is always among them, and the learned evaluation picks the
rest. For one pack without fixed aces, in the round that ends won.
"""

from typing import Any, Final

import numpy as np

from service.solver.compiled import allocating, compiled
from service.solver.depth_first import Padded
from service.solver.kernel import (
    CELLS,
    KEYS,
    RANK_MASK,
    WALL,
    column_change,
    move_card,
    take_back,
)
from service.solver.meter import Meter
from service.solver.one_deal.evaluation import (
    MOST_FEATURES,
    features_of,
    sum_of,
    weights,
)
from service.solver.one_deal.slides import MOST_SLIDES
from service.solver.redealing import set_up
from service.solver.table import Int64s, add_key, grown, make_table, room

_THRIFT: Final = 400
"""What a card in a wrong column takes from a board's value: it will cost a slide at least."""


@allocating
def _next_level(
    boards: Any, count: int, top: int, goal: int, keys: Any, learned: Any, table: Any, most: int,
    values: Any, parents: Any, slides: Any, child_keys: Any,
) -> tuple[int, int, int]:  # fmt: skip
    """Makes the children of ``boards[:count]`` that can still be won in `most` slides.

    Gives how many there are, the number of one that is won (or -1), and the positions made.
    """
    board = np.zeros(CELLS, np.int64)
    places = np.zeros(CELLS, np.int64)
    gaps = np.zeros(4, np.int64)
    runs = np.zeros(4, np.int64)
    features = np.zeros(MOST_FEATURES, np.int64)
    made = 0
    positions = 0
    for parent in range(count):
        key, total, misplaced = set_up(boards[parent], 2, keys, board, places, gaps, runs)
        for gap in range(4):
            target = gaps[gap]
            left = board[target - 1]
            if left == 0 or (left & RANK_MASK) == top:
                continue
            card = 2 if left == WALL else left + 1
            for _ in range(4 if left == WALL else 1):
                source = places[2 * card]
                positions += 1
                after = misplaced + column_change(card, source, target, 2)
                child = key ^ keys[card * CELLS + source] ^ keys[card * CELLS + target]
                if after <= most and add_key(table, child):
                    saved, change, _ = move_card(board, places, gaps, runs, gap, source)
                    value = sum_of(learned, features, features_of(board, features))
                    values[made] = value - _THRIFT * after
                    parents[made] = parent
                    slides[made] = source << 7 | target
                    child_keys[made] = child
                    made += 1
                    take_back(board, places, gaps, runs, gap, target, saved)
                    if total + change == goal:
                        return made, made - 1, positions
                card += 16
    return made, -1, positions


@compiled
def _threshold(values: Any, made: int, width: int) -> tuple[int, int]:
    """The value of the `width`-th best of the children, and how many of just that value fit."""
    low = 0
    high = 0
    for child in range(made):
        low = min(low, values[child])
        high = max(high, values[child])
    while low < high:
        middle = low + (high - low + 1) // 2
        count = 0
        for child in range(made):
            if values[child] >= middle:
                count += 1
        if count >= width:
            low = middle
        else:
            high = middle - 1
    better = 0
    for child in range(made):
        if values[child] > low:
            better += 1
    return low, width - better


@compiled
def _pick(
    values: Any, made: int, width: int, always: int, boards: Any, parents: Any, slides: Any,
    picked: Any, after: Any,
) -> int:  # fmt: skip
    """Writes the boards of the best children into `after`, and their numbers into `picked`."""
    least, spare = _threshold(values, made, width)
    count = 0
    for child in range(made):
        chosen = child == always or values[child] > least
        if not chosen and values[child] == least and spare > 0:
            spare -= 1
            chosen = True
        if chosen:
            picked[count] = child
            for cell in range(CELLS):
                after[count, cell] = boards[parents[child], cell]
            after[count, slides[child] & 127] = after[count, slides[child] >> 7]
            after[count, slides[child] >> 7] = 0
            count += 1
    return count


def search_beam(
    board: Padded, line: tuple[int, ...], top: int, meter: Meter, width: int
) -> tuple[int, ...] | None:
    """A shorter way than `line` from the board to a won one, or None; packed slides."""
    goal = 4 * (top - 1)
    boards = np.zeros((width + 1, CELLS), np.uint8)
    after = np.zeros((width + 1, CELLS), np.uint8)
    room_for = (width + 1) * MOST_SLIDES
    values, parents, slides, child_keys = (np.zeros(room_for, np.int64) for _ in range(4))
    picked = np.zeros(width + 1, np.int64)
    history: list[tuple[Int64s, Int64s]] = []
    table = make_table(12)
    stored = 0
    boards[0] = board
    count = 1
    key = 0
    for cell in range(CELLS):
        if 0 < board[cell] < WALL:
            key ^= int(KEYS[int(board[cell]) * CELLS + cell])
    add_key(table, key)
    own = board.copy()
    for depth, slide in enumerate(line[:-1]):
        if not meter.slice():
            return None
        while stored + count * MOST_SLIDES > room(table):
            bigger = grown(table, meter.memory_bytes)
            if bigger is None:
                return None
            table = bigger
        made, won, spent = _next_level(
            boards, count, top, goal, KEYS, weights(), table, len(line) - depth - 2, values,
            parents, slides, child_keys,
        )  # fmt: skip
        meter.spend(spent)
        stored += made
        if won >= 0:
            return _way(history, int(parents[won]), int(slides[won]))
        source, target = divmod(slide, CELLS)
        card = int(own[source])
        own[target], own[source] = card, 0
        key ^= int(KEYS[card * CELLS + source]) ^ int(KEYS[card * CELLS + target])
        where = np.flatnonzero(child_keys[:made] == key)
        always = int(where[0]) if len(where) else -1
        count = _pick(values, made, width, always, boards, parents, slides, picked, after)
        if count == 0:
            return None
        history.append((parents[picked[:count]], slides[picked[:count]]))
        boards, after = after, boards
    return None


def _way(history: list[tuple[Int64s, Int64s]], parent: int, slide: int) -> tuple[int, ...]:
    way = [slide]
    for parents, slides in reversed(history):
        way.append(int(slides[parent]))
        parent = int(parents[parent])
    return tuple(reversed(way))
