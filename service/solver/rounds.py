"""The search with redeals: round by round, from the best stuck boards of the round before.

The orders of the redeals are known, so a redeal is one more move. Pass after pass, everything is
doubled: positions a board, boards kept; and later passes add noise and try all slides.
"""

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from typing import Final

from service.game.deal import Deal, UnknownRedealError
from service.game.variants import Order
from service.solver import dfs
from service.solver.depth_first import DepthFirst, Padded, Stuck, pad, redealt
from service.solver.meter import Meter

Rounds = tuple[tuple[int, ...], ...]
"""A line as packed slides, round by round, with a redeal between two rounds."""

MOST_REDEALS: Final = 12
"""How many redeals are looked at where a variant sets no limit."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What one pass spends: positions a board and boards kept of it, in the first round and later.

    `boards` bounds how many boards a round starts from.
    """

    first_try: int
    later_try: int
    first_kept: int
    later_kept: int
    boards: int

    def widened(self, width: int) -> "Plan":
        """The plan of a later pass."""
        # What three passes did not win needs depth more than it needs variety.
        more = width + max(0, width - 3)
        return Plan(
            self.first_try << more,
            self.later_try << more,
            self.first_kept << width,
            self.later_kept << width,
            self.boards << width,
        )


# A redealt board is won in a few hundred positions or hardly at all, so many get a short try.
_SHUFFLED: Final = Plan(5_000, 400, 24, 8, 100)
# Gathered cards leave small spaces: most tries see all there is, and what counts is many boards.
_GATHERED: Final = Plan(10_000, 300, 128, 64, 600)
_NOISE: Final = 120


@dataclass(frozen=True, slots=True)
class Node:
    """A board that a round starts from, and how it was reached."""

    board: Padded
    rounds: Rounds = ()


class Redeals:
    """The redeals of a deal as the search may use them, `limit` at most."""

    def __init__(self, deal: Deal, limit: int | None) -> None:
        allowed = deal.rules.variant.redeals
        unbounded = allowed is None and limit is None
        most = min(n for n in (allowed, limit, MOST_REDEALS) if n is not None)
        self.rules = deal.rules
        self._orders: list[tuple[int, ...] | None] = []
        self.all_known = not unbounded and most in (allowed, limit)
        for k in range(1, most + 1):
            try:
                self._orders.append(deal.order(k))
            except UnknownRedealError:
                self.all_known = False
                break

    def __len__(self) -> int:
        return len(self._orders)

    def at_most(self, limit: int) -> "Redeals":
        """The first of these redeals, so many at most."""
        fewer = copy(self)
        fewer._orders = self._orders[:limit]
        return fewer

    def deal(self, stuck: Stuck, node: Node) -> Node:
        """The board of the round after `node`'s, from one of its stuck boards."""
        after = self.after(stuck.board, len(node.rounds))
        return Node(after, (*node.rounds, stuck.slides))

    def after(self, board: Padded, done: int) -> Padded:
        """A stuck board after its redeal, with so many redeals done before."""
        return redealt(self.rules, board, self._orders[done])


def search_rounds(deal: Deal, redeals: Redeals, meter: Meter, width: int) -> Rounds | None:
    """One pass of that width (0, 1, 2 …): a line that wins, or None."""
    every = width % 2 == 1
    noise = _NOISE * min(width, 4)
    gathered = deal.rules.variant.order is Order.GATHERED
    plan = (_GATHERED if gathered else _SHUFFLED).widened(width)
    search = DepthFirst(
        deal.rules, longest=4096 if every else 512, room_for=max(plan.first_kept, plan.later_kept)
    )
    nodes = [Node(pad(deal.rules, deal.layout))]
    for done in range(len(redeals) + 1):
        meter.phase = f"round {done + 1}"
        positions = plan.later_try if done else plan.first_try
        kept = plan.later_kept if done else plan.first_kept
        found: list[tuple[Stuck, Node]] = []
        for seed, node in enumerate(nodes):
            if meter.stopped:
                return None
            result = search.run(node.board, meter, positions, every=every, noise=noise, seed=seed)
            if result == dfs.FOUND:
                return (*node.rounds, search.line)
            if done < len(redeals):
                found += [(stuck, node) for stuck in search.stuck()[:kept]]
        nodes = list(_next_round(found, redeals, plan.boards))
    return None


def _next_round(found: list[tuple[Stuck, Node]], redeals: Redeals, boards: int) -> Iterator[Node]:
    found.sort(key=lambda pair: -pair[0].value)
    seen: set[int] = set()
    for stuck, node in found:
        if len(seen) == boards:
            break
        if stuck.key not in seen:
            seen.add(stuck.key)
            yield redeals.deal(stuck, node)
