"""The progress bar of minting: what it tells of the candidates, the stock and the rate."""

from collections import Counter

from service.cli.minting_bar import note
from service.minting.mint import CandidateOutcome, MintReport


def test_it_tells_candidates_outcomes_stock_and_rate() -> None:
    report = MintReport(
        wanted=5,
        deal_ids=["a", "b", "c"],
        outcomes=Counter({CandidateOutcome.STORED: 3, CandidateOutcome.UNDECIDED: 4}),
        positions=45_000_000,
    )
    assert note(report, stock=9, seconds=30) == (
        "stock 12; 7 candidates: 3 stored, 4 undecided; 6.0 deals/min, 1.5 M positions/s"
    )


def test_before_the_first_second_there_is_no_rate() -> None:
    assert note(MintReport(wanted=1), stock=0, seconds=0) == (
        "stock 0; 0 candidates: -; 0.0 deals/min, 0.0 M positions/s"
    )
