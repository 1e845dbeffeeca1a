"""Logs: one JSON object a line, and never the values of variables."""

import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from service.logs import configure_logs, quick_line


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield
    root.handlers[:] = before
    root.setLevel(level)
    structlog.reset_defaults()


def fail() -> None:
    secret = "the-seed-" + "of-tomorrow"
    raise RuntimeError(f"failed with {len(secret)} characters")


@pytest.mark.parametrize("terminal", [True, False])
def test_tracebacks_show_no_values(terminal: bool, capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs(terminal=terminal)
    try:
        fail()
    except RuntimeError:
        structlog.get_logger("gaps").exception("a search failed")
        logging.getLogger("library").exception("something failed")
    told = capsys.readouterr().err
    assert "failed with 20 characters" in told
    assert "the-seed-of-tomorrow" not in told


def test_every_line_is_a_json_object_whoever_wrote_it(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("info", terminal=False)
    structlog.get_logger("gaps").info("published", date="2026-11-30")
    logging.getLogger("uvicorn.error").info("Started", extra={"color_message": "\033[1mS"})
    logging.getLogger("alembic.runtime").info("a step, as there are many")
    logging.getLogger("apscheduler.scheduler").warning("a tick that came too soon")
    structlog.get_logger("gaps").debug("too small to tell")
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["event"] for line in lines] == ["published", "Started"]
    assert lines[0]["date"] == "2026-11-30"
    assert "color_message" not in lines[1]
    assert all(line["timestamp"].endswith("Z") for line in lines)


def test_a_quick_line_is_as_any_other(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("info", terminal=False)
    structlog.get_logger("gaps").info("request", status=200, route="/")
    assert quick_line(logging.INFO, "gaps", "request", status=200, route="/")
    assert quick_line(logging.DEBUG, "gaps", "too small to tell")
    slow, quick = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    assert slow.pop("timestamp")[:19] <= quick.pop("timestamp")[:19]
    assert quick == slow


def test_there_is_no_quick_line_where_a_person_reads(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("info", terminal=True)
    assert not quick_line(logging.INFO, "gaps", "request", status=200)
    assert capsys.readouterr().err == ""
