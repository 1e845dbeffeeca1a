"""Depth-first search: proves losses, and makes the examples that the evaluation learns from.

Every position is entered once, and none is left out that could matter, so a search that ends
without a win has proven a loss. Two of three slides lead to a position that was entered before: a
position's key is known before the slide is made, so these are looked at, and never made.
"""

from typing import Any, Final

import numpy as np

from service.solver.compiled import compiled
from service.solver.kernel import KEYS, Position
from service.solver.one_deal.column import column_key
from service.solver.one_deal.found import Found, Watch
from service.solver.one_deal.playing import begin, play, undo
from service.solver.one_deal.slides import MOST_SLIDES, list_slides, rest_after, source_of
from service.solver.one_deal.switches import spelled_out
from service.solver.table import add_key, grown, make_table, touch

# What a slice of the search ended with.
_RUNNING, _WON, _EXHAUSTED, _DEEP, _FULL = range(5)

# `state`: whole numbers that outlive a slice.
_DEPTH, _POSITIONS, _ENTERED, _NOISE, _BEST, _TOUCHED = range(6)

# `path`: for each depth one row of whole numbers.
_SLIDE, _CARD, _SAVED, _COLUMN, _REST, _COUNT, _NEXT = range(7)
_WIDTH: Final = 7

_SLICE: Final = 20_000


@compiled
def _shuffle(slides: Any, reached: Any, count: int, noise: int) -> int:
    for last in range(count - 1, 0, -1):
        noise = (noise * 1103515245 + 12345) & 0x7FFFFFFF
        other = (noise >> 8) % (last + 1)
        slide = slides[last]
        slides[last] = slides[other]
        slides[other] = slide
        key = reached[last]
        reached[last] = reached[other]
        reached[other] = key
    return noise


@compiled
def _list(
    board: Any,
    places: Any,
    gaps: Any,
    runs: Any,
    keys: Any,
    table: Any,
    slides: Any,
    reached: Any,
    here: Any,
    state: Any,
    top: int,
    base: int,
    switches: int,
    noisy: int,
) -> None:
    """Writes what the position's slides are, and what they lead to."""
    count = list_slides(
        board,
        places,
        gaps,
        runs,
        keys,
        here[_REST],
        here[_COLUMN],
        top,
        base,
        switches,
        slides,
        reached,
    )
    here[_COUNT] = count
    here[_NEXT] = 0
    if noisy != 0:
        state[_NOISE] = _shuffle(slides, reached, count, state[_NOISE])
    state[_TOUCHED] = touch(table, reached, count)


@compiled
def _run(
    board: Any,
    places: Any,
    gaps: Any,
    runs: Any,
    keys: Any,
    table: Any,
    slides: Any,
    reached: Any,
    path: Any,
    state: Any,
    top: int,
    base: int,
    switches: int,
    noisy: int,
    positions: int,
) -> int:
    """Searches on until `state` counts `positions`, or something needs care."""
    depth = state[_DEPTH]
    deepest = len(path) - 2
    fullest = len(table) // 4 * 3 - 1
    goal = 4 * (top - 1)
    fixed = 4 if base == 1 else 0
    while True:
        if state[_POSITIONS] >= positions:
            state[_DEPTH] = depth
            return _RUNNING
        if depth >= deepest:
            state[_DEPTH] = depth
            return _DEEP
        if state[_ENTERED] >= fullest:
            state[_DEPTH] = depth
            return _FULL
        here = path[depth]
        if here[_NEXT] == here[_COUNT]:
            if depth == 0:
                state[_DEPTH] = 0
                return _EXHAUSTED
            undo(
                board,
                places,
                gaps,
                runs,
                here[_SLIDE],
                here[_CARD],
                path[depth - 1, _COLUMN],
                here[_COLUMN],
                here[_SAVED],
            )
            depth -= 1
            continue
        index = here[_NEXT]
        here[_NEXT] = index + 1
        state[_POSITIONS] += 1
        if not add_key(table, reached[depth, index]):
            continue
        state[_ENTERED] += 1
        slide = slides[depth, index]
        depth += 1
        child = path[depth]
        child[_SLIDE] = slide
        child[_CARD] = board[source_of(slide)]
        child[_COLUMN], child[_SAVED] = play(
            board, places, gaps, runs, slide, here[_COLUMN], base, switches
        )
        child[_REST] = rest_after(keys, here[_REST], slide, child[_CARD])
        ordered = runs[0] + runs[1] + runs[2] + runs[3] - fixed
        state[_BEST] = max(state[_BEST], ordered)
        if ordered == goal:
            state[_DEPTH] = depth
            return _WON
        _list(
            board,
            places,
            gaps,
            runs,
            keys,
            table,
            slides[depth],
            reached[depth],
            child,
            state,
            top,
            base,
            switches,
            noisy,
        )


