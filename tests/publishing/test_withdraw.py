"""Withdrawing: what is shown then, what stays, and when a date may have another deal."""

import datetime as dt
import threading
from collections.abc import Callable

import pytest

from service.publishing import gate, verdicts
from service.publishing.audit import audit
from service.publishing.calendar import State, closes_at, visible_from
from service.publishing.gate import NotVisibleError, WithdrawnError
from service.publishing.publish import PublishedDate, PublishOutcome, publish
from service.publishing.reconcile import missing, reconcile
from service.publishing.remembered import PublishedDeals
from service.publishing.withdraw import NoDailyError, ReasonError, withdraw
from service.settings import Redeals, Settings
from service.store import dailies
from service.store.database import Database
from tests.clock import FakeClock
from tests.deals import publish_deal, put_in_stock, won
from tests.publishing.minting import endless

DAY = dt.date(2026, 3, 8)
ONE = dt.timedelta(1)
FAR = DAY + 5 * ONE
"""Hidden at noon of `DAY`."""
WHY = "Two cards were drawn alike."
LOOKS: list[Callable[..., object]] = [gate.open_deal, gate.solution, gate.published]


def publish_again(database: Database, date: dt.date, clock: FakeClock) -> PublishedDate:
    (done,) = publish(
        database,
        "classic",
        [date],
        clock=clock,
        redeals=Redeals.SEALED,
        max_redeals=2,
        mint=lambda variant: False,
    )
    return done


@pytest.mark.parametrize("now", [visible_from(DAY), closes_at(DAY)])
def test_a_withdrawn_daily_answers_its_reason_alone(
    database: Database, clock: FakeClock, now: dt.datetime
) -> None:
    name = publish_deal(database, won()[0], DAY, clock)
    done = withdraw(database, "classic", DAY, f"  {WHY}\n", clock)
    assert (done.deal_id, done.reason, done.done, done.replaceable) == (name, WHY, True, False)
    clock.set(now)
    with database.reading() as session:
        for look in LOOKS:
            with pytest.raises(WithdrawnError) as raised:
                look(session, name, now)
            assert (raised.value.reason, raised.value.withdrawn_at) == (WHY, done.withdrawn_at)
        with pytest.raises(WithdrawnError):
            gate.open_daily(session, "classic", DAY, now)
        (entry,) = gate.archive(session, now, limit=5).entries
    assert (entry.id, entry.withdrawn) == (name, True)
    for call in (verdicts.submit, verdicts.next_redeal):
        with pytest.raises(WithdrawnError):
            call(PublishedDeals(database), name, [], clock)


def test_submissions_to_a_withdrawn_daily_stay(database: Database, clock: FakeClock) -> None:
    name = publish_deal(database, won()[0], DAY, clock)
    stored, _ = verdicts.submit(PublishedDeals(database), name, won()[0].line, clock)
    withdraw(database, "classic", DAY, WHY, clock)
    with database.reading() as session:
        again = verdicts.submission(session, stored.id, clock.now)
    assert again.verdict == stored.verdict
    with pytest.raises(WithdrawnError):
        verdicts.submit(PublishedDeals(database), name, won()[0].line, clock)


def test_a_hidden_daily_that_is_withdrawn_is_as_one_that_never_was(
    database: Database, clock: FakeClock
) -> None:
    name = publish_deal(database, won()[0], FAR, clock)
    assert withdraw(database, "classic", FAR, WHY, clock).replaceable
    with database.reading() as session:
        for look in LOOKS:
            with pytest.raises(NotVisibleError):
                look(session, name, clock.now)
        with pytest.raises(NotVisibleError) as raised:
            gate.open_daily(session, "classic", FAR, clock.now)
        page = gate.archive(session, clock.now, limit=5)
    assert raised.value.available_at == visible_from(FAR)
    assert (page.entries, page.head) == ([], None)


