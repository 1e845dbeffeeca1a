"""What the API really answers, call by call, on a day that is always the same.

``make openapi`` writes these answers to where the OpenAPI document takes its examples from, and the
document itself to ``docs/openapi.json``; a test compares both with what is so.
"""

import datetime as dt
import hashlib
import json
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from service.api import examples
from service.api.app import create_app
from service.logs import configure_logs
from service.settings import Settings
from service.store.database import Database
from service.store.schema import upgrade
from tests.api.client import Client, client_of
from tests.clock import NOON, FakeClock
from tests.deals import publish_deal, won
from tests.searches import CannedSearches

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "openapi.json"
(YESTERDAY, TOMORROW), (TODAY,) = won("classic", redeals=0)[:2], won("classic", redeals=2)
PRACTICE = won("relaxed", redeals=0)[0]
PLAYER = "example-player-of-the-docs"


class World(NamedTuple):
    """A database with a daily each for yesterday, which is closed, today and tomorrow.

    These are live: tomorrow has begun where days begin first.
    """

    yesterday: str
    today: str
    tomorrow: str
    clock: FakeClock


def world(database: Database) -> World:
    """Publishes the dailies. Its clock stands at noon in UTC."""
    clock = FakeClock(NOON)
    yesterday, today, tomorrow = (
        publish_deal(database, deal, clock.today + dt.timedelta(days=days), clock)
        for days, deal in ((-1, YESTERDAY), (0, TODAY), (1, TOMORROW))
    )
    return World(yesterday, today, tomorrow, clock)


@contextmanager
def example_client() -> Iterator[tuple[Client, World]]:
    """A client of an application in which every day is the same."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/gaps.db"
        upgrade(url)
        with Database.open(url) as database:
            made = world(database)
            settings = Settings(rate_limit="off", cache_seconds=0)
            app = create_app(settings, database, made.clock, CannedSearches())
            with client_of(app) as client:
                yield client, made


def real_answers() -> dict[str, Any]:
    """Per operation: the `parameters` and `body` that were sent, and the `status` and `answer`."""
    found: dict[str, Any] = {}
    with example_client() as (client, made):
        paths = client.get("/openapi.json").json()["paths"]
        called = {
            operation["operationId"]: (method, path)
            for path, methods in paths.items()
            for method, operation in methods.items()
        }

        def call(name: str, body: Any = None, player: str = "", **parameters: Any) -> Any:
            method, path = called[name]
            address = path.format(**parameters)
            headers = {"Gaps-Player": player} if player else {}
            response = client.request(method, address, headers=headers, json=body)
            assert response.is_success or response.is_redirect, response.text
            answer = response.json() if response.content else None
            found[name] = {
                "parameters": parameters | headers,
                "body": body,
                "status": response.status_code,
                "answer": answer,
            }
            return answer

        stuck = TODAY.line[: TODAY.line.index("redeal")]
        call("getToday")
        call("listDailies")
        call("getDaily", date=str(made.clock.today))
        call("getDeal", id=made.today)
        call("getSolution", id=made.yesterday)
        call("getBundle", id=made.yesterday)
        call("getRedeal", {"moves": stuck}, id=made.today)
        for line in (stuck, YESTERDAY.line):
            call("submitLog", {"moves": line}, id=made.today)
        stored = call("submitLog", {"moves": TODAY.line}, PLAYER, id=made.today)
        call("getSubmission", id=stored["id"])
        call("getStatistics", id=made.today)
        call("getRecord", player=PLAYER)
        call("verifyLog", {"deal": YESTERDAY.document, "moves": YESTERDAY.line})
        call("getPractice", variant=PRACTICE.variant, number=PRACTICE.number)
        with mock.patch("secrets.randbelow", return_value=PRACTICE.number):
            call("choosePractice", variant=PRACTICE.variant)
        for name in ("listVariants", "listProblems", "getHealth", "getReadiness"):
            call(name)
        call("getProblem", code="redeal-not-due")
        method, path = called["streamDailies"]
        lines = client.request(method, path).text
        found["streamDailies"] = {"parameters": {}, "body": None, "status": 200, "answer": lines}
        sums = client.request(*called["getCheckerDigest"]).text
        # It is another one with every change of the checker: the digest of nothing stands for it.
        sums = re.sub("^[0-9a-f]{64}", hashlib.sha256(b"").hexdigest(), sums)
        found["getCheckerDigest"] = {"parameters": {}, "body": None, "status": 200, "answer": sums}
        status = client.request(*called["getChecker"]).status_code
        # An archive is no JSON: the document says where it is.
        found["getChecker"] = {"parameters": {}, "body": None, "status": status, "answer": None}
    return found


def written(value: Any) -> str:
    """JSON for a file that people read changes of, with lists of simple values on one line."""
    text = json.dumps(value, indent=1, ensure_ascii=False)
    flat = re.sub(r"\[\s+([^][{}]{,2000}?)\s+\]", lambda m: f"[{' '.join(m[1].split())}]", text)
    return flat + "\n"


def document() -> Any:
    """The OpenAPI document as the service serves it."""
    with example_client() as (client, _):
        return client.get("/openapi.json").json()


if __name__ == "__main__":
    configure_logs("error")
    examples.FILE.write_text(written(real_answers()), "utf-8")
    examples.load.cache_clear()
    DOCUMENT.write_text(written(document()), "utf-8")
