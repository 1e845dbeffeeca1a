"""Shorter lines: each round of a line that wins is cut down, as far as a budget goes.

A round may change as long as it ends alike: the last one won, the others stuck with the same runs
kept, since a redeal that shuffles looks at nothing else; gathered cards must all lie as they did.
"""

from typing import Final

import numpy as np

from service.game.deal import Deal
from service.game.variants import Order
from service.solver.depth_first import Padded, pad, play
from service.solver.eliding import elide
from service.solver.kept import runs_key
from service.solver.kernel import CELLS, KEYS
from service.solver.leaps import leap
from service.solver.meter import Meter
from service.solver.redealing import set_up
from service.solver.rounds import Redeals, Rounds
from service.solver.table import Int64s
from service.solver.windows import cut_windows

_REACH: Final = 24
_WINDOWS: Final = ((12, 4, 500), (20, 6, 1_500), (30, 8, 4_000))
"""Stretches of a line: their length, the distance between them, positions spent on each."""


def shorten(deal: Deal, redeals: Redeals, line: Rounds, meter: Meter, positions: int) -> Rounds:
    """A line with the same number of rounds and no more slides; spends so many positions at most.

    The same arguments give the same line; no position comes twice in a round of it.
    """
    meter.phase = "shortening"
    limit = meter.positions + positions
    board = pad(deal.rules, deal.layout)
    rounds: list[tuple[int, ...]] = []
    for number, slides in enumerate(line):
        share = (limit - meter.positions) // (len(line) - number)
        stretch = Stretch(deal, board, slides, last=number == len(line) - 1)
        stretch.shorten(meter, share)
        rounds.append(stretch.slides)
        if number < len(line) - 1:
            board = redeals.after(stretch.final(), number)
    return tuple(rounds)


class Stretch:
    """One round of a line, while it is shortened."""

    def __init__(self, deal: Deal, board: Padded, slides: tuple[int, ...], *, last: bool) -> None:
        rules = deal.rules
        self.rules = rules
        self._board = board
        self._line: Int64s = np.array(slides, np.int64)
        self._count = len(slides)
        self._whole = rules.variant.order is Order.GATHERED
        self._end = 0 if last else self._end_key()

    @property
    def slides(self) -> tuple[int, ...]:
        """The round's packed slides as they are now."""
        return tuple(self._line[: self._count].tolist())

    def final(self) -> Padded:
        """The board that the round ends with."""
        board = self._board.copy()
        play(board, self.slides)
        return board

    def shorten(self, meter: Meter, positions: int) -> None:
        """Applies one means after another, as long as they gain anything."""
        limit = meter.positions + positions
        self._leap(meter)
        reach = 0
        while meter.positions < limit and meter.slice():
            before = self._count
            self._elide(meter, limit, reach)
            for window in _WINDOWS:
                self._cut(meter, limit, *window)
            if self._count == before:
                if reach == _REACH:
                    break
                reach = _REACH
        self._leap(meter)

    def _leap(self, meter: Meter) -> None:
        rules = self.rules
        self._count, spent = leap(
            self._board, rules.base, rules.ranks, rules.variant.packs, KEYS, self._line,
            self._count,
        )  # fmt: skip
        meter.spend(spent)

    def _elide(self, meter: Meter, limit: int, reach: int) -> None:
        rules = self.rules
        self._count, spent = elide(
            self._board, rules.base, rules.ranks, rules.rows * rules.full_run, self._end,
            self._whole, KEYS, self._line, self._count, rules.variant.packs, reach,
            limit - meter.positions,
        )  # fmt: skip
        meter.spend(spent)

    def _cut(self, meter: Meter, limit: int, width: int, step: int, nodes: int) -> None:
        rules = self.rules
        self._count, spent = cut_windows(
            self._board, rules.base, rules.ranks, rules.variant.packs, KEYS, self._line,
            self._count, width, step, nodes, limit - meter.positions,
        )  # fmt: skip
        meter.spend(spent)

    def _end_key(self) -> int:
        rules = self.rules
        board = np.zeros(CELLS, np.int64)
        runs = np.zeros(rules.rows, np.int64)
        key, _, _ = set_up(
            self.final(), rules.base, KEYS, board, np.zeros(CELLS, np.int64),
            np.zeros(rules.rows, np.int64), runs,
        )  # fmt: skip
        return int(key if self._whole else runs_key(board, runs, KEYS))
