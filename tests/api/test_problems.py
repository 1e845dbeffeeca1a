"""Every problem can be met, has one shape, and is explained where its type leads."""

import datetime as dt
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.api.app import create_app
from service.api.problems import Problem
from service.publishing.withdraw import withdraw
from service.settings import Settings
from service.store.database import Database
from tests.api.client import Client, client_of, problem
from tests.clock import NOON, FakeClock
from tests.deals import publish_deal, won

JSON = {"Content-Type": "application/json"}
WIN = won("classic", redeals=0)[0]
ID = WIN.document["seed_commitment"][:20]


def submit(client: Client, body: bytes, headers: dict[str, str] = JSON) -> httpx.Response:
    return client.post(f"/v1/deals/{ID}/submissions", content=body, headers=headers)


WAYS: dict[Problem, Callable[[Client], httpx.Response]] = {
    Problem.MALFORMED_JSON: lambda client: submit(client, b"{"),
    Problem.SOLUTION_SEALED: lambda client: client.get(f"/v1/deals/{ID}/solution"),
    Problem.NOT_FOUND: lambda client: client.get("/v2/daily"),
    Problem.DAILY_NOT_FOUND: lambda client: client.get("/v1/dailies/2020-01-01"),
    Problem.DEAL_NOT_FOUND: lambda client: client.get("/v1/deals/" + "0" * 20),
    Problem.SUBMISSION_NOT_FOUND: lambda client: client.get("/v1/submissions/" + "0" * 32),
    Problem.METHOD_NOT_ALLOWED: lambda client: client.request("DELETE", f"/v1/deals/{ID}"),
    Problem.REDEAL_NOT_DUE: lambda client: client.post(
        f"/v1/deals/{ID}/redeals", json={"moves": []}
    ),
    Problem.DAILY_WITHDRAWN: lambda client: client.get("/v1/dailies/2026-03-07"),
    Problem.BODY_TOO_LARGE: lambda client: submit(client, b" " * 70_000),
    Problem.UNSUPPORTED_MEDIA_TYPE: lambda client: submit(client, b"moves=a1b2", {}),
    Problem.INVALID_REQUEST: lambda client: submit(client, b'{"moves": "a1b2"}'),
    Problem.DEAL_REFUSED: lambda client: client.post("/v1/verify", json={"deal": {}, "moves": []}),
    # The clients' settings name a second variant, which has no daily.
    Problem.NOT_READY: lambda client: client.get("/readyz"),
}
OF_THE_SERVICE = {Problem.INTERNAL_ERROR, Problem.DATABASE_UNAVAILABLE}
ELSEWHERE = {
    Problem.MALFORMED_HTTP: "tests/journeys/test_wire.py",
    Problem.TOO_MANY_REQUESTS: "tests/api/test_limiting.py",
    Problem.PRACTICE_NOT_WON: "tests/api/test_practice.py",
    Problem.BUSY: "tests/api/test_practice.py",
    Problem.SHUTTING_DOWN: "tests/journeys/test_ending.py",
}


def test_every_problem_is_met(client: Client, database: Database, clock: FakeClock) -> None:
    publish_deal(database, WIN, clock.today, clock)
    yesterday = clock.today - dt.timedelta(days=1)
    publish_deal(database, won("classic")[-1], yesterday, clock)
    withdraw(database, "classic", yesterday, "A slip.", clock)
    for expected, way in WAYS.items():
        problem(way(client), expected)


def test_there_is_a_way_to_every_problem() -> None:
    assert WAYS.keys() | ELSEWHERE.keys() | OF_THE_SERVICE == set(Problem)


def test_a_fault_of_the_service_is_a_problem(sqlite_url: str, settings: Settings) -> None:
    def broken_clock() -> Any:
        raise RuntimeError("the clock has stopped")

    with (
        Database.open(sqlite_url) as database,
        client_of(create_app(settings, database, broken_clock)) as client,
    ):
        for path in ("/v1/daily", "/v1/dailies", f"/v1/deals/{ID}", "/readyz"):
            response = client.get(path)
            problem(response, Problem.INTERNAL_ERROR)
            assert "stopped" not in response.text


@pytest.fixture
def bereft(settings: Settings, tmp_path: Path) -> Iterator[Client]:
    """A client of a service whose database is not there."""
    url = f"sqlite:///{tmp_path / 'SENTINEL.db'}"
    with client_of(create_app(settings, Database.open(url), lambda: NOON)) as client:
        yield client


@pytest.mark.parametrize(
    "path", ["/v1/daily", "/v1/dailies", "/v1/dailies/2026-03-08", f"/v1/deals/{ID}"]
)
def test_a_database_that_is_not_there_is_a_problem(bereft: Client, path: str) -> None:
    response = bereft.get(path)
    problem(response, Problem.DATABASE_UNAVAILABLE)
    assert int(response.headers["retry-after"]) > 0
    assert "SENTINEL" not in response.text


def test_nothing_is_stored_in_a_database_that_is_not_there(bereft: Client, tmp_path: Path) -> None:
    problem(submit(bereft, b'{"moves": []}'), Problem.DATABASE_UNAVAILABLE)
    assert list(tmp_path.iterdir()) == []


def test_what_needs_no_database_works_without_one(bereft: Client) -> None:
    for path in ("/healthz", "/v1/variants", "/problems", "/docs", "/openapi.json", "/"):
        assert bereft.get(path).status_code == 200
    verified = bereft.post("/v1/verify", json={"deal": WIN.document, "moves": WIN.line})
    assert verified.json() == WIN.verdict


def test_a_service_without_its_database_is_not_ready(bereft: Client) -> None:
    response = bereft.get("/readyz")
    assert problem(response, Problem.NOT_READY)["reasons"] == [
        "The database cannot be used; the log says why."
    ]
    assert int(response.headers["retry-after"]) > 0
    assert "SENTINEL" not in response.text


def test_a_service_is_ready_once_today_has_its_dailies(
    client: Client, database: Database, clock: FakeClock, settings: Settings
) -> None:
    reasons = problem(client.get("/readyz"), Problem.NOT_READY)["reasons"]
    assert reasons == [
        f"There is no {variant} daily for today, 2026-03-08." for variant in settings.variants
    ]
    for variant in settings.variants:
        publish_deal(database, won(variant)[0], clock.today, clock)
    assert client.get("/readyz").json() == {"status": "ok"}
    clock.advance(days=1)
    problem(client.get("/readyz"), Problem.NOT_READY)


def test_a_schema_that_is_empty_or_behind_or_ahead_is_not_ready(
    sqlite_path: Path, settings: Settings
) -> None:
    with (
        Database.open(f"sqlite:///{sqlite_path}") as database,
        client_of(create_app(settings, database, FakeClock())) as client,
    ):
        for statement, word in (
            ("UPDATE alembic_version SET version_num = 'from the future'", "ahead"),
            ("UPDATE alembic_version SET version_num = '0001'", "behind"),
            ("DELETE FROM alembic_version", "empty"),
        ):
            with closing(sqlite3.connect(sqlite_path)) as connection, connection:
                connection.execute(statement)
            (reason,) = problem(client.get("/readyz"), Problem.NOT_READY)["reasons"]
            assert word in reason


def test_every_problem_is_explained_where_its_type_leads(strict: Client) -> None:
    listed = strict.get("/problems").json()["problems"]
    assert [meaning["code"] for meaning in listed] == [expected.code for expected in Problem]
    for meaning in listed:
        assert strict.get(meaning["type"]).json() == meaning
        assert meaning["meaning"].endswith(".")
    problem(strict.get("/problems/SENTINEL"), Problem.NOT_FOUND)
