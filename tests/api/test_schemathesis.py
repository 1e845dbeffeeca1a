"""Schemathesis against a live server: what the OpenAPI document allows, and what it does not."""

import subprocess
import sys
from pathlib import Path

import pytest

from service.api.app import create_app
from service.settings import Settings
from service.store.database import Database
from tests.api.real_answers import world
from tests.searches import CannedSearches
from tests.serving import served

SCHEMATHESIS = Path(sys.executable).with_name("schemathesis")
SECONDS = 10
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