@compiled
def _has_key(table: Any, key: int) -> bool:
    mask = len(table) - 1
    slot = key & mask
    while table[slot] != 0:
        if table[slot] == key:
            return True
        slot = (slot + 1) & mask
    return False


class DepthFirst:
    """One search from one position, which is not won; `run` goes on with it.

    `switches` off leaves out all switches: it is then no proof where 2s can switch. `noise`, not
    0, tries the slides of a position in an order that it decides.
    """

    def __init__(
        self,
        position: Position,
        memory_bytes: int,
        *,
        switches: bool = True,
        noise: int = 0,
    ) -> None:
        self._layout = position.layout()
        self._position = position
        self._memory = memory_bytes
        self._switches = int(switches)
        self._noisy = int(noise != 0)
        self._table = make_table(12)
        self._path = np.zeros((256, _WIDTH), np.int64)
        self._slides = np.zeros((256, MOST_SLIDES), np.int64)
        self._reached = np.zeros((256, MOST_SLIDES), np.int64)
        self._state = np.zeros(6, np.int64)
        self._state[_NOISE] = noise
        column, rest = begin(position, self._switches)
        self._path[0, [_COLUMN, _REST]] = column, rest
        add_key(self._table, rest ^ column_key(KEYS, column))
        self._state[_ENTERED] = 1
        _list(
            position.board,
            position.places,
            position.gaps,
            position.runs,
            KEYS,
            self._table,
            self._slides[0],
            self._reached[0],
            self._path[0],
            self._state,
            position.rules.ranks,
            position.rules.base,
            self._switches,
            self._noisy,
        )

    @property
    def positions(self) -> int:
        """The slides looked at so far."""
        return int(self._state[_POSITIONS])

    def slides(self) -> list[int]:
        """The slides that lead to where the search stands, as `play` takes them."""
        return [int(slide) for slide in self._path[1 : self._depth + 1, _SLIDE]]

    @property
    def _depth(self) -> int:
        return int(self._state[_DEPTH])

    def dead_slides(self, depth: int) -> list[int]:
        """The slides that are known to lose, where so many slides of the line found are made.

        What they lead to was entered, and left again. That proves nothing with switches: in an
        undecided column a 3 goes to another row and back, so a way may lead through the line.
        Raises `ValueError` there.
        """
        if self._switches:
            raise ValueError("what was left again may still win by switches")
        on_line = {
            int(rest ^ column_key(KEYS, column))
            for column, rest in self._path[: self._depth + 1, [_COLUMN, _REST]]
        }
        count = int(self._path[depth, _COUNT])
        listed = zip(self._slides[depth, :count], self._reached[depth, :count], strict=True)
        return [
            int(slide)
            for slide, key in listed
            if int(key) not in on_line and _has_key(self._table, key)
        ]

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
                self._slides,
                self._reached,
                self._path,
                self._state,
                position.rules.ranks,
                position.rules.base,
                self._switches,
                self._noisy,
                min(end, self.positions + _SLICE),
            )
            if status == _WON:
                line = spelled_out(position.rules, self._layout, self.slides(), self._switches)
                return Found(line=line)
            if status == _EXHAUSTED:
                return Found(exhausted=True)
            if status == _DEEP:
                if self._path.nbytes + 2 * self._slides.nbytes > self._memory // 16:
                    return Found()
                self._path = np.concatenate((self._path, np.zeros_like(self._path)))
                self._slides = np.concatenate((self._slides, np.zeros_like(self._slides)))
                self._reached = np.concatenate((self._reached, np.zeros_like(self._reached)))
            elif status == _FULL:
                table = grown(self._table, self._memory // 8 * 7)
                if table is None:
                    return Found()
                self._table = table
            if self.positions >= end or watch(self.positions, int(self._state[_BEST])):
                return Found()
