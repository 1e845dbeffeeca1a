"""Search processes: real ones, killed at a deadline without harm to the others."""

import os
import time
from collections.abc import Iterator
from concurrent.futures import wait

import pytest

from service.game.shuffle import numbered_seed
from service.minting.search import SearchLimits, search
from service.minting.workers import SearchProcesses
from service.solver import Outcome


@pytest.fixture(scope="module")
def processes() -> Iterator[SearchProcesses]:
    running = SearchProcesses(2, seconds=60, memory_mb=256)
    yield running
    running.shutdown(cancel_futures=True)


def dies() -> None:
    os._exit(3)


def test_a_search_in_a_process_finds_what_one_here_finds(processes: SearchProcesses) -> None:
    assert processes.warm().result() >= 0
    seed, limits = numbered_seed("classic", 3), SearchLimits(200_000, 2, 64)
    there = processes.submit(search, "classic", seed, limits).result()
    here = search("classic", seed, limits)
    assert there.outcome is Outcome.WON
    assert (there.line, there.positions) == (here.line, here.positions)


def allocate(megabytes: int) -> int:
    return len(bytearray(megabytes << 20))


def test_a_search_cannot_take_all_memory_and_stands_back(processes: SearchProcesses) -> None:
    assert processes.submit(allocate, 256).result() == 256 << 20
    assert isinstance(processes.submit(allocate, 64 << 10).exception(), MemoryError)
    assert processes.submit(os.nice, 0).result() >= 10


def test_a_process_that_dies_harms_no_other_call(processes: SearchProcesses) -> None:
    sleeping = processes.submit(time.sleep, 0.5)
    dying = processes.submit(dies)
    assert dying.exception() is not None
    assert sleeping.result() is None
    assert processes.submit(os.getpid).result() > 0


def test_a_call_past_its_deadline_is_ended_and_the_next_one_runs() -> None:
    short = SearchProcesses(1, seconds=0.3, memory_mb=64)
    try:
        late = short.submit(time.sleep, 60)
        assert isinstance(late.exception(timeout=30), TimeoutError)
        assert short.submit(os.getpid).result(timeout=30) > 0
    finally:
        short.shutdown(cancel_futures=True)


def test_shutting_down_ends_what_runs() -> None:
    running = SearchProcesses(1, seconds=600, memory_mb=64)
    pid = running.submit(os.getpid).result()
    running.submit(time.sleep, 600)
    running.shutdown(cancel_futures=True)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with pytest.raises(RuntimeError):
        running.submit(os.getpid)


def test_what_a_shutdown_cuts_off_is_cancelled_and_no_crash() -> None:
    # Where a search is when the pool stops is a matter of milliseconds, so it is tried often.
    for delay in (0, 0.001, 0.01, 0.05, 0.1, 0.2):
        running = SearchProcesses(2, seconds=600, memory_mb=64)
        running.submit(os.getpid).result()
        calls = [running.submit(time.sleep, 0.1) for _ in range(6)]
        calls[5].cancel()
        time.sleep(delay)
        running.shutdown(cancel_futures=True)
        done, left = wait(calls, timeout=30)
        assert not left
        for call in done:
            assert call.cancelled() or call.exception() is None


def test_a_call_that_is_cancelled_is_ended_and_the_next_one_runs(
    processes: SearchProcesses,
) -> None:
    calls = [processes.submit(time.sleep, 600) for _ in range(3)]
    time.sleep(0.3)
    assert all(call.cancel() for call in calls)
    assert wait(calls, timeout=30).not_done == set()
    assert processes.submit(os.getpid).result(timeout=30) > 0
