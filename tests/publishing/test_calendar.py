import datetime as dt
import os
import time
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.publishing import calendar
from service.publishing.calendar import DateError, State, ZoneError

DAY = dt.date(2026, 3, 8)
SECOND = dt.timedelta(seconds=1)
DATES = st.dates(calendar.FIRST_DATE, calendar.LAST_DATE)
MODERN = st.dates(dt.date(2012, 1, 1), dt.date(2037, 1, 1))


def utc(*parts: int) -> dt.datetime:
    return dt.datetime(*parts, tzinfo=dt.UTC)  # type: ignore[arg-type,misc]


def instants(first_year: int, last_year: int) -> st.SearchStrategy[dt.datetime]:
    start, end = utc(first_year, 1, 1), utc(last_year, 1, 1)
    seconds = st.integers(0, int((end - start).total_seconds()))
    return seconds.map(lambda number: start + number * SECOND)


INSTANTS = instants(1901, 9990)
ZONES = st.sampled_from(sorted(calendar._zone_names()))


def test_a_date_begins_in_the_first_zone_and_ends_in_the_last() -> None:
    assert calendar.visible_from(DAY) == utc(2026, 3, 7, 10)
    assert calendar.closes_at(DAY) == utc(2026, 3, 9, 12)
    assert calendar.visible_from(DAY).utcoffset() == dt.timedelta(0)
    assert calendar.closes_at(DAY).utcoffset() == dt.timedelta(0)


@pytest.mark.parametrize(
    ("instant", "expected"),
    [
        (utc(2026, 3, 7, 9, 59, 59, 999_999), State.HIDDEN),
        (utc(2026, 3, 7, 10), State.LIVE),
        (utc(2026, 3, 9, 11, 59, 59, 999_999), State.LIVE),
        (utc(2026, 3, 9, 12), State.CLOSED),
    ],
)
def test_the_states_of_a_date(instant: dt.datetime, expected: State) -> None:
    assert calendar.state(DAY, instant) is expected


@given(DATES)
def test_every_date_is_live_for_fifty_hours(date: dt.date) -> None:
    assert calendar.closes_at(date) - calendar.visible_from(date) == dt.timedelta(hours=50)


@given(INSTANTS)
def test_the_live_dates_lie_between_the_first_and_the_last(now: dt.datetime) -> None:
    first, last = calendar.first_live(now), calendar.last_visible(now)
    assert first <= now.date() <= last
    dates = [now.date() + dt.timedelta(days) for days in range(-3, 4)]
    live = [date for date in dates if calendar.state(date, now) is State.LIVE]
    assert live == [date for date in dates if first <= date <= last]


@given(instants(1990, 2037), ZONES)
def test_today_is_live_in_every_zone(now: dt.datetime, name: str) -> None:
    today = calendar.today(now, calendar.parse_zone(name))
    assert calendar.state(today, now) is State.LIVE


@given(DATES, INSTANTS, st.integers(-14 * 60, 14 * 60))
def test_how_an_instant_is_written_does_not_matter(
    date: dt.date, now: dt.datetime, minutes: int
) -> None:
    elsewhere = now.astimezone(dt.timezone(dt.timedelta(minutes=minutes)))
    assert calendar.state(date, elsewhere) is calendar.state(date, now)
    assert calendar.today(elsewhere) == calendar.today(now)


@pytest.mark.parametrize(
    ("zone", "expected"),
    [
        ("UTC", dt.date(2026, 3, 8)),
        ("Pacific/Auckland", dt.date(2026, 3, 9)),
        ("Pacific/Kiritimati", dt.date(2026, 3, 9)),
        ("Pacific/Pago_Pago", dt.date(2026, 3, 8)),
    ],
)
def test_today_in_a_zone(zone: str, expected: dt.date) -> None:
    assert calendar.today(utc(2026, 3, 8, 12), ZoneInfo(zone)) == expected


def test_no_naive_instant_is_taken() -> None:
    naive = dt.datetime(2026, 3, 8)  # noqa: DTZ001 - the wrong thing on purpose
    with pytest.raises(ValueError, match="needs a time zone"):
        calendar.state(DAY, naive)
    with pytest.raises(ValueError, match="needs a time zone"):
        calendar.today(naive)
    with pytest.raises(ValueError, match="needs a time zone"):
        calendar.first_live(naive)
    with pytest.raises(ValueError, match="needs a time zone"):
        calendar.last_visible(naive)


