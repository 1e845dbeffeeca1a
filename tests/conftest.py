"""What all tests share: databases of both kinds, and a clock."""

import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import settings

from service.store.database import Database
from tests.clock import FakeClock
from tests.databases import KINDS, PostgresServer, SqliteFiles

# A slow machine is no fault of the program.
settings.register_profile("gaps", deadline=None)
settings.load_profile("gaps")

LONGEST = ("tests/deploy", "tests/journeys", "tests/api/test_schemathesis")

Server: TypeAlias = SqliteFiles | PostgresServer


def pytest_configure() -> None:
    """Hears the keyboard: a shell lets what runs in its background ignore it, and tests send it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts those first that take longest, so that no process has one left when the rest is done."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))


@pytest.fixture(scope="session")
def sqlite_files(tmp_path_factory: pytest.TempPathFactory) -> SqliteFiles:
    files = SqliteFiles(tmp_path_factory.mktemp("sqlite"))
    files.start()
    return files


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    server = PostgresServer()
    with ExitStack() as stack:
        stack.callback(server.stop)
        server.start()
        yield server


@pytest.fixture(params=KINDS)
def server(request: pytest.FixtureRequest) -> Server:
    """Where databases come from: once SQLite, once PostgreSQL."""
    name = {"sqlite": "sqlite_files", "postgresql": "postgres_server"}[request.param]
    found: Server = request.getfixturevalue(name)
    return found


@pytest.fixture
def empty_url(server: Server) -> Iterator[str]:
    """The URL of a database that no migration has touched."""
    with server.fresh(migrated=False) as url:
        yield url


@pytest.fixture
def database_url(server: Server) -> Iterator[str]:
    """The URL of a fresh database that is up to date."""
    with server.fresh(migrated=True) as url:
        yield url


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A fresh database that is up to date, opened."""
    with Database.open(database_url) as opened:
        yield opened


@pytest.fixture
def sqlite_url(sqlite_files: SqliteFiles) -> Iterator[str]:
    """The URL of a fresh SQLite database, for what only SQLite does or where one kind is enough."""
    with sqlite_files.fresh(migrated=True) as url:
        yield url


@pytest.fixture
def sqlite_path(sqlite_url: str) -> Path:
    """The file of `sqlite_url`."""
    return Path(sqlite_url.removeprefix("sqlite:///"))


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()
