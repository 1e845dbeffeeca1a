"""What a solving comes to: the outcome, the line and the counts."""

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """What is known of a deal after a search."""

    WON = "won"
    """There is a line that wins, and here it is."""
    LOST = "lost"
    """No line wins: every position that can be reached has been seen."""
    UNDECIDED = "undecided"
    """The search ended before it knew."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The result of `service.solver.solve`.

    `line` holds tokens from the opening to the won board, ``redeal`` among them; it, `slides`,
    `redeals` and `first_moves` are None unless the outcome is won. `first_moves` is the length of
    the first line found, before it was shortened. `positions` counts the positions made until the
    end of the search and `first_positions` those until the first line was found. `levels` tells
    how often the search had to widen: 0 where the first pass sufficed.
    """

    outcome: Outcome
    positions: int
    levels: int
    line: tuple[str, ...] | None = None
    slides: int | None = None
    redeals: int | None = None
    first_moves: int | None = None
    first_positions: int | None = None
