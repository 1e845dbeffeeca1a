"""Nothing of a deal can be had before its time: every route is asked about every state."""

import datetime as dt
import json
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import event

from service.api.app import create_app
from service.publishing.calendar import State, closes_at, state, visible_from
from service.publishing.gate import live_document
from service.publishing.withdraw import withdraw
from service.settings import Redeals, Settings
from service.store import practices
from service.store.database import Database
from service.store.identity import submission_id
from tests.api.client import Client
from tests.clock import NOON, FakeClock
from tests.deals import WonDeal, publish_deal, put_in_stock, won
from tests.searches import CannedSearches

TODAY = NOON.date()
DAY = dt.timedelta(days=1)
NOTHING = "0123456789abcdef0123"
"""An id that no deal has."""

PLAYER = "a-player-of-theirs"

Call = tuple[str, str, dict[str, Any]]


@dataclass(frozen=True)
class Kept:
    """A deal that the database holds, for a date or in stock; `reason` where it was withdrawn."""

    win: WonDeal
    date: dt.date | None
    redeals: Redeals = Redeals.SEALED
    reason: str | None = None

    @property
    def id(self) -> str:
        commitment: str = self.win.document["seed_commitment"]
        return commitment[:20]

    def state(self, now: dt.datetime) -> State:
        return State.HIDDEN if self.date is None else state(self.date, now)

    def secrets(self, now: dt.datetime, redeals_told: int = 0) -> dict[str, str]:
        """What must not be in any answer now, by what it is, as `squeezed` has it."""
        document = self.win.document
        entries = document.get("redeals", [])
        kept: dict[str, object] = {}
        state = self.state(now)
        if state is State.CLOSED and self.reason is None:
            return {}
        hidden = entries[redeals_told:] if self.redeals is Redeals.SEALED else []
        if state is State.HIDDEN or self.reason is not None:
            hidden = entries
            kept |= {f"row {y}": row for y, row in enumerate(document["layout"])}
            kept |= {f"commitment {k}": e["commitment"] for k, e in enumerate(entries)}
        if state is State.HIDDEN:
            kept |= {"id": self.id}
            kept |= {} if self.reason is None else {"reason": self.reason}
        for k, entry in enumerate(hidden):
            kept |= {f"salt {k}": entry["salt"], f"order {k}": entry["order"][:8]}
            kept |= {f"end of order {k}": entry["order"][-8:]}
        kept |= {"seed": document["seed"], "line": self.win.line[:8]}
        kept |= {"end of line": self.win.line[-8:]}
        return {what: squeezed(json.dumps(value)) for what, value in kept.items()}


def squeezed(text: str) -> str:
    """Letters and digits alone: a list is found in whatever way it is written down."""
    return re.sub(r"[^0-9A-Za-z]", "", text)


CLASSIC, RELAXED, GATHERED = won("classic", redeals=2), won("relaxed"), won("gathered")
REDMOON = won("red-moon")
WORLD = [
    Kept(won("classic", redeals=0)[2], TODAY - 3 * DAY),
    Kept(CLASSIC[0], TODAY),
    Kept(won("classic", redeals=1)[0], TODAY + DAY),
    Kept(won("classic", redeals=0)[0], TODAY + 2 * DAY),
    Kept(RELAXED[0], TODAY, Redeals.OPEN),
    Kept(RELAXED[1], TODAY + 2 * DAY, Redeals.OPEN),
    Kept(GATHERED[0], TODAY),
    Kept(won("classic", redeals=0)[1], None),
    Kept(won("unlimited")[0], TODAY, reason="Withdrawn while it was live."),
    Kept(won("classic", redeals=0)[3], TODAY - 4 * DAY, reason="Withdrawn when it had closed."),
    Kept(won("blue-moon")[0], TODAY + DAY, reason="Withdrawn before it began."),
    Kept(REDMOON[0], TODAY + DAY, reason="Withdrawn and replaced."),
    Kept(REDMOON[1], TODAY + DAY),
    Kept(won("scattered")[0], TODAY + 2 * DAY, reason="Withdrawn, and hidden still."),
]


@pytest.fixture
def settings() -> Settings:
    return Settings(variants=("classic", "relaxed", "gathered"), rate_limit="off")


@pytest.fixture
def app(settings: Settings, database: Database, clock: FakeClock) -> FastAPI:
    """An application that finds every win there is, of whatever number it is asked for."""
    return create_app(settings, database, clock, CannedSearches())


@pytest.fixture
def world(database: Database, clock: FakeClock) -> list[Kept]:
    """All of `WORLD`, published on the day before, when tomorrow had not begun anywhere."""
    clock.advance(days=-1)
    for kept in WORLD:
        if kept.date is None:
            continue
        assert publish_deal(database, kept.win, kept.date, clock, kept.redeals) == kept.id
        if kept.reason is not None:
            withdraw(database, kept.win.variant, kept.date, kept.reason, clock)
    clock.advance(days=1)
    put_in_stock(database, *(kept.win for kept in WORLD if kept.date is None))
    return WORLD


