"""Numbered deals: searched once, stored as what they are, never a daily."""

import datetime as dt
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.minting import numbered
from service.publishing import gate, verdicts
from service.publishing import practice as publishing
from service.publishing.practice import BusyError, NoWinError, PracticeDeals
from service.publishing.publish import PublishOutcome, publish
from service.publishing.remembered import PublishedDeals
from service.settings import Redeals, Settings
from service.store import deals, practices, refusals
from service.store.database import Database
from service.store.tables import Arrival, Practice
from tests.clock import FakeClock
from tests.deals import WonDeal, put_in_stock, won
from tests.searches import CannedSearches

WIN = won("classic", redeals=2)[0]


@pytest.fixture
def searches() -> CannedSearches:
    return CannedSearches()


@pytest.fixture
def practice(database: Database, clock: FakeClock, searches: CannedSearches) -> PracticeDeals:
    return PracticeDeals(Settings(), database, clock, searches)


def test_a_number_is_searched_once_and_then_a_published_deal(
    practice: PracticeDeals, database: Database, clock: FakeClock, searches: CannedSearches
) -> None:
    name = practice.deal_id("classic", WIN.number)
    assert name == WIN.document["seed_commitment"][:20]
    assert practice.deal_id("classic", WIN.number) == name
    assert len(searches.asked) == 1
    with database.reading() as session:
        seen = gate.open_deal(session, name, clock())
        solution = gate.solution(session, name, clock())
    assert (seen.document, seen.date) == (WIN.document, None)
    assert (list(solution.line), solution.date) == (WIN.line, None)
    stored, _ = verdicts.submit(PublishedDeals(database), name, WIN.line, clock)
    assert (stored.won, stored.state) == (True, Arrival.ARCHIVE)
    assert verdicts.next_redeal(
        PublishedDeals(database), name, WIN.line[: WIN.line.index("redeal")], clock
    )


def test_a_practice_deal_is_never_stock_and_never_a_daily(
    practice: PracticeDeals, database: Database, clock: FakeClock
) -> None:
    practice.deal_id("classic", WIN.number)
    with database.reading() as session:
        assert deals.stock(session, "classic") == 0
        assert deals.oldest_in_stock(session, "classic") is None
    (done,) = publish(
        database,
        "classic",
        [clock.today],
        clock=clock,
        redeals=Redeals.OPEN,
        max_redeals=9,
        mint=lambda variant: False,
    )
    assert done.outcome is PublishOutcome.NO_DEAL


@pytest.mark.parametrize("published", [False, True])
def test_a_number_whose_deal_has_another_use_is_not_for_practice(
    practice: PracticeDeals,
    database: Database,
    clock: FakeClock,
    searches: CannedSearches,
    published: bool,
) -> None:
    """Nobody would ever mint a numbered deal; if somebody did, it stays a secret all the same."""
    (deal,) = put_in_stock(database, WIN)
    if published:
        publish(
            database,
            "classic",
            [clock.today],
            clock=clock,
            redeals=Redeals.SEALED,
            max_redeals=9,
            mint=lambda variant: False,
        )
    with pytest.raises(NoWinError):
        practice.deal_id("classic", WIN.number)
    with database.reading() as session:
        assert practices.deal(session, deal.id) is None
    assert searches.asked[:1] != [bytes.fromhex(WIN.document["seed"])]


def test_a_number_without_a_win_names_the_next_that_has_one(
    practice: PracticeDeals, searches: CannedSearches
) -> None:
    for _ in range(2):
        with pytest.raises(NoWinError) as caught:
            practice.deal_id("classic", 36)
        assert caught.value.following == 39
    assert len(searches.asked) == 4, "what was found out is kept"
    assert practice.won_from("classic", 36) == 39
    assert practice.won_from("classic", 39) == 39


