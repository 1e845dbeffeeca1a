"""Several processes on one database: one daily a date, no errors, no request that fails."""

import datetime as dt
import itertools
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI

from service.api.app import create_app
from service.game.shuffle import numbered_seed
from service.minting.mint import store_win
from service.minting.search import SearchLimits, search
from service.publishing.calendar import today
from service.publishing.reconcile import reconcile
from service.settings import Settings
from service.store import dailies
from service.store.database import Database
from tests.api.client import client_of
from tests.clock import FakeClock
from tests.databases import PostgresServer
from tests.journeys.processes import running

LIMITS = SearchLimits(budget=500_000, max_redeals=2, memory_mb=64)


def test_four_api_processes_and_two_schedulers_on_one_postgresql(
    tmp_path: Path, postgres_server: PostgresServer
) -> None:
    ahead: dict[str, Any] = {"stock": "2", "horizon_days": "2", "tick_seconds": "0.2"}
    with (
        postgres_server.fresh(migrated=True) as url,
        running(tmp_path, url, "serve", "--workers", "4", "--no-scheduler") as api,
        running(tmp_path, url, "scheduler", **ahead) as one,
        running(tmp_path, url, "scheduler", **ahead) as two,
    ):
        api.wait_until_serving()
        one.wait_for("minted")
        two.wait_for('"event"')
        with Database.open(url) as database:
            with database.reading() as session:
                deal_id = dailies.every(session)[0].deal_id

            def ask(number: int) -> int:
                if number % 3:
                    return httpx.get(api.url + "/v1/dailies", timeout=30).status_code
                moves = ["undo"] * (number + 1)
                address = f"{api.url}/v1/deals/{deal_id}/submissions"
                return httpx.post(address, json={"moves": moves}, timeout=30).status_code

            with ThreadPoolExecutor(12) as threads:
                answers = Counter(threads.map(ask, range(120)))
            assert answers == {200: 80, 201: 40}
            with database.reading() as session:
                published = [daily.date for daily in dailies.every(session)]
        assert len(published) == len(set(published)) >= 3
        for service in (one, two, api):
            assert service.end() == 0
            assert '"level": "error"' not in service.log
            assert "Traceback" not in service.log


def test_no_request_fails_while_days_change(database: Database, clock: FakeClock) -> None:
    settings = Settings(variants=("classic",), horizon_days=2, daily_max_redeals={"": 2})
    clock.set(dt.datetime(2026, 3, 7, 23, 59, 0, tzinfo=dt.UTC))
    seeds = (numbered_seed("classic", number) for number in itertools.count(1))

    def mint_one(variant: str) -> bool:
        find = search(variant, next(seeds), LIMITS)
        return store_win(database, find, find.line or (), LIMITS, clock)[0] == "stored"

    reconcile(database, settings, clock, mint_one)
    ended = time.monotonic() + 200
    # Each client asks an application of its own, as there is one in each API process. Pydantic
    # builds its schemas at the first request, and not for two threads at once.
    apps = [create_app(settings, database, clock) for _ in range(4)]
    for app in apps:
        with client_of(app) as client:
            assert client.get("/v1/daily").status_code == 200

    def ask(app: FastAPI, zone: str) -> Counter[tuple[int, bool]]:
        answers: Counter[tuple[int, bool]] = Counter()
        with client_of(app) as client:
            while clock.now < dt.datetime(2026, 3, 11, tzinfo=dt.UTC) and time.monotonic() < ended:
                before = today(clock.now).isoformat()
                answer = client.get("/v1/daily", params={"tz": zone})
                date = answer.json().get("date", "")
                right = zone != "UTC" or before <= date <= today(clock.now).isoformat()
                answers[answer.status_code, right] += 1
        return answers

    with ThreadPoolExecutor(4) as threads:
        asking = [
            threads.submit(ask, app, zone)
            for app, zone in zip(
                apps, ("UTC", "UTC", "Pacific/Kiritimati", "Etc/GMT+12"), strict=True
            )
        ]
        while clock.now < dt.datetime(2026, 3, 11, tzinfo=dt.UTC):
            clock.advance(minutes=20)
            reconcile(database, settings, clock, mint_one)
        answers = sum((future.result() for future in asking), Counter[tuple[int, bool]]())
    assert set(answers) == {(200, True)}
    assert answers.total() > 20
