"""What is done with a line that wins: fewer redeals first, then fewer moves, with a set share."""

from typing import Final

from service.game.deal import Deal
from service.solver.meter import Meter
from service.solver.no_redeal import search_no_redeal
from service.solver.rounds import Redeals, Rounds, search_rounds
from service.solver.shorten import shorten
from service.solver.variation import Variation

_FEWER_REDEALS: Final = 4
_NO_REDEAL: Final = 4
_SHORTEN: Final = 8
_BEAMS: Final = (8, 4)
_TIGHTEN: Final = 3
_VARY: Final = 3
"""Each means may spend the budget that is left, divided by this."""

_PATIENCE: Final = 2
"""So many times in a row all means may gain nothing."""
_CRUMBS: Final = 20
"""What is left of the budget when it is smaller than this part of it is not worth a beginning."""

_WIDTHS: Final = 6
"""How many passes with fewer redeals are made before that is given up."""


def improve(deal: Deal, redeals: Redeals, line: Rounds, meter: Meter) -> Rounds:
    """The best line that wins, of no more redeals, nor moves if it has as many redeals."""
    line = _fewer_redeals(deal, redeals, line, meter)
    variation = Variation(deal, redeals, line, meter)
    idle = 0
    while idle < _PATIENCE and meter.left > meter.budget // _CRUMBS:
        before = _moves(line)
        line = shorten(deal, redeals, line, meter, meter.left // _SHORTEN)
        variation.line = line
        variation.tighten(meter.left // _TIGHTEN)
        for part in _BEAMS:
            variation.beam(meter.left // part)
        variation.vary(meter.left // _VARY)
        line = shorten(deal, redeals, variation.line, meter, meter.left // _SHORTEN)
        idle = idle + 1 if _moves(line) == before else 0
    return line


def _moves(line: Rounds) -> int:
    return sum(map(len, line)) + len(line) - 1


def _fewer_redeals(deal: Deal, redeals: Redeals, line: Rounds, meter: Meter) -> Rounds:
    limit = meter.positions + meter.left // _FEWER_REDEALS
    width = 0
    while len(line) > 2 and width < _WIDTHS and meter.positions < limit and not meter.stopped:
        found = search_rounds(deal, redeals.at_most(len(line) - 2), meter, width)
        if found is None:
            width += 1
        else:
            line = found
    if len(line) > 1:
        found_or_lost = search_no_redeal(deal, meter, meter.left // _NO_REDEAL)
        if isinstance(found_or_lost, tuple):
            line = found_or_lost
    return line
