"""The jobs and when they run: dailies prepared ahead, the stock kept up.

Both tick by interval and look at the database for what is missing, so a tick that is missed, run
twice or cut off in the middle does no harm. Nothing is remembered between ticks. APScheduler makes
appointments with the clock; one that a wrong clock made too far ahead is brought forward, so that a
clock that is put right stops no job.
"""

import datetime as dt
from collections.abc import Callable
from threading import Event, Lock, Thread
from typing import Final

import structlog
from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.base import BaseTrigger

from service import metrics
from service.clock import Clock, system_clock
from service.minting.minter import Minter
from service.minting.workers import SearchProcesses
from service.publishing.publish import Mint, PublishedDate, PublishOutcome
from service.publishing.reconcile import reconcile
from service.settings import Settings
from service.store.database import Database
from service.store.engine import DatabaseUnavailableError

log = structlog.get_logger(__name__)

STOP_SECONDS: Final = 1.0
"""How long a job may take to store what it is storing when the jobs are stopped."""


class _Tick(BaseTrigger):  # type: ignore[misc]
    """A tick from now. The library's interval counts every tick missed, be it all of a year's."""

    def __init__(self, seconds: float) -> None:
        self._distance = dt.timedelta(seconds=seconds)

    def get_next_fire_time(self, _: dt.datetime | None, now: dt.datetime) -> dt.datetime:
        """When the next tick is due."""
        return now + self._distance


class Jobs:
    """The jobs of one process: `start` them, and `stop` them within seconds.

    They share one set of search processes, which start with the first search.
    """

    def __init__(self, settings: Settings, database: Database, clock: Clock) -> None:
        self._settings = settings
        self._database = database
        self._clock = clock
        self._stopping = Event()
        self.processes = SearchProcesses(
            settings.search_processes, settings.search_seconds, settings.search_memory_mb
        )
        self.minter = Minter(
            settings,
            database,
            clock,
            self.processes,
            parallel=settings.search_processes,
            stopped=self._stopping.is_set,
        )
        self._ticking: list[Lock] = []
        self._scheduler = BackgroundScheduler(
            timezone=dt.UTC,
            executors={"default": ThreadPoolExecutor(2)},
            # A late tick is as good as one in time, and one is as good as several.
            job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
        )

    def start(self) -> None:
        """Runs the jobs now and from now on, in threads of this process."""
        for job in (self.prepare_dailies, self.keep_stock):
            self._scheduler.add_job(
                self._guarded(job),
                _Tick(self._settings.tick_seconds),
                # The scheduler lives by the system's clock, whatever clock the jobs are given.
                next_run_time=system_clock(),
                id=job.__name__,
            )
        self._scheduler.start()
        Thread(target=self._keep_appointments, name="appointments", daemon=True).start()

    def stop(self) -> None:
        """Ends the jobs: a search that runs is given up, whatever is being stored is stored.

        One that waits for a database which is gone is not waited for.
        """
        self._stopping.set()
        self.processes.shutdown(cancel_futures=True)
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)
            for ticking in self._ticking:
                if ticking.acquire(timeout=STOP_SECONDS):
                    ticking.release()

    def prepare_dailies(
        self,
        *,
        horizon_days: int | None = None,
        mint: Mint | None = None,
        on_published: Callable[[PublishedDate], None] | None = None,
    ) -> list[PublishedDate]:
        """Publishes every date up to the horizon that lacks its daily.

        The horizon is that of the settings, unless `horizon_days` is given; `mint` replaces the
        quiet minting of a deal where the stock is empty.
        """
        settings = self._settings
        if horizon_days is not None:
            settings = settings.model_copy(update={"horizon_days": horizon_days})
        return reconcile(
            self._database,
            settings,
            self._clock,
            mint or self.minter.mint_one,
            on_published=on_published or self._log_published,
            stopped=self._stopping.is_set,
        )

    def _log_published(self, published: PublishedDate) -> None:
        missed = published.outcome is PublishOutcome.NO_DEAL
        if missed and self._stopping.is_set():
            return
        (log.warning if missed else log.info)(
            "no deal for a date" if missed else "published",
            variant=published.variant,
            date=published.date.isoformat(),
            outcome=published.outcome.value,
        )

    def keep_stock(self) -> None:
        """Mints what the stock of each variant lacks."""
        for variant in self._settings.variants:
            lacking = self.minter.lacking(variant)
            if lacking and not self._stopping.is_set():
                report = self.minter.mint(variant, lacking)
                log.info(
                    "minted",
                    variant=variant,
                    stored=len(report.deal_ids),
                    lacking=lacking - len(report.deal_ids),
                    positions=report.positions,
                    outcomes={outcome.value: n for outcome, n in report.outcomes.items()},
                )

    def _keep_appointments(self) -> None:
        """Brings forward what is further ahead than a tick: its clock has been put back since."""
        tick = dt.timedelta(seconds=self._settings.tick_seconds)
        # This waits for so long, whatever the clock says meanwhile.
        while not self._stopping.wait(tick.total_seconds()):
            for job in self._scheduler.get_jobs():
                if job.next_run_time > system_clock() + tick:
                    job.modify(next_run_time=system_clock())

    def _guarded(self, job: Callable[[], object]) -> Callable[[], None]:
        """A job whose failure is logged, and tried again at the next tick."""

        ticking = Lock()
        self._ticking.append(ticking)

        def tick() -> None:
            try:
                with ticking:
                    job()
                metrics.task_done(job.__name__, self._clock())
            except DatabaseUnavailableError as error:
                log.error("a job could not reach the database", job=job.__name__, error=str(error))
            # A search that is cut off by `stop` fails in whatever it was doing.
            except Exception:
                if not self._stopping.is_set():
                    log.exception("a job failed", job=job.__name__)

        return tick
