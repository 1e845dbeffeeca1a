"""A frozen list of deals that cost much more than others of their kind, with their outcomes.

A change of the search may spend more or less on them, but not lose what was known.
"""

import pytest

from service.game.deal import numbered_deal
from service.solver import Outcome, solve
from tests.solver.replays import judge

WON, LOST = Outcome.WON, Outcome.LOST


@pytest.mark.parametrize(
    ("variant", "number", "limit", "budget", "outcome"),
    [
        ("blue-moon", 2, None, 2_000_000, WON),
        ("gathered", 142, None, 6_000_000, WON),
        ("gathered", 263, None, 8_000_000, WON),
        ("big-paganini-one-deal", 97, None, 9_000_000, WON),
        ("one-deal", 1, None, 30_000_000, WON),
        ("one-deal", 80, None, 6_000_000, WON),
        ("one-deal", 5, None, 1_000_000, WON),
        ("one-deal", 67, None, 6_000_000, WON),
        ("one-deal", 63, None, 2_000_000, LOST),
        ("one-deal", 68, None, 4_000_000, LOST),
        ("one-deal", 104, None, 30_000_000, LOST),
        ("blue-moon", 2, 0, 4_000_000, WON),
        ("blue-moon", 732, None, 1_000_000, LOST),
        ("blue-moon", 1, 0, 6_000_000, LOST),
        ("blue-moon", 3, 0, 4_000_000, LOST),
        ("blue-moon", 4, 0, 1_000_000, LOST),
    ],
)
def test_outcome(
    variant: str, number: int, limit: int | None, budget: int, outcome: Outcome
) -> None:
    deal = numbered_deal(variant, number)
    solution = solve(deal, budget, max_redeals=limit, memory_mb=1_024, improve=False)
    judge(deal, solution)
    assert solution.outcome is outcome
