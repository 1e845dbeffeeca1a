"""One depth-first search at a time: its arrays, kept from search to search, and its slices."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from service.game.board import Layout
from service.game.variants import Gaps, Order, Rules
from service.solver import dfs
from service.solver.kernel import CELLS, KEYS, WALL, padded
from service.solver.meter import Meter
from service.solver.order import WEIGHTS
from service.solver.redealing import redeal_board, set_up
from service.solver.table import add_key, grown, make_table, room

Padded = npt.NDArray[np.uint8]
"""A board of 128 padded cells, as `service.solver.kernel` numbers them."""

_TABLE_BITS: Final = 12


def play(board: Padded, slides: Iterable[int]) -> None:
    """Makes packed slides on a board."""
    for slide in slides:
        source, target = divmod(slide, CELLS)
        board[target] = board[source]
        board[source] = 0


@dataclass(frozen=True, slots=True)
class Stuck:
    """A stuck board that a search kept: its run total and the slides that lead to it, packed."""

    value: int
    key: int
    board: Padded
    slides: tuple[int, ...]


class DepthFirst:
    """The workspace of depth-first searches of one game.

    `longest` bounds the length of a line in slides, `room_for` how many stuck boards are kept.
    """

    def __init__(self, rules: Rules, *, longest: int = 512, room_for: int = 24) -> None:
        packs = rules.variant.packs
        self.rules = rules
        self.result = dfs.RUNNING
        self._board = np.full(CELLS, WALL, np.int64)
        self._places = np.zeros(CELLS, np.int64)
        self._gaps = np.zeros(4 * packs, np.int64)
        self._runs = np.zeros(rules.rows, np.int64)
        self._state = np.zeros(dfs.STATE, np.int64)
        # Column 1 may be all gaps, each open to every 2; no other gap takes more cards than that.
        self._slides = np.empty((longest + 1) * (4 * packs) ** 2, np.int64)
        self._starts = np.zeros(longest + 1, np.int64)
        self._ends = np.zeros(longest + 1, np.int64)
        self._path = np.zeros(longest, np.int64)
        self._undo = np.zeros(longest, np.int64)
        self._table = make_table(_TABLE_BITS)
        self._goal = rules.rows * rules.full_run
        self._kept_keys = np.zeros(room_for, np.int64)
        self._kept_values = np.zeros(room_for, np.int64)
        self._kept_boards = np.zeros((room_for, CELLS), np.uint8)
        self._kept_depths = np.zeros(room_for, np.int64)
        self._kept_paths = np.zeros((room_for, longest), np.int16)

    def run(
        self,
        board: Padded,
        meter: Meter,
        positions: int,
        *,
        every: bool = False,
        safe: bool = True,
        noise: int = 0,
        seed: int = 0,
        anywhere: bool = False,
        longest: int | None = None,
        bounded: bool = False,
        thrift: int = 0,
        weights: Any = WEIGHTS,
    ) -> int:
        """Searches from a board until a win, the end of its space, or so many positions.

        `every` tries all slides, not only those that keep lines free of loops; `noise` is what at
        most is added to a slide's score; `anywhere` keeps every board, stuck or not.
        `longest` bounds lines further than the workspace does, and `bounded` says that only a win
        is wanted; `thrift` is what a slide takes from a stuck board's value, a card being worth
        `dfs.KEPT_SCALE`. Gives `dfs.FOUND`, `dfs.EXHAUSTED` or `dfs.RUNNING`.
        """
        longest = len(self._path) if longest is None else min(longest, len(self._path))
        whole = self.rules.variant.order is Order.GATHERED
        bits = _TABLE_BITS
        while (1 << bits) // 4 * 3 < min(positions, 1 << 16):
            bits += 1
        if len(self._table) == 1 << bits:
            self._table.fill(0)
        else:
            self._table = make_table(bits)
        arrays = (
            self._board, self._places, self._gaps, self._runs, self._state,
            self._slides, self._starts, self._ends, self._path, self._undo,
        )  # fmt: skip
        kept = (
            self._kept_keys, self._kept_values, self._kept_boards, self._kept_depths,
            self._kept_paths,
        )  # fmt: skip
        self._state[:] = 0
        self._state[dfs.NOISE] = seed
        key, total, misplaced = set_up(
            board, self.rules.base, KEYS, self._board, self._places, self._gaps, self._runs
        )
        add_key(self._table, key)
        state = self._state
        state[dfs.KEY] = key
        state[dfs.MISPLACED] = misplaced
        state[dfs.ORDERED] = state[dfs.BEST] = total
        state[dfs.STORED] = state[dfs.ENTERED] = 1
        left = positions
        self.result = dfs.RUNNING
        while self.result == dfs.RUNNING:
            limit = min(left, meter.slice())
            if limit <= 0:
                break
            before = int(self._state[dfs.POSITIONS])
            self.result = dfs.search_slice(
                *arrays, self._table, KEYS, weights, noise,
                self.rules.base, self.rules.ranks, self._goal, longest, bounded, every, safe,
                whole, anywhere, thrift, limit, room(self._table), *kept,
            )  # fmt: skip
            spent = int(self._state[dfs.POSITIONS]) - before
            left -= spent
            meter.spend(spent, int(self._state[dfs.BEST]))
            if self.result == dfs.FULL:
                table = grown(self._table, meter.memory_bytes)
                if table is None:
                    meter.out_of_memory = True
                    break
                self._table = table
                self.result = dfs.RUNNING
        return self.result

    @property
    def line(self) -> tuple[int, ...]:
        """The packed slides from the board searched to where the search stands."""
        return tuple(self._path[: self._state[dfs.DEPTH]].tolist())

    @property
    def exhausted(self) -> bool:
        """Whether the space was exhausted, and no line in it was cut off."""
        return self.result == dfs.EXHAUSTED and not self._state[dfs.TRUNCATED]

    @property
    def complete(self) -> bool:
        """Whether the space was exhausted, and all its stuck boards were kept."""
        return self.exhausted and not self._state[dfs.DROPPED]

    def stuck(self) -> list[Stuck]:
        """The stuck boards kept, best first."""
        count = int(self._state[dfs.KEPT])
        found = [
            Stuck(
                int(self._kept_values[i]),
                int(self._kept_keys[i]),
                self._kept_boards[i].copy(),
                tuple(self._kept_paths[i, : self._kept_depths[i]].tolist()),
            )
            for i in range(count)
        ]
        found.sort(key=lambda board: (-board.value, len(board.slides), board.key))
        return found


def pad(rules: Rules, layout: Layout) -> Padded:
    """A layout as a padded board."""
    board = np.full(CELLS, WALL, np.uint8)
    for index, card in enumerate(layout):
        board[padded(rules, index)] = card
    return board


def redealt(rules: Rules, board: Padded, order: Sequence[int] | None) -> Padded:
    """A padded board after a redeal with that order, or gathered."""
    after = np.empty(CELLS, np.uint8)
    redeal_board(
        board,
        rules.base,
        rules.rows,
        rules.columns,
        np.array(order or (), np.int64),
        rules.variant.gaps is Gaps.SCATTERED,
        after,
    )
    return after
