"""Ending in time: a process that was asked to end does so within seconds, whatever it waits for."""

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Final

import structlog

END_SECONDS: Final = 4.0
"""How long a service may take to end in good order once it is asked to."""

_log = structlog.get_logger(__name__)


def on_signals(end: Callable[[], object], seconds: float = END_SECONDS) -> None:
    """Has SIGINT and SIGTERM call `end`, and end this process if that has not done it in time.

    A thread that waits for a database cannot be told to stop, and Python would wait for it.
    """

    def asked(_: int, __: FrameType | None) -> None:
        begin_to_end(seconds)
        end()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, asked)


def begin_to_end(seconds: float = END_SECONDS) -> None:
    """Ends this process, with status 0, if it is still there after so many seconds.

    What it has started notices and ends as well, see `service.processes.end_with_parent`.
    """
    timer = threading.Timer(seconds, _end)
    timer.daemon = True
    timer.start()


def _end() -> None:
    _log.warning("ended without waiting any longer", seconds=END_SECONDS)
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
