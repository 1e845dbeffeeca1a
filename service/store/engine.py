"""Connections to SQLite and PostgreSQL as the service wants them, and what can go wrong there."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

WRITING: Final = "gaps_writing"
"""The execution option of a connection that begins its transactions as a writer."""

BUSY_SECONDS: Final = 30.0
"""How long SQLite waits for a lock that another process holds."""
LOCK_ROUND_SECONDS: Final = 0.01
"""How long SQLite waits for the write lock before it begins anew to ask for it often."""
LOCK_PAUSE_SECONDS: Final = 0.001
"""How long it rests between two rounds."""
MIGRATION_BUSY_SECONDS: Final = 300.0
"""The same for a migration, which may wait for another replica's."""
POSTGRESQL_DEFAULTS: Final = {
    "application_name": "gaps",
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "4",
    "tcp_user_timeout": "30000",
}
"""What libpq is told where the URL does not say otherwise; seconds, but for the last: milliseconds.

A server's machine that is gone without a word, or a network that swallows everything, is noticed
within half a minute; the system by itself takes two hours, and a request waits for as long.
"""
REASON_LENGTH: Final = 300
"""How much of a driver's own words an error repeats."""

# PostgreSQL: undefined table, undefined column, invalid schema name.
_SCHEMA_STATES: Final = {"42P01", "42703", "3F000"}
# PostgreSQL: read-only transaction, insufficient privilege.
_REFUSED_STATES: Final = {"25006", "42501"}


class DatabaseUnavailableError(Exception):
    """The database cannot be used. The text is one sentence that says which, and why."""


def new_engine(url: str, *, migrating: bool = False) -> Engine:
    """An engine for a URL. One for migrating makes a missing SQLite file, and pools nothing.

    Its errors do not show the values of the statement that failed: seeds and lines are secret, and
    logs are read by many.
    Raises `DatabaseUnavailableError` for a URL that names no database the service can use.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise DatabaseUnavailableError(
            "The database's URL cannot be read: write one like sqlite:///gaps.db or "
            "postgresql://user@host/name."
        ) from None
    match parsed.get_backend_name():
        case "sqlite":
            return _sqlite(parsed, migrating=migrating)
        case "postgresql":
            return _postgresql(parsed, migrating=migrating)
        case other:
            raise DatabaseUnavailableError(
                f"A database of the kind {other!r} is not supported: use sqlite or postgresql."
            )


def _sqlite(url: URL, *, migrating: bool) -> Engine:
    if url.database in {None, "", ":memory:"}:
        raise DatabaseUnavailableError(
            "A database in memory is gone with its connection: name a file, sqlite:///gaps.db."
        )
    if url.query:
        raise DatabaseUnavailableError(
            "A SQLite URL names a file and nothing else, like sqlite:///gaps.db."
        )
    path = Path(url.database or "").absolute()
    busy = MIGRATION_BUSY_SECONDS if migrating else BUSY_SECONDS
    # Only a migration may make the file: a mistyped path must not leave an empty database behind.
    location = f"file:{quote(str(path))}?mode={'rwc' if migrating else 'rw'}"

    def connect() -> sqlite3.Connection:
        if not migrating and not path.exists():
            raise DatabaseUnavailableError(
                f"There is no database at {path}: run gaps db upgrade to make it."
            )
        # Without an isolation level the driver begins no transaction by itself.
        return sqlite3.connect(
            location, uri=True, timeout=busy, isolation_level=None, check_same_thread=False
        )

    engine = create_engine(
        url.set(drivername="sqlite"),
        creator=connect,
        hide_parameters=True,
        poolclass=NullPool if migrating else None,
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        # A migration rebuilds tables, which must not cascade; it checks the keys at its end.
        connection.execute(f"PRAGMA foreign_keys = {'OFF' if migrating else 'ON'}")
        # Of several that make a new file at once all but one are refused, however long they wait.
        _patiently(lambda: connection.execute("PRAGMA journal_mode = WAL"), busy)
        connection.execute("PRAGMA synchronous = FULL")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A deferred transaction that reads and then writes fails at once if another has written
        # in between, whatever the timeout. So a writer takes the lock before it reads.
        if connection.get_execution_options().get(WRITING, False):
            _begin_writing(connection, busy)
        else:
            connection.exec_driver_sql("BEGIN")

    return engine


def _begin_writing(connection: Connection, busy: float) -> None:
    """Takes the write lock, within so many seconds.

    SQLite asks for a lock ever less often, in the end ten times a second, while others who come
    later get it. So it is asked in rounds of a few milliseconds.
    """
    driver = connection.connection.driver_connection
    _wait_at_most(driver, LOCK_ROUND_SECONDS)
    try:
        _patiently(lambda: connection.exec_driver_sql("BEGIN IMMEDIATE"), busy)
    finally:
        # Ctrl-C in the middle of asking has closed the connection, and must not be covered up.
        with suppress(sqlite3.ProgrammingError):
            _wait_at_most(driver, busy)


def _patiently(take: Callable[[], object], seconds: float) -> None:
    """Takes a lock of SQLite's, again and again until it is had or the time is up."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            take()
            return
        except (sqlite3.OperationalError, OperationalError) as error:
            cause = error.orig if isinstance(error, OperationalError) else error
            name = getattr(cause, "sqlite_errorname", "")
            if not name.startswith("SQLITE_BUSY") or time.monotonic() >= deadline:
                raise
            time.sleep(LOCK_PAUSE_SECONDS)


