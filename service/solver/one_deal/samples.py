"""Positions of deals of the training set, with the labels alive and dead.

Two sources: lines that a depth-first search in random order finds, with what lies beside them; and
lines that the best-first search finds, with what lies beside them and some of what it opened on
its way. The second shows the evaluation where it went wrong.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from service.game.deal import Deal, numbered_deal
from service.solver.kernel import WALL, Position
from service.solver.one_deal.best_first import BestFirst
from service.solver.one_deal.depth_first import DepthFirst
from service.solver.one_deal.found import PackedSlide
from service.solver.one_deal.probes import ALIVE, UNKNOWN, Probes
from service.solver.table import Int64s

_VARIANT: Final = "one-deal"
_MEMORY: Final = 512 << 20


@dataclass
class Samples:
    """Labelled boards: rows of 64 cells, their depths, whether they are alive, their deals.

    `beside` tells of each whether it lies on or beside a line, with others of the same depth.
    """

    boards: list[npt.NDArray[np.uint8]] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    alive: list[bool] = field(default_factory=list)
    deals: list[int] = field(default_factory=list)
    beside: list[bool] = field(default_factory=list)

    def add(
        self, board: npt.NDArray[np.uint8], depth: int, label: int, deal: int, *, beside: bool
    ) -> None:
        """Adds a board, if its label is known."""
        if label != UNKNOWN:
            self.boards.append(board)
            self.depths.append(depth)
            self.alive.append(label == ALIVE)
            self.deals.append(deal)
            self.beside.append(beside)


def add_random(samples: Samples, number: int, *, budget: int, cap: int) -> bool:
    """Adds what a depth-first search in random order shows of one deal; whether it won."""
    deal = numbered_deal(_VARIANT, number)
    search = DepthFirst(
        Position(deal.rules, deal.layout), _MEMORY, switches=False, killing=False, noise=number
    )
    line = search.run(budget, _unwatched).line
    if line is None:
        return False
    _add_beside(samples, deal, number, line, Probes(cap=cap, total=20 * cap))
    return True


def add_guided(
    samples: Samples, number: int, weights: Int64s, *, step: int, budget: int, cap: int, astray: int
) -> bool:
    """Adds what the best-first search shows of one deal, `astray` of what it opened; as above."""
    deal = numbered_deal(_VARIANT, number)
    search = BestFirst(
        Position(deal.rules, deal.layout), _MEMORY, weights, switches=False, step=step, switch=0
    )
    line = search.run(budget, _unwatched).line
    if line is None:
        return False
    probes = Probes(cap=cap, total=20 * cap)
    _add_beside(samples, deal, number, line, probes)
    random = np.random.default_rng(number)
    for index in random.integers(0, search.opened_count, astray):
        kept, depth = search.opened(int(index))
        board = kept.copy()
        board[::16] = WALL
        layout = [int(card) for card in board if card != WALL]
        position = Position(deal.rules, layout)
        samples.add(board, depth, probes.tell(position, position.key), number, beside=False)
    return True


def _unwatched(positions: int, ordered: int) -> bool:
    return False


def _add_beside(
    samples: Samples, deal: Deal, number: int, line: list[PackedSlide], probes: Probes
) -> None:
    for board, depth, label in probes.beside(Position(deal.rules, deal.layout), line):
        samples.add(board, depth, label, number, beside=True)
