"""The walk through a day in ``docs/playing.md``, done as a reader would do it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from service.api.app import create_app
from service.settings import Settings
from service.store.database import Database
from tests.api.real_answers import TODAY, world
from tests.searches import CannedSearches
from tests.serving import served

PAGE = Path(__file__).parents[2] / "docs" / "playing.md"


def test_a_day(database: Database, tmp_path: Path) -> None:
    made = world(database)
    app = create_app(Settings(rate_limit="off"), database, made.clock, CannedSearches())
    script = ["set -euo pipefail"]
    with served(app) as url:
        for kind, block in re.findall(r"```(\w+)\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL):
            block = block.replace("http://127.0.0.1:8000", url)
            if kind == "python":
                name = re.match(r"# (\w+\.py):", block)
                assert name is not None
                (tmp_path / name[1]).write_text(block)
            else:
                assert kind == "sh"
                script.append(block)
        ran = subprocess.run(
            ["bash", "-c", "\n".join(script)],
            cwd=tmp_path,
            env={"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
        )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    said = ran.stdout
    assert said.startswith("304\n")
    assert "Redeal 2 after" in said
    assert "The game is over: no-redeals-left" in said
    assert "\nWon.\n" in said
    assert f"The deal was called {made.closed} from the start." in said

    daily, submission, practice = (
        json.loads((tmp_path / f"{name}.json").read_text())
        for name in ("daily", "submission", "practice")
    )
    assert daily["deal"]["layout"] == TODAY.document["layout"]
    verdict = submission["verdict"]
    assert (verdict["legal"], verdict["redeals"]) == (True, 2)
    told = said[said.index("{") :]
    stats, end = json.JSONDecoder().raw_decode(told)
    record, _ = json.JSONDecoder().raw_decode(told[end:].lstrip())
    assert (stats["submissions"], record["best_ordered"]) == (1, verdict["ordered"])
    assert practice["number"] == 52
    lines = (tmp_path / "archive.ndjson").read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines] == [made.today, made.closed]
