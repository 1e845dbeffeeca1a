"""Which search has its turn when, and for how long."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from service.game.board import Slide
from service.game.variants import Rules
from service.solver.kernel import Position, index_of
from service.solver.one_deal.best_first import BestFirst
from service.solver.one_deal.depth_first import DepthFirst
from service.solver.one_deal.evaluation import weights
from service.solver.one_deal.found import Found, Result
from service.solver.table import Int64s

_GUIDED_PERCENT: Final = 75
"""How much of the budget goes to the best-first search; the rest is the loss prover's."""


@dataclass
class _Watcher:
    """Adds up the positions of all searches, and asks whether to stop."""

    report: Callable[[int, str, int], None] | None
    cancelled: Callable[[], bool] | None
    phase: str = ""
    earlier: int = 0
    stopped: bool = False

    def __call__(self, positions: int, ordered: int) -> bool:
        if self.report is not None:
            self.report(self.earlier + positions, self.phase, ordered)
        if self.cancelled is not None and self.cancelled():
            self.stopped = True
        return self.stopped


def search(
    rules: Rules,
    board: Sequence[int],
    *,
    budget: int,
    memory_mb: int = 512,
    report: Callable[[int, str, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    learned: Int64s | None = None,
) -> Result:
    """Wins the board with slides alone, or proves that nobody can, or gives up.

    `budget` counts slides made; `memory_mb` bounds what the searches keep. `report` is told the
    positions so far, the phase and the most cards ordered; `cancelled` is asked as often, every
    few milliseconds. `learned` takes the place of the evaluation's weights. The same arguments
    give the same result on every machine. Raises `ValueError` for more than one pack.
    """
    if rules.variant.packs != 1:
        raise ValueError(f"this search is for one pack, not for {rules.variant.name}")
    if Position(rules, board).runs.sum() == rules.rows * rules.full_run:
        return Result((), lost=False, positions=0, levels=0)
    watcher = _Watcher(report, cancelled)
    memory = memory_mb << 20
    levels = 0
    if not rules.fixed_aces:
        # Where no 2 can switch the space is small, and the prover wins as fast.
        levels += 1
        watcher.phase = "best first"
        guided = BestFirst(
            Position(rules, board),
            memory,
            weights() if learned is None else learned,
        )
        found = guided.run(budget * _GUIDED_PERCENT // 100, watcher)
        watcher.earlier = guided.positions
        if found.line is not None or found.exhausted or watcher.stopped:
            return _result(rules, found, watcher, levels)
        del guided
    levels += 1
    watcher.phase = "proof"
    return _prove(rules, board, budget - watcher.earlier, memory, watcher, levels)


def _prove(
    rules: Rules, board: Sequence[int], budget: int, memory: int, watcher: _Watcher, levels: int
) -> Result:
    prover = DepthFirst(Position(rules, board), memory)
    found = prover.run(budget, watcher)
    watcher.earlier += prover.positions
    return _result(rules, found, watcher, levels)


def _result(rules: Rules, found: Found, watcher: _Watcher, levels: int) -> Result:
    line = None
    if found.line is not None:
        line = tuple(
            Slide(index_of(rules, source), index_of(rules, target)) for source, target in found.line
        )
    return Result(line, found.exhausted, watcher.earlier, levels)
