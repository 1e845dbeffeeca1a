"""A clock that stands still until a test sets it."""

import datetime as dt
import threading

NOON = dt.datetime(2026, 3, 8, 12, 0, tzinfo=dt.UTC)
"""Where it stands at first: a day on which clocks change in America."""


class FakeClock:
    """A `service.clock.Clock` in a test's hands."""

    def __init__(self, now: dt.datetime = NOON) -> None:
        self.now = now
        self._lock = threading.Lock()

    def __call__(self) -> dt.datetime:
        with self._lock:
            return self.now

    @property
    def today(self) -> dt.date:
        """The date in UTC."""
        return self.now.date()

    def set(self, now: dt.datetime) -> None:
        """Makes it an instant."""
        with self._lock:
            self.now = now

    def advance(self, **parts: float) -> None:
        """Goes on by a `timedelta` of these parts, back by negative ones."""
        self.set(self.now + dt.timedelta(**parts))
