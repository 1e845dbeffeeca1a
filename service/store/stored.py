"""Rows as they are stored, page by page, for whoever must look at all of them and trusts none."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    Dialect,
    Integer,
    LargeBinary,
    Table,
    Text,
    and_,
    func,
    literal,
    or_,
    select,
    type_coerce,
)
from sqlalchemy.exc import DataError
from sqlalchemy.orm import Session
from sqlalchemy.types import TypeDecorator

from service.store.cells import fits
from service.store.tables import Base

PAGE: Final = 50
"""How many rows are in memory at a time."""

BAD_VALUE: Final = (ValueError, TypeError, LookupError, RecursionError, DataError)
"""What is raised where somebody has written into a row what its column cannot be."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A row of which some `columns` hold what they cannot; `rest` is what the others hold."""

    columns: Sequence[str]
    rest: Mapping[str, Any]


StoredRow: TypeAlias = dict[str, Any] | Unreadable
"""A row by its columns' names, each value of its column's type; or one that is not so."""


def held(row: StoredRow) -> Mapping[str, Any]:
    """What can be read of a row, by its columns' names: of a good one everything."""
    return row.rest if isinstance(row, Unreadable) else row


@contextmanager
def any_text(session: Session) -> Iterator[None]:
    """Has a session read whatever SQLite keeps as text, instead of failing at what is no UTF-8.

    The bytes that are no UTF-8 become lone surrogates, as Python writes them elsewhere.
    """
    driver = session.connection().connection.driver_connection
    if not isinstance(driver, sqlite3.Connection):
        yield
        return
    before = driver.text_factory
    driver.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
    try:
        yield
    finally:
        driver.text_factory = before


def count(session: Session, table: type[Base]) -> int:
    """How many rows a table has."""
    return session.execute(select(func.count()).select_from(table)).scalar_one()


def pages(session: Session, table: type[Base]) -> Iterator[list[tuple[str, StoredRow]]]:
    """All rows of a table, in the order of their keys, a page at a time.

    With each row comes its key as a text to call it by.
    """
    columns = list(_table(table).columns)
    key_columns = list(_table(table).primary_key)
    wanted = select(*key_columns).order_by(*key_columns).execution_options(yield_per=PAGE)
    for rows in session.execute(wanted).partitions():
        keys = [tuple(row) for row in rows]
        found = _by_key(session, table, columns, keys)
        yield [(" ".join(map(str, key)), found[key]) for key in keys]


def by_key(
    session: Session, table: type[Base], keys: Sequence[Any], *names: str
) -> dict[Any, Mapping[str, Any]]:
    """What can be read of the rows that have one of these keys: the key and the named columns.

    The primary key of the table must be one column. Without names all columns are read. A key that
    no row has is left out.
    """
    columns = [
        column
        for column in _table(table).columns
        if not names or column.primary_key or column.key in names
    ]
    found = _by_key(session, table, columns, [(key,) for key in keys])
    return {key: held(row) for (key,), row in found.items()}


_Key: TypeAlias = tuple[Any, ...]


def _table(table: type[Base]) -> Table:
    return cast("Table", table.__table__)


def _by_key(
    session: Session, table: type[Base], columns: Sequence[Column[Any]], keys: Sequence[_Key]
) -> dict[_Key, StoredRow]:
    if not keys:
        return {}
    key_columns = list(_table(table).primary_key)
    wanted = or_(*(_is(key_columns, key) for key in keys))
    try:
        rows = _read(session, columns, wanted)
    except BAD_VALUE:
        if len(keys) == 1:
            return {keys[0]: _column_by_column(session, columns, wanted)}
        alone = (_by_key(session, table, columns, [key]) for key in keys)
        return {name: row for found in alone for name, row in found.items()}
    return {
        tuple(row[column.key] for column in key_columns): _checked(columns, row) for row in rows
    }


def _column_by_column(
    session: Session, columns: Sequence[Column[Any]], wanted: ColumnElement[bool]
) -> StoredRow:
    found: dict[str, Any] = {}
    for column in columns:
        try:
            (row,) = _read(session, [column], wanted)
        except BAD_VALUE:
            continue
        found.update(row)
    return _checked(columns, found)


def _checked(columns: Sequence[Column[Any]], row: dict[str, Any]) -> StoredRow:
    good = {
        column.key: row[column.key]
        for column in columns
        if column.key in row and fits(column, row[column.key])
    }
    if len(good) == len(columns):
        return good
    return Unreadable([column.key for column in columns if column.key not in good], good)


def _read(
    session: Session, columns: Sequence[Column[Any]], wanted: ColumnElement[bool]
) -> list[dict[str, Any]]:
    read = select(*map(_strictly, columns)).where(wanted)
    return [dict(row) for row in session.execute(read).mappings()]


def _strictly(column: Column[Any]) -> ColumnElement[Any]:
    if isinstance(column.type, Boolean):
        return type_coerce(column, _StrictBoolean()).label(column.key)
    return column


class _StrictBoolean(TypeDecorator[bool]):
    """A truth that is 0 or 1 and nothing else, where SQLite keeps any number."""

    impl = Integer
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> bool | None:
        return None if value is None else (False, True)[(0, 1).index(value)]


def _is(columns: Sequence[Column[Any]], key: _Key) -> ColumnElement[bool]:
    return and_(*(column == _bound(value) for column, value in zip(columns, key, strict=True)))


def _bound(value: Any) -> Any:
    """A value as a statement can have it: no driver takes text that is no UTF-8."""
    try:
        str(value).encode()
    except UnicodeEncodeError:
        return literal(value.encode("utf-8", "surrogateescape"), LargeBinary()).cast(Text())
    return value