LOGS = [[], ["redeal"], CLASSIC[0].line[:1]]
SHOWN = [live_document(kept.win.document, Redeals.SEALED) for kept in WORLD[1:4]]
"""What a client may know of a deal, and guess: it must not be told more by having it verified."""
PREFLIGHT = {"Origin": "https://game.test", "Access-Control-Request-Method": "GET"}


def calls(app: FastAPI) -> Iterator[Call]:
    """Every route with everything that its parameters can be: method, path, options."""
    deals = [kept.id for kept in WORLD] + [NOTHING]
    submissions = [submission_id(deal, log) for deal in deals for log in LOGS[:2]]
    dates = [str(TODAY + n * DAY) for n in range(-4, 5)]
    values = {
        "date": dates,
        "code": ["deal-not-found"],
        "variant": ["classic", "relaxed", "unlimited", "red-moon"],
        "number": [str(kept.win.number) for kept in WORLD],
        "state": ["live", "archive"],
    }
    values |= {"tz": ["Pacific/Kiritimati", "Etc/GMT+12"], "from": dates[-2:], "to": dates[-2:]}
    values |= {"limit": ["1", "100"], "cursor": [f"{date}~classic" for date in dates]}
    for path, methods in app.openapi()["paths"].items():
        values["id"] = submissions if "submissions/{id}" in path else deals
        names = re.findall(r"{(\w+)}", path)
        filled = [
            path.format(**dict(zip(names, chosen, strict=True)))
            for chosen in product(*(values[name] for name in names))
        ]
        for method, operation in methods.items():
            named = [p["name"] for p in operation.get("parameters", []) if p["in"] == "query"]
            for address in filled:
                if method == "get":
                    yield "GET", address, {}
                    yield "GET", address, {"headers": {"Gaps-Player": PLAYER}}
                    yield "GET", address, {"headers": {"Accept": "text/plain"}}
                    for other in ("HEAD", "OPTIONS", "DELETE"):
                        yield other, address, {}
                    yield "OPTIONS", address, {"headers": PREFLIGHT}
                for parameter in named:
                    for value in values[parameter]:
                        yield "GET", address, {"params": {parameter: value}}
                if method == "post":
                    yield "POST", address, {"content": b"{"}
                    for document in SHOWN:
                        yield "POST", address, {"json": {"deal": document, "moves": ["redeal"]}}
                    for log in LOGS:
                        yield "POST", address, {"json": {"moves": log}}
                        headers = {"Gaps-Player": PLAYER}
                        yield "POST", address, {"json": {"moves": log}, "headers": headers}
    for path in ("/", "/docs", "/openapi.json", "/metrics", "/v1", "/v1/deals", "/v1/submissions"):
        for method in ("GET", "HEAD", "OPTIONS", "POST"):
            yield method, path, {}


def shown(response: httpx.Response) -> str:
    return squeezed(response.text + json.dumps(dict(response.headers)))


BOUNDARIES = {
    "a second before": visible_from(TODAY + DAY) - dt.timedelta(seconds=1),
    "begins": visible_from(TODAY + DAY),
    "a second before its end": closes_at(TODAY) - dt.timedelta(seconds=1),
    "closes": closes_at(TODAY),
}


@pytest.mark.parametrize("now", BOUNDARIES.values(), ids=BOUNDARIES.keys())
def test_no_route_tells_a_secret(
    app: FastAPI,
    client: Client,
    world: list[Kept],
    clock: FakeClock,
    caplog: pytest.LogCaptureFixture,
    strict: Client,
    now: dt.datetime,
) -> None:
    clock.set(now)
    nothing_known = {path: strict.get(path).content for path in ("/openapi.json", "/docs")}
    secrets = {
        (kept.id, what): secret for kept in world for what, secret in kept.secrets(now).items()
    }
    seen = set()
    # The client itself logs the addresses that it asks, ids and all.
    with caplog.at_level(logging.DEBUG), caplog.at_level(logging.WARNING, "httpx"):
        for method, path, options in calls(app):
            response = client.request(method, path, **options)
            assert response.status_code < 500 or path == "/readyz"
            answer = shown(response)
            if method == "GET" and path in nothing_known:
                # It has examples, of deals that the tests know; and it has them without a database.
                assert response.content == nothing_known[path]
                continue
            leaks = [name for name, secret in secrets.items() if secret in answer]
            asked = squeezed(path + json.dumps([options.get("params"), options.get("json")]))
            leaks = [name for name in leaks if secrets[name] not in asked]
            assert leaks == [], f"{method} {path} {options} tells {leaks}"
            seen |= {kept.id for kept in world if kept.win.document["seed"] in answer}
    assert PLAYER not in caplog.text
    logged = squeezed(caplog.text)
    assert [name for name, secret in secrets.items() if secret in logged] == []
    opened = (kept for kept in world if kept.reason is None and kept.state(now) is State.CLOSED)
    assert seen == {kept.id for kept in opened}


