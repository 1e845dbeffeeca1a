"""The calendar: when a date is visible, live and closed, as a pure function of an instant.

A date belongs to the whole earth. It becomes visible when it begins in the first time zone
(UTC+14), and closes when it has ended in the last one (UTC-12).
"""

import datetime as dt
import re
import zoneinfo
from enum import StrEnum
from functools import cache
from typing import Final

FIRST_DATE: Final = dt.date(1900, 1, 1)
LAST_DATE: Final = dt.date(9998, 12, 31)
"""The dates that can be asked for; beyond them instants would leave Python's calendar."""

_FIRST_ZONE: Final = dt.timezone(dt.timedelta(hours=14))
_LAST_ZONE: Final = dt.timezone(dt.timedelta(hours=-12))
_DAY: Final = dt.timedelta(days=1)
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class State(StrEnum):
    """What a date is at an instant."""

    HIDDEN = "hidden"
    """It has begun nowhere. Nothing of it may be seen."""
    LIVE = "live"
    """It is, was or will be today somewhere while it still is somewhere else."""
    CLOSED = "closed"
    """It has ended everywhere. Everything of it is open."""


class DateError(ValueError):
    """A text that is no date of the calendar."""


class ZoneError(ValueError):
    """A text that names no time zone."""


def visible_from(date: dt.date) -> dt.datetime:
    """The instant a date begins in UTC+14, in UTC."""
    return dt.datetime.combine(date, dt.time.min, _FIRST_ZONE).astimezone(dt.UTC)


def closes_at(date: dt.date) -> dt.datetime:
    """The instant a date ends in UTC-12, in UTC."""
    return dt.datetime.combine(date + _DAY, dt.time.min, _LAST_ZONE).astimezone(dt.UTC)


def state(date: dt.date, instant: dt.datetime) -> State:
    """What a date is at an instant. Raises `ValueError` for an instant without a zone."""
    now = _aware(instant)
    if now < visible_from(date):
        return State.HIDDEN
    return State.LIVE if now < closes_at(date) else State.CLOSED


def last_visible(instant: dt.datetime) -> dt.date:
    """The last date that is not hidden at an instant."""
    return _aware(instant).astimezone(_FIRST_ZONE).date()


def first_live(instant: dt.datetime) -> dt.date:
    """The first date that is not closed at an instant."""
    return _aware(instant).astimezone(_LAST_ZONE).date()


def today(instant: dt.datetime, zone: dt.tzinfo = dt.UTC) -> dt.date:
    """The date that an instant has in a zone."""
    return _aware(instant).astimezone(zone).date()


def ends_at(date: dt.date, zone: dt.tzinfo = dt.UTC) -> dt.datetime:
    """The instant, in UTC, at which a date is over in a zone, to the second.

    Midnight may be skipped, come twice, or lie within a jump of the clocks. So the instant is
    searched for, not computed: the first at which the zone's date is a later one. (Where a clock
    is set back over midnight and the date comes again for an hour, it is one of both ends.)
    """
    before, after = visible_from(date) - _DAY, closes_at(date) + _DAY
    while after - before > dt.timedelta(seconds=1):
        between = before + dt.timedelta(seconds=(after - before) // dt.timedelta(seconds=2))
        if today(between, zone) > date:
            after = between
        else:
            before = between
    return after


def parse_date(text: str) -> dt.date:
    """The date of a text like ``2026-03-08``, and of that form alone.

    Raises `DateError` for anything else, and for dates before `FIRST_DATE` or after `LAST_DATE`.
    """
    try:
        date = dt.date.fromisoformat(text) if _DATE.fullmatch(text) else None
    except ValueError:
        date = None
    if date is None or not FIRST_DATE <= date <= LAST_DATE:
        raise DateError(
            f"a date is written like 2026-03-08 and lies between {FIRST_DATE} and {LAST_DATE}"
        )
    return date


def parse_zone(name: str) -> zoneinfo.ZoneInfo:
    """The time zone of a name like ``Pacific/Auckland``. Raises `ZoneError` for any other text."""
    if name not in _zone_names():
        raise ZoneError("a time zone is named like Pacific/Auckland, as in the IANA database")
    return zoneinfo.ZoneInfo(name)


@cache
def _zone_names() -> frozenset[str]:
    # What the machine itself is set to is no zone to ask for.
    return frozenset(zoneinfo.available_timezones() - {"localtime", "Factory"})


def _aware(instant: dt.datetime) -> dt.datetime:
    if instant.tzinfo is None or instant.utcoffset() is None:
        raise ValueError(f"an instant needs a time zone: {instant.isoformat()} has none")
    return instant
