"""The walk through a day in ``docs/playing.md``, done as a reader would do it."""

import json
from pathlib import Path

from service.api.app import create_app
from service.settings import Settings
from service.store.database import Database
from tests.api.real_answers import TODAY, world
from tests.journeys.pages import run
from tests.searches import CannedSearches
from tests.serving import served

PAGE = Path(__file__).parents[2] / "docs" / "playing.md"


def test_a_day(database: Database, tmp_path: Path) -> None:
    made = world(database)
    app = create_app(Settings(rate_limit="off"), database, made.clock, CannedSearches())
    with served(app) as url:
        said = run(PAGE.read_text("utf-8").replace("http://127.0.0.1:8000", url), tmp_path)
    assert said.startswith("304\n")
    assert "Redeal 2 after" in said
    assert "The game is over: no-redeals-left" in said
    assert "\nWon.\n" in said
    assert f"The deal was called {made.yesterday} from the start." in said

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
    assert [json.loads(line)["id"] for line in lines] == [made.tomorrow, made.today, made.yesterday]
