"""Column types of our own."""

import datetime as dt

from sqlalchemy import JSON, DateTime, Dialect
from sqlalchemy.types import TypeDecorator


class Tokens(JSON):
    """A list of texts, as JSON: a line or a log."""

    cache_ok = True


class UtcDateTime(TypeDecorator[dt.datetime]):
    """An instant: aware datetimes go in, the same instants in UTC come out.

    Raises `ValueError` (as SQLAlchemy's `StatementError`) for a naive one. SQLite has no zones
    and keeps the UTC time as text, which sorts as the instants do.
    """

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: dt.datetime | None, dialect: Dialect) -> dt.datetime | None:
        """The instant in UTC, for the database."""
        if value is None:
            return None
        if value.tzinfo is None or value.utcoffset() is None:
            raise ValueError(f"an instant needs a time zone: {value.isoformat()} has none")
        return value.astimezone(dt.UTC)

    def process_result_value(
        self, value: dt.datetime | None, dialect: Dialect
    ) -> dt.datetime | None:
        """The instant in UTC, from the database."""
        if value is None:
            return None
        return value.replace(tzinfo=dt.UTC) if value.tzinfo is None else value.astimezone(dt.UTC)
