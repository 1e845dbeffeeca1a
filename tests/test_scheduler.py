"""The jobs: they go on whatever the clock says."""

import datetime as dt
import threading

import pytest
import time_machine

from service.clock import system_clock
from service.scheduler import Jobs
from service.settings import Settings
from service.store.database import Database


class Ticks:
    """Counts the ticks of a job, for those who wait for the next one."""

    def __init__(self) -> None:
        self._count = 0
        self._ticked = threading.Condition()

    def __call__(self, *_: object) -> None:
        with self._ticked:
            self._count += 1
            self._ticked.notify_all()

    def two_more(self) -> bool:
        """Whether two more come; the first of them may have been under way before."""
        with self._ticked:
            wanted = self._count + 2
            return self._ticked.wait_for(lambda: self._count >= wanted, timeout=60)


@pytest.mark.parametrize("job", ["prepare_dailies", "keep_stock"])
@pytest.mark.parametrize("jump", [dt.timedelta(days=400), dt.timedelta(days=-400)])
def test_a_clock_that_jumps_and_is_put_right_stops_no_job(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, job: str, jump: dt.timedelta
) -> None:
    ticks = Ticks()
    for name in ("prepare_dailies", "keep_stock"):
        monkeypatch.setattr(Jobs, name, ticks if name == job else _idle)
    ticks.__name__ = job  # type: ignore[attr-defined]
    with Database.open(sqlite_url) as database:
        jobs = Jobs(Settings(tick_seconds=0.1), database, system_clock)
        jobs.start()
        try:
            assert ticks.two_more()
            with time_machine.travel(system_clock() + jump):
                assert ticks.two_more()
            assert ticks.two_more()
        finally:
            jobs.stop()


def _idle(*_: object) -> None:
    pass
