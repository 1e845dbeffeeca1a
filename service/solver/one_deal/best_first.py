"""Best-first search: the position that looks best, of all that were seen, is opened next.

A position's *worth* is its value (`service.solver.one_deal.evaluation`), plus `step` for each
slide that leads to it, less `switch` for each switch among them. Positions wait in buckets by
worth, last in first out. Only opened positions keep their board; those that wait are a slide from
one of these. Without `switches` an empty queue only says that a line wants one.
"""

from typing import Any, Final

import numpy as np

from service.solver.compiled import compiled
from service.solver.kernel import (
    CELLS,
    COLUMN_MASK,
    KEYS,
    WALL,
    Position,
    all_dead,
    move_card,
    take_back,
)
from service.solver.one_deal.evaluation import (
    MOST_FEATURES,
    local_features,
    sum_of,
    touched_value,
    wide_features,
)
from service.solver.one_deal.found import Found, PackedSlide, Watch
from service.solver.one_deal.slides import MOST_SLIDES, list_slides
from service.solver.table import Int64s, add_key, grown, make_table

# What a slice of the search ended with.
_RUNNING, _WON, _EXHAUSTED, _FULL_TABLE, _FULL = range(5)

# `state`: whole numbers that outlive a slice.
_OPENED, _SEEN, _TOP, _ENTERED, _POSITIONS, _BEST = range(6)

STEP: Final = 96
SWITCH: Final = 1024

_BUCKETS: Final = 8192
_SHIFT: Final = 4

_SEEN_PER_OPENED: Final = 4
_OPENED_BYTES: Final = 64 + 8 + 4 + 4 + 4 + 4
_SEEN_BYTES: Final = 4 + 4 + 2
_TABLE_SHARE: Final = 0.4

_SLICE: Final = 10_000


@compiled
def _open(
    board: Any, places: Any, gaps: Any, runs: Any, boards: Any, parent: int, slide: int, base: int
) -> None:
    """Sets the arrays to a slide from an opened position."""
    kept = boards[parent]
    for cell in range(64):
        board[cell] = kept[cell]
    for gap in range(4):
        gaps[gap] = board[gap * 16]
        board[gap * 16] = WALL
    if slide >= 0:
        source, target = slide >> 6, slide & 63
        board[target] = board[source]
        board[source] = 0
        for gap in range(4):
            if gaps[gap] == target:
                gaps[gap] = source
    for cell in range(64):
        card = board[cell]
        if card != 0 and card != WALL:
            places[2 * card] = cell
    for row in range(4):
        start = row * 16 + 1
        run = 0
        if (board[start] & COLUMN_MASK) == base:
            run = 1
            while board[start + run] == board[start] + run:
                run += 1
        runs[row] = run


