"""The walk for a doubter in ``docs/verify.md``, done as a reader would do it, over two days."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from service.api.app import create_app
from service.settings import Settings
from service.store.database import Database
from tests.api.real_answers import world
from tests.journeys.pages import run
from tests.searches import CannedSearches
from tests.serving import served

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "verify.md"
CLOSED = "\n## When it is closed"
PROMISED = "\n## What was promised"


def shown(text: str) -> list[str]:
    """The lines that a part of the page shows of what is printed."""
    blocks = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line != "…"]


def in_order(lines: list[str], printed: list[str]) -> bool:
    """Whether all of these lines are printed, one after another, with others between them."""
    left = iter(printed)
    return all(line in left for line in lines)


def test_a_doubter_verifies_a_daily(database: Database, tmp_path: Path) -> None:
    made = world(database)
    app = create_app(Settings(rate_limit="off"), database, made.clock, CannedSearches())
    nothing_kept = tmp_path / "nothing-kept"
    nothing_kept.mkdir()
    shutil.copytree(
        ROOT / "checker",
        tmp_path / "gaps" / "checker",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    shutil.copy(ROOT / "Makefile", tmp_path / "gaps")
    with served(app) as url:
        page = PAGE.read_text("utf-8").replace("http://127.0.0.1:8000", url)
        live, found, closed = page.partition(CLOSED)
        assert found
        assert run(live, tmp_path) == ""
        made.clock.advance(days=2)
        printed = run(closed, tmp_path).splitlines()
        alone, found, _ = closed.partition(PROMISED)
        assert found
        assert "\nWon.\n" in run(alone, nothing_kept)
    lines = shown(closed)
    assert in_order(lines, printed), "\n".join(printed)
    assert len(lines) > 15
    assert printed[0] == "checker.pyz: OK"
    assert printed[-1] == "Packed from the source, it is the same."
    assert "Packed again, it is the same." in printed
    assert printed.count("Won.") == 2

    # A deal laid out by hand can keep commitments to its orders, but has no seed.
    bundle = json.loads((tmp_path / "bundle.json").read_text())
    del bundle["document"]["seed"]
    (tmp_path / "bundle.json").write_text(json.dumps(bundle))
    kept = subprocess.run([sys.executable, "kept.py"], cwd=tmp_path, capture_output=True)
    assert kept.returncode == 1
    assert b"without a seed" in kept.stderr


def test_a_line_that_is_not_printed_is_missed() -> None:
    assert in_order(["a", "c"], ["a", "b", "c"])
    assert not in_order(["c", "a"], ["a", "b", "c"])
    assert not in_order(["d"], ["a"])
