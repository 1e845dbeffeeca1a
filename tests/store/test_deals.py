import dataclasses
import datetime as dt

import pytest

from service.settings import Redeals
from service.store import dailies, deals
from service.store.database import Database
from tests.clock import NOON, FakeClock
from tests.deals import minted, put_in_stock, won


def test_a_deal_comes_back_as_it_went_in(database: Database) -> None:
    win = won(redeals=2)[0]
    put_in_stock(database, win)
    with database.reading() as session:
        deal = deals.get(session, win.document["seed_commitment"][:20])
    assert deal is not None
    assert deal.document == win.document
    assert list(deal.document) == list(win.document), "keys in another order change the digest"
    assert deal.line == win.line
    assert deal.verdict == win.verdict
    assert (deal.variant, deal.seed) == ("classic", win.document["seed"])
    assert (deal.slides, deal.redeals) == (win.verdict["slides"], 2)
    assert (deal.positions, deal.budget, deal.solver_version) == (1_000, 1_000_000, "test")
    assert deal.seconds == 0.25
    assert deal.minted_at == NOON


def test_a_deal_is_stored_once(database: Database) -> None:
    win = won()[0]
    put_in_stock(database, win)
    with database.writing() as session:
        assert deals.add(session, minted(win)) is None
        assert deals.stock(session, "classic") == 1


def test_a_layout_is_stored_once_whatever_its_seed(database: Database) -> None:
    win = won()[0]
    put_in_stock(database, win)
    other = {**win.document, "seed": "0" * 64, "seed_commitment": "1" * 64}
    with database.writing() as session:
        assert deals.add(session, dataclasses.replace(minted(win), document=other)) is None


@pytest.mark.parametrize("wrong", [{"won": False}, {"legal": False}])
def test_what_is_no_checked_win_is_not_stored(database: Database, wrong: dict[str, bool]) -> None:
    win = won()[0]
    unwon = dataclasses.replace(minted(win), verdict={**win.verdict, **wrong})
    with pytest.raises(ValueError, match="not a checked win"), database.writing() as session:
        deals.add(session, unwon)
    with database.reading() as session:
        assert deals.stock(session, "classic") == 0


def test_the_stock_is_what_no_date_has(database: Database, clock: FakeClock) -> None:
    # Their ids go down as their time goes up: it is the time that counts.
    wins = sorted(won(redeals=0), key=lambda win: str(win.document["seed_commitment"]))[:3]
    first, second, third = put_in_stock(database, *reversed(wins))
    with database.writing() as session:
        oldest = deals.oldest_in_stock(session, "classic")
        assert oldest is not None
        assert oldest.id == first.id
        dailies.claim(
            session,
            variant="classic",
            date=clock.today,
            deal_id=first.id,
            redeals=Redeals.SEALED,
            published_at=clock(),
        )
        assert deals.stock(session, "classic") == 2
        oldest = deals.oldest_in_stock(session, "classic")
        assert oldest is not None
        assert oldest.id == second.id
    assert third.minted_at > second.minted_at


def test_the_stock_is_counted_by_variant_and_by_redeals(database: Database) -> None:
    put_in_stock(database, won(redeals=2)[0], won(redeals=1)[0], won("gathered")[0])
    with database.reading() as session:
        assert deals.stock(session, "classic") == 2
        assert deals.stock(session, "classic", max_redeals=1) == 1
        assert deals.stock(session, "classic", max_redeals=0) == 0
        assert deals.stock(session, "gathered") == 1
        assert deals.stock(session, "relaxed") == 0
        assert deals.oldest_in_stock(session, "classic", max_redeals=0) is None
        oldest = deals.oldest_in_stock(session, "classic", max_redeals=1)
        assert oldest is not None
        assert oldest.redeals == 1


def test_deals_of_one_instant_are_taken_in_one_order(database: Database) -> None:
    wins = won(redeals=0)[:4]
    with database.writing() as session:
        for win in wins:
            deals.add(session, minted(win, NOON))
    with database.reading() as session:
        oldest = deals.oldest_in_stock(session, "classic")
        assert oldest is not None
        assert oldest.id == min(deals.ids(session))


def test_instants_are_kept_to_the_microsecond_and_come_back_in_utc(database: Database) -> None:
    instant = dt.datetime(2026, 3, 8, 23, 30, 0, 123456, dt.timezone(dt.timedelta(hours=-10)))
    with database.writing() as session:
        stored = deals.add(session, minted(won()[0], instant))
    assert stored is not None
    with database.reading() as session:
        again = deals.get(session, stored.id)
    assert again is not None
    assert again.minted_at == instant
    assert again.minted_at.utcoffset() == dt.timedelta(0)