def _wait_at_most(driver: Any, seconds: float) -> None:
    driver.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")


def _postgresql(url: URL, *, migrating: bool) -> Engine:
    return create_engine(
        url.set(drivername="postgresql+psycopg"),
        # These go over what the URL says, and are not shown with it.
        connect_args={
            name: value for name, value in POSTGRESQL_DEFAULTS.items() if name not in url.query
        },
        hide_parameters=True,
        # A connection that the server has dropped meanwhile is replaced, not handed out.
        **({"poolclass": NullPool} if migrating else {"pool_pre_ping": True}),
    )


@contextmanager
def translated(url: URL) -> Iterator[None]:
    """Turns a driver's errors about the database itself into `DatabaseUnavailableError`.

    Errors that tell of a fault in the program (a broken constraint, a wrong statement) pass.
    """
    try:
        yield
    except DBAPIError as error:
        sentence = _sentence(url, error)
        if sentence is None:
            raise
        raise DatabaseUnavailableError(sentence) from error
    except PoolTimeoutError as error:
        raise DatabaseUnavailableError(
            f"The database {_shown(url)} is busy: all connections are in use; try again."
        ) from error


def _sentence(url: URL, error: DBAPIError) -> str | None:
    reason = " ".join(str(error.orig).split())[:REASON_LENGTH].rstrip(".")
    if isinstance(error.orig, sqlite3.Error):
        # Errors of SQLite's own (a wrong API call, say) carry no name.
        name = getattr(error.orig, "sqlite_errorname", "SQLITE_ERROR")
        schema = name == "SQLITE_ERROR" and reason.startswith(("no such", "table "))
        down = not name.startswith(("SQLITE_ERROR", "SQLITE_CONSTRAINT", "SQLITE_MISUSE"))
    else:
        state = getattr(error.orig, "sqlstate", None)
        schema = state in _SCHEMA_STATES
        down = state in _REFUSED_STATES or type(error).__name__ in {
            "OperationalError",
            "InterfaceError",
        }
    if schema:
        return (
            f"The database {_shown(url)} is not up to date ({reason}): run gaps db upgrade first."
        )
    return f"The database {_shown(url)} cannot be used: {reason}." if down else None


def _shown(url: URL) -> str:
    return url.render_as_string(hide_password=True)
