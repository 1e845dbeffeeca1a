"""Practice: numbered deals to play besides the daily, verified when they are first asked for."""

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Final

import structlog

from service.clock import Clock
from service.minting.numbered import LARGEST_NUMBER, NumberedDeals
from service.minting.workers import SearchProcesses
from service.settings import Settings
from service.store.database import Database, DatabaseUnavailableError
from service.store.tables import Practice

MOST_WAITING: Final = 8
"""How many may wait for searches at a time; who comes then is told to come again."""
MOST_TRIES: Final = 12
"""How many numbers are tried for the next one that can be won.

Even of the variants without redeals about every second one can, so this seldom finds none.
"""

_log = structlog.get_logger(__name__)


class NoWinError(LookupError):
    """A number whose deal was not won.

    `following` is the next number whose deal was; None if none was found among those near.
    """

    def __init__(self, following: int | None) -> None:
        super().__init__("no win of this numbered deal was found")
        self.following = following


class BusyError(Exception):
    """Too many searches are under way, or one was cut off: to be asked again in a while."""


def search_processes(settings: Settings) -> SearchProcesses:
    """A process of its own for searches that somebody waits for."""
    processes = SearchProcesses(1, settings.search_seconds, settings.search_memory_mb)
    # Compiling may take longer than any search is given; searches that come now wait for it.
    processes.warm()
    return processes


class PracticeDeals:
    """Numbered deals. A number is searched once, however many ask for it at the same time.

    `executor` makes what runs the searches, with the first of them; `close` ends it.
    """

    def __init__(
        self,
        settings: Settings,
        database: Database,
        clock: Clock,
        executor: Callable[[Settings], Executor] = search_processes,
    ) -> None:
        self._numbered = NumberedDeals(settings, database, clock, self._searching)
        self._settings = settings
        self._start = executor
        self._lock = threading.Lock()
        self._executor: Executor | None = None
        self._closed = False
        self._under_way: dict[tuple[str, int], Future[Practice]] = {}
        self._waiting = threading.BoundedSemaphore(MOST_WAITING)

    def deal_id(
        self, variant: str, number: int, before_search: Callable[[], None] = lambda: None
    ) -> str:
        """The id of a number's deal, which from then on is a published one.

        `before_search` is called where a search is needed, and may raise what it likes.
        Raises `NoWinError` and `BusyError`.
        """
        known = self._numbered.known(variant, number)
        if known is None:
            before_search()
            known = self._verified(variant, number)
        if known.deal_id is None:
            raise NoWinError(self._following(variant, number, before_search))
        return known.deal_id

    def won_from(
        self, variant: str, number: int, before_search: Callable[[], None] = lambda: None
    ) -> int:
        """The first number from this one on whose deal was won.

        Raises `NoWinError` if none was found among those near, and `BusyError`.
        """
        try:
            self.deal_id(variant, number, before_search)
        except NoWinError as lost:
            if lost.following is None:
                raise
            return lost.following
        return number

    def close(self) -> None:
        """Ends the searches, those under way too, for good."""
        with self._lock:
            self._closed = True
            if self._executor is not None:
                self._executor.shutdown(cancel_futures=True)
                self._executor = None

    def _following(
        self, variant: str, number: int, before_search: Callable[[], None]
    ) -> int | None:
        last = min(number + MOST_TRIES, LARGEST_NUMBER)
        for other in range(number + 1, last + 1):
            known = self._numbered.known(variant, other)
            if known is None:
                before_search()
                known = self._verified(variant, other)
            if known.deal_id is not None:
                return other
        return None

    def _verified(self, variant: str, number: int) -> Practice:
        """What came of a number: by a search of our own, or by one that is under way already."""
        if not self._waiting.acquire(blocking=False):
            raise BusyError
        try:
            with self._lock:
                others = self._under_way.get((variant, number))
                if others is None:
                    ours = self._under_way[variant, number] = Future()
            if others is not None:
                return others.result()
            try:
                ours.set_result(self._searched(variant, number))
            except BaseException as error:
                ours.set_exception(error)
            finally:
                with self._lock:
                    del self._under_way[variant, number]
            return ours.result()
        finally:
            self._waiting.release()

    def _searched(self, variant: str, number: int) -> Practice:
        # Between the first look and now another search for it may have come to its end.
        known = self._numbered.known(variant, number)
        if known is not None:
            return known
        try:
            return self._numbered.verify(variant, number)
        except DatabaseUnavailableError:
            raise
        # The search ran into its deadline, its process died or the service shuts down: nothing is
        # known of the deal.
        except Exception as error:
            _log.warning(
                "a search was cut off", variant=variant, number=number, reason=type(error).__name__
            )
            raise BusyError from None

    def _searching(self) -> Executor:
        with self._lock:
            if self._closed:
                raise BusyError
            if self._executor is None:
                self._executor = self._start(self._settings)
            return self._executor
