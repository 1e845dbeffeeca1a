"""The searches of a deal without redeals: a plain complete one, and short noisy restarts."""

from typing import Final

from service.game.deal import Deal
from service.solver import dfs
from service.solver.depth_first import DepthFirst, pad
from service.solver.meter import Meter
from service.solver.rounds import Rounds

_LONGEST: Final = 1 << 14
_SHORT: Final = 2_000
_LONG: Final = 20_000
_LONG_EVERY: Final = 8
_NOISE: Final = 160


def search_whole(deal: Deal, meter: Meter) -> Rounds | bool | None:
    """One search of all there is: a line that wins, False for a proven loss, or None."""
    board = pad(deal.rules, deal.layout)
    fixed = deal.rules.fixed_aces
    if not fixed:
        meter.phase = "without switches"
        search = DepthFirst(deal.rules)
        if search.run(board, meter, meter.left // 2) == dfs.FOUND:
            return (search.line,)
    meter.phase = "every position"
    search = DepthFirst(deal.rules, longest=_LONGEST)
    if search.run(board, meter, meter.left, every=True) == dfs.FOUND:
        return (search.line,)
    return False if search.exhausted else None


def search_restarts(deal: Deal, meter: Meter) -> Rounds | None:
    """Many short searches with noise, now and then a longer one; a line that wins, or None."""
    board = pad(deal.rules, deal.layout)
    search = DepthFirst(deal.rules)
    meter.phase = "restarts"
    tries = 0
    while not meter.stopped:
        positions = _LONG if tries % _LONG_EVERY == _LONG_EVERY - 1 else _SHORT
        noise = _NOISE if tries else 0
        if search.run(board, meter, positions, noise=noise, seed=tries) == dfs.FOUND:
            return (search.line,)
        tries += 1
    return None
