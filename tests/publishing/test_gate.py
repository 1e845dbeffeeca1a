import contextlib
import datetime as dt
import json
from typing import Any

import pytest
from sqlalchemy import event

import checker
from service.publishing import gate
from service.publishing.bundles import bundle
from service.publishing.calendar import State, closes_at, visible_from
from service.publishing.gate import NotVisibleError, SolutionSealedError, WithdrawnError
from service.publishing.withdraw import withdraw
from service.settings import Redeals
from service.store import practices
from service.store.dailies import Place
from service.store.database import Database
from tests.clock import FakeClock
from tests.deals import WonDeal, publish_deal, put_in_stock, won, won_deals

DAY = dt.date(2026, 3, 8)
INSTANT = dt.timedelta(microseconds=1)
HIDDEN = visible_from(DAY) - INSTANT
FIRST = visible_from(DAY)
LAST = closes_at(DAY) - INSTANT
CLOSED = closes_at(DAY)

ONE_PER_VARIANT = list({deal.variant: deal for deal in won_deals()}.values())


def secrets_of(deal: WonDeal) -> list[str]:
    """Every text that gives a sealed deal away: seed, salts, orders, and long parts of its line."""
    document: dict[str, Any] = deal.document
    found = [document["seed"]]
    for entry in document.get("redeals", ()):
        found += [entry["salt"], json.dumps(entry["order"])]
    return [*found, json.dumps(deal.line[:20])]


def practise(database: Database, deal_id: str) -> None:
    """Says of a deal that it is one to practise."""
    with database.writing() as session:
        practices.note(
            session,
            variant="classic",
            number=52,
            deal_id=deal_id,
            budget=1,
            solver_version="7",
            searched_at=HIDDEN,
        )


@pytest.mark.parametrize("deal", ONE_PER_VARIANT, ids=lambda deal: deal.variant)
def test_a_live_daily_keeps_its_secrets(sqlite_url: str, clock: FakeClock, deal: WonDeal) -> None:
    with Database.open(sqlite_url) as database:
        name = publish_deal(database, deal, DAY, clock)
        for now in (FIRST, LAST):
            with database.reading() as session:
                seen = gate.open_deal(session, name, now)
                assert seen == gate.open_daily(session, deal.variant, DAY, now)
                with pytest.raises(SolutionSealedError) as sealed:
                    gate.solution(session, name, now)
            assert sealed.value.opens_at == CLOSED
            assert seen.state is State.LIVE
            shown = json.dumps(seen.document)
            assert not [secret for secret in secrets_of(deal) if secret in shown]
            assert checker.check_deal(seen.document) == []
            assert seen.document["layout"] == deal.document["layout"]
            assert seen.document["seed_commitment"] == deal.document["seed_commitment"]
            assert all(entry.keys() == {"commitment"} for entry in seen.document.get("redeals", ()))
            assert len(seen.document.get("redeals", ())) == len(deal.document.get("redeals", ()))


@pytest.mark.parametrize("deal", ONE_PER_VARIANT, ids=lambda deal: deal.variant)
def test_a_closed_daily_is_open_to_all(sqlite_url: str, clock: FakeClock, deal: WonDeal) -> None:
    with Database.open(sqlite_url) as database:
        name = publish_deal(database, deal, DAY, clock)
        with database.reading() as session:
            seen = gate.open_deal(session, name, CLOSED)
            solution = gate.solution(session, name, CLOSED)
    assert seen.state is State.CLOSED
    assert seen.document == deal.document
    assert solution.line == deal.line
    assert solution.verdict == deal.verdict
    assert (solution.id, solution.variant, solution.date) == (name, deal.variant, DAY)
    assert checker.verify(seen.document, list(solution.line)).won


def test_open_orders_still_keep_seed_and_line(sqlite_url: str, clock: FakeClock) -> None:
    deal = won(redeals=2)[0]
    with Database.open(sqlite_url) as database:
        name = publish_deal(database, deal, DAY, clock, Redeals.OPEN)
        with database.reading() as session:
            seen = gate.open_deal(session, name, FIRST)
            with pytest.raises(SolutionSealedError):
                gate.solution(session, name, FIRST)
    assert seen.document["redeals"] == deal.document["redeals"]
    assert "seed" not in seen.document
    assert checker.verify(seen.document, deal.line).won, "who has the orders needs no service"


