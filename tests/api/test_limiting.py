"""The rate limit on POST, and whose address it counts."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from fakeredis import TcpFakeServer
from limits.errors import StorageError
from limits.strategies import MovingWindowRateLimiter

from service.api import limiting
from service.api.app import create_app
from service.api.clients import client_address
from service.api.limiting import Limiter
from service.api.problems import Problem
from service.settings import Settings
from service.store.database import Database
from tests.api.client import Client, client_of, problem
from tests.clock import FakeClock
from tests.deals import publish_deal, won

NOBODY_LISTENS = "redis://:SENTINEL@127.0.0.1:1/0"


@contextmanager
def limited(url: str, clock: FakeClock, **settings: object) -> Iterator[Client]:
    made = Settings(**settings)  # type: ignore[arg-type]
    with Database.open(url) as database, client_of(create_app(made, database, clock)) as client:
        yield client


def post(client: Client, forwarded: str | None = None) -> int:
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    path = "/v1/deals/" + "0" * 20 + "/submissions"
    return client.post(path, json={"moves": []}, headers=headers).status_code


def test_a_post_too_many_is_told_when_to_come_again(sqlite_url: str, clock: FakeClock) -> None:
    with limited(sqlite_url, clock, rate_limit="3/hour") as client:
        assert [post(client) for _ in range(3)] == [404] * 3
        # The body, of whatever size and kind, is not read any more.
        response = client.post("/v1/verify", content=b"[" * 100_000)
        problem(response, Problem.TOO_MANY_REQUESTS)
        assert 1 <= int(response.headers["retry-after"]) <= 3600
        assert response.headers["access-control-allow-origin"] == "*"
        assert "Retry-After" in response.headers["access-control-expose-headers"]
        assert client.get("/v1/dailies").status_code == 200, "reading is not limited"
        assert client.head("/v1/dailies").status_code == 200


def test_a_limit_that_is_off_limits_nothing(sqlite_url: str, clock: FakeClock) -> None:
    with limited(sqlite_url, clock, rate_limit="off") as client:
        assert {post(client) for _ in range(100)} == {404}


def test_a_refused_post_stores_nothing(database_url: str, clock: FakeClock) -> None:
    with limited(database_url, clock, rate_limit="1/hour") as client:
        with Database.open(database_url) as database:
            deal_id = publish_deal(database, won()[0], clock.today, clock)
        path = f"/v1/deals/{deal_id}"
        assert client.post(f"{path}/submissions", json={"moves": []}).status_code == 201
        assert client.post(f"{path}/submissions", json={"moves": ["undo"]}).status_code == 429
        assert client.get(f"{path}/stats").json()["submissions"] == 1


def test_behind_a_trusted_proxy_each_client_has_its_own(sqlite_url: str, clock: FakeClock) -> None:
    trusted = {"rate_limit": "1/hour", "trusted_proxies": "127.0.0.1"}
    with limited(sqlite_url, clock, **trusted) as client:
        assert [post(client, "192.0.2.1"), post(client, "192.0.2.2")] == [404, 404]
        assert post(client, "198.51.100.7, 192.0.2.1") == 429, "what the client wrote itself"
    with limited(sqlite_url, clock, rate_limit="1/hour") as client:
        assert [post(client, "192.0.2.1"), post(client, "192.0.2.2")] == [404, 429]


@pytest.mark.parametrize(
    ("sender", "forwarded", "trusted", "client"),
    [
        ("192.0.2.9", [], "none", "192.0.2.9"),
        ("192.0.2.9", ["192.0.2.1"], "none", "192.0.2.9"),
        ("192.0.2.9", ["192.0.2.1"], "10.0.0.0/8", "192.0.2.9"),
        ("10.0.0.1", ["192.0.2.1"], "10.0.0.0/8", "192.0.2.1"),
        ("10.0.0.1", ["192.0.2.1:4711"], "10.0.0.0/8", "192.0.2.1"),
        ("10.0.0.1", ["192.0.2.1, 10.0.0.2"], "10.0.0.0/8", "192.0.2.1"),
        ("10.0.0.1", ["192.0.2.1", "10.0.0.2"], "10.0.0.0/8", "192.0.2.1"),
        ("10.0.0.1", ["192.0.2.1, 192.0.2.2"], "10.0.0.0/8", "192.0.2.2"),
        ("10.0.0.1", ["10.0.0.2"], "10.0.0.0/8", "10.0.0.2"),
        ("10.0.0.1", ["nonsense"], "10.0.0.0/8", "10.0.0.1"),
        ("10.0.0.1", [""], "10.0.0.0/8", "10.0.0.1"),
        ("10.0.0.1", ["192.0.2.1, nonsense"], "10.0.0.0/8", "10.0.0.1"),
        ("::1", ["[2001:db8:1:2:3::4]:80"], "::1", "2001:db8:1:2::/64"),
        ("::1", ["2001:db8:1:2:ffff::"], "::1", "2001:db8:1:2::/64"),
        ("::ffff:10.0.0.1", ["192.0.2.1"], "10.0.0.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", [], "none", "192.0.2.1"),
        (None, ["192.0.2.1"], "10.0.0.0/8", "unknown"),
        ("testclient", ["192.0.2.1"], "10.0.0.0/8", "testclient"),
    ],
)
def test_whose_address_counts(
    sender: str | None, forwarded: list[str], trusted: str, client: str
) -> None:
    headers = [(b"x-forwarded-for", hop.encode()) for hop in forwarded]
    scope = {"type": "http", "client": sender and (sender, 1), "headers": headers}
    settings = Settings(trusted_proxies=trusted)  # type: ignore[arg-type]
    assert client_address(scope, settings.trusted_proxies) == client


def test_while_redis_is_away_each_process_counts_alone(
    sqlite_url: str, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    shared = {"rate_limit": "2/hour", "rate_limit_store": NOBODY_LISTENS}
    with caplog.at_level(logging.WARNING), limited(sqlite_url, clock, **shared) as client:
        assert [post(client) for _ in range(3)] == [404, 404, 429]
    assert caplog.text.count("does not answer") == 1, "it is not asked again at once"
    assert "SENTINEL" not in caplog.text


def test_redis_is_asked_again_after_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def hit(_: MovingWindowRateLimiter, __: object, client: str, cost: int = 1) -> bool:
        asked.append(client)
        if len(asked) in {1, 3}:
            raise StorageError(OSError("gone"))
        return True

    monkeypatch.setattr(MovingWindowRateLimiter, "hit", hit)
    settings = Settings(rate_limit="2/hour", rate_limit_store=NOBODY_LISTENS)
    limiter = Limiter(settings)
    assert limiter.wait("a") == 0
    assert asked == ["a", "a"], "Redis, and then the count of its own"
    monkeypatch.setattr(limiting, "REDIS_PAUSE_SECONDS", 0.0)
    limiter = Limiter(settings)
    assert [limiter.wait("b"), limiter.wait("c")] == [0, 0]
    assert asked[2:] == ["b", "b", "c"]


@pytest.fixture
def redis_url() -> Iterator[str]:
    """A server that speaks Redis, with Lua as the limit's script needs it."""
    server = TcpFakeServer(("127.0.0.1", 0), server_type="redis")
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"redis://127.0.0.1:{server.server_address[1]}/0"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_processes_with_one_redis_count_together(
    sqlite_url: str, clock: FakeClock, redis_url: str
) -> None:
    shared = {"rate_limit": "3/hour", "rate_limit_store": redis_url}
    with (
        limited(sqlite_url, clock, **shared, trusted_proxies="127.0.0.1") as one,
        limited(sqlite_url, clock, **shared, trusted_proxies="127.0.0.1") as other,
    ):
        asked = [post(client, "192.0.2.1") for client in (one, other, one, other, one)]
        assert asked == [404, 404, 404, 429, 429]
        response = other.post("/v1/verify", headers={"X-Forwarded-For": "192.0.2.1"})
        problem(response, Problem.TOO_MANY_REQUESTS)
        assert 1 <= int(response.headers["retry-after"]) <= 3600
        assert [post(one, "192.0.2.2"), post(other, "192.0.2.2")] == [404, 404]
