"""Best-first search by discrepancies: the position that took least against advice is opened next.

The evaluation (`service.solver.one_deal.evaluation`) can tell which of a position's slides is best,
but hardly which of two positions far apart. So a slide *costs* what it is worth less than the best
of its siblings; a position costs as much as all slides that lead to it. Positions wait in buckets
by cost, last in first out: of equals the deepest comes first. Only opened positions keep their
board; those that wait are a slide from one of these. An empty queue proves a loss.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from service.solver.compiled import compiled
from service.solver.kernel import (
    KEYS,
    WALL,
    Position,
    all_dead,
    column_change,
    misplaced,
    run_length,
)
from service.solver.one_deal.column import CARDS, column_key
from service.solver.one_deal.evaluation import (
    MOST_FEATURES,
    features_of,
    sum_of,
    touched_value,
)
from service.solver.one_deal.found import Found, Watch
from service.solver.one_deal.playing import begin, play, undo
from service.solver.one_deal.slides import (
    MOST_SLIDES,
    list_slides,
    rest_after,
    source_of,
    target_of,
)
from service.solver.one_deal.switches import spelled_out
from service.solver.table import Int64s, add_key, grown, make_table, touch

# What a slice of the search ended with.
_RUNNING, _WON, _EXHAUSTED, _FULL_TABLE, _FULL = range(5)

# `state`: whole numbers that outlive a slice.
_OPENED, _SEEN, _FIRST, _ENTERED, _POSITIONS, _BEST, _TOUCHED = range(7)

# `opened`: a row of whole numbers for each position that was opened.
_REST, _COLUMN, _MADE_BY, _LEAST = range(4)

# `seen`: a row of whole numbers for each position that was ever put into the queue.
_PARENT, _SLIDE, _VALUE, _COST, _LINK = range(5)

_BUCKETS: Final = 2048
_SHIFT: Final = 5

_WORST: Final = -(1 << 40)
_ANY_LENGTH: Final = 1 << 40

_SEEN_PER_OPENED: Final = 3
_OPENED_BYTES: Final = 64 + 4 * 8
_SEEN_BYTES: Final = 5 * 4
_TABLE_SHARE: Final = 0.4

_FIRST_OPENED: Final = 8192
"""Room for so many opened positions comes first: most searches need no more."""

_SLICE: Final = 10_000


@compiled
def _open(board: Any, places: Any, gaps: Any, runs: Any, kept: Any, base: int) -> None:
    """Sets the arrays to a position that was opened before."""
    for cell in range(64):
        board[cell] = kept[cell]
    for gap in range(4):
        gaps[gap] = board[gap * 16]
        board[gap * 16] = WALL
    for cell in range(64):
        # Gaps and walls too: what is written for them is never read, and a test costs more.
        places[2 * (board[cell] & 63)] = cell
    for row in range(4):
        runs[row] = run_length(board, row, base)


@compiled
def _run(
    board: Any,
    places: Any,
    gaps: Any,
    runs: Any,
    keys: Any,
    table: Any,
    boards: Any,
    opened: Any,
    seen: Any,
    heads: Any,
    state: Any,
    weights: Any,
    features: Any,
    listed: Any,
    reached: Any,
    top: int,
    base: int,
    switches: int,
    longest: int,
    positions: int,
) -> int:
    """Searches on until `state` counts `positions`, or something needs care."""
    goal = 4 * (top - 1)
    fixed = 4 if base == 1 else 0
    fullest = len(table) // 4 * 3 - MOST_SLIDES
    most_opened = len(opened)
    most_seen = len(seen) - MOST_SLIDES
    while True:
        if state[_POSITIONS] >= positions:
            return _RUNNING
        if state[_ENTERED] >= fullest:
            return _FULL_TABLE
        if state[_OPENED] >= most_opened or state[_SEEN] >= most_seen:
            return _FULL
        bucket = state[_FIRST]
        while bucket < _BUCKETS and heads[bucket] < 0:
            bucket += 1
        state[_FIRST] = bucket
        if bucket == _BUCKETS:
            return _EXHAUSTED
        entry = seen[heads[bucket]]
        made_by = heads[bucket]
        heads[bucket] = entry[_LINK]
        here = state[_OPENED]
        state[_OPENED] = here + 1
        parent = entry[_PARENT]
        # Of 64 bits without Numba too: a narrow whole number stays narrow there.
        slide = int(entry[_SLIDE])
        value = int(entry[_VALUE])
        cost = int(entry[_COST])
        _open(board, places, gaps, runs, boards[parent], base)
        column = opened[parent, _COLUMN]
        rest = opened[parent, _REST]
        least = opened[parent, _LEAST]
        if slide >= 0:
            card = board[source_of(slide)]
            least += 1 + column_change(card, source_of(slide), target_of(slide), base)
            rest = rest_after(keys, rest, slide, card)
            column, _ = play(board, places, gaps, runs, slide, column, base, switches)
        else:
            value = sum_of(weights, features, features_of(board, features))
        kept = boards[here]
        for cell in range(64):
            kept[cell] = board[cell]
        for gap in range(4):
            kept[gap * 16] = gaps[gap]
        opened[here, _REST] = rest
        opened[here, _COLUMN] = column
        opened[here, _LEAST] = least
        opened[here, _MADE_BY] = made_by
        count = list_slides(
            board,
            places,
            gaps,
            runs,
            keys,
            rest,
            column,
            top,
            base,
            switches,
            listed,
            reached,
        )
        state[_TOUCHED] = touch(table, reached, count)
        first = state[_SEEN]
        best = _WORST
        for index in range(count):
            slide = listed[index]
            source, target = source_of(slide), target_of(slide)
            card = board[source]
            state[_POSITIONS] += 1
            if least + 1 + column_change(card, source, target, base) > longest:
                continue
            if not add_key(table, reached[index]):
                continue
            state[_ENTERED] += 1
            before = touched_value(board, weights, source, target)
            after, saved = play(board, places, gaps, runs, slide, column, base, switches)
            new = state[_SEEN]
            ordered = runs[0] + runs[1] + runs[2] + runs[3] - fixed
            if ordered > state[_BEST]:
                state[_BEST] = ordered
            if ordered == goal:
                seen[new, _PARENT] = here
                seen[new, _SLIDE] = slide
                return _WON
            if not all_dead(board, gaps, top):
                if (after ^ column) & CARDS == 0:
                    child = value + touched_value(board, weights, source, target) - before
                else:
                    child = sum_of(weights, features, features_of(board, features))
                best = max(best, child)
                seen[new, _PARENT] = here
                seen[new, _SLIDE] = slide
                seen[new, _VALUE] = child
                seen[new, _COST] = child
                state[_SEEN] = new + 1
            undo(board, places, gaps, runs, slide, card, column, after, saved)
        for new in range(first, state[_SEEN]):
            price = cost + best - seen[new, _COST]
            seen[new, _COST] = price
            place = min(price >> _SHIFT, _BUCKETS - 1)
            seen[new, _LINK] = heads[place]
            heads[place] = new
            state[_FIRST] = min(state[_FIRST], place)


def _longer(array: NDArray[Any], length: int) -> NDArray[Any]:
    longer = np.empty((length, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer


class BestFirst:
    """One search from one position, which is not won; `run` goes on with it.

    `weights` are the evaluation's. `switches` off leaves out all switches: it is then no proof
    where 2s can switch. `longest`, for lines without switches alone, leaves out what cannot be won
    in so many slides: every card in another column than when won takes a slide at least. Raises
    `ValueError` for `longest` with `switches`, which are not counted before a line is known.
    """

    def __init__(
        self,
        position: Position,
        memory_bytes: int,
        weights: Int64s,
        *,
        switches: bool = True,
        longest: int = _ANY_LENGTH,
    ) -> None:
        if switches and longest < _ANY_LENGTH:
            raise ValueError("a longest line can only be set without switches")
        self._layout = position.layout()
        self._position = position
        self._weights = weights
        self._switches = int(switches)
        self._longest = longest
        self._table_bytes = int(memory_bytes * _TABLE_SHARE)
        self._most_opened = 1 + (memory_bytes - self._table_bytes) // (
            _OPENED_BYTES + _SEEN_PER_OPENED * _SEEN_BYTES
        )
        opened = min(_FIRST_OPENED, self._most_opened)
        self._boards = np.empty((opened, 64), np.uint8)
        self._opened = np.empty((opened, 4), np.int64)
        self._seen = np.empty((opened * _SEEN_PER_OPENED, 5), np.int32)
        self._heads = np.full(_BUCKETS, -1, np.int32)
        self._features = np.zeros(MOST_FEATURES, np.int64)
        self._listed = np.zeros(MOST_SLIDES, np.int64)
        self._reached = np.zeros(MOST_SLIDES, np.int64)
        self._state = np.zeros(7, np.int64)
        self._table = make_table(14)
        column, rest = begin(position, self._switches)
        self._boards[0] = position.board[:64]
        self._boards[0, ::16] = position.gaps
        self._opened[0] = (rest, column, 0, misplaced(position))
        self._seen[0] = (0, -1, 0, 0, -1)
        self._heads[0] = 0
        self._state[_SEEN] = 1
        self._state[_ENTERED] = 1
        add_key(self._table, rest ^ column_key(KEYS, column))

    @property
    def positions(self) -> int:
        """The slides looked at so far."""
        return int(self._state[_POSITIONS])

    def opened(self) -> list[tuple[Int64s, int]]:
        """The kernel's first 64 cells of all opened positions but the first, with their values.

        A value is kept up to date from slide to slide; the first one's is nowhere kept.
        """
        opened = []
        for index in range(int(self._state[_OPENED])):
            board = self._boards[index].astype(np.int64)
            board[::16] = WALL
            opened.append((board, int(self._seen[self._opened[index, _MADE_BY], _VALUE])))
        return opened[1:]

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
                self._opened,
                self._seen,
                self._heads,
                self._state,
                self._weights,
                self._features,
                self._listed,
                self._reached,
                position.rules.ranks,
                position.rules.base,
                self._switches,
                self._longest,
                min(end, self.positions + _SLICE),
            )
            if status == _WON:
                line = spelled_out(position.rules, self._layout, self._line(), self._switches)
                return Found(line=line)
            if status == _EXHAUSTED:
                return Found(exhausted=True)
            if status == _FULL and not self._grow():
                return Found()
            if status == _FULL_TABLE:
                table = grown(self._table, self._table_bytes)
                if table is None:
                    return Found()
                self._table = table
            if self.positions >= end or watch(self.positions, int(self._state[_BEST])):
                return Found()

    def _grow(self) -> bool:
        """Makes room for as many positions as the memory holds; whether there was less before.

        Memory that is asked for is not yet used: a search takes what it touches.
        """
        opened = self._most_opened
        if len(self._opened) == opened:
            return False
        self._boards = _longer(self._boards, opened)
        self._opened = _longer(self._opened, opened)
        self._seen = _longer(self._seen, opened * _SEEN_PER_OPENED)
        return True

    def _line(self) -> list[int]:
        line = []
        seen = int(self._state[_SEEN])
        while (slide := int(self._seen[seen, _SLIDE])) >= 0:
            line.append(slide)
            seen = int(self._opened[self._seen[seen, _PARENT], _MADE_BY])
        return line[::-1]
