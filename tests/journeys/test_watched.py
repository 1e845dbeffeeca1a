"""Real processes, watched: every request a line, every number right, whoever is asked."""

import json
import time
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.journeys.processes import PATIENCE_SECONDS, Service, free_port, running


def value(url: str, name: str, **labels: str) -> float:
    """The sum of the numbers of a name with these labels, as a service tells them."""
    text = httpx.get(url + "/metrics", timeout=30).text
    return sum(
        sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    )


def heard(service: Service) -> float:
    """When the job that prepares dailies was last done; 0 if never."""
    return value(service.url, "gaps_heartbeat_timestamp_seconds", task="prepare_dailies")


def test_workers_and_jobs_are_counted_as_one(
    tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    with running(
        tmp_path,
        sqlite_url,
        "serve",
        "--workers",
        "2",
        stock="1",
        horizon_days="1",
        search_seconds="200",
    ) as service:
        service.wait_until_serving()
        for _ in range(30):
            # A connection of its own each time, so that both workers get some.
            assert httpx.get(service.url + "/v1/variants").status_code == 200
        counted = {
            value(service.url, "gaps_http_requests_total", route="/v1/variants", status="200")
            for _ in range(6)
        }
        assert counted == {30}, "whichever worker is asked"
        service.wait_for("minted")
        # The two jobs run side by side, and either may be done first.
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (heartbeat := heard(service)) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert abs(time.time() - heartbeat) < 300
        assert value(service.url, "gaps_candidates_total", outcome="stored") >= 2
        assert value(service.url, "gaps_positions_searched_total", variant="classic") > 0
        assert value(service.url, "gaps_mint_seconds_count", variant="classic") >= 2
        assert value(service.url, "gaps_stock_deals", variant="classic") == 1
        assert value(service.url, "gaps_days_ahead", variant="classic") == 1
        assert [path.name[:13] for path in temporary.iterdir()] == ["gaps-metrics-"]
        assert service.end() == 0
        lines = [json.loads(line) for line in service.log.splitlines() if line[0] == "{"]
        requests = [line for line in lines if line["event"] == "request"]
        assert len({line["request_id"] for line in requests}) == 30
        assert {(line["route"], line["status"]) for line in requests} == {("/v1/variants", 200)}
    assert list(temporary.iterdir()) == []


def test_a_scheduler_answers_for_itself(tmp_path: Path, database_url: str) -> None:
    port = free_port()
    with running(
        tmp_path,
        database_url,
        "scheduler",
        stock="0",
        horizon_days="1",
        search_seconds="200",
        metrics_port=str(port),
    ) as scheduler:
        scheduler.wait_for("published")
        url = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + 60
        while not value(url, "gaps_heartbeat_timestamp_seconds", task="prepare_dailies"):
            assert time.monotonic() < deadline, scheduler.log
            time.sleep(0.1)
        assert value(url, "gaps_days_ahead", variant="classic") == 1
        assert value(url, "gaps_candidates_total", outcome="stored") >= 1
        with running(tmp_path, database_url, "scheduler", metrics_port=str(port)) as second:
            assert second.process.wait(timeout=60) == 3
            assert "GAPS_METRICS_PORT" in second.log
        assert scheduler.end() == 0
