"""Ending in time, whatever the main thread is at."""

import signal
import subprocess
import sys

import pytest

# Waits twice for one lock, within one call into the system's library: no signal wakes it.
STUCK = """
import ctypes, threading
from service.cli.ending import on_signals

def end():
    print("asked to end", flush=True)

on_signals(end)
lock = ctypes.create_string_buffer(128)
wait = ctypes.CDLL(None).pthread_mutex_lock
wait(lock)
print("stuck", flush=True)
wait(lock)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_main_thread_that_never_runs_python_again_keeps_nothing_alive(number: int) -> None:
    """Such is one that a signal reaches just before it waits for a lock: one time in hundreds."""
    with subprocess.Popen(
        [sys.executable, "-c", STUCK], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "stuck\n"
        process.send_signal(number)
        try:
            printed, _ = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == 0
    assert printed.startswith("asked to end\n")
    assert "ended without waiting any longer" in printed
