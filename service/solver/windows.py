"""Shorter ways between two positions of a line: a search that knows how far apart they are.

Every card that lies elsewhere in the later position takes a slide at least, so a way that cannot
be shorter than the line's own is cut off at once: depth-first search, deepened step by step.
"""

from typing import Any, Final

import numpy as np

from service.solver.compiled import allocating, compiled
from service.solver.kernel import CELLS, RANK_MASK, WALL, move_card, take_back
from service.solver.redealing import set_up

_SEEN_BITS: Final = 13


@compiled
def _seen_before(seen_keys: Any, seen_depths: Any, key: int, depth: int) -> bool:
    """Whether a position was reached in as few slides before; if not, notes it."""
    mask = len(seen_keys) - 1
    if key == 0:
        key = 1
    slot = key & mask
    while seen_keys[slot] != 0 and seen_keys[slot] != key:
        slot = (slot + 1) & mask
    if seen_keys[slot] == key and seen_depths[slot] <= depth:
        return True
    seen_keys[slot] = key
    seen_depths[slot] = depth
    return False


@compiled
def _list_towards(
    board: Any, places: Any, gaps: Any, goal: Any, top: int, slides: Any, first: int, spare: int
) -> int:
    """Writes the slides that leave a way short enough; those into a card's last place go last.

    They are tried from the end. `spare` is how many slides more than the fewest may still be made.
    """
    end = first
    for near in range(2):
        for gap in range(len(gaps)):
            target = gaps[gap]
            left = board[target - 1]
            if left == 0 or (left & RANK_MASK) == top:
                continue
            card = 2 if left == WALL else left + 1
            for _ in range(4 if left == WALL else 1):
                for copy in range(len(gaps) // 4):
                    source = places[2 * card + copy]
                    cost = 1 - (goal[target] == card) + (goal[source] == card)
                    if (cost == 0) == (near == 1) and cost <= spare:
                        slides[end] = cost << 10 | gap << 7 | source
                        end += 1
                card += 16
    return end


@compiled
def _shorter_way(
    board: Any, places: Any, gaps: Any, runs: Any, key: int, goal: Any, top: int, length: int,
    keys: Any, slides: Any, starts: Any, ends: Any, path: Any, undo: Any, seen_keys: Any,
    seen_depths: Any, nodes: int,
) -> tuple[int, int]:  # fmt: skip
    """The fewest slides from the board to `goal` if they are under `length`, else -1; positions.

    The board is left as it was; the way is in ``path``. Gives up after `nodes` positions.
    """
    apart = 0
    for cell in range(CELLS):
        if goal[cell] != 0 and goal[cell] != WALL and goal[cell] != board[cell]:
            apart += 1
    positions = 0
    for bound in range(apart, length):
        seen_keys.fill(0)
        depth = 0
        spare = bound - apart
        missing = apart
        starts[0] = 0
        ends[0] = _list_towards(board, places, gaps, goal, top, slides, 0, spare)
        if missing == 0:
            return 0, positions
        found = 0
        while True:
            if found == 0 and positions < nodes and starts[depth] < ends[depth]:
                ends[depth] -= 1
                slide = slides[ends[depth]]
                cost = slide >> 10
                gap = slide >> 7 & 7
                source = slide & 127
                target = gaps[gap]
                card = board[source]
                positions += 1
                child = key ^ keys[card * CELLS + source] ^ keys[card * CELLS + target]
                if _seen_before(seen_keys, seen_depths, child, depth + 1):
                    continue
                saved, _, _ = move_card(board, places, gaps, runs, gap, source)
                key = child
                spare -= cost
                missing += cost - 1
                path[depth] = source << 7 | target
                undo[depth] = cost << 20 | saved << 4 | gap
                starts[depth + 1] = ends[depth]
                depth += 1
                if missing == 0:
                    found = depth
                    continue
                ends[depth] = _list_towards(
                    board, places, gaps, goal, top, slides, starts[depth], spare
                )
                continue
            if depth == 0:
                break
            depth -= 1
            target = path[depth] & 127
            source = path[depth] >> 7
            card = board[target]
            key ^= keys[card * CELLS + source] ^ keys[card * CELLS + target]
            cost = undo[depth] >> 20
            spare += cost
            missing -= cost - 1
            take_back(
                board, places, gaps, runs, undo[depth] & 15, target, undo[depth] >> 4 & 0xFFFF
            )
        if found > 0:
            return found, positions
        if positions >= nodes:
            break
    return -1, positions


@allocating
def cut_windows(
    layout: Any, base: int, top: int, packs: int, keys: Any, line: Any, count: int, width: int,
    step: int, nodes: int, limit: int,
) -> tuple[int, int]:  # fmt: skip
    """Shortens ``line[:count]`` in place; its new length, and the positions that took.

    Each stretch of `width` slides, from every `step`-th on, is replaced by a shorter way between
    its ends if one is found in `nodes` positions. No search begins after `limit` positions.
    """
    board = np.zeros(CELLS, np.int64)
    places = np.zeros(CELLS, np.int64)
    gaps = np.zeros(4 * packs, np.int64)
    runs = np.zeros(4 * packs, np.int64)
    goal = np.zeros(CELLS, np.int64)
    slides = np.zeros((width + 1) * 16 * packs * packs, np.int64)
    starts = np.zeros(width + 1, np.int64)
    ends = np.zeros(width + 1, np.int64)
    path = np.zeros(width + 1, np.int64)
    undo = np.zeros(width + 1, np.int64)
    seen_keys = np.zeros(1 << _SEEN_BITS, np.int64)
    seen_depths = np.zeros(1 << _SEEN_BITS, np.int64)
    key, _, _ = set_up(layout, base, keys, board, places, gaps, runs)
    positions = 0
    first = 0
    while first < count and positions < limit:
        last = min(first + width, count)
        for cell in range(CELLS):
            goal[cell] = board[cell]
        for move in range(first, last):
            goal[line[move] & 127] = goal[line[move] >> 7]
            goal[line[move] >> 7] = 0
        length, spent = _shorter_way(
            board, places, gaps, runs, key, goal, top, last - first, keys, slides, starts, ends,
            path, undo, seen_keys, seen_depths, nodes,
        )  # fmt: skip
        positions += spent
        if length >= 0:
            for move in range(length):
                line[first + move] = path[move]
            for move in range(last, count):
                line[first + length + move - last] = line[move]
            count -= last - first - length
            continue
        for move in range(first, min(first + step, count)):
            source = line[move] >> 7
            target = line[move] & 127
            card = board[source]
            key ^= keys[card * CELLS + source] ^ keys[card * CELLS + target]
            for gap in range(len(gaps)):
                if gaps[gap] == target:
                    move_card(board, places, gaps, runs, gap, source)
                    break
        first += step
    return count, positions
