"""The database: opened by URL, used in units of work of one transaction each."""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Final, Self

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from service.store.engine import WRITING, DatabaseUnavailableError, new_engine, translated

__all__ = ["Database", "DatabaseUnavailableError"]

WRITER_PATIENCE_SECONDS: Final = 30.0
"""How long a writer waits for its turn on SQLite, where one writes at a time."""


class Database:
    """An opened database, shared by all threads of a process.

    Sessions that it hands out keep their objects readable after the commit.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._writer = engine.execution_options(**{WRITING: True})
        # SQLite lets its writers poll for the lock, and some poll in vain while others overtake
        # them. Within a process they queue up here instead, before they take a connection.
        self._turn = threading.Lock() if engine.dialect.name == "sqlite" else None

    @classmethod
    def open(cls, url: str) -> Self:
        """The database of a URL, ``sqlite:///FILE`` or ``postgresql://…``.

        Nothing is connected to yet and no file is made: `service.store.schema.upgrade` does that.
        Raises `DatabaseUnavailableError` for a URL that names no database the service can use.
        """
        return cls(new_engine(url))

    @property
    def url(self) -> str:
        """The database's URL as a person may see it, without its password."""
        return self.engine.url.render_as_string(hide_password=True)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session on one consistent view (SQLite) or on what is committed (PostgreSQL).

        Raises `DatabaseUnavailableError` if the database cannot be used.
        """
        with (
            translated(self.engine.url),
            Session(self.engine, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session

    @contextmanager
    def snapshot(self) -> Iterator[Session]:
        """A session on one consistent view, on both kinds, for what reads for a long time.

        Raises `DatabaseUnavailableError` if the database cannot be used.
        """
        engine = self.engine
        if engine.dialect.name == "postgresql":
            engine = engine.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
        with (
            translated(engine.url),
            Session(engine, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session whose work is committed at the end, or undone if anything is raised.

        On SQLite it holds the write lock from its first statement on, so what it reads cannot
        change before it writes. Raises `DatabaseUnavailableError` if the database cannot be used.
        """
        with (
            self._my_turn(),
            translated(self.engine.url),
            Session(self._writer, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session

    def dispose(self) -> None:
        """Closes the connections that are not in use."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.dispose()

    def _my_turn(self) -> AbstractContextManager[Any]:
        return nullcontext() if self._turn is None else self._queued(self._turn)

    @contextmanager
    def _queued(self, turn: threading.Lock) -> Iterator[None]:
        if not turn.acquire(timeout=WRITER_PATIENCE_SECONDS):
            raise DatabaseUnavailableError(
                f"The database {self.url} is busy: others have been writing for "
                f"{WRITER_PATIENCE_SECONDS:g} seconds; try again."
            )
        try:
            yield
        finally:
            turn.release()
