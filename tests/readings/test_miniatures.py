"""On miniatures the solver's outcome is what brute force on the checker's rules finds."""

import pytest

import checker
from service.game.deal import numbered_deal
from service.game.document import document
from service.game.variants import VARIANTS
from service.solver import Outcome, solve
from tests.readings.brute import TooManyPositionsError, can_be_won

ONE_PACK = [name for name, variant in VARIANTS.items() if variant.packs == 1]
MOST = 1_000


@pytest.mark.parametrize("ranks", [3, 4, 5])
@pytest.mark.parametrize("variant", ONE_PACK)
def test_won_and_lost_are_what_brute_force_finds(variant: str, ranks: int) -> None:
    counts = {True: 0, False: 0}
    for number in range(1, 31):
        deal = numbered_deal(variant, number, ranks)
        written = document(deal)
        try:
            truth = can_be_won(written, MOST)
        except TooManyPositionsError:
            continue
        counts[truth] += 1
        solution = solve(deal, 2_000_000)
        assert solution.outcome is (Outcome.WON if truth else Outcome.LOST), number
        if solution.line is not None:
            verdict = checker.verify(written, list(solution.line))
            assert verdict.won, number
            assert (verdict.slides, verdict.redeals) == (solution.slides, solution.redeals)
    assert sum(counts.values()) >= 3, "too few were small enough to say anything"
