"""Processes that search: an executor whose calls end at a deadline, without harm to the others."""

import os
import resource
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import suppress
from multiprocessing import get_context
from typing import Any, Final, ParamSpec, TypeVar

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
    place) and raises `TimeoutError` from its future. A call that is cancelled, or that a shutdown
    cuts off, raises `CancelledError`.
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
        self._cut_off = threading.Event()
        self._lock = threading.Lock()
        self._calls: set[Future[Any]] = set()

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Has a process call the function, as `concurrent.futures.Executor.submit` does."""
        return self._call(self._pool.schedule(function, args, kwargs, timeout=self._seconds))

    def warm(self) -> "Future[float]":
        """Has one process compile the solver, or load it; the others then find it compiled.

        No deadline: on a first start compiling takes longer than most searches. The future answers
        how many seconds it took.
        """
        return self._call(self._pool.schedule(warm))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the processes: after what they were asked, or at once with `cancel_futures`."""
        if cancel_futures:
            self._cut_off.set()
            self._pool.stop()
            with self._lock:
                left = list(self._calls)
            for call in left:
                call.cancel()
        else:
            self._pool.close()
        if wait:
            self._pool.join()

    def _call(self, scheduled: Future[T]) -> Future[T]:
        """A future of our own for a call of the pool's.

        When the pool stops, its futures fail as if the processes had crashed, or are never done.
        """
        call: Future[T] = Future()
        with self._lock:
            self._calls.add(call)

        def pass_on(done: Future[T]) -> None:
            if self._cut_off.is_set() or done.cancelled():
                call.cancel()
                return
            error = done.exception()
            # Whoever asked may have cancelled the call in the meantime.
            with suppress(InvalidStateError):
                if error is None:
                    call.set_result(done.result())
                else:
                    call.set_exception(error)

        def forget(ended: Future[T]) -> None:
            with self._lock:
                self._calls.discard(ended)
            if ended.cancelled():
                ended.set_running_or_notify_cancel()
                # A pool that stops kills its processes anyway.
                if not self._cut_off.is_set():
                    scheduled.cancel()

        call.add_done_callback(forget)
        scheduled.add_done_callback(pass_on)
        return call


def _settle(memory_mb: int) -> None:
    """What a search process does first."""
    end_with_parent()
    os.nice(NICENESS)
    most = (PROGRAM_MB + 2 * memory_mb) << 20
    _, ceiling = resource.getrlimit(resource.RLIMIT_AS)
    if ceiling == resource.RLIM_INFINITY or most < ceiling:
        resource.setrlimit(resource.RLIMIT_AS, (most, ceiling))
