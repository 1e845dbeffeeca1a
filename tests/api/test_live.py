"""A real server on a real port: what only shows on the wire."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from service.api.problems import Problem
from service.clock import system_clock
from service.store.database import Database
from tests.api.client import problem
from tests.deals import publish_deal, won

WIN = won("classic", redeals=2)[0]
ROOT = Path(__file__).parents[2]


@contextmanager
def served(database_url: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A server on a free port, as an operator may start one: its address, and its process."""
    process = subprocess.Popen(
        [sys.executable, "-m", "uvicorn", "--factory", "service.api.app:factory", "--port", "0"],
        cwd=ROOT,
        env={**os.environ, "GAPS_DATABASE_URL": database_url},
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    try:
        address = None
        while address is None:
            line = process.stderr.readline() if process.stderr else ""
            assert line, "the server ended before it answered"
            address = re.search(r"http://[0-9.]+:[0-9]+", line)
        yield address.group(), process
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def running(database: Database, database_url: str) -> Iterator[str]:
    """The address of a server with a daily for today."""
    publish_deal(database, WIN, system_clock().date(), system_clock)
    with served(database_url) as (address, _):
        yield address


def on_the_wire(address: str, request: bytes) -> bytes:
    """All that comes back until the server closes the connection."""
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        connection.sendall(request)
        return b"".join(iter(lambda: connection.recv(65_536), b""))


def test_a_day_of_a_client(running: str) -> None:
    with httpx.Client(base_url=running, timeout=60) as client:
        daily = client.get("/v1/daily").json()
        first = WIN.line.index("redeal")
        due = client.post(daily["links"]["redeals"], json={"moves": WIN.line[:first]}).json()
        assert due["entry"] == WIN.document["redeals"][0]
        submit = daily["links"]["submissions"]
        with ThreadPoolExecutor(8) as pool:
            sent = list(
                pool.map(lambda _: client.post(submit, json={"moves": WIN.line}), range(16))
            )
        assert sorted(response.status_code for response in sent) == [200] * 15 + [201]
        assert len({response.text for response in sent}) == 1
        assert sent[0].json()["verdict"]["won"]


def test_what_is_too_large_is_refused_on_the_wire(running: str) -> None:
    path = f"/v1/deals/{WIN.document['seed_commitment'][:20]}/submissions"
    json = {"Content-Type": "application/json"}
    with httpx.Client(base_url=running, timeout=60) as client:
        problem(client.post(path, content=b"[" * 66_000, headers=json), Problem.BODY_TOO_LARGE)
        chunks = iter([b"[" * 1_000] * 67)
        problem(client.post(path, content=chunks, headers=json), Problem.BODY_TOO_LARGE)
        assert client.get("/healthz").status_code == 200
    head = f"POST {path} HTTP/1.1\r\nHost: gaps\r\nContent-Type: application/json\r\n"
    # The server answers before the body is sent, and waits for none of it.
    answer = on_the_wire(running, f"{head}Content-Length: 99999999\r\n\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 413 ")
    endless = b"10000\r\n" + b"[" * 0x10000 + b"\r\n1\r\n[\r\n"
    answer = on_the_wire(running, f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + endless)
    assert answer.startswith(b"HTTP/1.1 413 ")


def test_head_sends_no_body_on_the_wire(running: str) -> None:
    close = b"Host: gaps\r\nConnection: close\r\n\r\n"
    for path in (b"/v1/daily", b"/nowhere"):
        head, _, body = on_the_wire(running, b"HEAD " + path + b" HTTP/1.1\r\n" + close).partition(
            b"\r\n\r\n"
        )
        assert body == b""
        _, _, body = on_the_wire(running, b"GET " + path + b" HTTP/1.1\r\n" + close).partition(
            b"\r\n\r\n"
        )
        assert f"content-length: {len(body)}".encode() in head


def gone_in_the_middle(address: str) -> None:
    """Sends half of a body and hangs up."""
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        connection.sendall(
            b"POST /v1/verify HTTP/1.1\r\nHost: gaps\r\nContent-Type: application/json\r\n"
            b'Content-Length: 100\r\n\r\n{"deal": '
        )


def test_it_ends_when_it_is_told_to(sqlite_url: str) -> None:
    with served(sqlite_url) as (address, process):
        assert httpx.get(f"{address}/healthz").status_code == 200
        gone_in_the_middle(address)
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=60)
        assert "Traceback" not in log
        assert process.returncode in {0, -signal.SIGTERM}


def test_a_setting_that_cannot_be_used_ends_the_start() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from service.api.app import factory; factory()"],
        cwd=ROOT,
        env={**os.environ, "GAPS_VARIANTS": "SENTINEL"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.rstrip().splitlines()[-1].startswith("service.settings.SettingsError: GAPS_")