def test_a_due_redeal_tells_of_itself_alone(
    client: Client, world: list[Kept], clock: FakeClock
) -> None:
    live = world[1]
    line = live.win.line
    first = line.index("redeal")
    second = line.index("redeal", first + 1)
    for told, moves in ((1, line[:first]), (2, line[:second])):
        response = client.post(f"/v1/deals/{live.id}/redeals", json={"moves": moves})
        answer = shown(response)
        entries = live.win.document["redeals"]
        assert entries[told - 1]["salt"] in answer
        others = [e for k, e in enumerate(entries, 1) if k != told]
        assert not any(entry["salt"] in answer for entry in others)
        secrets = live.secrets(clock.now, redeals_told=2)
        assert not any(secret in answer for secret in secrets.values())


def test_a_verdict_tells_no_more_than_the_board(
    client: Client, world: list[Kept], clock: FakeClock
) -> None:
    live = world[1]
    for end in range(0, len(live.win.line) + 1, 7):
        path = f"/v1/deals/{live.id}/submissions"
        created = client.post(path, json={"moves": live.win.line[:end]})
        assert created.status_code == 201
        for response in (created, client.get(created.headers["location"])):
            secrets = live.secrets(clock.now)
            assert not [what for what, secret in secrets.items() if secret in shown(response)]


def plain(response: httpx.Response) -> tuple[int, bytes, dict[str, str]]:
    """All of an answer but the request's id."""
    headers = {k: v for k, v in response.headers.items() if k != "x-request-id"}
    return response.status_code, response.content, headers


@pytest.mark.parametrize("practised", [False, True])
def test_a_hidden_deal_is_as_one_that_does_not_exist(
    client: Client, world: list[Kept], clock: FakeClock, database: Database, practised: bool
) -> None:
    """In each answer, and in what the database is asked for it.

    That is so, too, where somebody has written into the database that it is one to practise.
    """
    if practised:
        with database.writing() as session:
            for number, kept in enumerate(world):
                practices.note(
                    session,
                    variant=kept.win.variant,
                    number=number,
                    deal_id=None if kept.date is None else kept.id,
                    budget=1,
                    solver_version="7",
                    searched_at=NOON,
                )
    asked: list[str] = []

    @event.listens_for(database.engine, "before_cursor_execute")
    def note(_: Any, __: Any, statement: str, *___: Any) -> None:
        asked.append(statement)

    def answers(deal: str) -> Iterator[object]:
        for path in ("", "/solution", "/bundle", "/stats"):
            path = f"/v1/deals/{deal}{path}"
            yield plain(client.get(path))
            yield plain(client.head(path))
        for path in (f"/v1/deals/{deal}/redeals", f"/v1/deals/{deal}/submissions"):
            for log in ([], ["redeal"], CLASSIC[0].line):
                yield plain(client.post(path, json={"moves": log}))
        yield plain(client.get(f"/v1/submissions/{submission_id(deal, [])}"))
        yield asked.copy()
        asked.clear()

    nothing = list(answers(NOTHING))
    assert nothing[-1], "the database is asked"
    hidden = [kept for kept in world if kept.state(clock.now) is State.HIDDEN]
    assert len(hidden) == 4
    for kept in hidden:
        assert list(answers(kept.id)) == nothing
    if practised:
        for number, kept in enumerate(world):
            answer = client.get(f"/v1/practice/{kept.win.variant}/{number}")
            secrets = kept.secrets(clock.now)
            assert not [what for what, secret in secrets.items() if secret in shown(answer)]


def test_a_hidden_date_is_as_one_that_has_no_daily(
    client: Client, world: list[Kept], clock: FakeClock
) -> None:
    for date in (TODAY + 2 * DAY, TODAY + 3 * DAY):
        prepared, unprepared = (
            client.get(f"/v1/dailies/{date}", params={"variant": variant})
            for variant in ("classic", "unlimited")
        )
        assert plain(prepared) == plain(unprepared)
        told = prepared.json()
        assert told.pop("available_at") == visible_from(date).isoformat().replace("+00:00", "Z")
        assert told == client.get("/v1/dailies/2020-01-01").json()
    whole = client.get("/v1/dailies?limit=100").json()
    replaced = REDMOON[0].document["seed_commitment"][:20]
    assert {daily["id"] for daily in whole["dailies"]} == {
        kept.id for kept in world if kept.state(clock.now) is not State.HIDDEN
    } - {replaced}
