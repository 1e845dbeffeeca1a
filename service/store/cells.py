"""Cells of tables as JSON values and back, for moving rows between databases of different kinds.

What a column can hold is said here once, for all kinds: SQLite itself would keep anything anywhere.
"""

import datetime as dt
import math
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

from sqlalchemy import JSON, Boolean, Column, Date, Double, Integer, String, Table
from sqlalchemy import Enum as EnumType

from service.store.columns import Tokens, UtcDateTime

_INTEGERS: Final = range(-(2**63), 2**63)


class CellError(ValueError):
    """A JSON value that a column cannot hold."""


def as_json(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as the database gives it, as a JSON object. The inverse of `from_json`."""
    return {name: _json(value) for name, value in row.items()}


def from_json(table: Table, row: object) -> dict[str, Any]:
    """A row as the database takes it, of a JSON object that has exactly the table's columns.

    Raises `CellError`.
    """
    names = [column.key for column in table.columns]
    if not isinstance(row, dict) or list(row) != names:
        raise CellError(f"a row of {table.name} has the columns {', '.join(names)}, in this order")
    return {column.key: _cell(column, row[column.key]) for column in table.columns}


def fits(column: Column[Any], value: object) -> bool:
    """Whether a value that a database gave for a column is one that the column can hold."""
    if value is None:
        return bool(column.nullable)
    try:
        return _of_type(column, _json(value)) is not None
    except (ValueError, LookupError):
        return False


def _json(value: Any) -> Any:
    match value:
        case dt.datetime():
            return value.isoformat(timespec="microseconds")
        case dt.date():
            return value.isoformat()
        case Enum():
            return value.value
        case _:
            return value


def _cell(column: Column[Any], value: object) -> object:
    if value is None and column.nullable:
        return None
    try:
        cell = _of_type(column, value)
    except (ValueError, LookupError):
        cell = None
    if cell is None:
        raise CellError(f"{column.table.name}.{column.key} cannot be what is given")
    return cell


def _of_type(column: Column[Any], value: object) -> object | None:
    """The value of a column, or None for one that it cannot hold. Raises `ValueError`."""
    match column.type, value:
        case UtcDateTime(), str():
            moment = dt.datetime.fromisoformat(value)
            return None if moment.utcoffset() is None else moment
        case Date(), str():
            date = dt.date.fromisoformat(value)
            return date if date.isoformat() == value else None
        case EnumType(enum_class=kind), str() if kind is not None:
            return kind(value)
        case String(length=longest), str():
            # No database takes a lone surrogate, which JSON can write: this raises an error.
            value.encode()
            return value if longest is None or len(value) <= longest else None
        case Boolean(), bool():
            return value
        case Integer(), int() if not isinstance(value, bool):
            return value if value in _INTEGERS else None
        case Double(), float():
            return value if math.isfinite(value) else None
        case Tokens(), list() if all(isinstance(token, str) for token in value):
            "".join(value).encode()
            return value
        case JSON(), dict() if not isinstance(column.type, Tokens):
            return value
        case _:
            return None
