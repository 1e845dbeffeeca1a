"""The one clock. Whoever needs the time is handed a `Clock`; nobody else asks the system."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeAlias

Clock: TypeAlias = Callable[[], datetime]
"""Answers the instant it is, as an aware datetime in UTC."""


def written(instant: datetime) -> str:
    """An instant as all that leaves the service writes it: ISO 8601 in UTC, with a Z."""
    return instant.astimezone(UTC).isoformat().replace("+00:00", "Z")


def system_clock() -> datetime:
    """The system's time, in UTC."""
    return datetime.now(UTC)
