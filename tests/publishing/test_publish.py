import datetime as dt
import threading

import pytest

from service.publishing.publish import Mint, PublishedDate, PublishOutcome, publish
from service.settings import Redeals
from service.store import dailies, deals
from service.store.database import Database
from tests.clock import NOON, FakeClock
from tests.deals import minted, put_in_stock, won

DAY = dt.date(2026, 3, 8)


def days(number: int) -> list[dt.date]:
    return [DAY + dt.timedelta(day) for day in range(number)]


def give_up(variant: str) -> bool:
    return False


def run(
    database: Database,
    dates: list[dt.date],
    mint: Mint = give_up,
    *,
    variant: str = "classic",
    max_redeals: int = 2,
) -> list[PublishedDate]:
    return publish(
        database,
        variant,
        dates,
        clock=FakeClock(),
        redeals=Redeals.SEALED,
        max_redeals=max_redeals,
        mint=mint,
    )


def test_dates_get_the_oldest_deals_in_their_order(database: Database) -> None:
    stored = put_in_stock(database, *won(redeals=0)[:3])
    done = run(database, days(2))
    assert done == [
        PublishedDate("classic", day, deal.id, PublishOutcome.PUBLISHED)
        for day, deal in zip(days(2), stored, strict=False)
    ]
    with database.reading() as session:
        assert [daily.published_at for daily in dailies.every(session)] == [NOON, NOON]
        assert deals.stock(session, "classic") == 1


def test_what_is_published_never_changes(database: Database) -> None:
    put_in_stock(database, *won(redeals=0)[:4])
    before = run(database, days(2))
    after = run(database, days(3))
    assert [one.outcome for one in after] == [
        PublishOutcome.ALREADY_THERE,
        PublishOutcome.ALREADY_THERE,
        PublishOutcome.PUBLISHED,
    ]
    assert [one.deal_id for one in after[:2]] == [one.deal_id for one in before]


def test_only_deals_of_few_enough_redeals_are_taken(database: Database) -> None:
    _, one_redeal = put_in_stock(database, won(redeals=2)[0], won(redeals=1)[0])
    (none,) = run(database, [DAY], max_redeals=0)
    assert (none.outcome, none.deal_id) == (PublishOutcome.NO_DEAL, None)
    (done,) = run(database, [DAY], max_redeals=1)
    assert done.deal_id == one_redeal.id


def test_only_deals_of_the_variant_are_taken(database: Database) -> None:
    put_in_stock(database, won("gathered")[0])
    (done,) = run(database, [DAY])
    assert done.outcome is PublishOutcome.NO_DEAL


def test_where_the_stock_is_empty_it_mints_until_there_is_a_deal(database: Database) -> None:
    # The first that comes does not do: its line has too many redeals.
    wins = [won(redeals=2)[0], won(redeals=0)[0]]
    asked: list[str] = []

    def mint(variant: str) -> bool:
        asked.append(variant)
        put_in_stock(database, wins[len(asked) - 1])
        return True

    (done,) = run(database, [DAY], mint, max_redeals=0)
    assert asked == ["classic", "classic"]
    assert done.deal_id == wins[1].document["seed_commitment"][:20]
    assert done.outcome is PublishOutcome.PUBLISHED


def test_minting_is_not_asked_where_the_stock_or_the_date_has_a_deal(database: Database) -> None:
    def mint(variant: str) -> bool:
        raise AssertionError("there was no need")

    put_in_stock(database, won()[0])
    run(database, [DAY], mint)
    (again,) = run(database, [DAY], mint)
    assert again.outcome is PublishOutcome.ALREADY_THERE


def test_while_it_mints_another_may_publish(database: Database) -> None:
    def mint(variant: str) -> bool:
        put_in_stock(database, *won(redeals=0)[:2])
        run(database, [DAY])
        return True

    (done,) = run(database, [DAY], mint)
    assert done.outcome is PublishOutcome.ALREADY_THERE
    with database.reading() as session:
        (daily,) = dailies.every(session)
    assert done.deal_id == daily.deal_id


def test_what_kills_a_mint_leaves_what_was_published(database: Database) -> None:
    put_in_stock(database, won()[0])

    def mint(variant: str) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(database, days(2), mint)
    with database.reading() as session:
        assert [daily.date for daily in dailies.every(session)] == [DAY]


@pytest.mark.parametrize("in_stock", [3, 9])
def test_many_that_publish_at_once_agree(
    database_url: str, database: Database, in_stock: int
) -> None:
    """As processes do: each with connections of its own, and minting into one stock."""
    wins = won(redeals=0) + won(redeals=1) + won(redeals=2)
    put_in_stock(database, *wins[:in_stock])
    spare = wins[in_stock:]
    together = threading.Barrier(4)
    answers: list[list[PublishedDate]] = []
    failures: list[BaseException] = []

    def mint(variant: str) -> bool:
        try:
            win = spare.pop()
        except IndexError:
            return False
        with database.writing() as session:
            return deals.add(session, minted(win)) is not None

    def work(backwards: bool) -> None:
        try:
            with Database.open(database_url) as own:
                together.wait()
                wanted = days(5)
                answers.append(run(own, wanted[::-1] if backwards else wanted, mint))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(bool(number % 2),)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    with database.reading() as session:
        there = {daily.date: daily.deal_id for daily in dailies.every(session)}
    assert sorted(there) == days(5)
    assert len(set(there.values())) == 5
    for answer in answers:
        assert {one.date: one.deal_id for one in answer} == there
    published = [
        one for answer in answers for one in answer if one.outcome is PublishOutcome.PUBLISHED
    ]
    assert len(published) == 5
