"""Leaps along a line: one slide that leads to a later position of the same line, or none at all.

What lies between is cut out. So loops go, and lines that a depth-first search drew out.
"""

from typing import Any

import numpy as np

from service.solver.compiled import allocating, compiled
from service.solver.kernel import CELLS, RANK_MASK, WALL, move_card
from service.solver.redealing import set_up


@compiled
def _slot(slots: Any, line_keys: Any, key: int) -> int:
    """Where the table of the line's positions has a key, or would have it."""
    mask = len(slots) - 1
    slot = key & mask
    while slots[slot] >= 0 and line_keys[slots[slot]] != key:
        slot = (slot + 1) & mask
    return slot


@allocating
def leap(
    layout: Any, base: int, top: int, packs: int, keys: Any, line: Any, count: int
) -> tuple[int, int]:
    """Shortens ``line[:count]`` in place to the shortest way over its own positions.

    Gives the new length and the positions that took. No position comes twice afterwards.
    """
    board = np.zeros(CELLS, np.int64)
    places = np.zeros(CELLS, np.int64)
    gaps = np.zeros(4 * packs, np.int64)
    runs = np.zeros(4 * packs, np.int64)
    line_keys = np.zeros(count + 1, np.int64)
    size = 4
    while size < 4 * (count + 1):
        size *= 2
    slots = np.full(size, -1, np.int64)
    key, _, _ = set_up(layout, base, keys, board, places, gaps, runs)
    line_keys[0] = key
    slots[_slot(slots, line_keys, key)] = 0
    for move in range(count):
        source = line[move] >> 7
        target = line[move] & 127
        card = board[source]
        board[target] = card
        board[source] = 0
        key ^= keys[card * CELLS + source] ^ keys[card * CELLS + target]
        line_keys[move + 1] = key
        # Where a position comes again, the table holds its last place.
        slots[_slot(slots, line_keys, key)] = move + 1

    ways = np.full(count + 1, count + 1, np.int64)
    before = np.zeros(count + 1, np.int64)
    slides = np.zeros(count + 1, np.int64)
    ways[slots[_slot(slots, line_keys, line_keys[0])]] = 0
    set_up(layout, base, keys, board, places, gaps, runs)
    positions = 0
    for here in range(count):
        key = line_keys[here]
        if ways[here] <= count and slots[_slot(slots, line_keys, key)] == here:
            for gap in range(len(gaps)):
                target = gaps[gap]
                left = board[target - 1]
                if left == 0 or (left & RANK_MASK) == top:
                    continue
                card = 2 if left == WALL else left + 1
                for _ in range(4 if left == WALL else 1):
                    for copy in range(packs):
                        source = places[2 * card + copy]
                        child = key ^ keys[card * CELLS + source] ^ keys[card * CELLS + target]
                        positions += 1
                        there = slots[_slot(slots, line_keys, child)]
                        if there > here and ways[there] > ways[here] + 1:
                            ways[there] = ways[here] + 1
                            before[there] = here
                            slides[there] = source << 7 | target
                    card += 16
        target = line[here] & 127
        for gap in range(len(gaps)):
            if gaps[gap] == target:
                move_card(board, places, gaps, runs, gap, line[here] >> 7)
                break
    length = ways[count]
    here = count
    for move in range(length - 1, -1, -1):
        line[move] = slides[here]
        here = before[here]
    return length, positions
