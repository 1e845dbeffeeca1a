"""The search that can prove a loss with redeals: every slide, every board that can be redealt."""

from typing import Final

from service.game.deal import Deal
from service.solver import dfs
from service.solver.depth_first import DepthFirst, pad
from service.solver.meter import Meter
from service.solver.rounds import Node, Redeals, Rounds

_LONGEST: Final = 1 << 14
_ROOM: Final = 512

_FEW: Final = 8
"""Where all that can be reached comes to so few boards before the last round, half of the budget
left is for these: whatever else is tried ends there too."""


def search_all(deal: Deal, redeals: Redeals, meter: Meter, positions: int) -> Rounds | bool | None:
    """A line that wins, False where there is none with these redeals, None where neither came out.

    It may spend so many `positions`, and more where few boards are left. A redeal looks at nothing
    but the runs (or, gathered, at the whole board), so each such board is redealt once in a round.
    """
    anywhere = not deal.rules.variant.when_stuck
    search = DepthFirst(deal.rules, longest=_LONGEST, room_for=_ROOM)
    nodes = [Node(pad(deal.rules, deal.layout))]
    start = meter.positions
    meter.phase = "every position"
    for done in range(len(redeals) + 1):
        last = done == len(redeals)
        if last and done > 0 and len(nodes) <= _FEW:
            positions = max(positions, meter.positions - start + meter.left // 2)
        after: dict[int, Node] = {}
        for node in nodes:
            left = positions - (meter.positions - start)
            # A safe slide commutes with slides, not with a redeal that need not wait for it.
            result = search.run(
                node.board,
                meter,
                left,
                every=True,
                safe=last or not anywhere,
                anywhere=anywhere and not last,
            )
            if result == dfs.FOUND:
                return (*node.rounds, search.line)
            if not (search.exhausted if last else search.complete):
                return None
            if not last:
                for stuck in search.stuck():
                    if stuck.key not in after:
                        after[stuck.key] = redeals.deal(stuck, node)
        nodes = list(after.values())
    return False
