import itertools
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from service.store import backup as backing_up
from service.store import schema, submissions
from service.store.backup import BadBackupError, NothingToCopyError, ToolOfItsOwnError, backup
from service.store.database import Database, DatabaseUnavailableError
from service.store.engine import new_engine
from service.store.newfile import FileThereError
from service.store.schema import SchemaState, schema_state
from service.store.tables import Arrival
from tests.clock import NOON
from tests.deals import put_in_stock, won

WIN = won()[0]


def submit(database: Database, deal_id: str, number: int) -> None:
    with database.writing() as session:
        submissions.add(
            session,
            [
                submissions.NewSubmission(
                    deal_id=deal_id,
                    moves=[f"x{number}"],
                    verdict=WIN.verdict,
                    state=Arrival.LIVE,
                    received_at=NOON,
                )
            ],
        )


def test_a_copy_has_all_that_was_committed(sqlite_url: str, tmp_path: Path) -> None:
    copied = tmp_path / "copy.db"
    with Database.open(sqlite_url) as database:
        (deal,) = put_in_stock(database, WIN)
        submit(database, deal.id, 1)
        assert backup(database, copied) == copied.stat().st_size
        assert list(tmp_path.iterdir()) == [copied], "and nothing beside it"
    with Database.open(f"sqlite:///{copied}") as copy:
        assert schema_state(copy) is SchemaState.CURRENT
        with copy.reading() as session:
            assert len(submissions.ids(session)) == 1


def test_a_copy_under_load_is_of_one_moment(sqlite_url: str, tmp_path: Path) -> None:
    """Two rows are written in each transaction: a copy has both of them or neither."""
    ended = threading.Event()
    failures: list[BaseException] = []
    written = [0, 0, 0]

    def write(thread: int, deal_id: str) -> None:
        try:
            with Database.open(sqlite_url) as own:
                for number in itertools.count(thread, 6):
                    if ended.is_set():
                        return
                    with own.writing() as session:
                        for each in (number, number + 3):
                            submissions.add(
                                session,
                                [
                                    submissions.NewSubmission(
                                        deal_id=deal_id,
                                        moves=[f"x{each}"],
                                        verdict=WIN.verdict,
                                        state=Arrival.LIVE,
                                        received_at=NOON,
                                    )
                                ],
                            )
                    written[thread] += 2
        except BaseException as error:
            failures.append(error)

    with Database.open(sqlite_url) as database:
        (deal,) = put_in_stock(database, WIN)
        threads = [threading.Thread(target=write, args=(n, deal.id)) for n in range(3)]
        for thread in threads:
            thread.start()
        try:
            for copy in range(4):
                while sum(written) < 20 * (copy + 1) and not failures:
                    ended.wait(0.001)
                before = sum(written)
                backup(database, tmp_path / f"{copy}.db")
                with (
                    Database.open(f"sqlite:///{tmp_path / f'{copy}.db'}") as opened,
                    opened.reading() as session,
                ):
                    moves = {submissions.get(session, name).moves[0]  # type: ignore[union-attr]
                             for name in submissions.ids(session)}  # fmt: skip
                assert len(moves) >= before
                assert len(moves) % 2 == 0
        finally:
            ended.set()
            for thread in threads:
                thread.join()
    assert failures == []


def test_a_file_that_is_there_stays(sqlite_url: str, tmp_path: Path) -> None:
    path = tmp_path / "there"
    path.write_text("mine")
    with Database.open(sqlite_url) as database, pytest.raises(FileThereError):
        backup(database, path)
    assert path.read_text() == "mine"


def test_a_database_behind_the_program_can_be_copied(sqlite_url: str, tmp_path: Path) -> None:
    """It is what one does before an upgrade."""
    from alembic import command

    with new_engine(sqlite_url, migrating=True).begin() as connection:
        config = schema.alembic_config()
        config.attributes["connection"] = connection
        command.downgrade(config, "0001")
    with Database.open(sqlite_url) as database:
        backup(database, tmp_path / "copy.db")
    with Database.open(f"sqlite:///{tmp_path / 'copy.db'}") as copy:
        assert schema_state(copy) is SchemaState.BEHIND


def test_a_damaged_database_makes_no_copy(
    sqlite_url: str, sqlite_path: Path, tmp_path: Path
) -> None:
    with Database.open(sqlite_url) as database:
        put_in_stock(database, *won()[:5])
        with closing(sqlite3.connect(sqlite_path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            (page,) = connection.execute("PRAGMA page_size").fetchone()
    content = bytearray(sqlite_path.read_bytes())
    for start in range(page, len(content), page):
        if content[start] == 13:
            # A leaf of a table that says it has far more cells than fit.
            content[start + 3 : start + 5] = b"\x7f\xff"
    sqlite_path.write_bytes(content)
    with (
        Database.open(sqlite_url) as database,
        pytest.raises((BadBackupError, DatabaseUnavailableError)),
    ):
        backup(database, tmp_path / "copy.db")
    assert list(tmp_path.iterdir()) == []


def test_a_copy_whose_keys_lead_nowhere_is_removed(
    sqlite_url: str, sqlite_path: Path, tmp_path: Path
) -> None:
    with Database.open(sqlite_url) as database:
        (deal,) = put_in_stock(database, WIN)
        submit(database, deal.id, 1)
        with closing(sqlite3.connect(sqlite_path)) as connection, connection:
            connection.execute("DELETE FROM deals")
        with pytest.raises(BadBackupError, match="point at rows that are not there"):
            backup(database, tmp_path / "copy.db")
    assert list(tmp_path.iterdir()) == []


def test_a_copy_that_is_not_whole_is_removed(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(source: sqlite3.Connection, copy: sqlite3.Connection) -> None:
        copy.execute("DELETE FROM alembic_version")
        genuine(source, copy)

    genuine = backing_up._check
    monkeypatch.setattr(backing_up, "_check", check)
    with (
        Database.open(sqlite_url) as database,
        pytest.raises(BadBackupError, match="another than that of the database"),
    ):
        backup(database, tmp_path / "copy.db")
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_there_or_empty_makes_no_copy(tmp_path: Path) -> None:
    empty = tmp_path / "empty.db"
    empty.touch()
    with (
        Database.open(f"sqlite:///{empty}") as database,
        pytest.raises(NothingToCopyError, match="nothing to copy"),
    ):
        backup(database, tmp_path / "copy.db")
    with (
        Database.open(f"sqlite:///{tmp_path}/missing.db") as database,
        pytest.raises(DatabaseUnavailableError),
    ):
        backup(database, tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()


def test_postgresql_is_told_its_own_tool_without_the_password(
    tmp_path: Path,
) -> None:
    with (
        Database.open("postgresql+psycopg://me:secret@db.example/gaps") as database,
        pytest.raises(ToolOfItsOwnError) as raised,
    ):
        backup(database, tmp_path / "a b.dump")
    assert raised.value.command == (
        f"pg_dump --format=custom '--file={tmp_path}/a b.dump' postgresql://me@db.example/gaps"
    )
    assert raised.value.command in str(raised.value)
