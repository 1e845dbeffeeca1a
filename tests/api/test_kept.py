"""Answers that are kept: for a moment, not over a boundary, and never what is nobody else's."""

import asyncio
import datetime as dt
import time
from collections.abc import Iterator
from urllib.parse import quote
from zoneinfo import ZoneInfo

import pytest
from starlette.types import Message, Receive, Scope, Send

from service.api import kept
from service.api.app import create_app
from service.api.kept import Kept
from service.api.problems import Problem
from service.publishing.calendar import closes_at, ends_at
from service.publishing.withdraw import withdraw
from service.settings import Settings
from service.store.database import Database
from tests.api.client import Client, client_of, problem
from tests.clock import FakeClock
from tests.deals import publish_deal, put_in_stock, won

WIN = won("classic", redeals=1)[0]


@pytest.fixture
def settings() -> Settings:
    return Settings(variants=("classic", "relaxed"), rate_limit="off", cache_seconds=60)


def same(client: Client, path: str, **headers: str) -> bool:
    """Whether an answer came out of what is kept."""
    return "age" in client.get(path, headers=headers).headers


def test_an_answer_is_given_again(client: Client, database: Database, clock: FakeClock) -> None:
    deal_id = publish_deal(database, WIN, clock.today, clock)
    for path in ("/v1/daily", f"/v1/deals/{deal_id}", f"/v1/dailies/{clock.today}"):
        first, second = client.get(path), client.get(path)
        assert (first.status_code, "age" in first.headers) == (200, False)
        assert second.headers["age"] == "1", "a second that has begun counts as one"
        assert second.content == first.content
        for header in ("etag", "cache-control", "content-type", "vary"):
            assert second.headers[header] == first.headers[header]
        assert second.headers["x-request-id"] != first.headers["x-request-id"]
        assert second.headers["access-control-allow-origin"] == "*"
        head = client.head(path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-length"] == first.headers["content-length"]


def test_what_is_kept_knows_entity_tags(
    client: Client, database: Database, clock: FakeClock
) -> None:
    publish_deal(database, WIN, clock.today, clock)
    plain = client.get("/v1/daily", headers={"Accept-Encoding": "identity"})
    packed = client.get("/v1/daily", headers={"Accept-Encoding": "gzip"})
    assert plain.content == packed.content
    for encoding, tag, other in (
        ("identity", plain.headers["etag"], packed.headers["etag"]),
        ("gzip", packed.headers["etag"], plain.headers["etag"]),
    ):
        for asked, status in ((tag, 304), (f'"x", W/{tag}', 304), ("*", 304), (other, 200)):
            headers = {"Accept-Encoding": encoding, "If-None-Match": asked}
            response = client.get("/v1/daily", headers=headers)
            assert "age" in response.headers
            assert response.status_code == status
            assert response.headers["etag"] == tag
            if status == 304:
                assert response.content == b""
                assert "content-encoding" not in response.headers


@pytest.mark.parametrize("zone", [None, "Pacific/Auckland", "Etc/GMT+12"])
def test_nothing_is_kept_past_the_end_of_its_day(
    client: Client, database: Database, clock: FakeClock, zone: str | None
) -> None:
    tz = ZoneInfo(zone or "UTC")
    today = clock.now.astimezone(tz).date()
    first = publish_deal(database, WIN, today, clock)
    second = publish_deal(
        database, won("classic", redeals=0)[0], today + dt.timedelta(days=1), clock
    )
    path = "/v1/daily" if zone is None else f"/v1/daily?tz={quote(zone)}"
    end = min(ends_at(today, tz), closes_at(today))
    for before in (30.0, 1.5, 0.5, 0.000_001):
        clock.set(end - dt.timedelta(seconds=before))
        response = client.get(path)
        assert response.json()["id"] == first
        for answer in (response, client.get(path)):
            assert answer.json()["id"] == first
            fresh = int(answer.headers["cache-control"].rpartition("=")[2])
            assert fresh - int(answer.headers.get("age", "0")) <= before
    clock.set(end)
    assert client.get(path).json()["id"] == second


def test_what_closes_is_open_the_moment_it_closes(
    client: Client, database: Database, clock: FakeClock
) -> None:
    deal_id = publish_deal(database, WIN, clock.today, clock)
    path = f"/v1/deals/{deal_id}"
    end = closes_at(clock.today)
    for before in (40.0, 1.0, 0.1):
        clock.set(end - dt.timedelta(seconds=before))
        assert "seed" not in client.get(path).json()
    clock.set(end)
    assert client.get(path).json()["seed"] == WIN.document["seed"]


def test_a_clock_that_is_put_back_shows_nothing_too_soon(
    client: Client, database: Database, clock: FakeClock
) -> None:
    deal_id = publish_deal(database, WIN, clock.today, clock)
    live = clock.now
    clock.set(closes_at(clock.today))
    assert "seed" in client.get(f"/v1/deals/{deal_id}").json()
    clock.set(live)
    assert "seed" not in client.get(f"/v1/deals/{deal_id}").json()


def test_a_withdrawal_is_seen_when_the_time_is_up(
    client: Client, database: Database, clock: FakeClock
) -> None:
    publish_deal(database, WIN, clock.today, clock)
    assert client.get("/v1/daily").status_code == 200
    withdraw(database, "classic", clock.today, "A slip.", clock)
    assert client.get("/v1/daily").status_code == 200
    clock.advance(seconds=61)
    problem(client.get("/v1/daily"), Problem.DAILY_WITHDRAWN)


def test_problems_and_what_is_one_player_s_are_not_kept(
    client: Client, database: Database, clock: FakeClock
) -> None:
    problem(client.get("/v1/daily"), Problem.DAILY_NOT_FOUND)
    put_in_stock(database, won("classic", redeals=0)[0])
    publish_deal(database, won("relaxed")[0], clock.today, clock)
    assert client.get("/v1/daily?variant=relaxed").status_code == 200
    for token in "xy":
        assert not same(client, "/v1/record", **{"Gaps-Player": token * 16})
    assert not same(client, "/readyz")
    assert not same(client, "/readyz")


def test_kinds_of_answers_are_kept_apart(
    client: Client, database: Database, clock: FakeClock
) -> None:
    deal_id = publish_deal(database, WIN, clock.today, clock)
    clock.advance(days=2)
    path = f"/v1/deals/{deal_id}/solution"
    for _ in range(2):
        text = client.get(path, headers={"Accept": "text/plain"})
        json = client.get(path, headers={"Accept": "application/json"})
        assert text.text.split() == json.json()["moves"]
        assert text.headers["content-type"].startswith("text/plain")


def test_no_more_than_so_many_are_kept(
    client: Client,
    database: Database,
    clock: FakeClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kept, "MOST_ANSWERS", 3)
    publish_deal(database, WIN, clock.today, clock)
    paths = [f"/v1/dailies?limit={n}" for n in range(1, 6)]
    for path in paths:
        client.get(path)
    assert [same(client, path) for path in reversed(paths[2:])] == [True] * 3
    assert not same(client, paths[0])


def test_nothing_is_kept_where_the_setting_says_so(sqlite_url: str, clock: FakeClock) -> None:
    with (
        Database.open(sqlite_url) as database,
        client_of(create_app(Settings(cache_seconds=0), database, clock)) as client,
    ):
        publish_deal(database, WIN, clock.today, clock)
        assert [same(client, "/v1/daily") for _ in range(2)] == [False, False]


class Slow:
    """An application that answers when it is told to, and counts how often."""

    def __init__(self, status: int = 200) -> None:
        self.asked = 0
        self.status = status
        self.go = asyncio.Event()

    async def __call__(self, _: Scope, __: Receive, send: Send) -> None:
        self.asked += 1
        await self.go.wait()
        headers = [(b"etag", b'"x"'), (b"cache-control", b"public, max-age=9")]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": b"x"})


def answers(app: Kept, how_many: int, slow: Slow) -> Iterator[int]:
    """The statuses of so many requests at once."""
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": []}

    async def ask() -> int:
        got: list[Message] = []

        async def send(message: Message) -> None:
            got.append(message)

        async def receive() -> Message:
            raise AssertionError

        await app(scope, receive, send)
        status: int = got[0]["status"]
        return status

    async def all_of_them() -> list[int]:
        slow.go = asyncio.Event()
        asking = [asyncio.create_task(ask()) for _ in range(how_many)]
        await asyncio.sleep(0)
        slow.go.set()
        return await asyncio.gather(*asking)

    return iter(asyncio.run(all_of_them()))


def test_what_was_kept_before_is_made_once_for_all_who_ask(clock: FakeClock) -> None:
    slow = Slow()
    app = Kept(slow, clock, 1.0)
    assert list(answers(app, 1, slow)) == [200]
    clock.advance(seconds=2)
    assert list(answers(app, 50, slow)) == [200] * 50
    assert slow.asked == 2
    slow.status = 404
    clock.advance(seconds=2)
    assert list(answers(app, 5, slow)) == [404] * 5
    assert slow.asked > 3, "a failure is nobody else's answer"


def test_time_that_goes_by_counts_whatever_the_clock_says(clock: FakeClock) -> None:
    slow = Slow()
    app = Kept(slow, clock, 0.05)
    for _ in range(2):
        assert list(answers(app, 1, slow)) == [200]
        time.sleep(0.06)
    assert slow.asked == 2
