"""The chain over what happens to dailies: appended by one at a time, never told by the hidden."""

import datetime as dt
import threading

import pytest
from alembic import command
from sqlalchemy import select, text

from service.settings import Redeals
from service.store import chain, dailies, schema
from service.store.database import Database
from service.store.engine import new_engine
from service.store.identity import NO_LINK, deal_digest, published_link, withdrawn_link
from service.store.tables import Daily, Deal, Link, LinkKind
from tests.clock import NOON
from tests.deals import put_in_stock, won

DAY = dt.date(2026, 3, 8)
ONE = dt.timedelta(1)


def claim(database: Database, deal_id: str, date: dt.date) -> Daily | None:
    with database.writing() as session:
        return dailies.claim(
            session,
            variant="classic",
            date=date,
            deal_id=deal_id,
            redeals=Redeals.SEALED,
            published_at=NOON,
        )


def withdraw(database: Database, date: dt.date) -> None:
    with database.writing() as session:
        dailies.withdraw(session, "classic", date, reason="a slip", withdrawn_at=NOON)


def links(database: Database) -> list[Link]:
    with database.reading() as session:
        return list(session.scalars(select(Link).order_by(Link.position)))


def recomputed(database: Database) -> list[str]:
    """What the digests come to, from what is stored now."""
    digests: list[str] = []
    previous = NO_LINK
    with database.reading() as session:
        for link in session.scalars(select(Link).order_by(Link.position)):
            daily = session.get_one(Daily, link.daily_id)
            deal = session.get_one(Deal, daily.deal_id)
            content = deal_digest(deal.document, deal.line)
            previous = chain.digest_of(link.kind, previous, daily, content)
            digests.append(previous)
    return digests


def test_publishing_and_withdrawing_are_links(database: Database) -> None:
    first, second = put_in_stock(database, *won()[:2])
    claim(database, first.id, DAY)
    withdraw(database, DAY)
    claim(database, second.id, DAY)
    found = links(database)
    assert [(link.position, link.kind) for link in found] == [
        (1, LinkKind.PUBLISHED),
        (2, LinkKind.WITHDRAWN),
        (3, LinkKind.PUBLISHED),
    ]
    assert [link.digest for link in found] == recomputed(database)
    with database.reading() as session:
        assert chain.head(session) == found[-1].digest
        assert chain.has(session, found[0].digest)
        assert not chain.has(session, NO_LINK)


def test_who_loses_a_race_leaves_no_link(database: Database) -> None:
    first, second = put_in_stock(database, *won()[:2])
    claim(database, first.id, DAY)
    assert claim(database, second.id, DAY) is None
    withdraw(database, DAY)
    withdraw(database, DAY)
    withdraw(database, DAY + ONE)
    assert len(links(database)) == 2


def test_an_empty_chain_has_no_head(database: Database) -> None:
    with database.reading() as session:
        assert chain.head(session) is None
        assert chain.head(session, DAY) is None


def test_the_head_of_what_is_visible_knows_nothing_later(database: Database) -> None:
    """The same whether or not later dates have their dailies already."""
    stored = put_in_stock(database, *won()[:3])
    heads = []
    for deal, date in zip(stored, (DAY, DAY + ONE, DAY + 2 * ONE), strict=True):
        claim(database, deal.id, date)
        with database.reading() as session:
            heads.append([chain.head(session, last) for last in (DAY - ONE, DAY, DAY + ONE)])
    first, second = links(database)[:2]
    assert heads == [
        [None, first.digest, first.digest],
        [None, first.digest, second.digest],
        [None, first.digest, second.digest],
    ]


def test_many_that_publish_at_once_make_one_chain(database_url: str, database: Database) -> None:
    stored = put_in_stock(database, *won()[:6])
    together = threading.Barrier(len(stored))
    failures: list[BaseException] = []

    def race(number: int, deal_id: str) -> None:
        try:
            with Database.open(database_url) as own:
                together.wait()
                assert claim(own, deal_id, DAY + number * ONE) is not None
                if number % 2:
                    withdraw(own, DAY + number * ONE)
        except BaseException as error:
            failures.append(error)

    threads = [
        threading.Thread(target=race, args=(number, deal.id)) for number, deal in enumerate(stored)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    found = links(database)
    assert [link.position for link in found] == list(range(1, 10))
    assert [link.digest for link in found] == recomputed(database)


def test_digests_never_change() -> None:
    """Each was worked out by hand, from the JSON that `docs/decisions/chain.md` gives."""
    content = deal_digest({"b": [None, "2C"], "a": 1}, ["a1b2"])
    assert content == "8e0898eae15c39ba352a54383c764688f5a74b7f3b4f0684b4b9d4c2f0b425a6"
    published = published_link(
        NO_LINK,
        variant="classic",
        date=DAY,
        deal="272c25573d98f334278d",
        redeals="sealed",
        published_at=NOON,
        content=content,
    )
    assert published == "89a9c9b8d1442b2d94b30a7e47bbd2cd3d02601ce30f6b51c57a0ec45c12d06b"
    withdrawn = withdrawn_link(
        published,
        variant="classic",
        date=DAY,
        deal="272c25573d98f334278d",
        withdrawn_at=NOON,
        reason="zwölf",
        content=content,
    )
    assert withdrawn == "5d2c363af683eee4bf863acf6e8775109cae400f907bf10f668cb9253af1cf3a"


def test_a_digest_is_of_the_content_not_of_how_it_is_written() -> None:
    assert deal_digest({"a": 1, "b": 2}, []) == deal_digest({"b": 2, "a": 1}, [])
    assert deal_digest({"a": 1}, []) != deal_digest({"a": 2}, [])
    assert deal_digest({"a": 1}, ["x"]) != deal_digest({"a": 1}, [])


def test_the_link_of_a_withdrawal_needs_one(database: Database) -> None:
    (deal,) = put_in_stock(database, won()[0])
    daily = claim(database, deal.id, DAY)
    assert daily is not None
    with pytest.raises(ValueError, match="not withdrawn"):
        chain.digest_of(LinkKind.WITHDRAWN, NO_LINK, daily, "0" * 64)


def test_dailies_from_before_the_chain_get_their_links(
    database_url: str, database: Database
) -> None:
    stored = put_in_stock(database, *won()[:3])
    for number, deal in enumerate(stored):
        claim(database, deal.id, DAY - number * ONE)
    before = [(link.position, link.daily_id, link.digest) for link in links(database)]
    engine = new_engine(database_url, migrating=True)
    with engine.begin() as connection:
        config = schema.alembic_config()
        config.attributes["connection"] = connection
        command.downgrade(config, "0001")
        assert connection.execute(text("SELECT count(*) FROM dailies")).scalar_one() == 3
    schema.upgrade(database_url)
    assert [(link.position, link.daily_id, link.digest) for link in links(database)] == before
    assert [digest for *_, digest in before] == recomputed(database)
