"""Minting: wins go into the stock, refused lines are kept aside, failures cost one candidate."""

import dataclasses
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from typing import Any

import pytest
from structlog.testing import capture_logs

import checker
from service.game.shuffle import numbered_seed
from service.minting import mint as minting
from service.minting.mint import CandidateOutcome, MintReport, mint
from service.minting.search import Find, SearchLimits, search
from service.solver import Outcome
from service.store import deals, refusals
from service.store.database import Database
from tests.clock import FakeClock

LIMITS = SearchLimits(budget=300_000, max_redeals=2, memory_mb=64)


class Here(Executor):
    """Calls at once, in this thread."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(function(*args, **kwargs))
        # An executor hands on whatever was raised.
        except BaseException as error:
            future.set_exception(error)
        return future


def seeds(variant: str, first: int = 1) -> Callable[[], bytes]:
    """Seeds of numbered deals, one after the other."""
    numbers: Iterator[int] = iter(range(first, first + 1000))
    return lambda: numbered_seed(variant, next(numbers))


def minted(database: Database, clock: FakeClock, count: int = 1, **options: Any) -> MintReport:
    asked: dict[str, Any] = {
        "seeds": seeds("classic"),
        "limits": LIMITS,
        "most_candidates": 5,
        **options,
    }
    return mint(database, "classic", count, executor=Here(), clock=clock, **asked)


def test_wins_go_into_the_stock_with_how_they_were_found(
    database: Database, clock: FakeClock
) -> None:
    report = minted(database, clock, 3)
    assert report.outcomes == {CandidateOutcome.STORED: 3}
    with database.reading() as session:
        assert deals.stock(session, "classic") == 3
        stored = deals.get(session, report.deal_ids[0])
    assert stored is not None
    assert stored.seed == numbered_seed("classic", 1).hex()
    assert stored.minted_at == clock.now
    assert (stored.budget, stored.positions > 0) == (300_000, True)
    verdict = checker.verify(stored.document, stored.line)
    assert verdict.won
    assert (stored.slides, stored.redeals) == (verdict.slides, verdict.redeals)


@pytest.mark.parametrize("damage", ["mutated", "cut short", "of another deal", "already won"])
def test_a_line_that_the_checker_refuses_is_kept_aside_and_raises_the_alarm(
    database: Database, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    def lying(variant: str, seed: bytes, limits: SearchLimits) -> Find:
        if damage == "of another deal":
            return dataclasses.replace(
                search(variant, numbered_seed(variant, 99), limits), seed=seed
            )
        find = search(variant, seed, limits)
        line = find.line or ()
        wrong = {
            "mutated": line[::-1],
            "cut short": line[:-1],
            "already won": (*line, "redeal"),
        }[damage]
        return dataclasses.replace(find, line=wrong)

    monkeypatch.setattr(minting, "search", lying)
    with capture_logs() as logs:
        report = minted(database, clock, most_candidates=1)
    assert report.outcomes == {CandidateOutcome.REFUSED: 1}
    assert report.deal_ids == []
    (alarm,) = (entry for entry in logs if entry["log_level"] == "error")
    assert "refused" in alarm["event"]
    with database.reading() as session:
        assert deals.ids(session) == []
        (kept,) = refusals.every(session)
    assert kept.document["seed"] == numbered_seed("classic", 1).hex()
    assert kept.line
    assert kept.reason["legal"] is (damage == "cut short")
    assert kept.document["seed"] not in str(logs), "logs are read by more people than the database"


def test_a_deal_is_minted_once(database: Database, clock: FakeClock) -> None:
    same = numbered_seed("classic", 1)
    report = minted(database, clock, 2, seeds=lambda: same)
    assert report.outcomes == {CandidateOutcome.STORED: 1, CandidateOutcome.KNOWN: 4}


def test_candidates_that_are_not_won_are_counted_and_left(
    database: Database, clock: FakeClock
) -> None:
    small = SearchLimits(budget=10, max_redeals=2, memory_mb=64)
    report = minted(database, clock, limits=small)
    assert report.outcomes == {CandidateOutcome.UNDECIDED: 5}
    assert report.candidates == 5
    with database.reading() as session:
        assert deals.stock(session, "classic") == 0


def test_a_search_that_fails_costs_one_candidate(
    database: Database, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures: Iterator[Exception] = iter([TimeoutError("late"), RuntimeError("worker died")])

    def failing(variant: str, seed: bytes, limits: SearchLimits) -> Find:
        failure = next(failures, None)
        if failure is not None:
            raise failure
        return search(variant, seed, limits)

    monkeypatch.setattr(minting, "search", failing)
    with capture_logs():
        report = minted(database, clock)
    assert report.outcomes == {
        CandidateOutcome.TIMED_OUT: 1,
        CandidateOutcome.CRASHED: 1,
        CandidateOutcome.STORED: 1,
    }


def test_minting_stops_when_it_is_told_to(database: Database, clock: FakeClock) -> None:
    told: list[int] = []

    def on_progress(report: MintReport) -> None:
        told.append(len(report.deal_ids))

    report = minted(
        database,
        clock,
        100,
        most_candidates=None,
        on_progress=on_progress,
        stopped=lambda: len(told) >= 2,
    )
    assert told == [1, 2]
    assert len(report.deal_ids) == 2


def test_every_outcome_of_the_solver_has_its_name_here() -> None:
    assert {outcome.value for outcome in Outcome} - {"won"} <= {
        outcome.value for outcome in CandidateOutcome
    }


def test_the_same_seed_and_limits_give_the_same_find() -> None:
    one, two = (search("classic", numbered_seed("classic", 7), LIMITS) for _ in range(2))
    assert dataclasses.replace(one, seconds=0) == dataclasses.replace(two, seconds=0)
