"""Supplies: stock, days prepared and refusals, as the database has them at the moment."""

import datetime as dt
import itertools

from service.metrics import Supplies, Supply
from service.publishing.publish import publish
from service.publishing.supplies import supplies
from service.settings import Redeals, Settings
from service.store import refusals
from service.store.database import Database
from tests.clock import FakeClock
from tests.deals import put_in_stock, won
from tests.publishing.minting import endless

_NAMES = itertools.count(1, 100)
SETTINGS = Settings(variants=("classic", "relaxed"), stock=3, horizon_days=5)


def ahead(database: Database, clock: FakeClock) -> int:
    there = supplies(database, SETTINGS, clock)
    assert there is not None
    return there.variants[0].days_ahead


def give(database: Database, clock: FakeClock, *days: int) -> None:
    dates = [clock.today + dt.timedelta(days=day) for day in days]
    publish(
        database,
        "classic",
        dates,
        clock=clock,
        redeals=Redeals.SEALED,
        max_redeals=2,
        mint=endless(database, first=next(_NAMES)),
    )


def test_nothing_is_told_as_nothing(database: Database, clock: FakeClock) -> None:
    nothing = [Supply("classic", 0, -1), Supply("relaxed", 0, -1)]
    assert supplies(database, SETTINGS, clock) == Supplies(nothing, 0, 3, 5)


def test_days_ahead_end_at_the_first_hole(database: Database, clock: FakeClock) -> None:
    give(database, clock, 0)
    assert ahead(database, clock) == 0
    give(database, clock, 1, 3)
    assert ahead(database, clock) == 1
    give(database, clock, 2)
    assert ahead(database, clock) == 3
    clock.advance(days=2)
    assert ahead(database, clock) == 1
    clock.advance(days=2)
    assert ahead(database, clock) == -1


def test_days_in_the_past_that_lack_theirs_are_no_days_ahead(
    database: Database, clock: FakeClock
) -> None:
    give(database, clock, 0)
    clock.advance(days=3)
    give(database, clock, 0, 1)
    assert ahead(database, clock) == 1


def test_the_stock_is_what_a_daily_may_be_made_of(database: Database, clock: FakeClock) -> None:
    put_in_stock(database, won("classic", redeals=0)[0], won("classic", redeals=1)[0])
    there = supplies(database, SETTINGS, clock)
    assert there is not None
    assert there.variants[0].stock == 1, "by default a daily is won without a redeal"
    lenient = SETTINGS.model_copy(update={"daily_max_redeals": {"": 1}})
    there = supplies(database, lenient, clock)
    assert there is not None
    assert there.variants[0].stock == 2


def test_refusals_are_counted_whoever_minted(database: Database, clock: FakeClock) -> None:
    with database.writing() as session:
        refusals.add(
            session,
            document=won("gathered")[0].document,
            line=[],
            reason={},
            solver_version="test",
            refused_at=clock.now,
        )
    there = supplies(database, SETTINGS, clock)
    assert there is not None
    assert there.refusals == 1


def test_a_database_that_is_gone_is_told(sqlite_url: str, clock: FakeClock) -> None:
    with Database.open(sqlite_url + ".gone") as database:
        assert supplies(database, SETTINGS, clock) is None
