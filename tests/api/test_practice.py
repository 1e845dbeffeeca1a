"""Practice over HTTP."""

from collections.abc import Iterator

import pytest
from fastapi import FastAPI

import checker
from service.api.app import create_app
from service.api.problems import Problem
from service.publishing import practice
from service.settings import Settings
from service.store.database import Database
from tests.api.client import Client, client_of, problem
from tests.clock import FakeClock
from tests.deals import won, won_deals
from tests.searches import CannedSearches

WIN = won("classic", redeals=2)[0]
PATH = f"/v1/practice/classic/{WIN.number}"


@pytest.fixture
def searches() -> CannedSearches:
    return CannedSearches()


@pytest.fixture
def app(
    settings: Settings, database: Database, clock: FakeClock, searches: CannedSearches
) -> FastAPI:
    return create_app(settings, database, clock, searches)


@pytest.fixture
def limited(sqlite_url: str, clock: FakeClock, searches: CannedSearches) -> Iterator[Client]:
    """A client that may ask for two things that cost something."""
    with (
        Database.open(sqlite_url) as database,
        client_of(create_app(Settings(rate_limit="2/hour"), database, clock, searches)) as client,
    ):
        yield client


def test_a_numbered_deal_is_open_from_the_start(client: Client) -> None:
    answer = client.get(PATH)
    found = answer.json()
    assert answer.status_code == 200
    assert answer.headers["cache-control"].endswith("immutable")
    assert (found["variant"], found["number"]) == ("classic", WIN.number)
    assert found["deal"] == WIN.document
    assert checker.check_deal(found["deal"]) == []
    assert found["links"]["self"] == PATH
    deal = client.get(found["links"]["deal"])
    assert deal.json() == WIN.document
    assert deal.headers["cache-control"].endswith("immutable")
    solution = client.get(found["links"]["solution"]).json()
    assert (solution["moves"], solution["date"]) == (WIN.line, None)
    assert checker.verify(found["deal"], solution["moves"]).won


@pytest.mark.parametrize("win", won_deals(), ids=lambda win: f"{win.variant}-{win.number}")
def test_every_variant_can_be_practised(sqlite_url: str, clock: FakeClock, win: object) -> None:
    assert hasattr(win, "variant")
    assert hasattr(win, "number")
    with (
        Database.open(sqlite_url) as database,
        client_of(create_app(Settings(), database, clock, CannedSearches())) as client,
    ):
        found = client.get(f"/v1/practice/{win.variant}/{win.number}").json()
        assert checker.check_deal(found["deal"]) == []


def test_it_takes_logs_as_a_daily_does(client: Client) -> None:
    links = client.get(PATH).json()["links"]
    stuck = {"moves": WIN.line[: WIN.line.index("redeal")]}
    due = client.post(links["redeals"], json=stuck).json()
    assert due["entry"] == WIN.document["redeals"][0]
    player = {"Gaps-Player": "p" * 16}
    submitted = client.post(links["submissions"], json={"moves": WIN.line}, headers=player)
    assert submitted.status_code == 201
    assert submitted.json()["state"] == "archive"
    assert client.get(submitted.headers["location"]).json() == submitted.json()
    assert client.get(links["stats"]).json()["won"] == 1
    record = client.get("/v1/record", headers=player).json()
    assert (record["played"], record["won"]) == (0, 0), "a record is of dailies"


def test_it_is_in_no_list(client: Client) -> None:
    client.get(PATH)
    assert client.get("/v1/dailies").json()["dailies"] == []
    problem(client.get("/v1/daily"), Problem.DAILY_NOT_FOUND)


def test_the_second_to_ask_is_not_kept_waiting(client: Client, searches: CannedSearches) -> None:
    first, second = client.get(PATH), client.get(PATH)
    assert first.content == second.content
    assert len(searches.asked) == 1
    again = client.get(PATH, headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304


def test_a_number_that_was_not_won_leads_to_the_next_that_was(client: Client) -> None:
    document = problem(client.get("/v1/practice/classic/36"), Problem.PRACTICE_NOT_WON)
    assert document["next"] == "/v1/practice/classic/39"
    assert client.get(document["next"]).status_code == 200
    far = problem(client.get("/v1/practice/classic/999999999"), Problem.PRACTICE_NOT_WON)
    assert "next" not in far


def test_a_number_of_the_service_s_choice(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.randbelow", lambda most: 36)
    answer = client.get("/v1/practice/classic")
    assert (answer.status_code, answer.headers["cache-control"]) == (307, "no-store")
    assert answer.headers["location"] == "/v1/practice/classic/39"
    head = client.head("/v1/practice/classic")
    assert (head.status_code, head.headers["location"]) == (307, answer.headers["location"])
    monkeypatch.setattr("secrets.randbelow", lambda most: 1000)
    assert "next" not in problem(client.get("/v1/practice/classic"), Problem.PRACTICE_NOT_WON)


@pytest.mark.parametrize(
    "number", ["-1", "01", "1.0", "1e3", "", "+1", "\u0661", "1000000000", "x"]
)
def test_what_is_no_number_is_refused(client: Client, number: str, searches: object) -> None:
    response = client.get(f"/v1/practice/classic/{number}")
    assert response.status_code == (422 if number else 404)
    assert isinstance(searches, CannedSearches)
    assert searches.asked == []


def test_what_is_no_variant_is_refused(client: Client) -> None:
    for path in ("/v1/practice/klondike", "/v1/practice/klondike/1", "/v1/practice/Classic/1"):
        (error,) = problem(client.get(path), Problem.INVALID_REQUEST)["errors"]
        assert (error["in"], error["where"]) == ("path", "variant")


def test_a_search_counts_as_a_post_and_what_is_known_does_not(limited: Client) -> None:
    for _ in range(5):
        assert limited.get(PATH).status_code == 200
    assert limited.get("/v1/practice/relaxed/6").status_code == 200
    for path in ("/v1/practice/relaxed/7", "/v1/practice/gathered"):
        response = limited.get(path)
        problem(response, Problem.TOO_MANY_REQUESTS)
        assert int(response.headers["retry-after"]) > 0
    assert limited.get(PATH).status_code == 200


def test_while_others_search_it_says_when_to_come_again(
    client: Client, searches: CannedSearches
) -> None:
    searches.fails = TimeoutError
    for path in (PATH, "/v1/practice/classic"):
        response = client.get(path)
        problem(response, Problem.BUSY)
        assert response.headers["retry-after"] == "3"


def test_a_real_search(sqlite_url: str, clock: FakeClock) -> None:
    """In a process of its own, which ends with the application."""
    settings = Settings(practice_budget=20_000, search_memory_mb=64)
    deals = practice.PracticeDeals(settings, Database.open(sqlite_url), clock)
    try:
        with Database.open(sqlite_url) as database:
            number = deals.won_from("double-montana", 0)
            app = create_app(settings, database, clock)
            with client_of(app) as client:
                found = client.get(f"/v1/practice/double-montana/{number}").json()
                line = client.get(found["links"]["solution"]).json()["moves"]
        assert checker.verify(found["deal"], line).won
    finally:
        deals.close()
