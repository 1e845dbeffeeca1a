"""What the searches of this package give each other: what was found, and who watches."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from service.game.board import Slide

PackedSlide: TypeAlias = tuple[int, int]
"""The cells, as the kernel numbers them, that a slide leaves and enters."""

Watch: TypeAlias = Callable[[int, int], bool]
"""Told now and then of the positions made so far and the most cards ordered; True: stop."""


def unwatched(positions: int, ordered: int) -> bool:
    """A `Watch` that never stops a search."""
    return False


@dataclass(frozen=True, slots=True)
class Found:
    """How far a search has come: a `line` that wins, or `exhausted`, or neither.

    `exhausted`: everything that it wanted to see is seen, and nothing wins. Neither: it has spent
    its positions or its memory, or was told to stop.
    """

    line: list[PackedSlide] | None = None
    exhausted: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """What `service.solver.one_deal.search` gives.

    `line`: the slides from the board given to a won one; empty where it is won already, None
    where no line is known. `lost`: proven that there is none. `positions`: the slides that the
    searches made and looked at. `searches`: how many of the portfolio had their turn.
    """

    line: tuple[Slide, ...] | None
    lost: bool
    positions: int
    searches: int
