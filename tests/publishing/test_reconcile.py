import datetime as dt
import itertools
import threading
from collections.abc import Callable

import pytest

from service.publishing.calendar import closes_at, visible_from
from service.publishing.publish import PublishedDate, PublishOutcome, publish
from service.publishing.reconcile import missing, reconcile
from service.settings import Redeals, Settings
from service.store import dailies
from service.store.database import Database
from tests.clock import FakeClock
from tests.publishing.minting import endless

DAY = dt.date(2026, 3, 8)
ONE = dt.timedelta(1)


def settings(horizon: int = 2, variants: tuple[str, ...] = ("classic",)) -> Settings:
    return Settings.model_validate(
        {
            "horizon_days": horizon,
            "variants": variants,
            "daily_max_redeals": 2,
            "redeals": Redeals.OPEN,
        }
    )


def dates(database: Database, variant: str = "classic") -> list[dt.date]:
    with database.reading() as session:
        return [daily.date for daily in dailies.every(session) if daily.variant == variant]


def span(first: dt.date, last: dt.date) -> list[dt.date]:
    return [first + day * ONE for day in range((last - first).days + 1)]


@pytest.fixture
def mint(database: Database) -> Callable[[str], bool]:
    return endless(database)


def test_the_first_time_today_and_the_days_ahead_are_published(
    database: Database, clock: FakeClock, mint: Callable[[str], bool]
) -> None:
    done = reconcile(database, settings(2), clock, mint)
    assert [one.date for one in done] == span(DAY, DAY + 2 * ONE) == dates(database)
    assert {one.outcome for one in done} == {PublishOutcome.PUBLISHED}
    with database.reading() as session:
        assert {daily.redeals for daily in dailies.every(session)} == {Redeals.OPEN}


def test_the_first_time_every_zone_gets_its_today(
    database: Database, clock: FakeClock, mint: Callable[[str], bool]
) -> None:
    clock.set(closes_at(DAY - ONE) - dt.timedelta(seconds=1))
    reconcile(database, settings(1), clock, mint)
    assert dates(database) == [DAY - ONE, DAY, DAY + ONE]


def test_the_second_time_there_is_nothing_to_do(
    database: Database, clock: FakeClock, mint: Callable[[str], bool]
) -> None:
    reconcile(database, settings(), clock, mint)
    assert reconcile(database, settings(), clock, mint) == []


def test_a_day_later_one_more_is_published(
    database: Database, clock: FakeClock, mint: Callable[[str], bool]
) -> None:
    reconcile(database, settings(2), clock, mint)
    clock.advance(days=1)
    (done,) = reconcile(database, settings(2), clock, mint)
    assert done.date == DAY + 3 * ONE


def test_days_of_downtime_are_filled_in_order(
    database: Database, clock: FakeClock, mint: Callable[[str], bool]
) -> None:
    reconcile(database, settings(1), clock, mint)
    clock.advance(days=10)
    done = reconcile(database, settings(1), clock, mint)
    assert [one.date for one in done] == span(DAY + 2 * ONE, DAY + 11 * ONE)
    assert dates(database) == span(DAY, DAY + 11 * ONE)


def test_holes_are_filled(
    database: Database, clock: FakeClock, mint: Callable[[str], bool]
) -> None:
    far = DAY + 3 * ONE
    publish(
        database, "classic", [far], clock=clock, redeals=Redeals.SEALED, max_redeals=2, mint=mint
    )
    clock.advance(days=5)
    reconcile(database, settings(1), clock, mint)
    assert dates(database) == span(far, DAY + 6 * ONE)


def test_a_daily_for_a_date_long_closed_does_not_make_the_years_since_missed(
    database: Database, clock: FakeClock, mint: Callable[[str], bool]
) -> None:
    old = dt.date(2020, 1, 1)
    publish(
        database, "classic", [old], clock=clock, redeals=Redeals.SEALED, max_redeals=2, mint=mint
    )
    reconcile(database, settings(1), clock, mint)
    assert dates(database) == [old, DAY, DAY + ONE]
    clock.advance(days=3)
    reconcile(database, settings(1), clock, mint)
    assert dates(database) == [old, *span(DAY, DAY + 4 * ONE)]


def test_every_variant_gets_its_dailies_date_by_date(
    database: Database, clock: FakeClock, mint: Callable[[str], bool]
) -> None:
    done = reconcile(database, settings(1, ("gathered", "classic")), clock, mint)
    assert [(one.date, one.variant) for one in done] == [
        (DAY, "classic"),
        (DAY, "gathered"),
        (DAY + ONE, "classic"),
        (DAY + ONE, "gathered"),
    ]


