"""Rows as they are stored, with whatever somebody has written into them."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from service.store import stored
from service.store.database import Database
from service.store.stored import Unreadable
from service.store.submissions import NewSubmission, add
from service.store.tables import Arrival, Base, Deal, Practice, Submission
from tests.clock import NOON
from tests.deals import put_in_stock, won, won_deals


def rows_of(database: Database, table: type[Base]) -> list[tuple[str, stored.StoredRow]]:
    with database.snapshot() as session, stored.any_text(session):
        return [row for page in stored.pages(session, table) for row in page]


def write(path: Path, statement: str) -> None:
    """Writes as SQLite does by itself, heeding no foreign keys."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


def number(database: Database, variant: str, number: int) -> None:
    with database.writing() as session:
        session.add(
            Practice(variant=variant, number=number, budget=1, solver_version="7", searched_at=NOON)
        )


@pytest.mark.parametrize("page", [1, 3, 50])
def test_all_rows_come_in_the_order_of_their_keys(
    database: Database, monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    monkeypatch.setattr(stored, "PAGE", page)
    put_in_stock(database, *won_deals()[:7])
    for variant, asked in (("relaxed", 2), ("classic", 10), ("classic", 9)):
        number(database, variant, asked)
    names = [name for name, _ in rows_of(database, Deal)]
    assert len(names) == 7
    assert names == sorted(names)
    assert [name for name, _ in rows_of(database, Practice)] == [
        "classic 9",
        "classic 10",
        "relaxed 2",
    ]


def test_a_row_that_cannot_be_read_says_which_columns(database: Database) -> None:
    good, bad = put_in_stock(database, *won()[:2])
    with database.writing() as session:
        session.execute(
            text("UPDATE deals SET minted_at = 'infinity', line = '7' WHERE id = :id"),
            {"id": bad.id},
        )
    found = dict(rows_of(database, Deal))
    assert found[good.id] == {
        column.key: getattr(good, column.key) for column in Deal.__table__.columns
    }
    row = found[bad.id]
    assert isinstance(row, Unreadable)
    assert row.columns == ["line", "minted_at"]
    assert row.rest["document"] == bad.document


@pytest.mark.parametrize("key", ["cast(x'fffe41' as text)", "x'ff'", "'\N{SNOWMAN}'", "7.5"])
def test_a_row_is_found_whatever_its_key(sqlite_url: str, sqlite_path: Path, key: str) -> None:
    with Database.open(sqlite_url) as database:
        put_in_stock(database, won()[0])
        number(database, "classic", 3)
        write(sqlite_path, f"UPDATE deals SET id = {key}")
        write(sqlite_path, f"UPDATE practices SET variant = {key}, number = {key}")
        ((_, deal),) = rows_of(database, Deal)
        ((_, practice),) = rows_of(database, Practice)
    assert isinstance(deal, dict) or deal.columns == ["id"]
    assert isinstance(practice, Unreadable)
    assert "number" in practice.columns
    assert practice.rest["budget"] == 1


def test_a_truth_is_0_or_1(sqlite_url: str, sqlite_path: Path) -> None:
    with Database.open(sqlite_url) as database:
        (deal,) = put_in_stock(database, won()[0])
        with database.writing() as session:
            add(
                session,
                [
                    NewSubmission(
                        deal_id=deal.id,
                        moves=[],
                        verdict=won()[0].verdict,
                        state=Arrival.LIVE,
                        received_at=NOON,
                    )
                ],
            )
        write(sqlite_path, "UPDATE submissions SET won = 7")
        ((_, row),) = rows_of(database, Submission)
    assert isinstance(row, Unreadable)
    assert row.columns == ["won"]


def test_others_read_text_as_before(sqlite_url: str) -> None:
    with Database.open(sqlite_url) as database, database.snapshot() as session:
        driver = session.connection().connection.driver_connection
        assert driver is not None
        before = driver.text_factory
        with stored.any_text(session):
            assert driver.text_factory is not before
        assert driver.text_factory is before


def test_by_no_key_there_is_no_row(database: Database) -> None:
    put_in_stock(database, won()[0])
    with database.reading() as session:
        assert stored.by_key(session, Deal, []) == {}
        assert stored.by_key(session, Deal, ["0" * 20]) == {}
