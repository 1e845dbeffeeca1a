"""Processes that search: an executor whose calls end at a deadline, without harm to the others."""

import os
import resource
from collections.abc import Callable
from concurrent.futures import Executor, Future
from multiprocessing import get_context
from typing import Final, ParamSpec, TypeVar

from pebble import ProcessPool

from service.minting.search import warm
from service.processes import end_with_parent

P = ParamSpec("P")
T = TypeVar("T")

NICENESS: Final = 10
"""How far searches stand back behind whatever answers requests on the same machine."""

PROGRAM_MB: Final = 3072
"""What a process maps without any search: Python, the compiler, the compiled code."""


class SearchProcesses(Executor):
    """Local processes behind the interface of `concurrent.futures`.

    Each call may take `seconds`; one that takes longer has its process killed (a new one takes its
    place) and raises `TimeoutError` from its future, as a cancelled call raises `CancelledError`.
    A process cannot map much more than twice `memory_mb` (a table that grows is there twice) beyond
    what the program itself takes. The processes start with the first call and stay.
    """

    def __init__(self, processes: int, seconds: float, memory_mb: int) -> None:
        self._seconds = seconds
        # A process with threads, as the pool's own are, must not fork: the child may lock up.
        self._pool = ProcessPool(
            processes,
            initializer=_settle,
            initargs=(memory_mb,),
            context=get_context("spawn"),
        )

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Has a process call the function, as `concurrent.futures.Executor.submit` does."""
        return self._pool.schedule(function, args, kwargs, timeout=self._seconds)

    def warm(self) -> "Future[float]":
        """Has one process compile the solver, or load it; the others then find it compiled.

        No deadline: on a first start compiling takes longer than most searches. The future answers
        how many seconds it took.
        """
        return self._pool.schedule(warm)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the processes: after what they were asked, or at once with `cancel_futures`."""
        if cancel_futures:
            self._pool.stop()
        else:
            self._pool.close()
        if wait:
            self._pool.join()


def _settle(memory_mb: int) -> None:
    """What a search process does first."""
    end_with_parent()
    os.nice(NICENESS)
    most = (PROGRAM_MB + 2 * memory_mb) << 20
    _, ceiling = resource.getrlimit(resource.RLIMIT_AS)
    if ceiling == resource.RLIM_INFINITY or most < ceiling:
        resource.setrlimit(resource.RLIMIT_AS, (most, ceiling))