def test_before_its_date_a_daily_is_not_there(database: Database, clock: FakeClock) -> None:
    deal = won()[0]
    name = publish_deal(database, deal, DAY, clock)
    with database.reading() as session:
        for look in (gate.open_deal, gate.solution, gate.published, gate.opened, bundle):
            with pytest.raises(NotVisibleError) as hidden:
                look(session, name, HIDDEN)
            with pytest.raises(NotVisibleError) as missing:
                look(session, "0" * 20, HIDDEN)
            assert str(hidden.value) == str(missing.value)
            assert hidden.value.available_at is missing.value.available_at is None
        with pytest.raises(NotVisibleError) as dated:
            gate.open_daily(session, "classic", DAY, HIDDEN)
        with pytest.raises(NotVisibleError) as empty:
            gate.open_daily(session, "gathered", DAY, HIDDEN)
        assert dated.value.available_at == empty.value.available_at == FIRST
        assert gate.archive(session, HIDDEN, limit=10).entries == []


@pytest.mark.parametrize("practised", [False, True])
def test_what_is_hidden_costs_what_is_not_there_costs(
    database: Database, clock: FakeClock, practised: bool
) -> None:
    """Where somebody has written that it is one to practise, too."""
    name = publish_deal(database, won()[0], DAY, clock)
    if practised:
        practise(database, name)
    asked: list[tuple[str, int]] = []

    def listen(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        if statement.startswith("SELECT"):
            asked.append((statement, len(cursor.fetchall())))

    event.listen(database.engine, "after_cursor_execute", listen)

    def look(deal_id: str) -> list[tuple[str, int]]:
        asked.clear()
        with database.reading() as session, contextlib.suppress(Exception):
            gate.open_deal(session, deal_id, HIDDEN)
        return list(asked)

    assert look(name) == look("0" * 20)
    assert [rows for _, rows in look(name)] == [0, 0], "no daily, and no deal to practise"
    asked.clear()
    with database.reading() as session, pytest.raises(NotVisibleError):
        gate.open_daily(session, "classic", DAY, HIDDEN)
    assert asked == [], "of a hidden date the database is not even asked"


@pytest.mark.parametrize("withdrawn", [False, True])
def test_a_daily_is_never_open_by_way_of_practice(
    database: Database, clock: FakeClock, withdrawn: bool
) -> None:
    """Not even where somebody has written into the database that a number has its deal."""
    deal = won()[0]
    name = publish_deal(database, deal, DAY, clock)
    if withdrawn:
        withdraw(database, "classic", DAY, "A slip.", clock)
    practise(database, name)
    looks = (gate.open_deal, gate.solution, gate.published, gate.opened, bundle)
    with database.reading() as session:
        for look in (*looks, gate.once_published):
            with pytest.raises(NotVisibleError):
                look(session, name, HIDDEN)
        for now in (FIRST, LAST):
            with pytest.raises(WithdrawnError if withdrawn else SolutionSealedError):
                gate.solution(session, name, now)
            assert gate.once_published(session, name, now).daily is not None


def test_a_date_without_a_daily_says_no_more(database: Database) -> None:
    with database.reading() as session, pytest.raises(NotVisibleError) as missing:
        gate.open_daily(session, "classic", DAY, FIRST)
    assert missing.value.available_at is None


def test_a_deal_in_stock_is_not_there(database: Database, clock: FakeClock) -> None:
    (deal,) = put_in_stock(database, won()[0])
    far = clock() + dt.timedelta(days=3650)
    with database.reading() as session:
        for look in (gate.open_deal, gate.solution, gate.published, gate.opened, bundle):
            with pytest.raises(NotVisibleError) as missing:
                look(session, deal.id, far)
            assert missing.value.available_at is None


def test_a_key_that_documents_get_later_is_secret_until_it_is_named() -> None:
    deal = won(redeals=1)[0]
    shown = gate.live_document({**deal.document, "hint": "c3"}, Redeals.OPEN)
    assert "hint" not in shown


def test_the_archive_ends_with_the_last_visible_date(database: Database, clock: FakeClock) -> None:
    deals = won(redeals=0)[:5]
    days = [DAY + dt.timedelta(number) for number in range(-2, 3)]
    for deal, day in zip(deals, days, strict=True):
        publish_deal(database, deal, day, clock)
    now = visible_from(DAY)
    with database.reading() as session:
        page = gate.archive(session, now, limit=2)
        rest = gate.archive(session, now, limit=2, after=page.next)
        beyond = gate.archive(session, now, limit=10, last=DAY + dt.timedelta(9))
        narrow = gate.archive(session, now, limit=10, first=days[1], last=days[1])
    assert [entry.date for entry in page.entries] == [days[2], days[1]]
    assert [entry.state for entry in page.entries] == [State.LIVE, State.LIVE]
    assert page.next == Place(days[1], "classic")
    assert [entry.date for entry in rest.entries] == [days[0]]
    assert rest.next is None
    assert [entry.date for entry in beyond.entries] == [days[2], days[1], days[0]]
    assert [entry.date for entry in narrow.entries] == [days[1]]
    assert {entry.variant for entry in beyond.entries} == {"classic"}
    assert all(len(entry.id) == 20 for entry in beyond.entries)
