"""Depth-first search of one round, in slices: from a board to a win, or to its stuck boards.

The state of a search lies in arrays, so that a slice can end anywhere and the next goes on.
A *position* is counted for every child made, seen before or not.
"""

from typing import Any, Final

from service.solver.compiled import compiled
from service.solver.kept import keep_board
from service.solver.kernel import (
    CELLS,
    COLUMN_MASK,
    RANK_MASK,
    ROW_SHIFT,
    WALL,
    all_dead,
    column_change,
    move_card,
    take_back,
)
from service.solver.order import is_safe, settled, slide_score, sort_slides
from service.solver.table import add_key

DEPTH: Final = 0
ORDERED: Final = 1
KEY: Final = 2
STORED: Final = 3
NOISE: Final = 4
KEPT: Final = 5
TRUNCATED: Final = 6
DROPPED: Final = 7
POSITIONS: Final = 8
BEST: Final = 9
ENTERED: Final = 10
MISPLACED: Final = 11
STATE: Final = 12
"""Where the numbers of a search stand in its state array, and how many there are."""

RUNNING: Final = 0
FOUND: Final = 1
EXHAUSTED: Final = 2
FULL: Final = 3
"""How a slice ends: at its limit, at a win, with nothing left, or with a table to be grown."""

KEPT_SCALE: Final = 16
"""What an ordered card is worth where stuck boards are compared."""

_GAP_SHIFT: Final = 7
_SCORE_SHIFT: Final = 10
_SCORE_BASE: Final = 1 << 20


@compiled
def list_slides(
    board: Any,
    places: Any,
    gaps: Any,
    runs: Any,
    base: int,
    top: int,
    every: bool,
    safe: bool,
    weights: Any,
    noise: int,
    random: int,
    slides: Any,
    first: int,
) -> tuple[int, int]:
    """Writes the slides to try into ``slides[first:]``, best first; where they end, and the noise.

    Without `every`, a card in a run never moves, and one right of its predecessor moves only into
    a run: so no position comes twice on a line. `safe` plays a safe slide alone.
    """
    end = first
    packs = len(gaps) // 4
    for gap in range(len(gaps)):
        target = gaps[gap]
        left = board[target - 1]
        if left == 0 or (left & RANK_MASK) == top:
            continue
        extends = (target & COLUMN_MASK) == runs[target >> ROW_SHIFT] + 1
        suits = 1
        card = left + 1
        if left == WALL:
            suits = 4
            card = 2
        for _ in range(suits):
            for copy in range(packs):
                source = places[2 * card + copy]
                if not every:
                    if (source & COLUMN_MASK) <= runs[source >> ROW_SHIFT]:
                        continue
                    if packs == 2 and not extends and board[source - 1] == card - 1:
                        continue
                if (
                    safe
                    and extends
                    and packs == 1
                    and left != WALL
                    and is_safe(board, source, card, top)
                    and (not every or settled(places, base))
                ):
                    slides[first] = gap << _GAP_SHIFT | source
                    return first + 1, random
                score = slide_score(board, places, runs, source, target, top, weights)
                if noise > 0:
                    random = (random * 1103515245 + 12345) & 0x7FFFFFFF
                    score += (random >> 8) % noise
                slides[end] = (_SCORE_BASE + score) << _SCORE_SHIFT | gap << _GAP_SHIFT | source
                end += 1
            card += 16
    sort_slides(slides, first, end)
    return end, random


@compiled
def search_slice(
    board: Any,
    places: Any,
    gaps: Any,
    runs: Any,
    state: Any,
    slides: Any,
    starts: Any,
    ends: Any,
    path: Any,
    undo: Any,
    table: Any,
    keys: Any,
    weights: Any,
    noise: int,
    base: int,
    top: int,
    goal: int,
    longest: int,
    bounded: bool,
    every: bool,
    safe: bool,
    whole: bool,
    anywhere: bool,
    thrift: int,
    limit: int,
    stored_limit: int,
    kept_keys: Any,
    kept_values: Any,
    kept_boards: Any,
    kept_depths: Any,
    kept_paths: Any,
) -> int:
    """Searches on for `limit` positions at most; how the slice ended.

    ``path[:state[DEPTH]]`` are the slides to the present board, ``source * 128 + target``.
    `goal` is the ordered count (fixed aces in it) of a won board, `whole` tells that a stuck
    board counts by all its cards and not by its runs alone, `anywhere` that every board is kept as
    if it were stuck. Lines have `longest` slides at most; `bounded` drops those that cannot be won
    in so many, since each card in a wrong column takes one. `thrift` is what each slide takes from
    a stuck board's value.
    """
    depth = state[DEPTH]
    total = state[ORDERED]
    key = state[KEY]
    stored = state[STORED]
    random = state[NOISE]
    positions = 0
    result = RUNNING
    misplaced = state[MISPLACED]
    entered = state[ENTERED] == 1
    while entered or positions < limit:
        if entered:
            entered = False
            if total == goal:
                result = FOUND
                break
            first = ends[depth - 1] if depth > 0 else 0
            starts[depth] = first
            ends[depth] = first
            if depth == longest:
                state[TRUNCATED] += 1
                continue
            last, random = list_slides(
                board, places, gaps, runs, base, top, every, safe, weights, noise, random,
                slides, first,
            )  # fmt: skip
            ends[depth] = last
            if anywhere or (last == first and all_dead(board, gaps, top)):
                value = total * KEPT_SCALE - thrift * depth
                keep_board(
                    board, runs, state, value, key, whole, keys, depth, path,
                    kept_keys, kept_values, kept_boards, kept_depths, kept_paths,
                )  # fmt: skip
            continue
        if starts[depth] == ends[depth]:
            if depth == 0:
                result = EXHAUSTED
                break
            depth -= 1
            packed = path[depth]
            target = packed & 127
            gap = undo[depth] & 15
            saved = undo[depth] >> 4 & 0xFFFF
            total -= (undo[depth] >> 20) - 16
            card = board[target]
            misplaced -= column_change(card, packed >> 7, target, base)
            key ^= keys[card * CELLS + target] ^ keys[card * CELLS + (packed >> 7)]
            take_back(board, places, gaps, runs, gap, target, saved)
            continue
        if stored >= stored_limit:
            result = FULL
            break
        slide = slides[starts[depth]]
        starts[depth] += 1
        positions += 1
        source = slide & 127
        gap = slide >> _GAP_SHIFT & 7
        card = board[source]
        target = gaps[gap]
        change = column_change(card, source, target, base)
        if bounded and depth + 1 + misplaced + change > longest:
            state[TRUNCATED] += 1
            continue
        child = key ^ keys[card * CELLS + source] ^ keys[card * CELLS + target]
        if not add_key(table, child):
            continue
        stored += 1
        misplaced += change
        saved, change, target = move_card(board, places, gaps, runs, gap, source)
        key = child
        total += change
        path[depth] = source << 7 | target
        undo[depth] = (change + 16) << 20 | saved << 4 | gap
        depth += 1
        if total > state[BEST]:
            state[BEST] = total
        entered = True
    state[DEPTH] = depth
    state[ORDERED] = total
    state[KEY] = key
    state[STORED] = stored
    state[NOISE] = random
    state[ENTERED] = 0
    state[MISPLACED] = misplaced
    state[POSITIONS] += positions
    return result