def test_a_variant_that_comes_later_begins_today(
    database: Database, clock: FakeClock, mint: Callable[[str], bool]
) -> None:
    reconcile(database, settings(1), clock, mint)
    clock.advance(days=5)
    reconcile(database, settings(1, ("classic", "gathered")), clock, mint)
    assert dates(database, "gathered") == span(DAY + 5 * ONE, DAY + 6 * ONE)


def test_a_variant_whose_minting_gives_up_does_not_hold_the_others(
    database: Database, clock: FakeClock, mint: Callable[[str], bool]
) -> None:
    asked: list[str] = []

    def gives_up(variant: str) -> bool:
        asked.append(variant)
        return variant != "classic" and mint(variant)

    done = reconcile(database, settings(2, ("classic", "gathered")), clock, gives_up)
    assert dates(database, "classic") == []
    assert dates(database, "gathered") == span(DAY, DAY + 2 * ONE)
    assert asked.count("classic") == 1
    assert [one.outcome for one in done].count(PublishOutcome.NO_DEAL) == 1
    reconcile(database, settings(2, ("classic", "gathered")), clock, mint)
    assert dates(database, "classic") == span(DAY, DAY + 2 * ONE)


def test_killed_between_any_two_steps_it_ends_the_same(
    database: Database, clock: FakeClock, mint: Callable[[str], bool]
) -> None:
    for steps in itertools.count(1):
        left = steps

        def killed(variant: str) -> bool:
            nonlocal left
            left -= 1
            if not left:
                raise KeyboardInterrupt
            return mint(variant)

        def heard(published: PublishedDate) -> None:
            nonlocal left
            left -= 1
            if not left:
                raise KeyboardInterrupt

        try:
            reconcile(database, settings(3), clock, killed, on_published=heard)
        except KeyboardInterrupt:
            assert dates(database) == span(DAY, DAY + 3 * ONE)[: len(dates(database))]
        else:
            break
    assert dates(database) == span(DAY, DAY + 3 * ONE)


def test_run_many_times_at_once_with_clocks_apart_it_ends_the_same(
    database_url: str, database: Database, clock: FakeClock, mint: Callable[[str], bool]
) -> None:
    together = threading.Barrier(4)
    done: list[PublishedDate] = []
    failures: list[BaseException] = []
    clock.set(dt.datetime(2026, 3, 8, 23, tzinfo=dt.UTC))

    def work(hours: int) -> None:
        own_clock = FakeClock(clock() + dt.timedelta(hours=hours))
        try:
            with Database.open(database_url) as own:
                together.wait()
                done.extend(reconcile(own, settings(4), own_clock, mint))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(hours,)) for hours in (0, 2, 0, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert dates(database) == span(DAY, DAY + 5 * ONE)
    published = [one.date for one in done if one.outcome is PublishOutcome.PUBLISHED]
    assert sorted(published) == span(DAY, DAY + 5 * ONE)


def test_it_can_be_stopped_between_two_dates(
    database: Database, clock: FakeClock, mint: Callable[[str], bool]
) -> None:
    heard: list[PublishedDate] = []
    reconcile(
        database,
        settings(5),
        clock,
        mint,
        on_published=heard.append,
        stopped=lambda: len(heard) == 2,
    )
    assert dates(database) == [DAY, DAY + ONE] == [one.date for one in heard]


def test_a_clock_put_right_meanwhile_ends_what_it_began(
    database: Database, clock: FakeClock, mint: Callable[[str], bool]
) -> None:
    clock.advance(days=1000)

    def put_right(variant: str) -> bool:
        clock.set(visible_from(DAY))
        return mint(variant)

    done = reconcile(database, settings(2), clock, put_right)
    assert len(done) == 1
    with database.reading() as session:
        # What was published too early is there, and nobody sees it before its time.
        assert dailies.page(session, limit=5, last=DAY + 2 * ONE) == []


@pytest.mark.parametrize("hour", range(24))
def test_at_every_hour_every_zone_s_today_is_wanted(sqlite_url: str, hour: int) -> None:
    now = dt.datetime(2026, 3, 8, hour, tzinfo=dt.UTC)
    zones = [dt.timezone(dt.timedelta(hours=hours)) for hours in range(-12, 15)]
    with Database.open(sqlite_url) as database, database.reading() as session:
        wanted = missing(session, "classic", now, 1)
    assert {now.astimezone(zone).date() for zone in zones} <= set(wanted)
    assert wanted == sorted(wanted)
