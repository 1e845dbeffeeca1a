"""Applications on the databases of all tests, and a client of them."""

from collections.abc import Iterator

import pytest
import structlog
from fastapi import FastAPI

from service.api.app import create_app
from service.settings import Settings
from service.store.database import Database
from tests.api.client import Client, client_of
from tests.clock import FakeClock
from tests.databases import SqliteFiles
from tests.searches import CannedSearches


@pytest.fixture(autouse=True)
def plain_logs() -> Iterator[None]:
    """Log lines go to the standard library, as those of the running service: `caplog` has them."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.format_exc_info,
            structlog.processors.KeyValueRenderer(),
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    yield
    structlog.reset_defaults()


@pytest.fixture
def settings() -> Settings:
    return Settings(variants=("classic", "relaxed"), rate_limit="off", cache_seconds=0)


@pytest.fixture
def app(settings: Settings, database: Database, clock: FakeClock) -> FastAPI:
    return create_app(settings, database, clock, CannedSearches())


@pytest.fixture
def client(app: FastAPI) -> Iterator[Client]:
    with client_of(app) as client:
        yield client


@pytest.fixture(scope="module")
def strict(sqlite_files: SqliteFiles) -> Iterator[Client]:
    """A client for a whole module of requests that are refused before a database is asked."""
    with (
        sqlite_files.fresh(migrated=True) as url,
        Database.open(url) as database,
        client_of(create_app(Settings(rate_limit="off"), database, FakeClock())) as client,
    ):
        yield client
