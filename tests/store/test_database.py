import sqlite3
import threading
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, StatementError

from service.store import dailies, database, deals, submissions
from service.store.database import Database, DatabaseUnavailableError
from service.store.tables import Arrival
from tests.clock import NOON, FakeClock
from tests.databases import PostgresServer
from tests.deals import minted, put_in_stock, won


def test_what_is_raised_in_a_unit_of_work_undoes_it(database: Database) -> None:
    def half_done() -> None:
        with database.writing() as session:
            deals.add(session, minted(won()[0]))
            raise LookupError("half done")

    with pytest.raises(LookupError):
        half_done()
    with database.reading() as session:
        assert deals.stock(session, "classic") == 0


def test_rows_can_be_read_after_the_commit(database: Database) -> None:
    (deal,) = put_in_stock(database, won()[0])
    assert deal.line == won()[0].line


def test_foreign_keys_are_held(database: Database) -> None:
    with pytest.raises(IntegrityError), database.writing() as session:
        submissions.add(
            session,
            [
                submissions.NewSubmission(
                    deal_id="0" * 20,
                    moves=[],
                    verdict=won()[0].verdict,
                    state=Arrival.LIVE,
                    received_at=NOON,
                )
            ],
        )


def test_a_naive_instant_is_refused(database: Database) -> None:
    with pytest.raises(StatementError, match="needs a time zone"), database.writing() as session:
        deals.add(session, minted(won()[0], NOON.replace(tzinfo=None)))


def test_a_fault_of_the_program_is_not_called_a_broken_database(database: Database) -> None:
    with pytest.raises(Exception, match="SELEKT") as raised, database.reading() as session:
        session.execute(text("SELEKT 1"))
    assert not isinstance(raised.value, DatabaseUnavailableError)


def test_an_error_does_not_repeat_what_is_secret(database: Database) -> None:
    win = won()[0]
    put_in_stock(database, win)
    with pytest.raises(IntegrityError) as raised, database.writing() as session:
        session.execute(
            text("INSERT INTO deals (id, seed) VALUES (:id, :seed)"), {"id": "x", "seed": "5ec2e7"}
        )
    assert "5ec2e7" not in str(raised.value).split("DETAIL")[0]


def test_a_connection_that_the_server_dropped_is_replaced(postgres_server: PostgresServer) -> None:
    with (
        postgres_server.fresh(migrated=True) as url,
        Database.open(url) as opened,
        Database.open(url) as other,
    ):
        put_in_stock(opened, won()[0])
        with other.writing() as session:
            session.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            )
        with opened.reading() as session:
            assert deals.stock(session, "classic") == 1


def test_a_connection_lost_in_the_middle_is_one_sentence(
    postgres_server: PostgresServer,
) -> None:
    def lose() -> None:
        with opened.writing() as session:
            session.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))

    with (
        postgres_server.fresh(migrated=True) as url,
        Database.open(url) as opened,
        pytest.raises(DatabaseUnavailableError, match="terminating connection") as raised,
    ):
        lose()
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        # 10 s of silence and four questions of 5 s each, or 30 s of data that nobody confirms.
        ("", {"keepalives_idle": "10", "keepalives_count": "4", "tcp_user_timeout": "30000"}),
        ("", {"connect_timeout": "5", "keepalives_interval": "5", "application_name": "gaps"}),
        ("&tcp_user_timeout=9000", {"tcp_user_timeout": "9000", "keepalives_idle": "10"}),
        ("&connect_timeout=7&application_name=my", {"connect_timeout": "7"}),
        ("&connect_timeout=7&application_name=my", {"application_name": "my"}),
    ],
)
def test_a_silent_server_is_given_up_and_the_url_says_when(
    postgres_server: PostgresServer, options: str, expected: dict[str, str]
) -> None:
    with (
        postgres_server.fresh(migrated=True) as url,
        Database.open(url + options) as opened,
        opened.reading() as session,
    ):
        driver = session.connection().connection.driver_connection
        assert driver is not None
        assert expected.items() <= driver.info.get_parameters().items()


