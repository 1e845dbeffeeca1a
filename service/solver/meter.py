"""What one solving may spend, and what it tells while it goes: budget, memory, progress."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

SLICE: Final = 20_000
"""Positions searched between two looks at `cancelled`: a few milliseconds."""

REPORT_EVERY: Final = 200_000


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search is.

    `positions` of `budget` are spent; `phase` names what it does now; `best_ordered` is the
    highest ordered count of any board seen, fixed aces not counted, None before the first.
    """

    positions: int
    budget: int
    phase: str
    best_ordered: int | None = None


class Meter:
    """Counts the positions of one solving, and asks now and then whether it should stop."""

    def __init__(
        self,
        budget: int,
        memory_mb: int = 512,
        report: Callable[[Progress], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
        fixed: int = 0,
    ) -> None:
        self.budget = budget
        self.memory_bytes = memory_mb << 20
        self.positions = 0
        self.phase = "opening"
        self.best: int | None = None
        self.cancelled = False
        self.out_of_memory = False
        self._fixed = fixed
        self._report = report
        self._ask = cancelled
        self._next_report = 0

    @property
    def left(self) -> int:
        """The positions that may still be spent."""
        return 0 if self.cancelled else max(0, self.budget - self.positions)

    @property
    def stopped(self) -> bool:
        """Whether nothing more may be spent."""
        return self.left == 0

    def ask(self) -> bool:
        """Whether the search is to end; asks whoever may cancel it."""
        if self._ask is not None and not self.cancelled and self._ask():
            self.cancelled = True
        return self.cancelled

    def slice(self) -> int:
        """How many positions may be searched before the next look; 0 where the search must end."""
        return 0 if self.ask() else min(SLICE, self.left)

    def spend(self, positions: int, best: int | None = None) -> None:
        """Counts positions, and the run total of the best board seen, fixed aces in it."""
        self.positions += positions
        self.tell(self.positions, best)

    def tell(self, positions: int, best: int | None = None) -> None:
        """Notes the best run total seen and reports, if it is time to, at so many positions."""
        if best is not None and (self.best is None or best - self._fixed > self.best):
            self.best = best - self._fixed
        if self._report is not None and positions >= self._next_report:
            self._next_report = positions + REPORT_EVERY
            self._report(Progress(positions, self.budget, self.phase, self.best))
