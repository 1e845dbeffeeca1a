"""Schemathesis against a live server: what the OpenAPI document allows, and what it does not."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn
from fastapi import FastAPI

from service.api.app import create_app
from service.settings import Settings
from service.store.database import Database
from tests.api.real_answers import world
from tests.journeys.processes import free_port
from tests.searches import CannedSearches

SCHEMATHESIS = Path(sys.executable).with_name("schemathesis")
SECONDS = 30
# What no schema can say of valid data: which names time zones have, where a cursor is from, and
# which documents are deals.
CONFIGURATION = "\n".join(
    f"""
[[operations]]
include-operation-id = "{name}"
checks.positive_data_acceptance.expected-statuses = ["2xx", 404, 422]
"""
    for name in ("getToday", "listDailies", "verifyLog")
)


@contextmanager
def served(app: FastAPI) -> Iterator[str]:
    """The URL of an application that a thread serves."""
    port = free_port()
    server = uvicorn.Server(
        uvicorn.Config(app, port=port, log_config=None, access_log=False, proxy_headers=False)
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


@pytest.mark.parametrize("phases", ["examples,coverage", "fuzzing,stateful"])
def test_all_checks(database: Database, tmp_path: Path, phases: str) -> None:
    """Every call as its example, at the edges of its parameters, at random, and by its links."""
    settings = Settings(rate_limit="off")
    clock = world(database).clock
    (tmp_path / "schemathesis.toml").write_text(CONFIGURATION)
    with served(create_app(settings, database, clock, CannedSearches())) as url:
        ran = subprocess.run(
            [
                *(SCHEMATHESIS, "run", f"{url}/openapi.json", "--checks", "all"),
                *("--phases", phases, "--max-time", str(SECONDS), "--seed", "20260308"),
                *("--generation-database", "none", "--no-color", "--continue-on-failure"),
                *("--suppress-health-check", "all", "--max-examples", "40"),
            ],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
    assert ran.returncode == 0, ran.stdout + ran.stderr