def test_a_database_without_tables_says_what_to_run(empty_url: str) -> None:
    if empty_url.startswith("sqlite"):
        sqlite3.connect(empty_url.removeprefix("sqlite:///")).close()
        Path(empty_url.removeprefix("sqlite:///")).touch()
    with (
        Database.open(empty_url) as opened,
        pytest.raises(DatabaseUnavailableError, match="run gaps db upgrade first") as raised,
        opened.reading() as session,
    ):
        deals.stock(session, "classic")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("postgresql://gaps:secret@127.0.0.1:1/gaps", "cannot be used: connection"),
        ("sqlite:////no-such-folder/gaps.db", "There is no database at /no-such-folder/gaps.db"),
    ],
)
def test_an_unreachable_database_is_one_sentence(url: str, sentence: str) -> None:
    with (
        Database.open(url) as opened,
        pytest.raises(DatabaseUnavailableError, match=sentence) as raised,
        opened.reading() as session,
    ):
        deals.stock(session, "classic")
    assert "secret" not in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "url",
    ["", "gaps.db", "mysql://host/gaps", "sqlite://", "sqlite:///:memory:", "sqlite:///a?b=1"],
)
def test_a_url_that_cannot_be_used_is_refused_at_once(url: str) -> None:
    with pytest.raises(DatabaseUnavailableError):
        Database.open(url)


def test_a_missing_file_is_not_made_by_opening(tmp_path: Path) -> None:
    path = tmp_path / "gaps.db"
    with (
        Database.open(f"sqlite:///{path}") as opened,
        pytest.raises(DatabaseUnavailableError),
        opened.writing() as session,
    ):
        deals.stock(session, "classic")
    assert not path.exists()


def test_a_file_that_is_no_database_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "gaps.db"
    path.write_text("a letter to my aunt, long enough to be looked at. " * 40)
    with (
        Database.open(f"sqlite:///{path}") as opened,
        pytest.raises(DatabaseUnavailableError, match="file is not a database"),
        opened.reading() as session,
    ):
        deals.stock(session, "classic")


def test_a_password_is_not_shown() -> None:
    with Database.open("postgresql://gaps:secret@localhost/gaps") as opened:
        assert "secret" not in opened.url


def test_sqlite_connections_are_as_they_should_be(sqlite_url: str) -> None:
    with Database.open(sqlite_url) as opened, opened.reading() as session:
        pragmas = {
            name: session.execute(text(f"PRAGMA {name}")).scalar_one()
            for name in ("journal_mode", "foreign_keys", "synchronous", "busy_timeout")
        }
    assert pragmas == {
        "journal_mode": "wal",
        "foreign_keys": 1,
        "synchronous": 2,
        "busy_timeout": 30_000,
    }


def test_reading_then_writing_is_never_locked_out(sqlite_url: str) -> None:
    """Read-then-write in two deferred transactions fails at once, whatever the timeout."""
    together = threading.Barrier(8)
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            together.wait()
            # A database of its own, as if it were a process of its own: no queue to stand in.
            with Database.open(sqlite_url) as opened:
                for _ in range(5):
                    with opened.writing() as session:
                        deals.stock(session, "classic")
                        session.execute(text("UPDATE deals SET positions = positions + 1"))
        except BaseException as error:
            failures.append(error)

    with Database.open(sqlite_url) as opened:
        put_in_stock(opened, won()[0])
        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        with opened.reading() as session:
            positions = session.execute(text("SELECT positions FROM deals")).scalar_one()
    assert positions == 1_000 + 8 * 5


def test_readers_do_not_wait_for_the_writer(database: Database) -> None:
    put_in_stock(database, won()[0])
    with database.writing() as writer:
        deals.add(writer, minted(won()[1]))
        with database.reading() as reader:
            assert deals.stock(reader, "classic") == 1


def test_who_waits_too_long_for_the_writer_is_told(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "WRITER_PATIENCE_SECONDS", 0.01)
    with (
        Database.open(sqlite_url) as opened,
        opened.writing(),
        pytest.raises(DatabaseUnavailableError, match="is busy"),
        opened.writing(),
    ):
        pass


def test_fifty_threads_write_at_once(database: Database, clock: FakeClock) -> None:
    (deal,) = put_in_stock(database, won()[0])
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            with database.writing() as session:
                submissions.add(
                    session,
                    [
                        submissions.NewSubmission(
                            deal_id=deal.id,
                            moves=["undo"] * number,
                            verdict=won()[0].verdict,
                            state=Arrival.LIVE,
                            received_at=clock(),
                        )
                    ],
                )
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    with database.reading() as session:
        assert len(submissions.ids(session)) == 50
        assert dailies.every(session) == []
