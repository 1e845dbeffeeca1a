"""Which search has its turn when, and for how long.

First best first, which wins most of what can be won. Then the loss prover from the opening again:
it makes twice as many slides in a second and keeps a quarter of the memory for each, and now and
then it wins what advice led away from. Where no 2 can ever switch (aces at the left) the space is
small, and the prover alone wins as fast.
"""

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

_EARLY: Final = 4_000_000
_OF_EARLY: Final = (9, 10)
_OF_REST: Final = (1, 4)
"""Best first has the one share of so many positions of the budget, and the other of all further."""


@dataclass
class _Watcher:
    """Adds up the positions of all searches, and asks whether to stop."""

    report: Callable[[int, str, int], None] | None
    cancelled: Callable[[], bool] | None
    phase: str = ""
    earlier: int = 0
    searches: int = 0
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

    `budget` counts slides looked at; `memory_mb` bounds what a search keeps. `report` is told the
    positions so far, the phase and the most cards ordered; `cancelled` is asked as often, every
    few milliseconds. `learned` takes the place of the evaluation's weights. The same arguments
    give the same result on every machine. Raises `ValueError` for more than one pack.
    """
    if rules.variant.packs != 1:
        raise ValueError(f"this search is for one pack, not for {rules.variant.name}")
    if Position(rules, board).runs.sum() == rules.rows * rules.full_run:
        return Result((), lost=False, positions=0, searches=0)
    memory = memory_mb << 20
    values = weights() if learned is None else learned
    guided = 0 if rules.fixed_aces else _guided(budget)
    watcher = _Watcher(report, cancelled)
    found = Found()
    for phase, end in (("advice", guided), ("proof", budget)):
        if end <= watcher.earlier:
            continue
        turn: BestFirst | DepthFirst
        if phase == "proof":
            turn = DepthFirst(Position(rules, board), memory)
        else:
            turn = BestFirst(Position(rules, board), memory, values)
        watcher.phase = phase
        watcher.searches += 1
        found = turn.run(end - watcher.earlier, watcher)
        watcher.earlier += turn.positions
        if found.line is not None or found.exhausted or watcher.stopped:
            break
    return _result(rules, found, watcher)


def _guided(budget: int) -> int:
    early = min(budget, _EARLY)
    part, whole = _OF_EARLY
    rest_part, rest_whole = _OF_REST
    return early * part // whole + (budget - early) * rest_part // rest_whole


def _result(rules: Rules, found: Found, watcher: _Watcher) -> Result:
    line = None
    if found.line is not None:
        line = tuple(
            Slide(index_of(rules, source), index_of(rules, target)) for source, target in found.line
        )
    return Result(line, found.exhausted, watcher.earlier, watcher.searches)
