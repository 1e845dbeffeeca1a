"""The searches of a deal without redeals: the one-deal game's, and for two packs short restarts."""

from typing import Final

from service.game.deal import Deal
from service.solver import dfs, one_deal
from service.solver.depth_first import DepthFirst, pad
from service.solver.kernel import pack_slide
from service.solver.meter import Meter
from service.solver.rounds import Rounds

_SHORT: Final = 2_000
_LONG: Final = 20_000
_LONG_EVERY: Final = 8
_NOISE: Final = 160


def search_no_redeal(deal: Deal, meter: Meter, positions: int) -> Rounds | bool | None:
    """A line that wins with slides alone, False for a proven loss, or None."""
    if deal.rules.variant.packs == 1:
        return _search_one_pack(deal, meter, positions)
    return _search_restarts(deal, meter, positions)


def _search_one_pack(deal: Deal, meter: Meter, positions: int) -> Rounds | bool | None:
    start = meter.positions

    def report(spent: int, phase: str, ordered: int) -> None:
        meter.phase = phase
        meter.tell(start + spent, ordered)

    result = one_deal.search(
        deal.rules,
        deal.layout,
        budget=min(positions, meter.left),
        memory_mb=meter.memory_bytes >> 20,
        report=report,
        cancelled=meter.ask,
    )
    meter.spend(result.positions)
    if result.line is not None:
        return (tuple(pack_slide(slide, deal.rules) for slide in result.line),)
    return False if result.lost else None


def _search_restarts(deal: Deal, meter: Meter, positions: int) -> Rounds | None:
    """Many short searches with noise, now and then a longer one: for two packs better than one."""
    board = pad(deal.rules, deal.layout)
    search = DepthFirst(deal.rules)
    meter.phase = "restarts"
    limit = meter.positions + positions
    tries = 0
    while meter.positions < limit and not meter.stopped:
        most = _LONG if tries % _LONG_EVERY == _LONG_EVERY - 1 else _SHORT
        noise = _NOISE if tries else 0
        most = min(most, limit - meter.positions)
        if search.run(board, meter, most, noise=noise, seed=tries) == dfs.FOUND:
            return (search.line,)
        tries += 1
    return None
