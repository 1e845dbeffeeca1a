"""Bundles as the API answers them: what the checker wants, when a solution is open."""

import datetime as dt
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

import checker
from service.api.problems import Problem
from service.store.database import Database
from service.store.identity import deal_id as id_of
from tests.api.client import Client, problem
from tests.clock import FakeClock
from tests.deals import WonDeal, minted, publish_deal, won, won_deals

WIN = won("classic", redeals=2)[0]
ROOT = Path(__file__).parents[2]
ONE_PER_VARIANT = list({deal.variant: deal for deal in won_deals()}.values())


def closed_bundle(
    client: Client, database: Database, clock: FakeClock, win: WonDeal = WIN
) -> httpx.Response:
    """The bundle of a daily two days later."""
    name = publish_deal(database, win, clock.today, clock)
    clock.advance(days=2)
    return client.get(f"/v1/deals/{name}/bundle")


def gaps_check(content: bytes, folder: Path) -> "subprocess.CompletedProcess[str]":
    """What the checker says of a bundle, in a process of its own."""
    (folder / "bundle.json").write_bytes(content)
    return subprocess.run(
        [sys.executable, "-m", "checker", str(folder / "bundle.json")],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("win", ONE_PER_VARIANT, ids=lambda win: win.variant)
def test_the_checker_verifies_what_is_answered(
    client: Client, database: Database, clock: FakeClock, tmp_path: Path, win: WonDeal
) -> None:
    response = closed_bundle(client, database, clock, win)
    ran = gaps_check(response.content, tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.endswith("\nWon.\n")
    assert checker.check_bundle(response.json()).as_json() == win.verdict


def test_a_bundle_holds_what_is_stored(
    client: Client, database: Database, clock: FakeClock
) -> None:
    date = clock.today
    found: dict[str, Any] = closed_bundle(client, database, clock).json()
    stored = minted(WIN)
    assert found == {
        "format": "gaps-bundle/1",
        "document": WIN.document,
        "line": WIN.line,
        "provenance": {
            "solver_version": stored.solver_version,
            "budget": stored.budget,
            "positions": stored.positions,
            "moves": len(WIN.line),
            "redeals": 2,
            "minted_at": "2026-03-08T12:00:00Z",
            "variant": "classic",
            "number": None,
            "date": str(date),
            "published_at": "2026-03-08T12:00:00Z",
        },
    }


def test_a_damaged_bundle_is_refused(
    client: Client, database: Database, clock: FakeClock, tmp_path: Path
) -> None:
    """What the command says above hangs on what is in the file."""
    bundle = closed_bundle(client, database, clock).json()
    illegal = {**bundle, "line": bundle["line"][::-1]}
    assert gaps_check(json.dumps(illegal).encode(), tmp_path).returncode == 2
    shortened = {**bundle, "line": bundle["line"][:-1]}
    assert gaps_check(json.dumps(shortened).encode(), tmp_path).returncode == 3


def test_a_bundle_is_sealed_as_long_as_the_solution(
    client: Client, database: Database, clock: FakeClock
) -> None:
    name = publish_deal(database, WIN, clock.today, clock)
    path = f"/v1/deals/{name}"
    for now in (clock.now, dt.datetime(2026, 3, 9, 11, 59, 59, tzinfo=dt.UTC)):
        clock.set(now)
        sealed = problem(client.get(f"{path}/bundle"), Problem.SOLUTION_SEALED)
        assert sealed == client.get(f"{path}/solution").json()
    clock.advance(seconds=1)
    assert client.get(f"{path}/bundle").status_code == 200


def test_a_bundle_never_changes_and_says_so(
    client: Client, database: Database, clock: FakeClock
) -> None:
    plain = closed_bundle(client, database, clock)
    path = plain.request.url.path
    for encoding, packed in (("gzip", "gzip"), ("identity", None)):
        headers = {"Accept-Encoding": encoding}
        got = client.get(path, headers=headers)
        assert got.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert got.headers.get("content-encoding") == packed
        assert got.content == plain.content
        tag = got.headers["etag"]
        assert tag.startswith('"')
        assert client.get(path, headers=headers | {"If-None-Match": tag}).status_code == 304
        head = client.head(path, headers=headers)
        assert (head.status_code, head.content, head.headers["etag"]) == (200, b"", tag)


def test_a_deal_to_practise_has_its_bundle_from_the_start(client: Client, tmp_path: Path) -> None:
    practice = client.get(f"/v1/practice/classic/{WIN.number}").json()
    response = client.get(practice["links"]["bundle"])
    ran = gaps_check(response.content, tmp_path)
    assert ran.returncode == 0
    assert f"  The seed is that of classic, number {WIN.number}.\n" in ran.stdout
    bundle = response.json()
    assert bundle["provenance"]["number"] == WIN.number
    assert (bundle["document"], bundle["line"]) == (practice["deal"], WIN.line)
    assert id_of(bundle["document"]) == practice["id"]
    assert bundle["provenance"]["date"] is bundle["provenance"]["published_at"] is None
