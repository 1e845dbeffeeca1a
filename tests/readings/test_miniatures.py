"""On miniatures the solver's outcome is what brute force on the checker's rules finds.

A sample of what ``make exhaustive`` goes through.
"""

from itertools import islice
from math import factorial

import pytest

from service.game.cards import GAP
from service.game.variants import VARIANTS
from service.solver import Outcome, Solution
from tests.readings import miniatures
from tests.readings.brute import TooManyPositionsError
from tests.readings.layouts import CARDS, ROWS, representatives
from tests.readings.miniatures import ONE_PACK, Case, DifferenceError, compare, layouts

MOST = 1_000


SAMPLE = [
    (variant, ranks, max_redeals)
    for variant in ONE_PACK
    for ranks, max_redeals in ((3, 0), (4, 0), (3, 1), (4, 1), (3, None), (4, None), (5, None))
    if not max_redeals or VARIANTS[variant].redeals != 0
]


@pytest.mark.parametrize(("variant", "ranks", "max_redeals"), SAMPLE)
def test_won_and_lost_are_what_brute_force_finds(
    variant: str, ranks: int, max_redeals: int | None
) -> None:
    compared = 0
    for number in range(1, 21):
        try:
            compare(Case(variant, ranks, number, max_redeals=max_redeals), MOST)
        except TooManyPositionsError:
            continue
        compared += 1
    assert compared >= 15, "too few were small enough to say anything"


DAMAGES = {
    "a win called lost": ("solve", Solution(Outcome.LOST, 1, 0), "lost, and brute force says True"),
    "a line of nothing": ("solve", Solution(Outcome.WON, 1, 0, (), 0, 0), "and the checker says"),
    "a win proven lost": ("search_all", False, "proven False, and brute force says True"),
}


@pytest.mark.parametrize(("search", "answer", "told"), DAMAGES.values(), ids=DAMAGES.keys())
def test_a_search_that_is_damaged_is_found(
    monkeypatch: pytest.MonkeyPatch, search: str, answer: object, told: str
) -> None:
    monkeypatch.setattr(miniatures, search, lambda *_, **__: answer)
    with pytest.raises(DifferenceError, match=told):
        compare(Case("classic", 4, 1))


def test_a_loss_called_won_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = Case("blue-moon", 4, 2, max_redeals=1)
    assert not compare(lost)
    monkeypatch.setattr(miniatures, "search_all", lambda *_: ())
    with pytest.raises(DifferenceError, match="proven True, and brute force says False"):
        compare(lost)


def test_one_deal_layouts() -> None:
    for case in islice(layouts(), 0, 1000, 10):
        compare(case)


def test_layouts_that_stand_for_others() -> None:
    first = list(islice(representatives(), 300))
    assert len({layout for layout, _ in first}) == 300
    for layout, standing_for in first:
        assert sorted(layout) == [GAP] * ROWS + CARDS
        assert factorial(4) ** 2 % standing_for == 0
        assert standing_for >= factorial(4)
