import logging
import multiprocessing
import shutil
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from sqlalchemy import inspect, text

from service.store import deals, schema
from service.store.database import Database, DatabaseUnavailableError
from service.store.engine import new_engine
from service.store.schema import BrokenKeysError, SchemaAheadError, SchemaState
from service.store.tables import Base
from tests.deals import put_in_stock, won

NEXT = '''
"""The step after the newest."""

import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = {before!r}


def upgrade() -> None:
    with op.batch_alter_table("deals") as batch:
        batch.add_column(sa.Column("note", sa.Text()))
    {last}


def downgrade() -> None:
    with op.batch_alter_table("deals") as batch:
        batch.drop_column("note")
'''


def state(url: str) -> SchemaState:
    with Database.open(url) as database:
        return schema.schema_state(database)


def tables(url: str) -> set[str]:
    engine = new_engine(url, migrating=True)
    return set(inspect(engine).get_table_names())


class Newer:
    """A newer program: the same migrations and one more, which ends with a statement."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        shutil.copytree(Path(str(files("migrations"))), folder)
        (before,) = (
            path.name.split("_")[0] for path in sorted((folder / "versions").glob("0*.py"))[-1:]
        )
        self._step = folder / "versions" / "9999_next.py"
        self._before = before
        config = Config()
        config.set_main_option("script_location", str(folder))
        monkeypatch.setattr(schema, "alembic_config", lambda: config)
        self.ends_with("pass")

    def ends_with(self, last: str) -> None:
        self._step.write_text(NEXT.format(before=self._before, last=last))


@pytest.fixture
def newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Newer:
    return Newer(tmp_path / "migrations", monkeypatch)


def test_an_empty_database_is_brought_up_to_date(empty_url: str) -> None:
    assert schema.upgrade(empty_url) is SchemaState.EMPTY
    assert state(empty_url) is SchemaState.CURRENT
    assert tables(empty_url) == {*Base.metadata.tables, "alembic_version"}


def test_upgrading_again_changes_nothing(database_url: str) -> None:
    with Database.open(database_url) as database:
        put_in_stock(database, won()[0])
        assert schema.upgrade(database_url) is SchemaState.CURRENT
        with database.reading() as session:
            assert deals.stock(session, "classic") == 1


def test_tables_and_migrations_say_the_same(database: Database) -> None:
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, Base.metadata) == []


def test_every_constraint_has_a_name(database: Database) -> None:
    found = inspect(database.engine)
    for table in Base.metadata.tables:
        assert found.get_pk_constraint(table)["name"] == f"pk_{table}"
        for constraint in (*found.get_foreign_keys(table), *found.get_unique_constraints(table)):
            assert constraint["name"]


def test_the_migrations_can_be_taken_back(database_url: str) -> None:
    engine = new_engine(database_url, migrating=True)
    with engine.begin() as connection:
        config = schema.alembic_config()
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
    assert tables(database_url) == {"alembic_version"}
    assert state(database_url) is SchemaState.EMPTY
    assert schema.upgrade(database_url) is SchemaState.EMPTY
    assert state(database_url) is SchemaState.CURRENT


def test_a_database_of_an_older_program_is_behind(database_url: str, newer: Newer) -> None:
    assert state(database_url) is SchemaState.BEHIND
    with Database.open(database_url) as database:
        put_in_stock(database, won()[0])
    assert schema.upgrade(database_url) is SchemaState.BEHIND
    assert state(database_url) is SchemaState.CURRENT
    with Database.open(database_url) as database, database.reading() as session:
        assert deals.stock(session, "classic") == 1


def test_a_database_of_a_newer_program_is_left_alone(database_url: str) -> None:
    engine = new_engine(database_url, migrating=True)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'from-the-future'"))
    assert state(database_url) is SchemaState.AHEAD
    with pytest.raises(SchemaAheadError, match="newer than this program") as raised:
        schema.upgrade(database_url)
    assert "\n" not in str(raised.value)
    assert state(database_url) is SchemaState.AHEAD


def test_a_step_that_fails_halfway_leaves_no_trace(database_url: str, newer: Newer) -> None:
    with Database.open(database_url) as database:
        put_in_stock(database, won()[0])
    newer.ends_with('raise RuntimeError("the power went")')
    before = tables(database_url)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="the power went"):
            schema.upgrade(database_url)
        assert state(database_url) is SchemaState.BEHIND
        assert tables(database_url) == before
    newer.ends_with("pass")
    assert schema.upgrade(database_url) is SchemaState.BEHIND
    assert state(database_url) is SchemaState.CURRENT
    with Database.open(database_url) as database, database.reading() as session:
        assert deals.stock(session, "classic") == 1


def upgrade_with(url: str, migrations: str) -> None:
    """What a process of the newer program does."""
    config = Config()
    config.set_main_option("script_location", migrations)
    schema.alembic_config = lambda: config
    schema.upgrade(url)


def test_a_step_that_is_killed_halfway_leaves_no_trace(
    database_url: str, newer: Newer, tmp_path: Path
) -> None:
    with Database.open(database_url) as database:
        put_in_stock(database, won()[0])
    halfway = tmp_path / "halfway"
    newer.ends_with(
        f"__import__('pathlib').Path({str(halfway)!r}).touch(); __import__('time').sleep(600)"
    )
    process = multiprocessing.get_context("spawn").Process(
        target=upgrade_with, args=(database_url, str(tmp_path / "migrations"))
    )
    process.start()
    while not halfway.exists():
        assert process.is_alive()
        time.sleep(0.01)
    process.kill()
    process.join()
    assert state(database_url) is SchemaState.BEHIND
    newer.ends_with("pass")
    assert schema.upgrade(database_url) is SchemaState.BEHIND
    assert state(database_url) is SchemaState.CURRENT
    with Database.open(database_url) as database, database.reading() as session:
        assert deals.stock(session, "classic") == 1


def test_a_step_that_breaks_keys_is_undone(sqlite_url: str, newer: Newer) -> None:
    newer.ends_with(
        'op.execute("INSERT INTO dailies (id, variant, date, deal_id, redeals, published_at) '
        "VALUES (1, 'classic', '2026-03-08', 'nothing', 'sealed', '2026-03-08')\")"
    )
    with pytest.raises(BrokenKeysError, match="rows of dailies point at"):
        schema.upgrade(sqlite_url)
    assert state(sqlite_url) is SchemaState.BEHIND


def test_rebuilding_a_table_does_not_cascade(sqlite_url: str, newer: Newer) -> None:
    """SQLite rebuilds a table by dropping it, which deletes its rows, and what points at them."""
    newer.ends_with(
        "with op.batch_alter_table('deals', recreate='always') as batch:\n"
        "        batch.alter_column('solver_version', type_=sa.String(64))"
    )
    with Database.open(sqlite_url) as database:
        put_in_stock(database, won()[0])
    assert schema.upgrade(sqlite_url) is SchemaState.BEHIND
    with Database.open(sqlite_url) as database, database.reading() as session:
        assert deals.stock(session, "classic") == 1


def test_threads_that_upgrade_at_once_do_it_once(empty_url: str) -> None:
    assert upgraded_at_once(empty_url, 3) == ["current", "current", "empty"]
    assert state(empty_url) is SchemaState.CURRENT


def test_many_that_make_a_new_file_at_once_do_it_once(tmp_path: Path) -> None:
    # SQLite refuses some of them at once, whatever patience it is told to have, but not each time.
    for attempt in range(12):
        url = f"sqlite:///{tmp_path}/{attempt}.db"
        assert upgraded_at_once(url, 6) == ["current"] * 5 + ["empty"]


def upgraded_at_once(url: str, threads: int) -> list[str]:
    """What as many threads found, or failed with."""
    together = threading.Barrier(threads)

    def replica() -> str:
        together.wait()
        try:
            return str(schema.upgrade(url))
        except Exception as error:
            return repr(error)

    with ThreadPoolExecutor(threads) as pool:
        return sorted(future.result() for future in [pool.submit(replica) for _ in range(threads)])


def test_processes_that_upgrade_at_once_do_it_once(empty_url: str) -> None:
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        found = pool.map(schema.upgrade, [empty_url] * 3, chunksize=1)
    assert sorted(found) == ["current", "current", "empty"]
    assert state(empty_url) is SchemaState.CURRENT


def test_upgrading_leaves_logging_as_it_was(empty_url: str) -> None:
    root = logging.getLogger()
    before = (root.level, list(root.handlers), logging.getLogger("service.store").disabled)
    schema.upgrade(empty_url)
    assert (root.level, list(root.handlers), logging.getLogger("service.store").disabled) == before


def test_asking_how_far_a_missing_file_is_does_not_make_it(tmp_path: Path) -> None:
    path = tmp_path / "gaps.db"
    with pytest.raises(DatabaseUnavailableError, match="run gaps db upgrade"):
        state(f"sqlite:///{path}")
    assert not path.exists()


@pytest.mark.parametrize("name", ["gaps 100%.db", "spiel?.db", "gäps#1.db", "a&mode=ro.db"])
def test_a_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    url = f"sqlite:///{tmp_path}/{name.replace('?', '%3F').replace('%.', '%25.')}"
    schema.upgrade(url)
    assert state(url) is SchemaState.CURRENT


def test_a_folder_that_is_missing_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnavailableError, match="unable to open database file"):
        schema.upgrade(f"sqlite:///{tmp_path}/missing/gaps.db")


def test_a_database_that_may_only_be_read_is_one_sentence(sqlite_url: str) -> None:
    """As root any file can be written, so the connection itself stands in for a file's rights."""

    def write() -> None:
        with database.reading() as session:
            session.execute(text("PRAGMA query_only = ON"))
            session.execute(text("DELETE FROM deals"))

    with (
        Database.open(sqlite_url) as database,
        pytest.raises(DatabaseUnavailableError, match="attempt to write a readonly database"),
    ):
        write()
