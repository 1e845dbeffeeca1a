"""Solving a deal: which searches it gets, one after another, and what comes of them."""

import time
from collections.abc import Callable
from typing import Final

from service.game.deal import Deal, numbered_deal
from service.game.notation import REDEAL, slide_token
from service.solver.improving import improve as improved
from service.solver.kernel import unpack_slide
from service.solver.meter import Meter, Progress
from service.solver.no_redeal import search_no_redeal
from service.solver.proof import search_all
from service.solver.rounds import Redeals, Rounds, search_rounds
from service.solver.solution import Outcome, Solution

DEFAULT_BUDGET: Final = 2_000_000
"""Positions; about a quarter of a second."""

SOLVER_VERSION: Final = "3"
"""Changes whenever a deal and a budget may give another solution."""

_WIDEST: Final = 8
_PASSES: Final = 40
_PROOF: Final = 4
_PROOF_LEAST: Final = 2_000
"""A try to prove a loss may spend what was spent so far, divided by the one; the other at least."""


def solve(
    deal: Deal,
    budget: int = DEFAULT_BUDGET,
    *,
    max_redeals: int | None = None,
    memory_mb: int = 512,
    improve: bool = True,
    report: Callable[[Progress], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Solution:
    """Searches a deal for a line that wins, or for a proof that there is none.

    The same deal and numbers give the same solution everywhere. `budget` is in positions: boards
    made by a slide, counted whether they were seen before or not. `max_redeals` allows fewer
    redeals than the variant does, and then a loss is one with so few. Redeals whose order is not
    known are not searched, and nothing is called lost for want of them. `memory_mb` bounds the
    tables; a search that would pass it is undecided. `improve` shortens the line with part of the
    budget. `report` is called now and then, `cancelled` every few milliseconds: where it says yes,
    the search ends with what it has. Raises `ValueError` for negative numbers.
    """
    if budget < 0 or (max_redeals is not None and max_redeals < 0):
        raise ValueError(
            f"a budget and a limit of redeals are 0 or more, not {budget, max_redeals}"
        )
    fixed = deal.rules.rows if deal.rules.fixed_aces else 0
    meter = Meter(budget, memory_mb, report, cancelled, fixed)
    redeals = Redeals(deal, max_redeals)
    found, levels = _search(deal, redeals, meter)
    if found is None or isinstance(found, bool):
        outcome = Outcome.UNDECIDED if found is None else Outcome.LOST
        return Solution(outcome, meter.positions, levels)
    first_moves = sum(map(len, found)) + len(found) - 1
    first_positions = meter.positions
    if improve:
        found = improved(deal, redeals, found, meter)
    line = _tokens(deal, found)
    return Solution(
        Outcome.WON,
        meter.positions,
        levels,
        line,
        sum(map(len, found)),
        len(found) - 1,
        first_moves,
        first_positions,
    )


def _search(deal: Deal, redeals: Redeals, meter: Meter) -> tuple[Rounds | bool | None, int]:
    """The first line, or False for a proven loss; and how often the search widened."""
    found: Rounds | bool | None = None
    width = 0
    if len(redeals) == 0:
        found = search_no_redeal(deal, meter, meter.left)
    while len(redeals) and found is None and width < _PASSES and not meter.stopped:
        found = search_rounds(deal, redeals, meter, min(width, _WIDEST))
        if found is None and not meter.stopped:
            most = max(_PROOF_LEAST, meter.positions // _PROOF)
            found = search_all(deal, redeals, meter, min(meter.left, most))
        width += 1
    if found is False and not redeals.all_known:
        found = None
    return found, max(0, width - 1)


def _tokens(deal: Deal, rounds: Rounds) -> tuple[str, ...]:
    tokens: list[str] = []
    for number, slides in enumerate(rounds):
        if number:
            tokens.append(REDEAL)
        tokens += [slide_token(deal.rules, unpack_slide(slide, deal.rules)) for slide in slides]
    return tuple(tokens)


def warm_up(report: Callable[[str], None] | None = None) -> float:
    """Compiles the hot loops, or loads them where that was done before; the seconds it took.

    `report` is told in a sentence that it begins, since a first compilation takes a while.
    """
    if report is not None:
        report("Loading the solver; the first time ever it is compiled, for about half a minute.")
    start = time.perf_counter()
    # Between them these go through all searches: the one is not won without a redeal in so few
    # positions, the other starts with the search for a loss.
    solve(numbered_deal("classic", 0), 60_000)
    solve(numbered_deal("blue-moon", 0, 3), 1_000, max_redeals=0)
    return time.perf_counter() - start
