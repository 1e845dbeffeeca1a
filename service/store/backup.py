"""Copies of a SQLite database while it is in use; for PostgreSQL, the command that makes one."""

import shlex
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import URL

from service.store.database import Database
from service.store.engine import translated
from service.store.newfile import new_file
from service.store.schema import SchemaState, schema_state


class ToolOfItsOwnError(Exception):
    """A PostgreSQL database, which is not copied by us. `command` is what copies it."""

    def __init__(self, command: str) -> None:
        super().__init__(f"PostgreSQL has a tool of its own for backups; run: {command}")
        self.command = command


class NothingToCopyError(Exception):
    """A database that no migration has touched."""

    def __init__(self, url: str) -> None:
        super().__init__(f"The database {url} is empty: there is nothing to copy.")


class BadBackupError(Exception):
    """A copy that is no good database. It was removed."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"The copy is no good and was removed ({reason}): if gaps audit finds faults in the "
            "database as well, restore it from a backup; otherwise try again."
        )


def backup(database: Database, path: Path) -> int:
    """Copies a SQLite database into a new file as it is at one moment; answers the copy's bytes.

    Others may read and write meanwhile. The copy is checked before it gets its name, and is one
    file with nothing beside it. Raises `ToolOfItsOwnError`, `NothingToCopyError`, `BadBackupError`,
    `service.store.newfile.FileThereError`, `OSError`, and
    `service.store.engine.DatabaseUnavailableError`.
    """
    if database.engine.dialect.name != "sqlite":
        raise ToolOfItsOwnError(_dump_command(database, path))
    if schema_state(database) is SchemaState.EMPTY:
        raise NothingToCopyError(database.url)
    with new_file(path) as copy_path:
        with (
            translated(database.engine.url),
            closing(database.engine.raw_connection()) as connection,
            closing(sqlite3.connect(copy_path, isolation_level=None)) as copy,
        ):
            try:
                source: Any = connection.driver_connection
                # All pages in one step: with several, a writer in between would make it begin
                # anew each time. Nobody waits for it, since readers do not lock in WAL mode.
                source.backup(copy)
                # The log beside the file is for a database in use; a copy stands alone.
                copy.execute("PRAGMA journal_mode = DELETE")
                _check(source, copy)
            except sqlite3.Error as error:
                raise BadBackupError(str(error)) from error
        return copy_path.stat().st_size


def _check(source: sqlite3.Connection, copy: sqlite3.Connection) -> None:
    (verdict,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
    if verdict != "ok":
        raise BadBackupError(verdict)
    broken = copy.execute("PRAGMA foreign_key_check").fetchone()
    if broken is not None:
        raise BadBackupError(f"rows of {broken[0]} point at rows that are not there")
    asked = "SELECT version_num FROM alembic_version"
    if source.execute(asked).fetchall() != copy.execute(asked).fetchall():
        raise BadBackupError("its schema is another than that of the database")


def _dump_command(database: Database, path: Path) -> str:
    # The password does not belong on a command line, where all users of a machine can see it.
    whole = database.engine.url
    url = URL.create(
        "postgresql", whole.username, None, whole.host, whole.port, whole.database, whole.query
    )
    words = ["pg_dump", "--format=custom", f"--file={path}", url.render_as_string()]
    return " ".join(shlex.quote(word) for word in words)
