"""Ending in time: a process that was asked to end does so within seconds, whatever it waits for."""

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import structlog

END_SECONDS: Final = 4.0
"""How long a service may take to end in good order once it is asked to."""

_log = structlog.get_logger(__name__)


def on_signals(end: Callable[[], object]) -> Callable[[], None]:
    """Has SIGINT and SIGTERM call `end`, and end this process if that has not done it in time.

    A thread that waits for a database cannot be told to stop, and Python would wait for it. What is
    answered does the same as a signal, and may be called from another's handler of signals.
    """
    told, tell = os.pipe()
    os.set_blocking(tell, False)

    def asked() -> None:
        # A handler interrupts whatever the main thread does, maybe with a lock in its hand, so it
        # must not want a lock itself, as starting a thread or setting an event does.
        with suppress(BlockingIOError):
            os.write(tell, b"!")

    def wait() -> None:
        os.read(told, 1)
        end()
        time.sleep(END_SECONDS)
        # What it has started notices and ends as well, see `service.processes.end_with_parent`.
        _end()

    threading.Thread(target=wait, name="ending", daemon=True).start()
    # A handler waits until the main thread runs Python again, which may be never: a signal that
    # comes just before it begins to wait for a lock does not wake it. So the signal itself writes,
    # too; the handler is for an event loop that has this descriptor replaced by its own.
    signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: asked())
    return asked


def _end() -> None:
    _log.warning("ended without waiting any longer", seconds=END_SECONDS)
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
