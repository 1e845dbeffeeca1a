"""Tells of positions without switches whether they can be won: the labels that are learned from.

A probe is an exhaustive depth-first search of bounded size. What earlier probes found dead is
known to the later ones, and so are positions known to be alive; a probe that is cut off leaves no
trace. So the positions beside a line are cheap to tell, if asked from its end to its beginning.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from service.solver.compiled import compiled
from service.solver.kernel import CELLS, KEYS, Position, move_card, take_back
from service.solver.one_deal.found import PackedSlide
from service.solver.one_deal.slides import MOST_SLIDES, list_slides
from service.solver.table import add_key

DEAD: Final = 0
ALIVE: Final = 1
UNKNOWN: Final = 2

# `path`: for each depth one row of whole numbers.
_COUNT, _NEXT, _KEY, _GAP, _TARGET, _SAVED = range(6)

# No line without switches is longer: a card of rank r moves at most r - 1 times.
_DEEPEST: Final = 320


@compiled
def _has_key(table: Any, key: int) -> bool:
    mask = len(table) - 1
    slot = key & mask
    while table[slot] != 0:
        if table[slot] == key:
            return True
        slot = (slot + 1) & mask
    return False


@compiled
def _forget(table: Any, log: Any, count: int) -> None:
    # Latest first: then no key that stays was ever pushed on by one that goes.
    mask = len(table) - 1
    for index in range(count - 1, -1, -1):
        slot = log[index] & mask
        while table[slot] != log[index]:
            slot = (slot + 1) & mask
        table[slot] = 0


@compiled
def _probe(
    board: Any,
    places: Any,
    gaps: Any,
    runs: Any,
    keys: Any,
    key: int,
    dead: Any,
    alive: Any,
    log: Any,
    slides: Any,
    path: Any,
    top: int,
    base: int,
    cap: int,
) -> tuple[int, int]:
    """Whether the position can be won without switches, and the slides made to tell."""
    if _has_key(dead, key):
        return DEAD, 0
    if _has_key(alive, key):
        return ALIVE, 0
    goal = 4 * (top - 1) + (4 if base == 1 else 0)
    add_key(dead, key)
    log[0] = key
    entered = 1
    made = 0
    depth = 0
    path[0, _COUNT] = list_slides(board, places, gaps, runs, top, base, 0, 1, slides[0], 0)
    path[0, _NEXT] = 0
    path[0, _KEY] = key
    while True:
        here = path[depth]
        if here[_NEXT] == here[_COUNT]:
            if depth == 0:
                return DEAD, made
            take_back(board, places, gaps, runs, here[_GAP], here[_TARGET], here[_SAVED])
            depth -= 1
            continue
        slide = slides[depth, here[_NEXT]]
        here[_NEXT] += 1
        source, gap = slide >> 2, slide & 3
        card = board[source]
        saved, _, target = move_card(board, places, gaps, runs, gap, source)
        made += 1
        reached = here[_KEY] ^ keys[card * CELLS + source] ^ keys[card * CELLS + target]
        won = runs[0] + runs[1] + runs[2] + runs[3] == goal or _has_key(alive, reached)
        if won or made >= cap:
            take_back(board, places, gaps, runs, gap, target, saved)
            while depth > 0:
                here = path[depth]
                take_back(board, places, gaps, runs, here[_GAP], here[_TARGET], here[_SAVED])
                depth -= 1
            _forget(dead, log, entered)
            return (ALIVE if won else UNKNOWN), made
        if not add_key(dead, reached):
            take_back(board, places, gaps, runs, gap, target, saved)
            continue
        log[entered] = reached
        entered += 1
        depth += 1
        child = path[depth]
        child[_GAP] = gap
        child[_TARGET] = target
        child[_SAVED] = saved
        child[_KEY] = reached
        child[_NEXT] = 0
        child[_COUNT] = list_slides(board, places, gaps, runs, top, base, 0, 1, slides[depth], 0)


class Probes:
    """All probes of one deal: what they learn is kept.

    `cap` bounds the slides of one probe, `total` those of all.
    """

    def __init__(self, *, cap: int, total: int) -> None:
        self._cap = cap
        self._left = total
        self._dead = np.zeros(1 << (4 * total // 3).bit_length(), np.int64)
        self._alive = np.zeros(1 << 14, np.int64)
        self._log = np.zeros(cap + 1, np.int64)
        self._slides = np.zeros((_DEEPEST, MOST_SLIDES), np.int64)
        self._path = np.zeros((_DEEPEST, 6), np.int64)

    def tell(self, position: Position, key: int) -> int:
        """`DEAD`, `ALIVE` or `UNKNOWN`; `key` is the position's, which is left as it is."""
        if self._left <= 0:
            return UNKNOWN
        label, made = _probe(
            position.board,
            position.places,
            position.gaps,
            position.runs,
            KEYS,
            key,
            self._dead,
            self._alive,
            self._log,
            self._slides,
            self._path,
            position.rules.ranks,
            position.rules.base,
            min(self._cap, self._left),
        )
        self._left -= made
        if label == ALIVE:
            add_key(self._alive, key)
        return int(label)

    def beside(
        self, position: Position, line: Sequence[PackedSlide]
    ) -> list[tuple[npt.NDArray[np.uint8], int, int]]:
        """The positions of a line to a win and those one slide beside it: board, depth, label.

        `position` is the line's beginning, and is left as it is.
        """
        undo, keys = [], [position.key]
        arrays = (position.board, position.places, position.gaps, position.runs)
        add_key(self._alive, position.key)
        for source, target in line:
            gap = int(np.flatnonzero(position.gaps == target)[0])
            keys.append(keys[-1] ^ _change(position, source, target))
            saved, _, _ = move_card(*arrays, gap, source)
            undo.append((gap, target, saved))
            add_key(self._alive, keys[-1])
        told = []
        listed = np.zeros(MOST_SLIDES, np.int64)
        for depth in range(len(line) - 1, -1, -1):
            take_back(*arrays, *undo[depth])
            rules = position.rules
            count = list_slides(*arrays, rules.ranks, rules.base, 0, 1, listed, 0)
            for slide in listed[:count] if count > 1 else ():
                source, gap = int(slide) >> 2, int(slide) & 3
                target = int(position.gaps[gap])
                key = keys[depth] ^ _change(position, source, target)
                saved, _, _ = move_card(*arrays, gap, source)
                label = self.tell(position, key)
                told.append((position.board[:64].astype(np.uint8), depth + 1, label))
                take_back(*arrays, gap, target, saved)
        return told


def _change(position: Position, source: int, target: int) -> int:
    card = int(position.board[source])
    return int(KEYS[card * CELLS + source] ^ KEYS[card * CELLS + target])
