"""Streaks over dates, and statistics as the database sums them up."""

import datetime as dt
from itertools import permutations
from typing import Any

import pytest
from sqlalchemy import event, func, select

from service.publishing import verdicts
from service.publishing.calendar import closes_at
from service.publishing.record import record, streaks
from service.publishing.remembered import PublishedDeals
from service.publishing.statistics import statistics
from service.publishing.withdraw import withdraw
from service.store.database import Database
from service.store.tables import Submission, Tally
from tests.clock import NOON, FakeClock
from tests.deals import publish_deal, won

DAY = dt.timedelta(days=1)
FIRST = dt.date(2026, 3, 1)
TOKEN = "0123456789abcdef"


def after(days: str) -> tuple[int, int]:
    """The streaks of days that were won (w), lost (l), are live (?), or have no daily (space)."""
    dates = [FIRST + n * DAY for n, day in enumerate(days) if day != " "]
    won_live = {FIRST + n * DAY for n, day in enumerate(days) if day == "w"}
    closed = len(days.rstrip("?w")) if "?" in days else len(days)
    now = closes_at(FIRST + (closed - 1) * DAY)
    return streaks(dates, won_live, now)


@pytest.mark.parametrize(
    ("days", "current", "longest"),
    [
        ("", 0, 0),
        ("l", 0, 0),
        ("w", 1, 1),
        ("www", 3, 3),
        ("wwl", 0, 2),
        ("wwlw", 1, 2),
        ("wlwww", 3, 3),
        ("ww?", 2, 2),
        ("ww??", 2, 2),
        ("lw?w", 1, 1),
        ("lwww?w", 3, 3),
        ("lw?ww", 2, 2),
        ("lww?w?", 2, 2),
        ("l?w", 1, 1),
        ("wwl?w", 1, 2),
        ("l??", 0, 0),
        ("ww www", 5, 5),
    ],
)
def test_streaks(days: str, current: int, longest: int) -> None:
    assert after(days) == (current, longest)


def test_a_date_whose_daily_is_withdrawn_ends_no_streak(
    database: Database, clock: FakeClock
) -> None:
    wins = won("classic", redeals=0)[:3]
    for n, win in enumerate(wins):
        date = NOON.date() + n * DAY
        clock.set(NOON + n * DAY)
        deal_id = publish_deal(database, win, date, clock)
        if n == 1:
            withdraw(database, "classic", date, "The cards were marked.", clock)
        else:
            verdicts.submit(PublishedDeals(database), deal_id, win.line, clock, TOKEN)
    clock.advance(days=2)
    with database.reading() as session:
        found = record(session, TOKEN, "classic", clock())
    assert (found.current_streak, found.longest_streak) == (2, 2)
    clock.advance(days=-4)
    with database.reading() as session:
        assert record(session, TOKEN, "classic", clock()).won == 1, "of dates to come nothing"


def test_tallies_are_the_submissions_summed_up(database: Database, clock: FakeClock) -> None:
    win = won("classic", redeals=2)[0]
    deal_id = publish_deal(database, win, clock.today, clock)
    logs = [win.line[:end] for end in range(0, len(win.line) + 1, 9)]
    logs += [list(log) for log in permutations(win.line[:4])] + [win.line]
    for log in logs:
        verdicts.submit(PublishedDeals(database), deal_id, log, clock)
    clock.set(closes_at(clock.today))
    verdicts.submit(PublishedDeals(database), deal_id, [*win.line[:1], "undo"], clock)
    key = ("deal_id", "state", "legal", "won", "redeals", "ordered")
    moves = Submission.slides + Submission.redeals
    columns = [getattr(Submission, name) for name in key]
    with database.reading() as session:
        summed = session.execute(
            select(*columns, func.count(), func.min(moves)).group_by(*columns)
        ).all()
        kept = session.execute(
            select(*(getattr(Tally, name) for name in key), Tally.submissions, Tally.fewest_moves)
        ).all()
    assert len(kept) > 10
    assert set(map(tuple, kept)) == set(map(tuple, summed))


def test_nothing_is_read_from_end_to_end(sqlite_url: str, clock: FakeClock) -> None:
    """Statistics, records and new logs cost the same at a million submissions as at one."""
    asked: list[tuple[str, Any]] = []
    with Database.open(sqlite_url) as database:
        win = won("classic", redeals=2)[0]
        deal_id = publish_deal(database, win, clock.today, clock)
        published = PublishedDeals(database)
        verdicts.submit(published, deal_id, [], clock, TOKEN)

        @event.listens_for(database.engine, "before_cursor_execute")
        def note(_: Any, __: Any, statement: str, parameters: Any, *___: Any) -> None:
            asked.append((statement, parameters))

        event.listen(database._writer, "before_cursor_execute", note)
        for log in (win.line, win.line, ["undo"]):
            verdicts.submit(published, deal_id, log, clock, TOKEN)
        with database.reading() as session:
            assert statistics(session, deal_id, clock()).submissions == 3
            assert record(session, TOKEN, "classic", clock()).won == 1
        told = [statement for statement, _ in asked if statement.startswith(("SELECT", "INSERT"))]
        assert len(told) > 10
        event.remove(database.engine, "before_cursor_execute", note)
        with database.engine.connect() as connection:
            for statement, parameters in asked:
                if statement.startswith("SELECT"):
                    plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
                    steps = [row.detail for row in plan]
                    assert not [step for step in steps if step.startswith("SCAN ")], statement