@pytest.mark.parametrize(
    ("date", "zone", "expected"),
    [
        (DAY, "UTC", utc(2026, 3, 9)),
        # The clocks went forward that morning: the day had 23 hours.
        (DAY, "America/New_York", utc(2026, 3, 9, 4)),
        (dt.date(2026, 3, 7), "America/New_York", utc(2026, 3, 8, 5)),
        (DAY, "Pacific/Auckland", utc(2026, 3, 8, 11)),
        # Midnight itself was skipped.
        (dt.date(2018, 11, 3), "America/Sao_Paulo", utc(2018, 11, 4, 3)),
        (dt.date(2023, 3, 25), "Asia/Beirut", utc(2023, 3, 25, 22)),
        # Midnight came twice: the date was over at the first.
        (dt.date(2024, 11, 2), "America/Havana", utc(2024, 11, 3, 4)),
        # Clocks jumped from 23:00 right to midnight.
        (dt.date(2025, 3, 29), "America/Nuuk", utc(2025, 3, 30, 1)),
        # Half an hour before midnight they jumped past it.
        (dt.date(1919, 3, 30), "America/Toronto", utc(1919, 3, 31, 4, 30)),
        # A whole day was left out.
        (dt.date(2011, 12, 29), "Pacific/Apia", utc(2011, 12, 30, 10)),
    ],
)
def test_when_a_date_ends_in_a_zone(date: dt.date, zone: str, expected: dt.datetime) -> None:
    assert calendar.ends_at(date, ZoneInfo(zone)) == expected


@given(MODERN, ZONES)
def test_a_date_ends_where_the_next_one_begins(date: dt.date, name: str) -> None:
    zone = calendar.parse_zone(name)
    end = calendar.ends_at(date, zone)
    assert calendar.today(end, zone) > date
    assert calendar.today(end - SECOND, zone) <= date


@pytest.mark.parametrize("tz", ["UTC", "America/New_York", "Pacific/Kiritimati", "Asia/Kathmandu"])
def test_the_machine_s_own_zone_does_not_matter(tz: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "TZ", tz)
    time.tzset()
    try:
        test_a_date_begins_in_the_first_zone_and_ends_in_the_last()
        test_when_a_date_ends_in_a_zone(DAY, "America/New_York", utc(2026, 3, 9, 4))
        assert calendar.today(utc(2026, 3, 8, 23, 59)) == DAY
    finally:
        monkeypatch.undo()
        time.tzset()


@given(DATES)
def test_a_date_is_read_as_it_is_written(date: dt.date) -> None:
    assert calendar.parse_date(date.isoformat()) == date


@pytest.mark.parametrize(
    "text",
    [
        "",
        "today",
        "2026-3-8",
        "2026-03-8",
        "20260308",
        "2026-W10-7",
        "2026-03-08T00:00",
        "2026-03-08\n",
        " 2026-03-08",
        "2026-02-29",
        "2026-13-01",
        "2026-00-10",
        "1699920000",
        "-2026-03-08",
        "٢٠٢٦-٠٣-٠٨",
        "0000-01-01",
        "0001-01-01",
        "1899-12-31",
        "9999-12-31",
        "2026-03-08\x00",
    ],
)
def test_nothing_else_is_a_date(text: str) -> None:
    with pytest.raises(DateError):
        calendar.parse_date(text)


@given(st.sampled_from([calendar.FIRST_DATE, calendar.LAST_DATE]), ZONES)
def test_the_first_and_the_last_date_can_be_reckoned_with(date: dt.date, name: str) -> None:
    zone = calendar.parse_zone(name)
    assert calendar.visible_from(date) < calendar.ends_at(date, zone) <= calendar.closes_at(date)


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../UTC",
        "/etc/passwd",
        "America",
        "localtime",
        "utc\x00",
        "Mars/Base",
        "+02:00",
    ],
)
def test_nothing_else_is_a_zone(name: str) -> None:
    with pytest.raises(ZoneError):
        calendar.parse_zone(name)
