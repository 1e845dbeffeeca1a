"""Everything that is stored as lines of JSON, to be imported into a database of either kind.

A header names the format, the program, its schema and how many rows come of each table; then each
row has a line, table by table, parents first; a trailer holds a digest over all lines before it, so
that a file that was cut short is not taken for a whole one.
"""

import hashlib
import json
from collections.abc import Callable
from typing import Any, Final, Protocol

from sqlalchemy import Table, func, select
from sqlalchemy.orm import Session

from service import __version__
from service.store.cells import as_json, fits
from service.store.database import Database
from service.store.schema import program_revision
from service.store.stored import BAD_VALUE, any_text
from service.store.tables import Base

FORMAT: Final = "gaps-export/1"
ROWS: Final = 200
"""How many rows are in memory at a time."""


class Sink(Protocol):
    """What bytes are written to."""

    def write(self, data: bytes, /) -> Any:
        """Takes all of the bytes."""


class UnreadableError(Exception):
    """A row that cannot be read, or not be imported again: nothing was exported whole."""

    def __init__(self, table: str) -> None:
        super().__init__(f"A row of {table} cannot be read: gaps audit says which, and what to do.")


def tables() -> list[Table]:
    """All tables, each after those that its rows point at."""
    return Base.metadata.sorted_tables


def export(
    database: Database,
    sink: Sink,
    on_progress: Callable[[int, int], None] = lambda done, all_: None,
) -> dict[str, int]:
    """Writes all rows of a current database, as they are at one moment; answers how many of each.

    The same rows make the same bytes. `on_progress` gets how many rows are written, and of how
    many. Raises `UnreadableError` and `service.store.engine.DatabaseUnavailableError`.
    """
    written = _Digested(sink)
    with database.snapshot() as session, any_text(session):
        counts = {
            table.name: session.execute(select(func.count()).select_from(table)).scalar_one()
            for table in tables()
        }
        written.line(
            {
                "format": FORMAT,
                "version": __version__,
                "revision": program_revision(),
                "rows": counts,
            }
        )
        done = 0
        for table in tables():
            try:
                for rows in _pages(session, table):
                    for row in rows:
                        if not all(fits(column, row[column.key]) for column in table.columns):
                            raise UnreadableError(table.name)
                        written.line({"table": table.name, "row": as_json(row)})
                    done += len(rows)
                    on_progress(done, sum(counts.values()))
            except BAD_VALUE as error:
                raise UnreadableError(table.name) from error
    written.line({"end": FORMAT, "sha256": written.digest()})
    return counts


def _pages(session: Session, table: Table) -> Any:
    wanted = select(table).order_by(*table.primary_key.columns)
    found = session.execute(wanted.execution_options(yield_per=ROWS))
    return found.mappings().partitions()


class _Digested:
    """Writes lines, and remembers the digest of all of them."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._hash = hashlib.sha256()

    def line(self, value: Any) -> None:
        text = json.dumps(value, separators=(",", ":"), allow_nan=False)
        data = text.encode("ascii") + b"\n"
        self._hash.update(data)
        self._sink.write(data)

    def digest(self) -> str:
        return self._hash.hexdigest()
