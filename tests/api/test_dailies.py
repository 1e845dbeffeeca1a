"""Today's daily in any zone, the daily of a date, the archive, and how long each may be cached."""

import datetime as dt
import json
import re
from collections.abc import Iterator
from zoneinfo import ZoneInfo

import pytest
from fastapi import FastAPI

from service.api.cursor import cursor, parse_cursor
from service.api.problems import Problem
from service.game.variants import VARIANTS
from service.publishing.calendar import ends_at
from service.store.dailies import Place
from service.store.database import Database
from tests.api.client import Client, client_of, problem
from tests.clock import NOON, FakeClock
from tests.deals import publish_deal, won

TODAY = NOON.date()
DAYS = [TODAY + dt.timedelta(days=day) for day in range(-3, 4)]


@pytest.fixture
def ids(database: Database, clock: FakeClock) -> dict[dt.date, str]:
    """A classic daily on each of seven dates, today in their middle: their deals' ids."""
    return {
        date: publish_deal(database, win, date, clock)
        for date, win in zip(DAYS, won("classic"), strict=False)
    }


def max_age(cache_control: str) -> int:
    found = re.search(r"max-age=([0-9]+)", cache_control)
    assert found is not None
    return int(found.group(1))


@pytest.mark.parametrize(
    ("zone", "day"),
    [("UTC", 0), ("Pacific/Kiritimati", 1), ("Pacific/Auckland", 1), ("Etc/GMT+12", 0)],
)
def test_today_is_a_date_of_the_zone(
    client: Client, ids: dict[dt.date, str], zone: str, day: int
) -> None:
    date = TODAY + dt.timedelta(days=day)
    daily = client.get("/v1/daily", params={"tz": zone}).json()
    assert (daily["date"], daily["id"], daily["state"]) == (date.isoformat(), ids[date], "live")
    assert daily == client.get(f"/v1/dailies/{date}").json()


@pytest.mark.parametrize("redeals", [0, 1, 2])
def test_it_is_told_whether_a_win_without_a_redeal_is_known(
    client: Client, database: Database, clock: FakeClock, redeals: int
) -> None:
    publish_deal(database, won("classic", redeals)[0], TODAY, clock)
    assert client.get("/v1/daily").json()["winnable_without_redeal"] is (redeals == 0)


def test_without_a_zone_today_is_utc(client: Client, ids: dict[dt.date, str]) -> None:
    assert client.get("/v1/daily").json()["id"] == ids[TODAY]


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Pacific/Auckland"])
def test_today_is_fresh_for_no_longer_than_its_day(
    client: Client, ids: dict[dt.date, str], clock: FakeClock, zone: str
) -> None:
    end = ends_at(TODAY, ZoneInfo(zone))
    for left in (1, 59, 299, 300, 301, 40_000):
        clock.set(end - dt.timedelta(seconds=left))
        response = client.get("/v1/daily", params={"tz": zone})
        assert response.json()["date"] == TODAY.isoformat()
        assert max_age(response.headers["cache-control"]) == min(left, 300)
    clock.set(end)
    tomorrow = client.get("/v1/daily", params={"tz": zone}).json()
    assert tomorrow["date"] == (TODAY + dt.timedelta(days=1)).isoformat()


def test_a_date_that_has_not_begun_says_when_it_does(
    client: Client, ids: dict[dt.date, str], clock: FakeClock
) -> None:
    hidden = TODAY + dt.timedelta(days=2)
    document = problem(client.get(f"/v1/dailies/{hidden}"), Problem.DAILY_NOT_FOUND)
    assert document["available_at"] == "2026-03-09T10:00:00Z"
    clock.set(dt.datetime.fromisoformat(document["available_at"]) - dt.timedelta(seconds=1))
    problem(client.get(f"/v1/dailies/{hidden}"), Problem.DAILY_NOT_FOUND)
    clock.advance(seconds=1)
    assert client.get(f"/v1/dailies/{hidden}").json()["id"] == ids[hidden]


def test_a_date_that_has_no_daily_promises_none(client: Client, ids: dict[dt.date, str]) -> None:
    for path in ("/v1/dailies/2020-01-01", f"/v1/dailies/{TODAY}?variant=relaxed"):
        assert "available_at" not in problem(client.get(path), Problem.DAILY_NOT_FOUND)
    problem(client.get("/v1/daily?variant=relaxed"), Problem.DAILY_NOT_FOUND)


def test_a_live_daily_is_fresh_until_it_closes_and_a_closed_one_for_good(
    client: Client, ids: dict[dt.date, str], clock: FakeClock
) -> None:
    dated, deal = f"/v1/dailies/{TODAY}", f"/v1/deals/{ids[TODAY]}"
    clock.set(dt.datetime(2026, 3, 9, 11, 59, 30, tzinfo=dt.UTC))
    for path in (dated, deal):
        assert client.get(path).headers["cache-control"] == "public, max-age=30"
    clock.advance(seconds=30)
    assert client.get(dated).headers["cache-control"] == "public, max-age=86400, immutable"
    for path in (deal, f"{deal}/solution"):
        assert client.get(path).headers["cache-control"] == "public, max-age=31536000, immutable"


