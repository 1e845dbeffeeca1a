"""What was exported, read into an empty database: all of it or nothing."""

import hashlib
import json
from collections.abc import Callable, Iterator
from typing import Any, Final, NoReturn, Protocol

from sqlalchemy import Table, exists, insert, select, text
from sqlalchemy.exc import DataError, IntegrityError
from sqlalchemy.orm import Session

from service.store import chain
from service.store.cells import CellError, from_json
from service.store.database import Database
from service.store.exporting import FORMAT, ROWS, tables
from service.store.schema import program_revision

LONGEST_LINE: Final = 16 * 2**20
"""How many bytes a line may have; the longest that is written has some hundred thousand."""


class Source(Protocol):
    """What bytes are read from, line by line."""

    def readline(self, limit: int, /) -> bytes:
        """A line with its end, cut at so many bytes; empty at the end of all."""


class BadExportError(Exception):
    """A file that is not what was exported. Nothing of it was stored."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"Line {line} is no good: {reason}. Nothing was imported.")


class NotEmptyError(Exception):
    """A database that has rows already, which an import would mix with others."""

    def __init__(self, url: str, table: str) -> None:
        super().__init__(
            f"The database {url} is not empty (it has {table}): import into a new one, made by "
            "gaps db upgrade."
        )


def load(
    database: Database,
    source: Source,
    on_progress: Callable[[int, int], None] = lambda done, all_: None,
) -> dict[str, int]:
    """Stores all that was exported in a current, empty database; answers how many of each table.

    One transaction, in which nobody else writes. `on_progress` gets how many rows are stored, and
    of how many. Raises `BadExportError`, `NotEmptyError` and
    `service.store.engine.DatabaseUnavailableError`.
    """
    lines = _Lines(source)
    counts = _counts(lines)
    done = 0
    with database.writing() as session:
        _lock(session)
        for table in tables():
            if session.execute(select(exists().select_from(table))).scalar_one():
                raise NotEmptyError(database.url, table.name)
        for table in tables():
            for rows in _batches(lines, table, counts[table.name]):
                try:
                    session.execute(insert(table), rows)
                except (IntegrityError, DataError):
                    lines.refuse(f"one of the last {len(rows)} rows of {table.name} does not fit")
                done += len(rows)
                on_progress(done, sum(counts.values()))
        _check_end(lines)
        _count_on(session)
    return counts


def _counts(lines: "_Lines") -> dict[str, int]:
    """How many rows come of each table, by the header."""
    header = lines.next()
    if header.get("format") != FORMAT:
        lines.refuse(f"it does not begin with a header of the format {FORMAT}")
    theirs, ours = header.get("revision"), program_revision()
    if theirs != ours:
        lines.refuse(
            f"it has the schema {theirs!r} and this program {ours!r}; import it with version "
            f"{header.get('version')!r} of the program, and upgrade the database then"
        )
    counts = header.get("rows")
    names = [table.name for table in tables()]
    if not isinstance(counts, dict) or list(counts) != names:
        lines.refuse(f"its header does not count the rows of {', '.join(names)}")
    if not all(type(count) is int and count >= 0 for count in counts.values()):
        lines.refuse("its header counts in something else than numbers")
    return counts


def _batches(lines: "_Lines", table: Table, count: int) -> Iterator[list[dict[str, Any]]]:
    while count > 0:
        batch = []
        for _ in range(min(count, ROWS)):
            line = lines.next()
            if line.get("table") != table.name or line.keys() != {"table", "row"}:
                lines.refuse(f"a row of {table.name} is missing")
            try:
                batch.append(from_json(table, line["row"]))
            except CellError as error:
                lines.refuse(str(error))
        count -= len(batch)
        yield batch


def _check_end(lines: "_Lines") -> None:
    digest = lines.digest()
    trailer = lines.next()
    if trailer != {"end": FORMAT, "sha256": digest}:
        lines.refuse("the file was changed after it was written, by its digest")
    if lines.more():
        lines.refuse("more follows after the end")


def _lock(session: Session) -> None:
    """Keeps others from writing until the end. On SQLite there is one writer at a time anyway."""
    chain.lock(session)
    if session.get_bind().dialect.name == "postgresql":
        names = ", ".join(table.name for table in tables())
        session.execute(text(f"LOCK TABLE {names} IN SHARE ROW EXCLUSIVE MODE"))


def _count_on(session: Session) -> None:
    """Has PostgreSQL number new rows after those that brought their numbers along."""
    if session.get_bind().dialect.name != "postgresql":
        return
    for table in tables():
        column = table.autoincrement_column
        if column is not None:
            session.execute(
                text(
                    f"SELECT setval(pg_get_serial_sequence('{table.name}', '{column.name}'), "
                    f"coalesce(max({column.name}), 1), max({column.name}) IS NOT NULL) "
                    f"FROM {table.name}"
                )
            )


class _Lines:
    """The lines of a source, one at a time, with their digest."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._hash = hashlib.sha256()
        self._number = 0

    def next(self) -> dict[str, Any]:
        """The next line, which is a JSON object."""
        data = self._source.readline(LONGEST_LINE)
        self._number += 1
        if not data.endswith(b"\n"):
            self.refuse("the file ends before its end" if len(data) < LONGEST_LINE else "too long")
        self._hash.update(data)
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            self.refuse("it is no JSON object")
        return value

    def more(self) -> bool:
        """Whether anything follows."""
        return bool(self._source.readline(1))

    def digest(self) -> str:
        """The digest of all lines so far."""
        return self._hash.hexdigest()

    def refuse(self, reason: str) -> NoReturn:
        """Raises `BadExportError` at this line."""
        raise BadExportError(self._number, reason)
