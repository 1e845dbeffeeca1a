"""Pairs of positions of one deal of which one can be won and one cannot.

A depth-first search without switches and in random order that has won knows that all positions it
entered are dead but those of its line: so it knows of dead slides all along the line. The order
must be random: what a search with a good order leaves behind teaches less. So does what a
best-first search opened in vain: weights learned from that win half as many deals.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from service.game.deal import numbered_deal
from service.solver.kernel import Position
from service.solver.one_deal.depth_first import DepthFirst
from service.solver.one_deal.found import unwatched
from service.solver.one_deal.slides import source_of, target_of

Board = npt.NDArray[np.uint8]

_VARIANT: Final = "one-deal"
_MEMORY: Final = 512 << 20


@dataclass
class Pairs:
    """Boards (64 of the kernel's cells) a slide from one parent, by their place in the lists."""

    alive: list[Board] = field(default_factory=list)
    dead: list[Board] = field(default_factory=list)
    deals: list[int] = field(default_factory=list)


def add_pairs(pairs: Pairs, number: int, *, budget: int) -> bool:
    """Adds what a depth-first search in random order shows of one deal; whether it won."""
    deal = numbered_deal(_VARIANT, number)
    search = DepthFirst(
        Position(deal.rules, deal.layout),
        _MEMORY,
        switches=False,
        noise=number * 7919 % (2**31 - 1),
    )
    if search.run(budget, unwatched).line is None:
        return False
    board = Position(deal.rules, deal.layout).board[:64].astype(np.uint8)
    for depth, slide in enumerate(search.slides()):
        dead = [_after(board, wrong) for wrong in search.dead_slides(depth)]
        board = _after(board, slide)
        pairs.alive += [board] * len(dead)
        pairs.dead += dead
        pairs.deals += [number] * len(dead)
    return True


def _after(board: Board, slide: int) -> Board:
    after = board.copy()
    after[target_of(slide)] = after[source_of(slide)]
    after[source_of(slide)] = 0
    return after
