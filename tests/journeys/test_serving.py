"""The service as an operator runs it: real processes, real signals, both databases."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from socket import create_server

import httpx
import psutil
import pytest
from sqlalchemy import text

from service.store import dailies
from service.store.database import Database
from service.store.schema import upgrade
from tests.journeys.processes import free_port, running


def dailies_of(url: str) -> list[tuple[str, str]]:
    """Date and deal of all that is stored, oldest first."""
    with Database.open(url) as database, database.reading() as session:
        return [(daily.date.isoformat(), daily.deal_id) for daily in dailies.every(session)]


def test_from_nothing_to_a_verdict(tmp_path: Path, empty_url: str) -> None:
    if empty_url.startswith("postgresql"):
        upgrade(empty_url)
    with running(tmp_path, empty_url, "serve", stock="1", horizon_days="1") as service:
        service.wait_until_serving()
        daily = httpx.get(service.url + "/v1/daily").json()
        assert daily["state"] == "live"
        assert f"published deal {daily['id']}" in service.log
        assert service.url in service.log
        answer = httpx.post(
            f"{service.url}/v1/deals/{daily['id']}/submissions", json={"moves": ["redeal"]}
        )
        assert answer.status_code == 201
        verdict = answer.json()
        assert not verdict["verdict"]["legal"]
        assert verdict["verdict"]["fault"]["code"] == "redeal-not-stuck"
        assert service.end() == 0
        assert "Traceback" not in service.log
        assert '"level": "error"' not in service.log


def test_killed_and_started_again_it_keeps_what_is_published(
    tmp_path: Path, sqlite_url: str
) -> None:
    seen: list[tuple[str, str]] = []
    for delay in (0.0, 0.3, 1.0, 2.0):
        with running(tmp_path, sqlite_url, "serve", stock="3", horizon_days="4") as service:
            service.wait_until_serving()
            time.sleep(delay)
            service.process.kill()
            service.process.wait()
        there = dailies_of(sqlite_url)
        assert there[: len(seen)] == seen, "what is published stays, and comes in order"
        assert len({date for date, _ in there}) == len(there)
        seen = there
    assert seen
    audit = subprocess.run(
        [Path(sys.executable).with_name("gaps"), "audit", "--json"],
        env={"GAPS_DATABASE_URL": sqlite_url, "PATH": ""},
        capture_output=True,
    )
    assert json.loads(audit.stdout)["faults"] == []


def test_several_workers_answer_on_one_port(tmp_path: Path, database_url: str) -> None:
    with running(tmp_path, database_url, "serve", "--workers", "2", stock="0") as service:
        service.wait_until_serving()
        ids = {httpx.get(service.url + "/v1/daily").json()["id"] for _ in range(20)}
        assert len(ids) == 1
        assert service.end(signal.SIGINT) == 0
        assert "Traceback" not in service.log


def test_a_scheduler_beside_an_api_without_one(tmp_path: Path, database_url: str) -> None:
    with (
        running(tmp_path, database_url, "serve", "--no-scheduler") as api,
        running(
            tmp_path, database_url, "scheduler", stock="0", horizon_days="1", tick_seconds="0.2"
        ) as scheduler,
    ):
        api.wait_until_serving()
        deadline = time.monotonic() + 60
        while len(dailies_of(database_url)) < 3 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert httpx.get(api.url + "/v1/daily").status_code == 200
        assert scheduler.end() == 0
        assert api.end() == 0
        assert '"level": "error"' not in scheduler.log + api.log


def test_a_port_in_use_is_told_before_anything_is_done(tmp_path: Path) -> None:
    port = free_port()
    url = f"sqlite:///{tmp_path}/new.db"
    with create_server(("127.0.0.1", port)), running(tmp_path, url, "serve", port=port) as service:
        assert service.process.wait(timeout=60) == 3
        assert service.log.count("\n") == 1
        assert f"Port {port}" in service.log
        assert "GAPS_PORT" in service.log
    assert not (tmp_path / "new.db").exists(), "nothing half written"


@pytest.mark.parametrize("command", ["serve", "scheduler"])
def test_a_database_newer_than_the_program_is_left_alone(
    tmp_path: Path, database_url: str, command: str
) -> None:
    with Database.open(database_url) as database, database.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = 'from-the-future'"))
    with running(tmp_path, database_url, command) as service:
        assert service.process.wait(timeout=60) == 3
        assert "newer than this program" in service.log
        assert "Traceback" not in service.log


def test_a_postgresql_that_is_behind_is_not_migrated_by_the_api(
    tmp_path: Path, empty_url: str
) -> None:
    with running(tmp_path, empty_url, "serve") as service:
        if empty_url.startswith("postgresql"):
            assert service.process.wait(timeout=60) == 3
            assert "gaps db upgrade" in service.log
        else:
            service.wait_until_serving()


def test_nothing_outlives_a_service_that_is_killed(tmp_path: Path, sqlite_url: str) -> None:
    with running(tmp_path, sqlite_url, "serve", "--workers", "2", stock="1000") as service:
        service.wait_until_serving()
        children = psutil.Process(service.process.pid).children(recursive=True)
        assert len(children) >= 3, "two answer requests, and one searches"
        service.process.kill()
        _, alive = psutil.wait_procs(children, timeout=30)
        assert alive == []
    port = int(service.url.rpartition(":")[2])
    with running(tmp_path, sqlite_url, "serve", "--no-scheduler", port=port) as again:
        again.wait_until_serving()
