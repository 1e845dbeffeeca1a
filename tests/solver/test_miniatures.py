"""Every outcome on small decks against brute force, losses with and without redeals among them."""

import pytest

from service.game.deal import numbered_deal
from service.game.variants import VARIANTS
from service.solver import Outcome, solve
from tests.solver.brute import fewest_redeals
from tests.solver.replays import judge

ONE_PACK = [name for name in VARIANTS if VARIANTS[name].packs == 1]


@pytest.mark.parametrize("variant", ONE_PACK)
@pytest.mark.parametrize(("ranks", "deals"), [(3, 40), (4, 12)])
def test_outcomes(variant: str, ranks: int, deals: int) -> None:
    outcomes = set()
    for number in range(deals):
        deal = numbered_deal(variant, number, ranks)
        for limit in {0, min(1, VARIANTS[variant].redeals or 1) if variant != "one-deal" else 0}:
            fewest = fewest_redeals(deal, limit)
            solution = solve(deal, 300_000, max_redeals=limit)
            judge(deal, solution)
            expected = Outcome.LOST if fewest is None else Outcome.WON
            assert solution.outcome is expected, (number, limit)
            assert solution.redeals == fewest, (number, limit)
            outcomes.add(expected)
    assert outcomes == {Outcome.WON, Outcome.LOST}


@pytest.mark.parametrize("variant", ["blue-moon", "gathered", "addiction"])
def test_losses_with_all_redeals(variant: str) -> None:
    lost = 0
    for number in range(60):
        deal = numbered_deal(variant, number, 3)
        solution = solve(deal, 300_000)
        judge(deal, solution)
        fewest = fewest_redeals(deal)
        assert solution.outcome is (Outcome.LOST if fewest is None else Outcome.WON), number
        lost += fewest is None
    if variant == "blue-moon":
        assert lost > 0
