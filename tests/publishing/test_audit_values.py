"""Whatever somebody has written into a cell, the audit says so, and goes on."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import JSON

from service.publishing import verdicts
from service.publishing.audit import audit
from service.publishing.practice import PracticeDeals
from service.publishing.remembered import PublishedDeals
from service.publishing.withdraw import withdraw
from service.settings import Settings
from service.store.database import Database
from service.store.schema import upgrade
from service.store.tables import Base
from tests.clock import NOON, FakeClock
from tests.deals import publish_deal, refuse, won
from tests.searches import CannedSearches

WIN = won("gathered")[0]
PRACTISED = won("gathered")[1]
DAY = NOON.date()
CALLED: Final = {
    "deals": "deal",
    "dailies": "daily",
    "links": "link",
    "refusals": "refusal",
    "submissions": "submission",
    # The statistics of a deal.
    "tallies": "deal",
    "plays": "play",
    "practices": "practice",
}
"""How the audit calls a row of each table."""

VALUES: Final = {
    "bytes": "x'00ff'",
    "no UTF-8": "cast(x'fffe41' as text)",
    "nothing": "NULL",
    "a letter": "'x'",
    "a fraction": "0.5",
    "an escape": "char(27) || '[31m'",
    "half a pair": "cast(x'eda080' as text)",
}
IN_JSON: Final = {
    "half a pair in an object": r"""'{"\ud800": 1}'""",
    "half a pair in a list": r"""'["\ud800"]'""",
    "a number that is none": "'NaN'",
    "too deep": f"'{'[' * 100_000}{']' * 100_000}'",
}
HARMLESS: Final = {
    # Nothing tells which version it was (SQLite makes text of the fraction), or how long it took.
    ("deals", "solver_version", "a letter"),
    ("deals", "solver_version", "a fraction"),
    ("practices", "solver_version", "a letter"),
    ("practices", "solver_version", "a fraction"),
    ("deals", "seconds", "a fraction"),
    # So it is where no win was found.
    ("practices", "deal_id", "nothing"),
}
"""What may be in a column, as far as anybody can tell."""


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a row in each table, and a schema that lets every column be null."""
    path = tmp_path_factory.mktemp("audited") / "everything.db"
    upgrade(f"sqlite:///{path}")
    clock = FakeClock()
    with Database.open(f"sqlite:///{path}") as database:
        name = publish_deal(database, WIN, DAY, clock)
        verdicts.submit(PublishedDeals(database), name, WIN.line, clock, "a-player-of-theirs")
        withdraw(database, WIN.variant, DAY, "A slip.", clock)
        PracticeDeals(Settings(), database, clock, CannedSearches()).deal_id(
            PRACTISED.variant, PRACTISED.number
        )
        refuse(database, WIN)
        assert [fault.where for fault in audit(database).faults] == ["refusal 1"]
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '')")
    return path


@pytest.fixture
def damaged(everything: Path, tmp_path: Path) -> Iterator[tuple[Database, sqlite3.Connection]]:
    """A copy of it, and a connection that heeds no foreign keys."""
    path = tmp_path / "gaps.db"
    shutil.copyfile(everything, path)
    with (
        Database.open(f"sqlite:///{path}") as database,
        closing(sqlite3.connect(path)) as connection,
    ):
        yield database, connection


COLUMNS: Final = [
    (table.name, column.key) for table in Base.metadata.sorted_tables for column in table.columns
]


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_any_value_in_any_column_is_a_fault_of_its_row(
    damaged: tuple[Database, sqlite3.Connection], table: str, column: str
) -> None:
    database, connection = damaged
    columns, keys = Base.metadata.tables[table].columns, Base.metadata.tables[table].primary_key
    row = f"FROM {table} WHERE rowid = (SELECT max(rowid) FROM {table})"
    (before,) = connection.execute(f"SELECT {column} {row}").fetchone()
    name = connection.execute(f"SELECT {', '.join(key.name for key in keys)} {row}").fetchone()
    where = " ".join([CALLED[table], *map(str, name[:1] if table == "tallies" else name)])
    if column == "withdrawn_reason":
        # Any text may be a reason: that it was another one, the link of the withdrawal tells.
        where = "link 2"
    values = VALUES | (IN_JSON if isinstance(columns[column].type, JSON) else {})
    for what, value in values.items():
        if (table, column, what) in HARMLESS:
            continue
        changed = row.replace(f"FROM {table}", f"UPDATE {table} SET {column} = {value}", 1)
        # A column that numbers the rows takes whole numbers alone.
        with suppress(sqlite3.IntegrityError), connection:
            connection.execute(changed)
            connection.commit()
            faults = [fault.where for fault in audit(database).faults]
            # Of a row whose key is another one now, only of what table it is.
            expected = where.split()[0] if columns[column].primary_key else where
            assert any(f"{fault} ".startswith(f"{expected} ") for fault in faults), what
        restored = row.replace(f"FROM {table}", f"UPDATE {table} SET {column} = ?", 1)
        with connection:
            connection.execute(restored, (before,))


def test_what_is_called_harmless_is(damaged: tuple[Database, sqlite3.Connection]) -> None:
    database, connection = damaged
    for table, column, what in HARMLESS:
        with connection:
            connection.execute(f"UPDATE {table} SET {column} = {VALUES[what]}")
    assert [fault.where for fault in audit(database).faults] == ["refusal 1"]