def test_where_no_win_is_near_none_is_named(
    practice: PracticeDeals, searches: CannedSearches
) -> None:
    with pytest.raises(NoWinError) as caught:
        practice.deal_id("classic", 1000)
    assert caught.value.following is None
    assert len(searches.asked) == 1 + publishing.MOST_TRIES
    with pytest.raises(NoWinError):
        practice.won_from("classic", 1000)
    with pytest.raises(NoWinError):
        practice.deal_id("classic", numbered.LARGEST_NUMBER)


def test_a_bigger_budget_or_another_solver_searches_anew(
    database: Database,
    clock: FakeClock,
    searches: CannedSearches,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def asked(budget: int, *wins: WonDeal) -> str | None:
        found = CannedSearches(*wins)
        practice = PracticeDeals(Settings(practice_budget=budget), database, clock, found)
        monkeypatch.setattr(publishing, "MOST_TRIES", 0)
        try:
            name = practice.deal_id("classic", WIN.number)
        except NoWinError:
            name = None
        counts.append(len(found.asked))
        return name

    counts: list[int] = []
    other = won("relaxed")[0]
    assert asked(1_000, other) is None
    assert asked(1_000, other) is None
    assert asked(2_000, other) is None
    monkeypatch.setattr(numbered, "SOLVER_VERSION", "another")
    assert asked(2_000, WIN) is not None
    assert asked(9_000, other) is not None, "a win is final"
    assert counts == [1, 0, 1, 1, 0]


def test_who_asks_at_once_waits_for_one_search(
    practice: PracticeDeals, searches: CannedSearches
) -> None:
    searches.gate.clear()
    with ThreadPoolExecutor(publishing.MOST_WAITING) as askers:
        answers = [
            askers.submit(practice.deal_id, "classic", WIN.number)
            for _ in range(publishing.MOST_WAITING)
        ]
        searches.gate.set()
        assert len({answer.result() for answer in answers}) == 1
    assert len(searches.asked) == 1


def test_processes_that_ask_at_once_search_once(
    database: Database, clock: FakeClock, searches: CannedSearches
) -> None:
    """Each process is a `PracticeDeals` of its own here: they share nothing but the database."""
    searches.gate.clear()
    with ThreadPoolExecutor(4) as processes:
        answers = [
            processes.submit(
                PracticeDeals(Settings(), database, clock, searches).deal_id, "classic", WIN.number
            )
            for _ in range(4)
        ]
        while not searches.asked:
            threading.Event().wait(0.01)
        threading.Event().wait(0.2)
        assert not any(answer.done() for answer in answers)
        searches.gate.set()
        assert len({answer.result() for answer in answers}) == 1
    assert len(searches.asked) == 1
    with database.reading() as session:
        assert session.query(Practice).count() == 1
        assert deals.ids(session) == [answers[0].result()]


def test_processes_that_ask_at_once_for_what_is_not_won_search_once(
    database: Database,
    clock: FakeClock,
    searches: CannedSearches,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(publishing, "MOST_TRIES", 0)
    searches.gate.clear()
    with ThreadPoolExecutor(4) as processes:
        answers = [
            processes.submit(
                PracticeDeals(Settings(), database, clock, searches).deal_id, "classic", 36
            )
            for _ in range(4)
        ]
        while not searches.asked:
            threading.Event().wait(0.01)
        searches.gate.set()
        assert all(isinstance(answer.exception(), NoWinError) for answer in answers)
    assert len(searches.asked) == 1


@pytest.mark.parametrize("hours", [1, -1])
def test_a_search_whose_process_has_died_is_made_again(
    database: Database, clock: FakeClock, searches: CannedSearches, hours: int
) -> None:
    """What it has claimed is free after a while, by whatever clock it was claimed."""
    with database.writing() as session:
        assert practices.claim(
            session,
            variant="classic",
            number=WIN.number,
            budget=1000,
            solver_version="any",
            now=clock(),
            lease=dt.timedelta(seconds=40),
        )
    practice = PracticeDeals(Settings(search_seconds=30), database, clock, searches)
    with ThreadPoolExecutor(1) as asker:
        answer = asker.submit(practice.deal_id, "classic", WIN.number)
        threading.Event().wait(0.2)
        assert not answer.done()
        clock.advance(seconds=39)
        threading.Event().wait(0.2)
        assert not answer.done()
        assert searches.asked == []
        clock.advance(hours=hours)
        assert answer.result() == WIN.document["seed_commitment"][:20]


def test_more_than_a_few_are_told_to_come_again(
    practice: PracticeDeals, searches: CannedSearches
) -> None:
    searches.gate.clear()
    with ThreadPoolExecutor(publishing.MOST_WAITING) as askers:
        numbers = [deal.number for deal in won("classic", redeals=0)][: publishing.MOST_WAITING]
        answers = [askers.submit(practice.deal_id, "classic", number) for number in numbers]
        answers += [
            askers.submit(practice.deal_id, "classic", numbers[0])
            for _ in range(publishing.MOST_WAITING - len(numbers))
        ]
        while practice._waiting._value:
            threading.Event().wait(0.01)
        with pytest.raises(BusyError):
            practice.deal_id("classic", WIN.number)
        searches.gate.set()
        assert all(answer.result() for answer in answers)
    assert practice.deal_id("classic", WIN.number), "and find their turn later"


@pytest.mark.parametrize("failure", [TimeoutError, OSError])
def test_a_search_that_was_cut_off_tells_nothing_of_the_deal(
    practice: PracticeDeals,
    database: Database,
    searches: CannedSearches,
    failure: type[BaseException],
) -> None:
    searches.fails = failure
    with pytest.raises(BusyError):
        practice.deal_id("classic", WIN.number)
    with database.reading() as session:
        assert practices.get(session, "classic", WIN.number) is None
    searches.fails = None
    assert practice.deal_id("classic", WIN.number)


def test_what_the_checker_refuses_is_kept_aside_and_not_served(
    database: Database, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "MOST_TRIES", 0)
    false = WonDeal("classic", WIN.number, WIN.document, WIN.line[:-1], WIN.verdict)
    searches = CannedSearches(false)
    practice = PracticeDeals(Settings(), database, clock, searches)
    for _ in range(2):
        with pytest.raises(NoWinError):
            practice.deal_id("classic", WIN.number)
    with database.reading() as session:
        assert refusals.count(session) == 1
        assert deals.ids(session) == []


def test_whoever_asks_may_be_stopped_before_a_search(
    practice: PracticeDeals, searches: CannedSearches
) -> None:
    def stop() -> None:
        raise PermissionError

    with pytest.raises(PermissionError):
        practice.deal_id("classic", WIN.number, stop)
    assert searches.asked == []
    name = practice.deal_id("classic", WIN.number)
    assert practice.deal_id("classic", WIN.number, stop) == name, "what is known costs nothing"


def test_closing_ends_the_searches_for_good(
    database: Database, clock: FakeClock, searches: CannedSearches
) -> None:
    unused = PracticeDeals(Settings(), database, clock, searches)
    unused.close()
    assert not searches.ended, "none were ever started"
    practice = PracticeDeals(Settings(), database, clock, searches)
    practice.deal_id("classic", WIN.number)
    practice.close()
    assert searches.ended
    for closed in (unused, practice):
        with pytest.raises(BusyError):
            closed.deal_id("classic", won("classic", redeals=0)[0].number)
    assert practice.deal_id("classic", WIN.number), "what is known needs no search"


def test_a_deal_and_its_number_are_stored_together_or_not_at_all(
    practice: PracticeDeals, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without its number it would look like stock."""

    def crash(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(practices, "note", crash)
    with pytest.raises(KeyboardInterrupt):
        practice.deal_id("classic", WIN.number)
    with database.reading() as session:
        assert deals.ids(session) == []