@compiled
def _run(
    board: Any,
    places: Any,
    gaps: Any,
    runs: Any,
    keys: Any,
    table: Any,
    boards: Any,
    key_of: Any,
    made_by: Any,
    depth_of: Any,
    switches_of: Any,
    value_of: Any,
    parents: Any,
    slides: Any,
    links: Any,
    heads: Any,
    state: Any,
    weights: Any,
    features: Any,
    listed: Any,
    top: int,
    base: int,
    switches: int,
    step: int,
    switch: int,
    positions: int,
) -> int:
    """Searches on until `state` counts `positions`, or something needs care."""
    goal = 4 * (top - 1)
    fixed = 4 if base == 1 else 0
    fullest = len(table) // 4 * 3 - MOST_SLIDES
    most_opened = len(made_by)
    most_seen = len(parents) - MOST_SLIDES
    while True:
        if state[_POSITIONS] >= positions:
            return _RUNNING
        if state[_ENTERED] >= fullest:
            return _FULL_TABLE
        if state[_OPENED] >= most_opened or state[_SEEN] >= most_seen:
            return _FULL
        bucket = state[_TOP]
        while bucket >= 0 and heads[bucket] < 0:
            bucket -= 1
        state[_TOP] = bucket
        if bucket < 0:
            return _EXHAUSTED
        seen = heads[bucket]
        heads[bucket] = links[seen]
        here = state[_OPENED]
        state[_OPENED] = here + 1
        parent = parents[seen]
        slide = slides[seen]
        _open(board, places, gaps, runs, boards, parent, slide, base)
        for cell in range(64):
            boards[here, cell] = board[cell]
        for gap in range(4):
            boards[here, gap * 16] = gaps[gap]
        made_by[here] = seen
        if slide >= 0:
            source, target = slide >> 6, slide & 63
            card = board[target]
            key = key_of[parent] ^ keys[card * CELLS + source] ^ keys[card * CELLS + target]
            depth = depth_of[parent] + 1
            switched = switches_of[parent]
            if (source & COLUMN_MASK) == 1 and (target & COLUMN_MASK) == 1:
                switched += 1
            after = touched_value(board, weights, source, target)
            board[source] = card
            board[target] = 0
            before = touched_value(board, weights, source, target)
            board[target] = card
            board[source] = 0
            local = value_of[parent] + after - before
        else:
            key = key_of[0]
            depth = 0
            switched = 0
            local = sum_of(weights, features, local_features(board, features))
        key_of[here] = key
        depth_of[here] = depth
        switches_of[here] = switched
        value_of[here] = local
        count = list_slides(board, places, gaps, runs, top, base, switches, 1, listed, 0)
        for index in range(count):
            source, gap = listed[index] >> 2, listed[index] & 3
            target = gaps[gap]
            card = board[source]
            before = touched_value(board, weights, source, target)
            saved, _, _ = move_card(board, places, gaps, runs, gap, source)
            state[_POSITIONS] += 1
            new = state[_SEEN]
            ordered = runs[0] + runs[1] + runs[2] + runs[3] - fixed
            if ordered > state[_BEST]:
                state[_BEST] = ordered
            if ordered == goal:
                parents[new] = here
                slides[new] = source * 64 + target
                return _WON
            if add_key(table, key ^ keys[card * CELLS + source] ^ keys[card * CELLS + target]):
                state[_ENTERED] += 1
                if not all_dead(board, gaps, top):
                    after = touched_value(board, weights, source, target)
                    wide = wide_features(board, places, gaps, runs, top, features, 0)
                    worth = local + after - before + sum_of(weights, features, wide)
                    worth += step * (depth + 1) - switch * switched
                    if (source & COLUMN_MASK) == 1 and (target & COLUMN_MASK) == 1:
                        worth -= switch
                    place = min(max((worth >> _SHIFT) + _BUCKETS // 2, 0), _BUCKETS - 1)
                    parents[new] = here
                    slides[new] = source * 64 + target
                    links[new] = heads[place]
                    heads[place] = new
                    state[_SEEN] = new + 1
                    if place > state[_TOP]:
                        state[_TOP] = place
            take_back(board, places, gaps, runs, gap, target, saved)


class BestFirst:
    """One search from one position; `run` goes on with it.

    `weights` are the evaluation's; `step` and `switch` are in its units.
    """

    def __init__(
        self,
        position: Position,
        memory_bytes: int,
        weights: Int64s,
        *,
        switches: bool = True,
        step: int = STEP,
        switch: int = SWITCH,
    ) -> None:
        self._position = position
        self._weights = weights
        self._flags = (int(switches), step, switch)
        self._table_bytes = int(memory_bytes * _TABLE_SHARE)
        rest = memory_bytes - self._table_bytes
        opened = rest // (_OPENED_BYTES + _SEEN_PER_OPENED * _SEEN_BYTES)
        seen = opened * _SEEN_PER_OPENED
        # Nothing of these is touched before it is used, so a short search takes little of them.
        self._boards = np.empty((opened, 64), np.uint8)
        self._keys = np.empty(opened, np.int64)
        self._made_by = np.empty(opened, np.int32)
        self._depths = np.empty(opened, np.int32)
        self._switches = np.empty(opened, np.int32)
        self._values = np.empty(opened, np.int32)
        self._parents = np.empty(seen, np.int32)
        self._links = np.empty(seen, np.int32)
        self._slides = np.empty(seen, np.int16)
        self._heads = np.full(_BUCKETS, -1, np.int32)
        self._features = np.zeros(MOST_FEATURES, np.int64)
        self._listed = np.zeros(MOST_SLIDES, np.int64)
        self._state = np.zeros(6, np.int64)
        self._table = make_table(14)
        self._boards[0] = position.board[:64]
        self._boards[0, ::16] = position.gaps
        self._keys[0] = position.key
        self._parents[0] = 0
        self._slides[0] = -1
        self._links[0] = -1
        self._heads[0] = 0
        self._state[_SEEN] = 1
        self._state[_ENTERED] = 1
        add_key(self._table, position.key)

    @property
    def positions(self) -> int:
        """The slides made so far."""
        return int(self._state[_POSITIONS])

    def run(self, budget: int, watch: Watch) -> Found:
        """Searches until so many positions more are made, or until it is decided."""
        end = self.positions + budget
        position = self._position
        while True:
            status = _run(
                position.board,
                position.places,
                position.gaps,
                position.runs,
                KEYS,
                self._table,
                self._boards,
                self._keys,
                self._made_by,
                self._depths,
                self._switches,
                self._values,
                self._parents,
                self._slides,
                self._links,
                self._heads,
                self._state,
                self._weights,
                self._features,
                self._listed,
                position.rules.ranks,
                position.rules.base,
                *self._flags,
                min(end, self.positions + _SLICE),
            )
            if status == _WON:
                return Found(line=self._line())
            if status == _EXHAUSTED:
                return Found(exhausted=True)
            if status == _FULL:
                return Found(full=True)
            if status == _FULL_TABLE:
                table = grown(self._table, self._table_bytes)
                if table is None:
                    return Found(full=True)
                self._table = table
            if self.positions >= end or watch(self.positions, int(self._state[_BEST])):
                return Found()

    def _line(self) -> list[PackedSlide]:
        line = []
        seen = int(self._state[_SEEN])
        while (slide := int(self._slides[seen])) >= 0:
            line.append((slide >> 6, slide & 63))
            seen = int(self._made_by[self._parents[seen]])
        return line[::-1]
