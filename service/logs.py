"""Structured logs: readable on a terminal, one JSON object a line anywhere else.

Everything goes to standard error and through one formatter, also what libraries log.
"""

import json
import logging
import sys
from collections.abc import MutableMapping
from contextlib import nullcontext
from typing import Any

import structlog

from service.clock import system_clock, written

_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


_TRACEBACKS = structlog.processors.ExceptionRenderer(
    structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
)


# Where lines of JSON go; None where a person reads along, or nothing was set up.
_lines: "logging.StreamHandler[Any] | None" = None


def quick_line(level: int, logger: str, event: str, **values: Any) -> bool:
    """Writes a line just as a logger of this name would, at a tenth of the cost.

    For what is logged with every request. False where lines are not JSON: then nothing is written.
    """
    if _lines is None:
        return False
    if logging.getLogger().isEnabledFor(level):
        values |= {
            "event": event,
            "level": logging.getLevelName(level).lower(),
            "logger": logger,
            "timestamp": written(system_clock()),
        }
        line = json.dumps(values) + _lines.terminator
        with _lines.lock or nullcontext():
            _lines.stream.write(line)
            _lines.flush()
    return True


def configure_logs(level: str = "info", *, terminal: bool | None = None) -> None:
    """Sets up all logging of this process. `level` is a name like ``info``, of any case.

    `terminal` says whether a person reads along; by default standard error is asked.
    """
    if terminal is None:
        terminal = sys.stderr.isatty()
    # A traceback never shows the values of variables: seeds and orders are among them.
    last: list[Any] = (
        [structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
        if terminal
        else [_TRACEBACKS, structlog.processors.JSONRenderer()]
    )
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*_SHARED, structlog.stdlib.ExtraAdder()],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _without_colours,
                *last,
            ],
        )
    )
    global _lines
    _lines = None if terminal else handler
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # Each step of a migration would be a line, and each tick of the scheduler, which also warns of
    # every one that comes while the one before is still at work, as minting may be for long.
    logging.getLogger("alembic").setLevel(logging.WARNING)
    logging.getLogger("apscheduler").setLevel(logging.ERROR)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def _without_colours(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Drops the copy of a message that uvicorn colours for terminals."""
    event.pop("color_message", None)
    return event
