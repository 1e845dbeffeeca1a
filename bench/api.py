"""Measures the API against bare FastAPI routes: ``python -m bench.api [--postgresql]``.

Both are served by two uvicorn workers on this machine, one after the other in turns, and asked by
this process over 16 connections. Prints a Markdown table, and how soon today's deal is answered
while other processes mint.
"""

import argparse
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import text

from bench.bare import TABLE
from bench.load import Result, load
from service.clock import system_clock
from service.game.board import slides
from service.game.notation import slide_token
from service.game.parsing import parse_document
from service.game.play import Game
from service.store.database import Database
from service.store.schema import upgrade
from tests.databases import PostgresServer
from tests.deals import publish_deal, won
from tests.journeys.processes import free_port

BIN = Path(sys.executable).parent
TOKENS = 150
LOGS = 8_000
"""The most logs that one round posts: each can be new only once."""
DEAL = won("classic", redeals=1)[0]


@dataclass
class Case:
    """One line of the table: what is asked of either, and what they should answer."""

    name: str
    ours: Callable[[], Iterator[bytes]]
    bare: Callable[[], Iterator[bytes]]
    status: int
    wanted: float


@contextmanager
def serving(command: list[str], port: int, path: str, **environment: str) -> Iterator[None]:
    """A server of two workers, once it answers, until the end."""
    environment = {**os.environ, **environment}
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    try:
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}{path}").close()
                break
            except OSError:
                if process.poll() is not None:
                    raise
                time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait()


def request(method: str, path: str, body: bytes = b"") -> bytes:
    """A request as it goes over the wire."""
    typed = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n" if body else ""
    return f"{method} {path} HTTP/1.1\r\nHost: bench\r\n{typed}\r\n".encode() + body


def logs(chance: random.Random) -> Iterator[bytes]:
    """Bodies with logs of `TOKENS` legal tokens, each another."""
    deal = parse_document(DEAL.document)
    while True:
        game, moves, done = Game(deal), list[str](), 0
        while len(moves) < TOKENS:
            legal = list(slides(deal.rules, game.board))
            back = done > 0 and (not legal or chance.random() < 0.1)
            token = "undo" if back else slide_token(deal.rules, chance.choice(legal))
            game.play(token)
            moves.append(token)
            done += -1 if back else 1
        yield json.dumps({"moves": moves}).encode()


def median(rounds: list[Result], of: Callable[[Result], float]) -> float:
    """The median of a figure over the rounds."""
    return statistics.median(map(of, rounds))


def compare(case: Case, ours: int, bare: int, seconds: float, rounds: int) -> float:
    """Prints a line of the table; answers our rate."""
    measured: dict[int, list[Result]] = {ours: [], bare: []}
    for _ in range(rounds):
        for port, requests in ((bare, case.bare), (ours, case.ours)):
            result = load(port, requests(), seconds=seconds)
            assert set(result.statuses) == {case.status}, result.statuses
            measured[port].append(result)
    rate, best = (median(measured[port], lambda result: result.rate) for port in (ours, bare))
    # Of the slowest round: at more than the machine can do just now every queue grows.
    slowest = min(result.rate for result in measured[ours])
    paced = load(ours, case.ours(), seconds=2 * seconds, rate=0.8 * slowest)
    assert set(paced.statuses) == {case.status}, paced.statuses
    print(
        f"| {case.name} | {best:,.0f}/s | {rate:,.0f}/s | {rate / best:.0%} | {case.wanted:.0%} | "
        f"{paced.milliseconds(0.5):.1f} | {paced.milliseconds(0.99):.1f} | "
        f"{paced.milliseconds(1):.0f} |",
        flush=True,
    )
    return rate


def under_minting(port: int, url: str, seconds: float, rate: float) -> None:
    """Prints how soon today's deal is answered while two processes search all the time."""
    command = [str(BIN / "gaps"), "mint", "--count", "100000", "--workers", "2"]
    environment = {**os.environ, "GAPS_DATABASE_URL": url, "GAPS_DAILY_MAX_REDEALS": "0"}
    minting = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        time.sleep(15)
        asked = itertools.repeat(request("GET", "/v1/daily"))
        result = load(port, asked, seconds=seconds, rate=rate)
    finally:
        minting.terminate()
        minting.wait()
    within = sum(latency < 0.05 for latency in result.latencies) / len(result.latencies)
    print(
        f"\nGET /v1/daily, {rate:,.0f} a second, while two processes mint: {within:.1%} within "
        f"50 ms, median {result.milliseconds(0.5):.1f} ms, 99 % within "
        f"{result.milliseconds(0.99):.0f} ms, longest {result.milliseconds(1):.0f} ms."
    )


def run(url: str, folder: Path, seconds: float, rounds: int) -> None:
    """Measures on one database."""
    upgrade(url)
    with Database.open(url) as database:
        with database.writing() as session:
            session.execute(text(TABLE))
        deal_id = publish_deal(database, DEAL, system_clock().date(), system_clock)
    ours, bare = free_port(), free_port()
    serve = [str(BIN / "gaps"), "serve", "--workers", "2", "--no-scheduler"]
    settings = {"GAPS_PORT": str(ours), "GAPS_DATABASE_URL": url, "GAPS_RATE_LIMIT": "off"}
    uvicorn = [sys.executable, "-m", "uvicorn", "bench.bare:application", "--factory"]
    uvicorn += ["--workers", "2", "--no-access-log", "--port", str(bare)]
    paths = {"daily": "/v1/daily", "deal": f"/v1/deals/{deal_id}"}
    bodies = logs(random.Random(20260308))
    with ExitStack() as stack:
        stack.enter_context(serving(serve, ours, "/healthz", **settings))
        for name, path in paths.items():
            with urllib.request.urlopen(f"http://127.0.0.1:{ours}{path}") as answer:
                (folder / name).write_bytes(answer.read())
        known = {"GAPS_DATABASE_URL": url, "BENCH_ANSWERS": str(folder)}
        stack.enter_context(serving(uvicorn, bare, "/daily", **known))
        prepared = list(itertools.islice(bodies, (rounds + 2) * LOGS))
        posts = iter(prepared)
        cases = [
            Case(
                f"GET {shown}",
                lambda path=path: itertools.repeat(request("GET", path)),  # type: ignore[misc]
                lambda name=name: itertools.repeat(request("GET", f"/{name}")),  # type: ignore[misc]
                200,
                0.8,
            )
            for (name, path), shown in zip(
                paths.items(), ("/v1/daily", "/v1/deals/{id}"), strict=True
            )
        ]
        cases.append(
            Case(
                f"POST a new log of {TOKENS} tokens",
                lambda: (
                    request("POST", f"{paths['deal']}/submissions", body)
                    for body in itertools.islice(posts, LOGS)
                ),
                lambda: (request("POST", "/rows", body) for body in itertools.cycle(prepared)),
                201,
                0.5,
            )
        )
        print("| call | bare | ours | share | wanted | median ms | 99 % ms | longest ms |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- |")
        for case in cases:
            compare(case, ours, bare, seconds, rounds)
        under_minting(ours, url, 2 * seconds, 200)


def main() -> None:
    """Measures, as the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgresql", action="store_true", help="on PostgreSQL, not SQLite")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long a round takes")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if not asked.postgresql:
            run(f"sqlite:///{folder}/gaps.db", Path(folder), asked.seconds, asked.rounds)
            return
        server = PostgresServer(durable=True)
        try:
            server.start()
            with server.fresh(migrated=True) as url:
                run(url, Path(folder), asked.seconds, asked.rounds)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
