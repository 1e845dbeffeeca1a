"""The database's schema: how far it is, and bringing it up to date with Alembic."""

from enum import StrEnum
from importlib.resources import files
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from service.store.database import Database
from service.store.engine import WRITING, new_engine, translated

LOCK: Final = 0x67617073
"""The key of PostgreSQL's advisory lock under which one migrates at a time ("gaps")."""


class SchemaState(StrEnum):
    """How far a database's schema is, seen from this program."""

    EMPTY = "empty"
    """No migration has run here yet."""
    BEHIND = "behind"
    """There are migrations that have not run here yet."""
    CURRENT = "current"
    """Just what this program works with."""
    AHEAD = "ahead"
    """A migration ran here that this program does not know: it was made by a newer one."""


class SchemaAheadError(Exception):
    """A database that is newer than the program, which therefore leaves it alone."""

    def __init__(self, url: str) -> None:
        super().__init__(
            f"The database {url} is newer than this program: install the version that made it."
        )


class BrokenKeysError(Exception):
    """A migration that would leave rows pointing at nothing. It was undone."""

    def __init__(self, table: str) -> None:
        super().__init__(
            f"The migration was undone: rows of {table} point at rows that are not there."
        )


def schema_state(database: Database) -> SchemaState:
    """How far a database is; changes nothing.

    Raises `service.store.engine.DatabaseUnavailableError` if it cannot be reached.
    """
    with translated(database.engine.url), database.engine.connect() as connection:
        return _state(connection)


def program_revision() -> str:
    """The newest migration of this program, which is what a current database has."""
    (newest,) = ScriptDirectory.from_config(alembic_config()).get_heads()
    return newest


def upgrade(url: str) -> SchemaState:
    """Brings a database up to date, and answers how far it was before.

    All of it in one transaction, under a lock: several may call at once, and a failure leaves
    the database as it was. A missing SQLite file is made. Raises `SchemaAheadError` for a
    database that is newer than the program, `BrokenKeysError`, and
    `service.store.engine.DatabaseUnavailableError`.
    """
    engine = new_engine(url, migrating=True).execution_options(**{WRITING: True})
    with translated(engine.url), engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
        before = _state(connection)
        if before is SchemaState.AHEAD:
            raise SchemaAheadError(engine.url.render_as_string(hide_password=True))
        if before is not SchemaState.CURRENT:
            config = alembic_config()
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            _check_keys(connection)
    return before


def alembic_config() -> Config:
    """Alembic's configuration: the `migrations` package, and no file."""
    config = Config()
    config.set_main_option("script_location", str(files("migrations")).replace("%", "%%"))
    return config


def _state(connection: Connection) -> SchemaState:
    current = set(MigrationContext.configure(connection).get_current_heads())
    if not current:
        return SchemaState.EMPTY
    scripts = ScriptDirectory.from_config(alembic_config())
    if not current <= {script.revision for script in scripts.walk_revisions()}:
        return SchemaState.AHEAD
    return SchemaState.CURRENT if current == set(scripts.get_heads()) else SchemaState.BEHIND


def _check_keys(connection: Connection) -> None:
    """SQLite does not look at foreign keys while tables are rebuilt, so it is asked afterwards."""
    if connection.dialect.name == "sqlite":
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if broken is not None:
            raise BrokenKeysError(broken[0])
