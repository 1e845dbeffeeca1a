"""Inserting what may be there already: the database decides the race, the loser is quiet."""

from collections.abc import Mapping
from typing import Any, TypeVar

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from service.store.tables import Base

Row = TypeVar("Row", bound=Base)


def insert_once(session: Session, table: type[Row], values: Mapping[str, Any]) -> Row | None:
    """The row that was inserted, or None if a unique value of it is there already.

    Where another transaction is just inserting the same, PostgreSQL waits for its end; a read
    that follows in this transaction sees the winner's row.
    """
    insert = (
        sqlite.insert(table)
        if session.get_bind().dialect.name == "sqlite"
        else postgresql.insert(table)
    )
    return session.scalars(
        insert.values(**values).on_conflict_do_nothing().returning(table)
    ).one_or_none()