def test_a_tag_changes_when_a_daily_closes(
    client: Client, ids: dict[dt.date, str], clock: FakeClock
) -> None:
    path = f"/v1/deals/{ids[TODAY]}"
    tag = client.get(path).headers["etag"]
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 304
    clock.advance(days=2)
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 200


def pages(client: Client, path: str) -> Iterator[list[str]]:
    """The dates on each page of the archive, by its links."""
    following: str | None = path
    while following is not None:
        response = client.get(following)
        assert response.status_code == 200
        page = response.json()
        following = page["next"]
        related = dict(re.findall(r'<([^>]+)>; rel="([a-z]+)"', response.headers["link"]))
        named = {rel: target for target, rel in related.items()}
        assert named.pop("next", None) == following
        assert named.pop("alternate").startswith("/v1/dailies.ndjson")
        if "cursor" in str(response.request.url):
            assert client.get(named.pop("first")).content == client.get(path).content
        assert named == {}
        assert "deal" not in page["dailies"][0]
        yield [daily["date"] for daily in page["dailies"]]


@pytest.mark.parametrize("limit", [1, 2, 5, 100])
def test_the_archive_is_paged_newest_first(
    client: Client, ids: dict[dt.date, str], limit: int
) -> None:
    visible = [date.isoformat() for date in reversed(DAYS) if date <= TODAY + dt.timedelta(days=1)]
    found = list(pages(client, f"/v1/dailies?limit={limit}"))
    assert [date for page in found for date in page] == visible
    assert all(len(page) <= limit for page in found)


def test_the_archive_in_a_part(client: Client, ids: dict[dt.date, str]) -> None:
    path = f"/v1/dailies?from={DAYS[1]}&to={DAYS[3]}&variant=classic&limit=2"
    assert list(pages(client, path)) == [[str(DAYS[3]), str(DAYS[2])], [str(DAYS[1])]]
    for nothing in ("variant=relaxed", f"from={DAYS[5]}"):
        page = client.get(f"/v1/dailies?{nothing}").json()
        assert (page["dailies"], page["next"]) == ([], None)


@pytest.mark.parametrize("pages_of", [1, 2, 100])
@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_the_archive_as_a_stream(
    client: Client,
    ids: dict[dt.date, str],
    monkeypatch: pytest.MonkeyPatch,
    pages_of: int,
    encoding: str,
) -> None:
    monkeypatch.setattr("service.api.routes.dailies.MAX_PAGE", pages_of)
    whole = client.get("/v1/dailies?limit=100").json()["dailies"]
    headers = {"Accept-Encoding": encoding}
    response = client.get("/v1/dailies.ndjson", headers=headers)
    assert response.headers["content-type"] == "application/x-ndjson"
    assert response.headers.get("content-encoding", "identity") == encoding
    assert response.headers["vary"] == "Accept-Encoding"
    assert max_age(response.headers["cache-control"]) == 60
    assert [json.loads(line) for line in response.text.splitlines()] == whole
    part = client.get(f"/v1/dailies.ndjson?from={DAYS[1]}&to={DAYS[2]}&variant=classic")
    assert [json.loads(line)["date"] for line in part.iter_lines()] == [
        str(DAYS[2]),
        str(DAYS[1]),
    ]
    nothing = client.get("/v1/dailies.ndjson?variant=relaxed")
    assert (nothing.status_code, nothing.content) == (200, b"")
    problem(client.get("/v1/dailies.ndjson?limit=1"), Problem.INVALID_REQUEST)
    assert client.head("/v1/dailies.ndjson").content == b""


def test_the_archive_has_all_variants_of_a_date(
    client: Client, ids: dict[dt.date, str], database: Database, clock: FakeClock
) -> None:
    for variant in ("relaxed", "addiction"):
        publish_deal(database, won(variant)[0], TODAY, clock)
    page = client.get(f"/v1/dailies?from={TODAY}&to={TODAY}").json()["dailies"]
    assert [daily["variant"] for daily in page] == ["addiction", "classic", "relaxed"]
    one_by_one = list(pages(client, f"/v1/dailies?from={TODAY}&to={TODAY}&limit=1"))
    assert one_by_one == [[TODAY.isoformat()]] * 3
    for daily in page:
        assert client.get(daily["links"]["self"]).json()["id"] == daily["id"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_cursor_is_read_as_it_was_written(variant: str) -> None:
    place = Place(TODAY, variant)
    assert parse_cursor(cursor(place)) == place


def test_a_service_below_a_path_links_below_it(
    client: Client, ids: dict[dt.date, str], app: FastAPI
) -> None:
    with client_of(app, root_path="/gaps") as below:
        daily = below.get("/gaps/v1/daily").json()
        assert daily["links"]["self"] == f"/gaps/v1/dailies/{TODAY}?variant=classic"
        assert below.get(daily["links"]["deal"]).json() == daily["deal"]
