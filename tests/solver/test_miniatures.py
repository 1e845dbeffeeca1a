"""Every outcome on small decks against brute force, losses with and without redeals among them."""

import pytest

from service.game.deal import numbered_deal
from service.game.variants import VARIANTS
from service.solver import Outcome, solve
from tests.solver.brute import fewest_redeals
from tests.solver.replays import judge

ONE_PACK = [name for name in VARIANTS if VARIANTS[name].packs == 1]
BUDGET = 300_000


def outcome_of(variant: str, number: int, ranks: int, limit: int | None) -> Outcome:
    """The solver's outcome, once brute force has agreed to it."""
    deal = numbered_deal(variant, number, ranks)
    fewest = fewest_redeals(deal, limit)
    solution = solve(deal, BUDGET, max_redeals=limit)
    judge(deal, solution)
    assert solution.outcome is (Outcome.LOST if fewest is None else Outcome.WON), number
    assert solution.redeals == fewest, number
    return solution.outcome


@pytest.mark.parametrize("variant", ONE_PACK)
def test_no_redeal_and_three_ranks(variant: str) -> None:
    outcomes = {outcome_of(variant, number, 3, 0) for number in range(40)}
    assert outcomes == {Outcome.WON, Outcome.LOST}


@pytest.mark.parametrize("variant", ONE_PACK)
def test_no_redeal_and_four_ranks(variant: str) -> None:
    for number in range(12):
        outcome_of(variant, number, 4, 0)


@pytest.mark.parametrize("variant", [name for name in ONE_PACK if VARIANTS[name].redeals != 0])
def test_one_redeal(variant: str) -> None:
    outcomes = {outcome_of(variant, number, 3, 1) for number in range(40)}
    assert Outcome.WON in outcomes
    assert (Outcome.LOST in outcomes) == (variant == "blue-moon")
    for number in range(8):
        outcome_of(variant, number, 4, 1)


@pytest.mark.parametrize("variant", ["blue-moon", "gathered", "addiction"])
def test_all_redeals(variant: str) -> None:
    for number in range(40):
        outcome_of(variant, number, 3, None)


def test_five_ranks_without_a_redeal() -> None:
    outcomes = {outcome_of("blue-moon", number, 5, 0) for number in range(10)}
    assert outcomes == {Outcome.WON, Outcome.LOST}
