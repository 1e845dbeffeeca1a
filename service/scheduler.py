"""The jobs and when they run: dailies prepared ahead, the stock kept up.

Both tick by interval and look at the database for what is missing, so a tick that is missed, run
twice or cut off in the middle does no harm. Nothing is remembered between ticks, and when the next
one comes does not hang on what time it is: a clock that was wrong and is put right stops no job.
"""

from collections.abc import Callable
from threading import Event, Thread
from typing import Final

import structlog

from service import metrics
from service.clock import Clock
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
        # Daemons: one that waits for a database which is gone must not keep the process.
        self._threads = [
            Thread(target=self._repeat, args=(job,), name=job.__name__, daemon=True)
            for job in (self.prepare_dailies, self.keep_stock)
        ]

    def start(self) -> None:
        """Runs the jobs now and from now on, each in a thread of this process."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Ends the jobs: a search that runs is given up, whatever is being stored is stored."""
        self._stopping.set()
        self.processes.shutdown(cancel_futures=True)
        for thread in self._threads:
            if thread.ident is not None:
                thread.join(STOP_SECONDS)

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

    def _repeat(self, job: Callable[[], object]) -> None:
        tick = self._guarded(job)
        tick()
        while not self._stopping.wait(self._settings.tick_seconds):
            tick()

    def _guarded(self, job: Callable[[], object]) -> Callable[[], None]:
        """A job whose failure is logged, and tried again at the next tick."""

        def tick() -> None:
            try:
                job()
                metrics.task_done(job.__name__, self._clock())
            except DatabaseUnavailableError as error:
                log.error("a job could not reach the database", job=job.__name__, error=str(error))
            # A search that is cut off by `stop` fails in whatever it was doing.
            except Exception:
                if not self._stopping.is_set():
                    log.exception("a job failed", job=job.__name__)

        return tick
