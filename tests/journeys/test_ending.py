"""Services that are told to end: soon, with an answer for whoever waits for one."""

import json
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil
import pytest
from sqlalchemy import text

from service.clock import system_clock
from service.store.database import Database
from tests.deals import publish_deal, won
from tests.journeys.processes import Service, running

WIN = won("classic", redeals=2)[0]
ID = WIN.document["seed_commitment"][:20]
SUBMISSIONS = f"/v1/deals/{ID}/submissions"


def under_way(ask: Callable[[], httpx.Response]) -> Future[httpx.Response]:
    """A request in a thread of its own."""
    answer: Future[httpx.Response] = Future()

    def run() -> None:
        try:
            answer.set_result(ask())
        except Exception as error:
            answer.set_exception(error)

    threading.Thread(target=run).start()
    return answer


def ended(service: Service) -> str:
    """What it has logged once it has ended, and nothing that it had started is left."""
    children = psutil.Process(service.process.pid).children(recursive=True)
    assert service.end() == 0
    _, alive = psutil.wait_procs(children, timeout=30)
    assert alive == []
    return service.log


@pytest.mark.parametrize("workers", ["1", "2"])
def test_who_waits_for_a_search_is_told_to_come_again(
    tmp_path: Path, database_url: str, workers: str
) -> None:
    """A search that would take hours is cut off, and is no fault of the service's.

    Number 308 is one of the few that are not won within 400 million positions.
    """
    endless = {"practice_budget": 10**15, "search_seconds": 10_000}
    with running(
        tmp_path, database_url, "serve", "--no-scheduler", "--workers", workers, **endless
    ) as service:
        service.wait_until_serving()
        address = f"{service.url}/v1/practice/big-paganini-one-deal/308"
        answer = under_way(lambda: httpx.get(address, timeout=60))
        while not searching(service):
            assert not answer.done()
        log = ended(service)
        told = answer.result(timeout=30)
    assert told.status_code == 503
    assert told.json()["code"] in {"shutting-down", "busy"}
    assert int(told.headers["retry-after"]) > 0
    assert told.headers["access-control-allow-origin"] == "*"
    assert "Traceback" not in log


def searching(service: Service) -> bool:
    """Whether a search process has begun to work."""
    for process in psutil.Process(service.process.pid).children(recursive=True):
        try:
            if process.nice() == 10 and process.cpu_times().user > 0.5:
                return True
        except psutil.NoSuchProcess:
            continue
    return False


@contextmanager
def locked(url: str) -> Iterator[None]:
    """A database in which somebody else writes, and does not come to an end."""
    with Database.open(url) as database, database.writing() as session:
        table = "LOCK TABLE submissions IN ACCESS EXCLUSIVE MODE"
        # On SQLite the first statement of a writer takes the one lock there is.
        session.execute(text(table if url.startswith("postgresql") else "SELECT 1"))
        yield


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_database_that_does_not_answer_keeps_nothing_alive(
    tmp_path: Path, database_url: str, database: Database, workers: str
) -> None:
    publish_deal(database, WIN, system_clock().date(), system_clock)
    with running(
        tmp_path, database_url, "serve", "--no-scheduler", "--workers", workers
    ) as service:
        service.wait_until_serving()
        assert httpx.post(service.url + SUBMISSIONS, json={"moves": []}).status_code == 201
        with locked(database_url):
            log = {"moves": ["undo"]}
            answer = under_way(lambda: httpx.post(service.url + SUBMISSIONS, json=log, timeout=60))
            # Reading goes on, so that it is known when the log has come to the database.
            with pytest.raises(TimeoutError):
                answer.result(timeout=1)
            ended(service)
            assert answer.result(timeout=30).json()["code"] == "shutting-down"


@pytest.mark.parametrize("workers", ["1", "2"])
def test_what_is_under_way_is_answered(tmp_path: Path, sqlite_url: str, workers: str) -> None:
    body = json.dumps({"deal": WIN.document, "moves": WIN.line}).encode()
    head = (
        "POST /v1/verify HTTP/1.1\r\nHost: gaps\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    with running(tmp_path, sqlite_url, "serve", "--no-scheduler", "--workers", workers) as service:
        service.wait_until_serving()
        host, port = service.url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=60) as connection:
            connection.sendall(head.encode() + body[:100])
            assert httpx.get(service.url + "/healthz").status_code == 200
            service.process.send_signal(signal.SIGTERM)
            service.wait_for("Shutting down")
            connection.sendall(body[100:])
            answer = b"".join(iter(lambda: connection.recv(65_536), b""))
        assert service.process.wait(timeout=30) == 0
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b'"won":true' in answer


@pytest.mark.parametrize("command", [("serve",), ("serve", "--workers", "2"), ("scheduler",)])
def test_it_can_be_told_at_any_moment_of_its_start(
    tmp_path: Path, sqlite_url: str, command: tuple[str, ...]
) -> None:
    """Several at once, each a little later than the one before."""

    def start_and_end(moment: int) -> tuple[int, str]:
        folder = tmp_path / str(moment)
        folder.mkdir()
        with running(folder, sqlite_url, *command, stock="0", horizon_days="1") as service:
            time.sleep(0.7 * moment)
            return service.end(), service.log

    with ThreadPoolExecutor(3) as threads:
        for status, log in threads.map(start_and_end, range(1, 7)):
            # Before it serves the signal itself ends it.
            assert status in {0, -signal.SIGTERM}
            assert "Traceback" not in log
