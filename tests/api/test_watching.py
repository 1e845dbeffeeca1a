"""Requests watched: a line and a count for each, and in them nothing that a client wrote."""

import logging
from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI
from prometheus_client.parser import text_string_to_metric_families

from service.store.database import Database
from tests.api.client import Client, client_of
from tests.clock import FakeClock
from tests.deals import publish_deal, won

Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> Lines:
    """What the requests so far have put into the log."""
    noted: list[dict[str, Any]] = []

    def note(level: str) -> Callable[..., None]:
        return lambda event, **fields: noted.append({"event": event, "level": level, **fields})

    for level in ("info", "debug"):
        monkeypatch.setattr(f"service.api.watching._log.{level}", note(level), raising=False)
    return lambda: noted


def counted(client: Client, **labels: str) -> float:
    """How many requests with these labels have been answered."""
    text = client.get("/metrics").text
    return sum(
        sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == "gaps_http_requests_total" and labels.items() <= sample.labels.items()
    )


@pytest.mark.parametrize(
    ("method", "path", "route", "status"),
    [
        ("GET", "/v1/variants?secret=of-mine", "/v1/variants", 422),
        ("GET", "/v1/deals/0123456789abcdef0123", "/v1/deals/{id}", 404),
        ("HEAD", "/v1/daily?tz=Europe/Rome", "/v1/daily", 404),
        ("DELETE", "/v1/verify", "/v1/verify", 405),
        ("GET", "/wp-login.php", "none", 404),
    ],
)
def test_a_request_is_a_line_and_a_count(
    client: Client, lines: Lines, method: str, path: str, route: str, status: int
) -> None:
    labels = {"method": method, "route": route, "status": str(status)}
    before = counted(client, **labels)
    del lines()[:]
    response = client.request(method, path)
    (line,) = lines()
    assert line.pop("ms") >= 0
    assert line == {
        "event": "request",
        "level": "info",
        "request_id": response.headers["x-request-id"],
        "method": method,
        "route": route,
        "status": status,
    }
    assert counted(client, **labels) == before + 1


def test_a_preflight_is_a_request_too(client: Client, lines: Lines) -> None:
    asked = {"Access-Control-Request-Method": "POST", "Origin": "https://example.org"}
    client.request("OPTIONS", "/v1/verify", headers=asked)
    assert [(line["method"], line["status"]) for line in lines()] == [("OPTIONS", 204)]


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_what_machines_ask_all_day_is_for_debugging(
    client: Client, lines: Lines, path: str
) -> None:
    client.get(path)
    assert [line["level"] for line in lines()] == ["debug"]


def test_an_id_that_the_proxy_gave_is_in_the_line(client: Client, lines: Lines) -> None:
    client.get("/v1/variants", headers={"X-Request-ID": "from-the-proxy"})
    assert lines()[0]["request_id"] == "from-the-proxy"


def test_clients_cannot_make_new_labels(client: Client) -> None:
    before = client.get("/metrics").text.count("gaps_http_requests_total{")
    for number in range(20):
        client.get(f"/nowhere/{number}")
        client.get("/v1/deals/" + f"{number:020x}")
        client.get(f"/v1/dailies/2026-01-{number:02}")
        client.request(f"BREW{number}", "/v1/verify")
    after = client.get("/metrics").text.count("gaps_http_requests_total{")
    assert after - before <= 6


def test_a_failure_is_counted_as_one(app: FastAPI, caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> None:
        raise RuntimeError

    app.add_api_route("/v1/variants", fail)
    app.router.routes.insert(0, app.router.routes.pop())
    with client_of(app) as client, caplog.at_level(logging.CRITICAL):
        before = counted(client, route="/v1/variants", status="500")
        assert client.get("/v1/variants").status_code == 500
        assert counted(client, route="/v1/variants", status="500") == before + 1


def test_no_line_has_a_body_or_a_query(
    client: Client, database: Database, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    deal_id = publish_deal(database, won("classic", redeals=0)[0], clock.today, clock)
    with caplog.at_level(logging.DEBUG):
        client.post(f"/v1/deals/{deal_id}/submissions", json={"moves": ["a1b2", "undo"]})
        client.post("/v1/verify", json={"moves": ["zebra"]})
        client.get("/v1/dailies", params={"cursor": "a-bearer-of-secrets"})
    told = " ".join(r.getMessage() for r in caplog.records if not r.name.startswith("httpx"))
    assert "route='/v1/deals/{id}/submissions'" in told
    for said in ("a1b2", "undo", "zebra", "bearer", deal_id):
        assert said not in told
