"""Other lines from positions along a line that wins: short noisy searches for one with fewer moves.

The positions and the noise follow from a counter, so the same line and budget give the same result.
"""

from typing import Final

from service.game.deal import Deal
from service.solver import dfs
from service.solver.beam import search_beam
from service.solver.depth_first import DepthFirst, Padded, pad, play
from service.solver.kernel import CELLS, Position, unpadded
from service.solver.meter import Meter
from service.solver.one_deal.best_first import BestFirst
from service.solver.one_deal.evaluation import weights
from service.solver.rounds import Redeals, Rounds

_TRY: Final = 500
_BRANCH: Final = 1_000
_BRANCHES: Final = 4
_NOISE: Final = 200
_THRIFT: Final = 8
_PATIENCE: Final = 120
_DEEPEST: Final = 3
"""After so many tries without a gain, each may spend four times as much; so often at most."""
_WIDEST: Final = 20_000
_CHILDREN: Final = 3
"""About how many children a board of a beam has."""

_FIRST_STEP: Final = 8
_STARTS: Final = 4
_TIGHTER: Final = 16

_GOLDEN: Final = 2_654_435_769


class Variation:
    """A line that wins, while others are looked for that win with no more redeals."""

    def __init__(self, deal: Deal, redeals: Redeals, line: Rounds, meter: Meter) -> None:
        self._deal = deal
        self._redeals = redeals
        self._meter = meter
        self._search = DepthFirst(deal.rules)
        self._tries = 0
        self._depth = 0
        self.line = line

    def vary(self, positions: int) -> None:
        """Looks for shorter lines until so many positions are spent."""
        self._meter.phase = "shorter lines"
        limit = self._meter.positions + positions
        last_gain = self._tries
        # Where little can be reached a try costs next to nothing, so that the limit never comes.
        while (
            self._meter.positions < limit
            and not self._meter.stopped
            and self._tries - last_gain < _PATIENCE * (_DEEPEST + 1)
        ):
            self._tries += 1
            rounds = len(self.line)
            number = rounds - 1 if self._tries % 4 else self._tries // 4 % rounds
            self._depth = (self._tries - last_gain) // _PATIENCE
            found = self._from(number)
            if found is not None:
                self.line = found
                last_gain = self._tries

    def beam(self, positions: int) -> None:
        """Looks for a shorter last round beside this one, where the beam's evaluation serves."""
        rules = self._deal.rules
        slides = self.line[-1]
        if rules.variant.packs > 1 or rules.fixed_aces or not slides:
            return
        self._meter.phase = "beam"
        width = min(_WIDEST, positions // (_CHILDREN * len(slides)))
        if width == 0:
            return
        board = self._start(len(self.line) - 1)
        found = search_beam(board, slides, rules.ranks, self._meter, width)
        if found is not None:
            self.line = (*self.line[:-1], found)

    def tighten(self, positions: int) -> None:
        """Looks for a last round that is shorter by a set step; the step halves where none is.

        It begins where the round begins, then further on, where less is left to search.
        """
        rules = self._deal.rules
        if rules.variant.packs > 1 or rules.fixed_aces or not self.line[-1]:
            return
        self._meter.phase = "tighter lines"
        limit = self._meter.positions + positions
        step = _FIRST_STEP
        while step >= 1 and self._meter.positions < limit and not self._meter.stopped:
            found = None
            for part in range(_STARTS):
                found = self._tighter(
                    part, step, min(positions // _TIGHTER, limit - self._meter.positions)
                )
                if found is not None:
                    break
            if found is None:
                step //= 2
            else:
                self.line = found

    def _tighter(self, part: int, step: int, positions: int) -> Rounds | None:
        slides = self.line[-1]
        place = len(slides) * part // _STARTS
        board = self._start(len(self.line) - 1)
        play(board, slides[:place])
        rules = self._deal.rules
        search = BestFirst(
            Position(rules, unpadded(rules, board)),
            self._meter.memory_bytes,
            weights(),
            switches=False,
            longest=len(slides) - place - step,
        )

        def watch(positions: int, ordered: int) -> bool:
            return self._meter.ask()

        line = search.run(positions, watch).line
        self._meter.spend(search.positions)
        if line is None:
            return None
        rest = tuple(source * CELLS + target for source, target in line)
        return (*self.line[:-1], slides[:place] + rest)

    def _from(self, number: int) -> Rounds | None:
        """A shorter line that leaves this one somewhere in that round, or None."""
        slides = self.line[number]
        if not slides:
            return None
        place = self._tries * _GOLDEN % 2**32 * len(slides) >> 32
        board = self._start(number)
        play(board, slides[:place])
        left = sum(map(len, self.line[number:])) - place - 1
        rest = self._finish(board, number, left)
        if rest is None:
            return None
        return (*self.line[:number], slides[:place] + rest[0], *rest[1:])

    def _start(self, number: int) -> Padded:
        board = pad(self._deal.rules, self._deal.layout)
        for done, slides in enumerate(self.line[:number]):
            play(board, slides)
            board = self._redeals.after(board, done)
        return board

    def _finish(self, board: Padded, number: int, most: int) -> Rounds | None:
        """A way from a board of that round to a win in `most` slides, or None."""
        last = number == len(self.line) - 1
        result = self._search.run(
            board,
            self._meter,
            (_TRY if last else _BRANCH) << 2 * self._depth,
            noise=_NOISE,
            seed=self._tries,
            longest=most,
            bounded=last,
            thrift=_THRIFT,
        )
        if result == dfs.FOUND:
            return (self._search.line,)
        if last:
            return None
        for stuck in self._search.stuck()[:_BRANCHES]:
            after = self._redeals.after(stuck.board, number)
            rest = self._finish(after, number + 1, most - len(stuck.slides))
            if rest is not None:
                return (stuck.slides, *rest)
        return None
