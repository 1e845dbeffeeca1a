import datetime as dt
import threading

import pytest

from service.settings import Redeals
from service.store import dailies, deals
from service.store.dailies import Place, Publication
from service.store.database import Database
from service.store.tables import Daily
from tests.clock import NOON
from tests.deals import put_in_stock, won

DAY = dt.date(2026, 3, 8)


def claim(
    database: Database, deal_id: str, date: dt.date, variant: str = "classic"
) -> Daily | None:
    with database.writing() as session:
        return dailies.claim(
            session,
            variant=variant,
            date=date,
            deal_id=deal_id,
            redeals=Redeals.OPEN,
            published_at=NOON,
        )


def test_a_date_gets_one_deal_for_ever(database: Database) -> None:
    first, second = put_in_stock(database, *won()[:2])
    claimed = claim(database, first.id, DAY)
    assert claimed is not None
    assert claim(database, second.id, DAY) is None
    with database.reading() as session:
        there = dailies.on(session, "classic", DAY)
    assert there is not None
    assert (there.id, there.deal_id, there.date) == (claimed.id, first.id, DAY)
    assert (there.redeals, there.published_at) == (Redeals.OPEN, NOON)


def test_a_deal_gets_one_date(database: Database) -> None:
    (deal,) = put_in_stock(database, won()[0])
    assert claim(database, deal.id, DAY) is not None
    assert claim(database, deal.id, DAY + dt.timedelta(1)) is None


def test_each_variant_has_its_own_daily(database: Database) -> None:
    first, second = put_in_stock(database, won()[0], won("gathered")[0])
    assert claim(database, first.id, DAY) is not None
    assert claim(database, second.id, DAY, "gathered") is not None


def test_the_race_for_a_date_has_one_winner(database: Database) -> None:
    stored = put_in_stock(database, *won(redeals=0)[:8])
    together = threading.Barrier(len(stored))
    claims: list[Daily | None] = []

    def race(deal_id: str) -> None:
        together.wait()
        claims.append(claim(database, deal_id, DAY))

    threads = [threading.Thread(target=race, args=(deal.id,)) for deal in stored]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(claims) == len(stored)
    (winner,) = [daily for daily in claims if daily is not None]
    with database.reading() as session:
        (there,) = dailies.every(session)
    assert there.deal_id == winner.deal_id


