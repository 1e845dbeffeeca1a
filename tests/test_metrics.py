"""The numbers: what happens is counted, and read out under names and labels that stay."""

import datetime as dt
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample
from structlog.testing import capture_logs

from service import metrics
from service.game.shuffle import numbered_seed
from service.metrics import Supplies, Supply
from service.minting.mint import mint
from service.minting.search import Find, SearchLimits
from service.scheduler import Jobs
from service.settings import Settings
from service.solver import Outcome
from service.store.database import Database
from tests.clock import FakeClock
from tests.deals import won
from tests.journeys.processes import free_port

THERE = Supplies([Supply("classic", 3, 7), Supply("relaxed", 0, -1)], 2, 14, 7)


def samples(text: str | None = None) -> list[Sample]:
    """All numbers of a text, by default of what this process has counted."""
    text = metrics.exposition(lambda: THERE).decode() if text is None else text
    return [sample for family in text_string_to_metric_families(text) for sample in family.samples]


def value(name: str, text: str | None = None, **labels: str) -> float:
    """The sum of the numbers of a name with these labels."""
    return sum(
        s.value for s in samples(text) if s.name == name and labels.items() <= s.labels.items()
    )


def test_names_and_labels_stay() -> None:
    metrics.request_answered("GET", "/v1/daily", 200, 0.01)
    metrics.candidate_searched("classic", "stored", 10)
    metrics.deal_minted("classic", 2.0)
    metrics.task_done("prepare_dailies", dt.datetime(2026, 3, 8, tzinfo=dt.UTC))
    assert {sample.name: set(sample.labels) for sample in samples()} == {
        "gaps_http_requests_total": {"method", "route", "status"},
        "gaps_http_request_seconds_bucket": {"method", "route", "le"},
        "gaps_http_request_seconds_count": {"method", "route"},
        "gaps_http_request_seconds_sum": {"method", "route"},
        "gaps_candidates_total": {"variant", "outcome"},
        "gaps_positions_searched_total": {"variant"},
        "gaps_mint_seconds_bucket": {"variant", "le"},
        "gaps_mint_seconds_count": {"variant"},
        "gaps_mint_seconds_sum": {"variant"},
        "gaps_heartbeat_timestamp_seconds": {"task"},
        "gaps_database_up": set(),
        "gaps_stock_deals": {"variant"},
        "gaps_days_ahead": {"variant"},
        "gaps_stock_wanted_deals": set(),
        "gaps_days_wanted": set(),
        "gaps_checker_refusals_total": set(),
    }


def test_supplies_are_read_at_the_scrape() -> None:
    assert value("gaps_stock_deals", variant="classic") == 3
    assert value("gaps_days_ahead", variant="relaxed") == -1
    assert value("gaps_checker_refusals_total") == 2
    assert value("gaps_database_up") == 1
    without = metrics.exposition(lambda: None).decode()
    assert value("gaps_database_up", without) == 0
    assert "gaps_stock_deals" not in without


class Told(Executor):
    """Answers a candidate after the other with what it was told."""

    def __init__(self, *answers: Find | Exception) -> None:
        self._answers: Iterator[Find | Exception] = iter(answers)

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        future: Future[Any] = Future()
        answer = next(self._answers)
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)
        return future


def test_candidates_are_counted_by_what_became_of_them(
    database: Database, clock: FakeClock
) -> None:
    win = won("relaxed")[0]
    seed = numbered_seed(win.variant, win.number)
    line = tuple(win.line)
    found = Find(win.variant, seed, Outcome.WON, line, len(line), win.redeals, 700, 0.1)
    refused = Find(win.variant, seed, Outcome.WON, line[:-1], len(line), win.redeals, 50, 0.1)
    lost = Find(win.variant, seed, Outcome.LOST, None, None, None, 30, 0.1)
    answers: list[Find | Exception] = [lost, refused, TimeoutError(), RuntimeError(), found, found]
    names = ("stored", "refused", "known", "lost", "timed out", "crashed")

    def counts() -> list[float]:
        return [value("gaps_candidates_total", variant=win.variant, outcome=name) for name in names]

    before = counts()
    positions = value("gaps_positions_searched_total", variant=win.variant)
    deals = value("gaps_mint_seconds_count", variant=win.variant)
    with capture_logs():
        mint(
            database,
            win.variant,
            2,
            executor=Told(*answers),
            clock=clock,
            limits=SearchLimits(1000, 2, 64),
            most_candidates=len(answers),
        )
    assert [after - b for after, b in zip(counts(), before, strict=True)] == [1] * 6
    assert value("gaps_positions_searched_total", variant=win.variant) - positions == 1480
    assert value("gaps_mint_seconds_count", variant=win.variant) - deals == 1


def beat(task: str) -> float:
    return value("gaps_heartbeat_timestamp_seconds", task=task)


def test_a_task_that_fails_has_no_heartbeat(database: Database, clock: FakeClock) -> None:
    jobs = Jobs(Settings(), database, clock)
    try:
        jobs._guarded(_done)()
        assert beat("_done") == clock.now.timestamp()
        with capture_logs() as logs:
            jobs._guarded(_failing)()
        assert [entry["log_level"] for entry in logs] == ["error"]
        assert beat("_failing") == 0
    finally:
        jobs.stop()


def _done() -> None:
    pass


def _failing() -> None:
    raise RuntimeError


def test_numbers_are_served_until_the_end() -> None:
    port = free_port()
    metrics.deal_minted("classic", 1.0)
    address = f"http://127.0.0.1:{port}/metrics"
    with metrics.Serving("127.0.0.1", port, lambda: THERE):
        with urllib.request.urlopen(address) as answer:
            text = answer.read().decode()
        assert value("gaps_mint_seconds_count", text) >= 1
        assert value("gaps_days_ahead", text, variant="classic") == 7
        with pytest.raises(OSError, match="in use"):
            metrics.Serving("127.0.0.1", port, lambda: THERE)
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(address)


TOGETHER = """
import os, subprocess, sys
from service import metrics

def count():
    metrics.deal_minted("classic", 1.0)

with metrics.counting_together():
    folder = os.environ["PROMETHEUS_MULTIPROC_DIR"]
    count()
    other = "from service import metrics; metrics.deal_minted('classic', 1.0)"
    for _ in range(2):
        subprocess.run([sys.executable, "-c", other], check=True)
    print(metrics.exposition(lambda: None).decode())
assert not os.path.exists(folder)
"""


def test_processes_that_count_together_are_one(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", TOGETHER], env={"TMPDIR": str(tmp_path)}, capture_output=True
    )
    assert ran.returncode == 0, ran.stderr
    assert value("gaps_mint_seconds_count", ran.stdout.decode()) == 3
    assert list(tmp_path.iterdir()) == [], "the folder goes with the service"
