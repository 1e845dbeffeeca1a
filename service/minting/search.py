"""One candidate searched: what a worker process is asked to do, and what it answers."""

import time
from dataclasses import dataclass

from service.game.deal import deal_from_seed
from service.game.variants import rules
from service.solver import Outcome, solve, warm_up


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """How far a search may go: positions, redeals (None: as many as the variant has), megabytes."""

    budget: int
    max_redeals: int | None
    memory_mb: int


@dataclass(frozen=True, slots=True)
class Find:
    """What came of a candidate. `line`, `slides` and `redeals` are there where it was won."""

    variant: str
    seed: bytes
    outcome: Outcome
    line: tuple[str, ...] | None
    slides: int | None
    redeals: int | None
    positions: int
    seconds: float


def search(variant: str, seed: bytes, limits: SearchLimits) -> Find:
    """Searches the deal of a seed. Runs in any process; arguments and answer can be pickled."""
    started = time.perf_counter()
    solution = solve(
        deal_from_seed(rules(variant), seed),
        limits.budget,
        max_redeals=limits.max_redeals,
        memory_mb=limits.memory_mb,
    )
    return Find(
        variant,
        seed,
        solution.outcome,
        solution.line,
        solution.slides,
        solution.redeals,
        solution.positions,
        time.perf_counter() - started,
    )


def warm() -> float:
    """Has the solver compiled, or loaded from its cache; answers how many seconds that took."""
    return warm_up()
