"""Deals remembered for a moment, and never longer than they may be seen."""

import datetime as dt
import time
from typing import Any

import pytest
from sqlalchemy import event

from service.publishing import remembered
from service.publishing.calendar import State, closes_at, visible_from
from service.publishing.gate import NotVisibleError, WithdrawnError
from service.publishing.remembered import PublishedDeals
from service.publishing.withdraw import withdraw
from service.store.database import Database
from tests.clock import FakeClock
from tests.deals import publish_deal, won

LONG = 60.0


@pytest.fixture
def asked(database: Database) -> list[str]:
    """What the database is asked, as it is asked."""
    statements: list[str] = []

    def note(_: Any, __: Any, statement: str, *___: Any) -> None:
        if statement.startswith("SELECT"):
            statements.append(statement)

    event.listen(database.engine, "before_cursor_execute", note)
    return statements


def test_a_deal_is_read_once(database: Database, clock: FakeClock, asked: list[str]) -> None:
    name = publish_deal(database, won()[0], clock.today, clock)
    published = PublishedDeals(database, LONG)
    first = published.published(name, clock.now)
    asked.clear()
    for moment in (clock.now, closes_at(clock.today)):
        again = published.published(name, moment)
        assert again.deal.document == first.deal.document
        assert again.state(moment) is (State.LIVE if moment == clock.now else State.CLOSED)
    assert asked == []


def test_without_a_time_it_is_read_every_time(
    database: Database, clock: FakeClock, asked: list[str]
) -> None:
    name = publish_deal(database, won()[0], clock.today, clock)
    published = PublishedDeals(database)
    asked.clear()
    for _ in range(2):
        published.published(name, clock.now)
    assert len(asked) == 2


def test_when_its_time_is_up_it_is_read_again(database: Database, clock: FakeClock) -> None:
    name = publish_deal(database, won()[0], clock.today, clock)
    published = PublishedDeals(database, 0.05)
    published.published(name, clock.now)
    withdraw(database, "classic", clock.today, "A slip.", clock)
    time.sleep(0.06)
    with pytest.raises(WithdrawnError):
        published.published(name, clock.now)


def test_a_clock_that_is_put_back_hides_it_again(database: Database, clock: FakeClock) -> None:
    name = publish_deal(database, won()[0], clock.today, clock)
    published = PublishedDeals(database, LONG)
    published.published(name, clock.now)
    with pytest.raises(NotVisibleError):
        published.published(name, visible_from(clock.today) - dt.timedelta(seconds=1))


def test_what_is_not_there_is_not_remembered(database: Database, clock: FakeClock) -> None:
    win = won()[0]
    published = PublishedDeals(database, LONG)
    with pytest.raises(NotVisibleError):
        published.published(win.document["seed_commitment"][:20], clock.now)
    name = publish_deal(database, win, clock.today, clock)
    assert published.published(name, clock.now)


def test_only_so_many_are_remembered(
    database: Database, clock: FakeClock, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembered, "MOST_DEALS", 2)
    names = [
        publish_deal(database, win, clock.today - dt.timedelta(days=day), clock)
        for day, win in enumerate(won("classic", redeals=0)[:3])
    ]
    published = PublishedDeals(database, LONG)
    for name in names:
        published.published(name, clock.now)
    asked.clear()
    for name in names[1:]:
        published.published(name, clock.now)
    assert asked == []
    published.published(names[0], clock.now)
    assert len(asked) == 1
