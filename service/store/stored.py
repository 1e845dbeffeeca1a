"""Rows as they are stored, page by page, for whoever must look at all of them and trusts none."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from sqlalchemy import ColumnElement, func, inspect, select
from sqlalchemy.orm import Session

from service.store.tables import Base

PAGE: Final = 50
"""How many rows are in memory at a time."""

BAD_ROW: Final = (ValueError, TypeError, LookupError, RecursionError)
"""What is raised where somebody has written into a row what its column cannot be."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A row that cannot be read: its key, and the kind of error."""

    key: Any
    error: str


StoredRow: TypeAlias = dict[str, Any] | Unreadable
"""A row by its columns' names, or one that cannot be read."""


def count(session: Session, table: type[Base]) -> int:
    """How many rows a table has."""
    return session.execute(select(func.count()).select_from(table)).scalar_one()


def pages(session: Session, table: type[Base]) -> Iterator[list[tuple[Any, StoredRow]]]:
    """All rows of a table with their keys, in the keys' order, a page at a time.

    The table must have a primary key of one column.
    """
    key = _key(table)
    wanted = select(key).order_by(key).limit(PAGE)
    keys: Sequence[Any] = session.scalars(wanted).all()
    while keys:
        found = by_key(session, table, keys)
        yield [(name, found[name]) for name in keys if name in found]
        keys = session.scalars(wanted.where(key > keys[-1])).all()


def by_key(session: Session, table: type[Base], keys: Sequence[Any]) -> dict[Any, StoredRow]:
    """The rows that have one of these keys. A key that no row has is left out."""
    columns, key = table.__table__.columns, _key(table)
    wanted = select(*columns).where(key.in_(keys))
    try:
        rows = [dict(row) for row in session.execute(wanted).mappings()]
    except BAD_ROW as error:
        if len(keys) == 1:
            return {keys[0]: Unreadable(keys[0], type(error).__name__)}
        return {name: row for one in keys for name, row in by_key(session, table, [one]).items()}
    return {row[key.key]: row for row in rows}


def _key(table: type[Base]) -> ColumnElement[Any]:
    (key,) = inspect(table).primary_key
    return key
