"""Inserting what may be there already: the database decides the race, the loser is quiet.

Statements are made once and run with values: making one takes longer than the database does.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeVar, cast

from sqlalchemy import Insert, Table, inspect
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session, configure_mappers
from sqlalchemy.orm.attributes import set_committed_value

from service.store.tables import Base

Row = TypeVar("Row", bound=Base)


def insert_once(session: Session, table: type[Row], values: Mapping[str, Any]) -> Row | None:
    """The row that was inserted, or None if a unique value of it is there already.

    What `values` does not name is null, but for a key that the database makes up. Where another
    transaction is just inserting the same, PostgreSQL waits for its end; a read that follows in
    this transaction sees the winner's row.

    The row is a copy: what is changed of it does not come to the database.
    """
    statement, nulls = _statement(session.get_bind().dialect.name, table)
    complete: dict[str, Any] = {**nulls, **values}
    key = session.connection().execute(statement, complete).one_or_none()
    return None if key is None else _row(table, {**complete, **key._mapping})


def insert_new(session: Session, table: type[Row], rows: Sequence[Mapping[str, Any]]) -> list[Row]:
    """Those of some rows that were not there yet, now inserted; see `insert_once`.

    Each has its whole key. Rows of several transactions must come in one order, or each could wait
    for a row of the other's.
    """
    statement, nulls = _statement(session.get_bind().dialect.name, table)
    complete: list[dict[str, Any]] = [{**nulls, **row} for row in rows]
    inserted = set(map(tuple, session.connection().execute(statement, complete)))
    keys = [str(column.key) for column in inspect(table).primary_key]
    return [_row(table, row) for row in complete if tuple(row[name] for name in keys) in inserted]


def insert_into(dialect: str, table: type[Base] | Table) -> sqlite.Insert | postgresql.Insert:
    """An insert that can say what to do where the row is there already."""
    return sqlite.insert(table) if dialect == "sqlite" else postgresql.insert(table)


def _row(table: type[Row], values: Mapping[str, Any]) -> Row:
    row = cast("Row", inspect(table).class_manager.new_instance())
    for name, value in values.items():
        set_committed_value(row, name, value)
    return row


@cache
def _statement(dialect: str, table: type[Base]) -> tuple[Insert, dict[str, None]]:
    """The statement for a table, and a null for each column that may have one."""
    # Only then a row can be made by its attributes.
    configure_mappers()
    columns = cast("Table", table.__table__)
    statement = (
        insert_into(dialect, columns).on_conflict_do_nothing().returning(*columns.primary_key)
    )
    return statement, {column.key: None for column in columns.columns if column.nullable}
