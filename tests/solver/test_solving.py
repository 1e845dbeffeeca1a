"""`solve` as others see it: lines that replay, budgets, memory, cancelling, what it may claim."""

from dataclasses import replace

import pytest

from service.game.deal import numbered_deal
from service.game.variants import VARIANTS
from service.solver import Outcome, Progress, solve, warm_up
from service.solver.meter import SLICE
from tests.solver.replays import judge

BUDGET = 400_000


@pytest.mark.parametrize("variant", [name for name in VARIANTS if VARIANTS[name].redeals != 0])
def test_every_variant_with_redeals_is_won(variant: str) -> None:
    for number in range(1, 7):
        deal = numbered_deal(variant, number)
        solution = solve(deal, BUDGET)
        judge(deal, solution)
        assert solution.outcome is Outcome.WON, number
        assert solution.positions <= BUDGET + SLICE


@pytest.mark.parametrize("variant", ["one-deal", "big-paganini-one-deal", "red-moon"])
def test_deals_without_a_redeal(variant: str) -> None:
    outcomes = set()
    for number in range(1, 7):
        deal = numbered_deal(variant, number)
        solution = solve(deal, BUDGET, max_redeals=0)
        judge(deal, solution)
        outcomes.add(solution.outcome)
        assert solution.redeals in (0, None)
    assert Outcome.WON in outcomes


@pytest.mark.parametrize("variant", ["classic", "gathered", "big-paganini", "one-deal"])
def test_the_same_call_gives_the_same_solution(variant: str) -> None:
    deal = numbered_deal(variant, 11)
    assert solve(deal, BUDGET) == solve(deal, BUDGET)


def test_watching_changes_nothing() -> None:
    deal = numbered_deal("classic", 12)
    seen: list[Progress] = []
    watched = solve(deal, BUDGET, report=seen.append, cancelled=lambda: False)
    assert watched == solve(deal, BUDGET)
    assert seen
    assert [progress.positions for progress in seen] == sorted(
        progress.positions for progress in seen
    )
    assert all(progress.budget == BUDGET and progress.phase for progress in seen)
    assert all((progress.best_ordered or 0) <= 48 for progress in seen)


def test_first_lines_are_never_better_than_improved_ones() -> None:
    for number in range(1, 9):
        deal = numbered_deal("classic", number)
        first = solve(deal, BUDGET, improve=False)
        better = solve(deal, BUDGET)
        assert first.line is not None
        assert better.line is not None
        assert first.redeals is not None
        assert better.redeals is not None
        assert (better.redeals, len(better.line)) <= (first.redeals, len(first.line))
        assert better.first_moves == first.first_moves == len(first.line)
        assert better.first_positions == first.positions


def test_a_small_budget_is_undecided_and_kept() -> None:
    solution = solve(numbered_deal("classic", 1), 50)
    assert solution.outcome is Outcome.UNDECIDED
    assert solution.positions == 50


def test_cancelling_at_once_is_undecided() -> None:
    solution = solve(numbered_deal("classic", 1), cancelled=lambda: True)
    assert solution.outcome is Outcome.UNDECIDED
    assert solution.positions == 0


@pytest.mark.parametrize("variant", ["one-deal", "classic", "big-paganini-one-deal"])
@pytest.mark.parametrize("questions", [1, 3, 10, 30])
def test_cancelling_keeps_what_was_found(variant: str, questions: int) -> None:
    asked = 0

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > questions

    deal = numbered_deal(variant, 3)
    solution = solve(deal, 20_000_000, cancelled=cancelled)
    judge(deal, solution)
    # Once it has been told to end, a search asks no more than a few times again.
    assert asked <= questions + 5


def test_cancelled_while_improving_is_won() -> None:
    deal = numbered_deal("classic", 2)
    first = solve(deal, improve=False)
    progress: list[Progress] = []
    solution = solve(
        deal,
        report=progress.append,
        cancelled=lambda: bool(progress) and progress[-1].positions > first.positions,
    )
    judge(deal, solution)
    assert solution.outcome is Outcome.WON


def test_memory_that_is_used_up_is_undecided() -> None:
    deal = numbered_deal("one-deal", 2)
    solution = solve(deal, 30_000_000, memory_mb=1)
    judge(deal, solution)
    assert solution.outcome is Outcome.UNDECIDED
    assert solution.positions < 30_000_000


def test_sealed_redeals_are_neither_used_nor_called_lost() -> None:
    lost = 0
    for number in range(1, 40):
        deal = numbered_deal("blue-moon", number, 3)
        sealed = deal.sealed()
        solution = solve(sealed, BUDGET)
        assert solution.outcome is not Outcome.LOST
        assert solution.redeals in (0, None)
        lost += solve(deal, BUDGET, max_redeals=0).outcome is Outcome.LOST
    assert lost > 0


def test_redeals_beyond_those_open_are_not_looked_at() -> None:
    deal = numbered_deal("relaxed", 4)
    first, *others = deal.redeals
    half = replace(deal, redeals=(first, *(other.seal() for other in others)), seed=None)
    solution = solve(half, BUDGET)
    judge(half, solution)
    assert solution.redeals in (0, 1)


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_no_more_redeals_than_asked_for(limit: int) -> None:
    for number in range(1, 6):
        deal = numbered_deal("unlimited", number)
        solution = solve(deal, BUDGET, max_redeals=limit)
        judge(deal, solution)
        assert solution.redeals is None or solution.redeals <= limit
        assert solution.outcome is not Outcome.LOST or limit == 0


def test_a_deal_that_is_won_already() -> None:
    deal = numbered_deal("classic", 1)
    suits = [[suit * 16 + rank for rank in range(2, 14)] + [0] for suit in (3, 0, 2, 1)]
    won = replace(deal, layout=tuple(card for row in suits for card in row), seed=None)
    for limit in (None, 0):
        solution = solve(won, BUDGET, max_redeals=limit)
        assert solution.outcome is Outcome.WON
        assert solution.line == ()
        assert (solution.slides, solution.redeals, solution.first_moves) == (0, 0, 0)


def test_a_negative_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="-1"):
        solve(numbered_deal("classic", 1), max_redeals=-1)


def test_warming_up_says_so() -> None:
    told: list[str] = []
    assert warm_up(told.append) > 0
    assert len(told) == 1
