"""Has the solver compiled, all of it, into the folder that ``NUMBA_CACHE_DIR`` names.

A loop is compiled when it first runs, so deals are solved until all of them have run: won ones and
hard ones, with redeals and without.
"""

from service.game.deal import numbered_deal
from service.game.variants import VARIANTS
from service.solver import solve, warm_up

BUDGET = 100_000
"""Positions a deal: enough for tables that have to grow."""

warm_up(print)
for variant in VARIANTS:
    for number in range(1, 4):
        for redeals in (0, 1, None):
            solve(numbered_deal(variant, number), BUDGET, max_redeals=redeals)