def test_a_hidden_date_gets_another_deal(database: Database, clock: FakeClock) -> None:
    first = publish_deal(database, won()[0], FAR, clock)
    withdraw(database, "classic", FAR, WHY, clock)
    assert publish_again(database, FAR, clock).outcome is PublishOutcome.NO_DEAL
    (second,) = put_in_stock(database, won()[1])
    done = publish_again(database, FAR, clock)
    assert (done.outcome, done.deal_id) == (PublishOutcome.PUBLISHED, second.id)
    assert publish_again(database, FAR, clock).outcome is PublishOutcome.ALREADY_THERE
    clock.set(visible_from(FAR))
    with database.reading() as session:
        assert gate.open_daily(session, "classic", FAR, clock.now).id == second.id
        assert gate.open_deal(session, second.id, clock.now).state is State.LIVE
        with pytest.raises(WithdrawnError):
            gate.open_deal(session, first, clock.now)
        (entry,) = gate.archive(session, clock.now, limit=5).entries
    assert (entry.id, entry.withdrawn) == (second.id, False)
    assert audit(database).faults == []


def test_a_date_that_has_begun_gets_no_other(database: Database, clock: FakeClock) -> None:
    first = publish_deal(database, won()[0], FAR, clock)
    put_in_stock(database, won()[1])
    withdraw(database, "classic", FAR, WHY, clock)
    clock.set(visible_from(FAR))
    done = publish_again(database, FAR, clock)
    assert (done.outcome, done.deal_id) == (PublishOutcome.WITHDRAWN, first)
    with database.reading() as session, pytest.raises(WithdrawnError):
        gate.open_daily(session, "classic", FAR, clock.now)


def test_reconciling_replaces_what_nobody_has_seen(database: Database, clock: FakeClock) -> None:
    settings = Settings.model_validate({"horizon_days": 3, "daily_max_redeals": 2})
    mint = endless(database)
    reconcile(database, settings, clock, mint)
    for date in (DAY, DAY + ONE, DAY + 2 * ONE):
        withdraw(database, "classic", date, WHY, clock)
    with database.reading() as session:
        # Tomorrow has begun in the first zone.
        assert missing(session, "classic", clock.now, 3) == [DAY + 2 * ONE]
    (done,) = reconcile(database, settings, clock, mint)
    assert (done.date, done.outcome) == (DAY + 2 * ONE, PublishOutcome.PUBLISHED)
    assert reconcile(database, settings, clock, mint) == []


def test_many_that_replace_at_once_agree(
    database_url: str, database: Database, clock: FakeClock
) -> None:
    publish_deal(database, won()[0], FAR, clock)
    withdraw(database, "classic", FAR, WHY, clock)
    put_in_stock(database, *won()[1:5])
    together = threading.Barrier(4)
    done: list[PublishedDate] = []

    def work() -> None:
        with Database.open(database_url) as own:
            together.wait()
            done.append(publish_again(own, FAR, clock))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(one.outcome for one in done) == ["already there"] * 3 + ["published"]
    assert len({one.deal_id for one in done}) == 1
    with database.reading() as session:
        assert len(dailies.ids(session)) == 2


def test_the_first_reason_stays(database: Database, clock: FakeClock) -> None:
    publish_deal(database, won()[0], DAY, clock)
    first = withdraw(database, "classic", DAY, WHY, clock)
    clock.advance(hours=1)
    again = withdraw(database, "classic", DAY, "Something else.", clock)
    assert (again.done, again.reason, again.withdrawn_at) == (False, WHY, first.withdrawn_at)


def test_what_is_not_there_cannot_be_withdrawn(database: Database, clock: FakeClock) -> None:
    publish_deal(database, won()[0], DAY, clock)
    for variant, date in (("classic", DAY + ONE), ("gathered", DAY)):
        with pytest.raises(NoDailyError, match=f"{variant} daily for {date}"):
            withdraw(database, variant, date, WHY, clock)


@pytest.mark.parametrize("reason", ["", " \n", "two\nlines", "\x1b[31mred", "x" * 501, "\ud800"])
def test_a_reason_is_fit_to_be_read_by_all(sqlite_url: str, clock: FakeClock, reason: str) -> None:
    with Database.open(sqlite_url) as database:
        publish_deal(database, won()[0], DAY, clock)
        with pytest.raises(ReasonError):
            withdraw(database, "classic", DAY, reason, clock)
        assert withdraw(database, "classic", DAY, "ä" * 500, clock).done
