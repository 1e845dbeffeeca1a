"""Depth-first search: proves losses, and makes the examples that the evaluation learns from.

Every position is entered once, and switches (a 2 from column 1 to column 1) are ordinary slides,
so a search that ends without a win has proven a loss.

*The killing rule.* A slide from p kills p if p's left neighbour is then a gap or a king; slides
from column 1 and slides that lengthen their row's run do not count. In a shortest line whose
killing slides stand as late as they can, a killing slide is followed by one that has to do with
it: else the two could change places. So killing slides are only tried in a *macro*, any number of
them and then one ordinary slide, in which each is related to a later one (`_related`), and only
the position behind a macro is entered. A win inside a macro counts. A macro of `LONGEST_MACRO`
killing slides is entered as it is, with nothing left out.

The rule enters a third fewer positions, but makes a quarter more slides to do so: it is for
searches that memory bounds, and off where slides do.

Each rule keeps, at any position that can be won, a first step of a shortest line; so they are
sound together, and so is entering no position twice.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from service.solver.compiled import compiled
from service.solver.kernel import (
    CELLS,
    COLUMN_MASK,
    KEYS,
    RANK_MASK,
    Position,
    move_card,
    take_back,
)
from service.solver.one_deal.found import Found, PackedSlide, Watch
from service.solver.one_deal.slides import MOST_SLIDES, list_slides
from service.solver.table import Int64s, add_key, grown, make_table

LONGEST_MACRO: Final = 6

# What a slice of the search ended with.
_RUNNING, _WON, _EXHAUSTED, _DEEP, _FULL = range(5)

# `state`: whole numbers that outlive a slice.
_DEPTH, _ORDERED, _POSITIONS, _ENTERED, _NOISE, _BEST = range(6)

# `path`: for each depth one row of whole numbers.
_SOURCE, _TARGET, _GAP, _SAVED, _CHANGE, _COUNT, _NEXT, _MACRO, _OPEN, _KEY = range(10)
_WIDTH: Final = 10

_SLICE: Final = 20_000


@compiled
def _related(source: int, target: int, later_source: int, later_target: int) -> bool:
    """Whether a later slide has to do with a killing slide, so that they cannot change places.

    The later one enters the cell right of the card that the killing slide moved, or leaves the
    cell right or left of it, or enters the killed gap, or builds on a 2 put into column 1.
    """
    return (
        later_target == target + 1
        or later_source == target + 1
        or later_source == target - 1
        or later_target == source
        or ((target & COLUMN_MASK) == 1 and target >> 4 == later_target >> 4)
    )


@compiled
def _shuffle(slides: Any, at: int, count: int, noise: int) -> int:
    for last in range(count - 1, 0, -1):
        noise = (noise * 1103515245 + 12345) & 0x7FFFFFFF
        other = (noise >> 8) % (last + 1)
        slide = slides[at + last]
        slides[at + last] = slides[at + other]
        slides[at + other] = slide
    return noise


@compiled
def _run(
    board: Any,
    places: Any,
    gaps: Any,
    runs: Any,
    keys: Any,
    table: Any,
    slides: Any,
    path: Any,
    state: Any,
    top: int,
    base: int,
    switches: int,
    killing: int,
    noisy: int,
    positions: int,
) -> int:
    """Searches on until `state` counts `positions`, or something needs care."""
    depth = state[_DEPTH]
    deepest = len(path) - 2
    fullest = len(table) // 4 * 3 - 1
    goal = 4 * (top - 1)
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
            take_back(board, places, gaps, runs, here[_GAP], here[_TARGET], here[_SAVED])
            state[_ORDERED] -= here[_CHANGE]
            depth -= 1
            continue
        slide = slides[depth, here[_NEXT]]
        here[_NEXT] += 1
        source = slide >> 2
        gap = slide & 3
        macro = here[_MACRO]
        if macro > 0 and source == here[_TARGET]:
            continue
        card = board[source]
        saved, change, target = move_card(board, places, gaps, runs, gap, source)
        state[_POSITIONS] += 1
        child = path[depth + 1]
        child[_SOURCE] = source
        child[_TARGET] = target
        child[_GAP] = gap
        child[_SAVED] = saved
        child[_CHANGE] = change
        child[_KEY] = here[_KEY] ^ keys[card * CELLS + source] ^ keys[card * CELLS + target]
        ordered = state[_ORDERED] + change
        if ordered > state[_BEST]:
            state[_BEST] = ordered
        if ordered == goal:
            state[_DEPTH] = depth + 1
            return _WON
        still = here[_OPEN]
        for back in range(macro):
            if still >> back & 1:
                earlier = path[depth - macro + 1 + back]
                if _related(earlier[_SOURCE], earlier[_TARGET], source, target):
                    still &= ~(1 << back)
        left = board[source - 1]
        kills = (
            killing != 0
            and (source & COLUMN_MASK) != 1
            and (left == 0 or (left & RANK_MASK) == top)
            and (target & COLUMN_MASK) > runs[target >> 4]
        )
        if kills and macro + 1 < LONGEST_MACRO:
            child[_MACRO] = macro + 1
            child[_OPEN] = still | 1 << macro
        elif still != 0 and not kills:
            take_back(board, places, gaps, runs, gap, target, saved)
            continue
        else:
            child[_MACRO] = 0
            child[_OPEN] = 0
            if not add_key(table, child[_KEY]):
                take_back(board, places, gaps, runs, gap, target, saved)
                continue
            state[_ENTERED] += 1
        depth += 1
        state[_ORDERED] = ordered
        count = list_slides(
            board,
            places,
            gaps,
            runs,
            top,
            base,
            switches,
            1 if child[_MACRO] == 0 else 0,
            slides[depth],
            0,
        )
        child[_COUNT] = count
        child[_NEXT] = 0
        if noisy != 0:
            state[_NOISE] = _shuffle(slides[depth], 0, count, state[_NOISE])


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
    """One search from one position; `run` goes on with it.

    `switches` off leaves out all switches: it is then no proof where 2s can switch. `noise`, not
    0, tries the slides of a position in an order that it decides.
    """

    def __init__(
        self,
        position: Position,
        memory_bytes: int,
        *,
        switches: bool = True,
        killing: bool = True,
        noise: int = 0,
    ) -> None:
        self._position = position
        self._memory = memory_bytes
        self._flags = (int(switches), int(killing), int(noise != 0))
        self._table = make_table(12)
        self._path = np.zeros((256, _WIDTH), np.int64)
        self._slides = np.zeros((256, MOST_SLIDES), np.int64)
        self._state = np.zeros(6, np.int64)
        self._state[_ORDERED] = position.runs.sum() - (4 if position.rules.fixed_aces else 0)
        self._state[_BEST] = self._state[_ORDERED]
        self._state[_NOISE] = noise
        self._path[0, _KEY] = position.key
        self._path[0, _COUNT] = list_slides(
            position.board,
            position.places,
            position.gaps,
            position.runs,
            position.rules.ranks,
            position.rules.base,
            self._flags[0],
            1,
            self._slides[0],
            0,
        )
        add_key(self._table, position.key)
        self._state[_ENTERED] = 1

    @property
    def positions(self) -> int:
        """The slides made so far."""
        return int(self._state[_POSITIONS])

    @property
    def depth(self) -> int:
        """The slides that lead to where the search stands."""
        return int(self._state[_DEPTH])

    def dead_slides(self, board: NDArray[np.uint8], gaps: Int64s, depth: int) -> list[PackedSlide]:
        """The slides at a position of the line found, from depth 0, that are known to lose.

        `board` and `gaps` are that position's. What they lead to was entered, and left again:
        without switches and `killing` it cannot be won without switches.
        """
        on_line = {int(key) for key in self._path[: self.depth + 1, _KEY]}
        dead = []
        for slide in self._slides[depth, : self._path[depth, _COUNT]].tolist():
            source, target = slide >> 2, int(gaps[slide & 3])
            card = int(board[source])
            key = int(
                self._path[depth, _KEY] ^ KEYS[card * CELLS + source] ^ KEYS[card * CELLS + target]
            )
            if key not in on_line and _has_key(self._table, key):
                dead.append((source, target))
        return dead

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
                self._path,
                self._state,
                position.rules.ranks,
                position.rules.base,
                *self._flags,
                min(end, self.positions + _SLICE),
            )
            if status == _WON:
                line = [(int(s), int(t)) for s, t in self._path[1 : self.depth + 1, :2]]
                return Found(line=line)
            if status == _EXHAUSTED:
                return Found(exhausted=True)
            if status == _DEEP:
                if self._path.nbytes + self._slides.nbytes > self._memory // 8:
                    return Found(full=True)
                self._path = np.concatenate((self._path, np.zeros_like(self._path)))
                self._slides = np.concatenate((self._slides, np.zeros_like(self._slides)))
            elif status == _FULL:
                table = grown(self._table, self._memory)
                if table is None:
                    return Found(full=True)
                self._table = table
            if self.positions >= end or watch(self.positions, int(self._state[_BEST])):
                return Found()