@pytest.fixture
def archive(database: Database) -> list[Place]:
    """Three days of two variants, as places, newest first."""
    stored = put_in_stock(database, *won()[:3], *won("gathered"), won("relaxed")[0])
    places = []
    for number, deal in enumerate(stored):
        variant = ("classic", "gathered")[number % 2]
        place = Place(DAY + dt.timedelta(number // 2), variant)
        assert claim(database, deal.id, place.date, place.variant) is not None
        places.append(place)
    return sorted(places, key=lambda place: (-place.date.toordinal(), place.variant))


def read(database: Database, **wanted: object) -> list[Place]:
    with database.reading() as session:
        found = dailies.page(session, **wanted)  # type: ignore[arg-type]
        return [Place(daily.date, daily.variant) for daily in found]


def test_the_archive_is_read_newest_first(database: Database, archive: list[Place]) -> None:
    assert read(database, limit=10) == archive
    assert read(database, limit=2) == archive[:2]


@pytest.mark.parametrize("limit", [1, 2, 3, 4])
def test_pages_follow_each_other_without_gap_or_overlap(
    database: Database, archive: list[Place], limit: int
) -> None:
    read_so_far: list[Place] = []
    while page := read(database, limit=limit, after=read_so_far[-1] if read_so_far else None):
        read_so_far += page
    assert read_so_far == archive


def test_the_archive_can_be_narrowed(database: Database, archive: list[Place]) -> None:
    middle = DAY + dt.timedelta(1)
    assert read(database, limit=10, first=middle) == archive[:4]
    assert read(database, limit=10, last=middle) == archive[2:]
    assert read(database, limit=10, first=middle, last=middle) == archive[2:4]
    assert read(database, limit=10, variant="gathered") == archive[1::2]


def test_a_deal_is_found_by_its_date_and_by_its_id(database: Database) -> None:
    (deal,) = put_in_stock(database, won()[0])
    claim(database, deal.id, DAY)
    with database.reading() as session:
        by_date = dailies.deal_on(session, "classic", DAY)
        by_id = dailies.dated_deal(session, deal.id, DAY)
        assert by_date is not None
        assert by_date == by_id
        assert by_date.deal.id == by_date.daily.deal_id == deal.id
        assert dailies.dated_deal(session, deal.id, DAY - dt.timedelta(1)) is None
        assert dailies.dated_deal(session, "0" * 20, DAY) is None
        assert dailies.deal_on(session, "classic", DAY + dt.timedelta(1)) is None
        assert dailies.deal_on(session, "gathered", DAY) is None


def test_publications_are_told_by_variant(database: Database) -> None:
    first, second = put_in_stock(database, *won()[:2])
    claim(database, second.id, DAY + dt.timedelta(2))
    claim(database, first.id, DAY)
    with database.reading() as session:
        assert dailies.publications(session, "classic") == {
            DAY: Publication(NOON, withdrawn=False),
            DAY + dt.timedelta(2): Publication(NOON, withdrawn=False),
        }
        assert dailies.publications(session, "gathered") == {}
        assert len(dailies.ids(session)) == 2


def withdraw(database: Database, date: dt.date = DAY, reason: str = "a slip") -> Daily | None:
    with database.writing() as session:
        daily, done = dailies.withdraw(session, "classic", date, reason=reason, withdrawn_at=NOON)
        return daily if done else None


def test_a_withdrawn_daily_stays_with_its_reason(database: Database) -> None:
    (deal,) = put_in_stock(database, won()[0])
    claimed = claim(database, deal.id, DAY)
    withdrawn = withdraw(database)
    assert claimed is not None
    assert withdrawn is not None
    assert withdraw(database, reason="another") is None
    assert withdraw(database, DAY + dt.timedelta(1)) is None
    with database.reading() as session:
        there = dailies.on(session, "classic", DAY)
        assert there is not None
        assert (there.id, there.deal_id) == (claimed.id, deal.id)
        assert (there.withdrawn_reason, there.withdrawn_at) == ("a slip", NOON)
        assert dailies.publications(session, "classic") == {DAY: Publication(NOON, withdrawn=True)}


def test_a_withdrawn_deal_is_not_in_stock_and_gets_no_date(database: Database) -> None:
    (deal,) = put_in_stock(database, won()[0])
    claim(database, deal.id, DAY)
    withdraw(database)
    with database.reading() as session:
        assert deals.stock(session, "classic") == 0
    assert claim(database, deal.id, DAY + dt.timedelta(1)) is None


def test_a_replacement_stands_for_its_date(database: Database) -> None:
    first, second, third = put_in_stock(database, *won()[:3])
    claim(database, first.id, DAY)
    assert claim(database, second.id, DAY) is None
    withdraw(database)
    assert claim(database, second.id, DAY) is not None
    assert claim(database, third.id, DAY) is None
    assert read(database, limit=5) == [Place(DAY, "classic")]
    assert read(database, limit=5, replaced=True) == [Place(DAY, "classic")] * 2
    with database.reading() as session:
        by_date = dailies.deal_on(session, "classic", DAY)
        standing = dailies.on(session, "classic", DAY)
        (listed,) = dailies.page(session, limit=5)
        replaced = dailies.dated_deal(session, first.id, DAY)
    assert by_date is not None
    assert standing is not None
    assert replaced is not None
    assert by_date.deal.id == standing.deal_id == listed.deal_id == second.id
    assert replaced.daily.withdrawn_at == NOON
    withdraw(database)
    with database.reading() as session:
        (listed,) = dailies.page(session, limit=5)
    assert (listed.deal_id, listed.withdrawn_at) == (second.id, NOON)


def test_the_race_to_replace_a_daily_has_one_winner(database: Database) -> None:
    first, *others = put_in_stock(database, *won(redeals=0)[:6])
    claim(database, first.id, DAY)
    withdraw(database)
    together = threading.Barrier(len(others))
    claims: list[Daily | None] = []

    def race(deal_id: str) -> None:
        together.wait()
        claims.append(claim(database, deal_id, DAY))

    threads = [threading.Thread(target=race, args=(deal.id,)) for deal in others]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [daily is None for daily in claims].count(False) == 1
