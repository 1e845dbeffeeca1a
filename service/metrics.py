"""What is counted for Prometheus: every name, label and bucket, and how they are read out.

Nothing else of the service is known here. Labels take few values: variants, known outcomes, the
templates of routes; never an id, a path or anything else that a client can choose.
"""

import datetime as dt
import fcntl
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

# Prometheus' library decides when it is imported whether several processes count together, by an
# environment variable. So it is imported when the first number is asked for, not here.
if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry, Counter, Histogram, Metric

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
"""The media type of `exposition`."""

_FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
_REQUEST_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_MINT_SECONDS: Final = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0)


class Supply(NamedTuple):
    """What there is for the days to come in one variant."""

    variant: str
    stock: int
    """Deals that a daily may be made of and no date has."""
    days_ahead: int
    """Days after today, in UTC, up to the first without a daily; -1 where today has none."""


class Supplies(NamedTuple):
    """What the database says when it is asked, and the settings that it is measured by."""

    variants: Sequence[Supply]
    refusals: int
    """Deals kept aside, ever, because the checker refused the solver's line."""
    stock_wanted: int
    days_wanted: int


AskSupplies = Callable[[], Supplies | None]
"""Answers what there is now; None where the database cannot be used."""


class _Numbers:
    """The numbers that a process counts itself."""

    def __init__(self) -> None:
        from prometheus_client import (
            CollectorRegistry,
            Counter,
            Gauge,
            Histogram,
            disable_created_metrics,
        )

        # Several processes have none of these, so one has none either.
        disable_created_metrics()
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "gaps_http_requests",
            "Requests answered; 499 where the client went away.",
            ["method", "route", "status"],
            registry=self.registry,
        )
        self.request_seconds = Histogram(
            "gaps_http_request_seconds",
            "How long requests took, to the last byte of the answer.",
            ["method", "route"],
            buckets=_REQUEST_SECONDS,
            registry=self.registry,
        )
        self.candidates = Counter(
            "gaps_candidates",
            "Candidates for the stock, by what became of them.",
            ["variant", "outcome"],
            registry=self.registry,
        )
        self.positions = Counter(
            "gaps_positions_searched",
            "Positions visited by searches that came to an end.",
            ["variant"],
            registry=self.registry,
        )
        self.mint_seconds = Histogram(
            "gaps_mint_seconds",
            "How long it took to mint a deal, all candidates that failed included.",
            ["variant"],
            buckets=_MINT_SECONDS,
            registry=self.registry,
        )
        self.heartbeat = Gauge(
            "gaps_heartbeat_timestamp_seconds",
            "When a scheduled task was last done to its end, in seconds since 1970.",
            ["task"],
            registry=self.registry,
            multiprocess_mode="max",
        )


@cache
def _numbers() -> _Numbers:
    return _Numbers()


def request_answered(method: str, route: str, status: int, seconds: float) -> None:
    """Counts a request. `route` is a template like ``/v1/deals/{id}``, never a path."""
    count, duration = _of_requests(method, route, status)
    count.inc()
    duration.observe(seconds)


# Looking labels up takes longer than counting, and there are as many as routes have statuses.
@cache
def _of_requests(method: str, route: str, status: int) -> "tuple[Counter, Histogram]":
    return (
        _numbers().requests.labels(method, route, str(status)),
        _numbers().request_seconds.labels(method, route),
    )


def candidate_searched(variant: str, outcome: str, positions: int = 0) -> None:
    """Counts a candidate, and the positions its search visited as far as they are known."""
    _numbers().candidates.labels(variant, outcome).inc()
    _numbers().positions.labels(variant).inc(positions)


def deal_minted(variant: str, seconds: float) -> None:
    """Counts a deal that was minted, `seconds` after the one before or after minting began."""
    _numbers().mint_seconds.labels(variant).observe(seconds)


def task_done(task: str, at: dt.datetime) -> None:
    """Notes that a scheduled task came to its end."""
    _numbers().heartbeat.labels(task).set(at.timestamp())


@contextmanager
def counting_together() -> Iterator[None]:
    """Has this process and those it starts count as one; to be entered before anything is counted.

    What each has counted is kept in a folder of their own, and any of them can read out the sum.
    Processes that ended are still in it, so that no counter ever falls. The folder goes at the end.
    """
    with tempfile.TemporaryDirectory(prefix="gaps-metrics-") as folder:
        # Cleaners of temporary folders leave alone what is locked.
        lock = os.open(folder, os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_SH)
        os.environ[_FOLDER] = folder
        try:
            yield
        finally:
            del os.environ[_FOLDER]
            os.close(lock)


def exposition(supplies: AskSupplies) -> bytes:
    """All numbers as Prometheus reads them, of all processes that count together."""
    from prometheus_client import generate_latest

    return generate_latest(_registry(supplies))


class Serving:
    """Answers with `exposition` over HTTP, from a thread of this process, until it is left.

    Raises `OSError` where the port cannot be listened on.
    """

    def __init__(self, host: str, port: int, supplies: AskSupplies) -> None:
        from prometheus_client import start_http_server

        self._server, self._thread = start_http_server(port, host, _registry(supplies))

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _registry(supplies: AskSupplies) -> "CollectorRegistry":
    from prometheus_client import CollectorRegistry

    registry = CollectorRegistry()
    registry.register(_Collector(supplies))
    return registry


class _Collector:
    """Counts from the processes, and what there is from the database, at each scrape."""

    def __init__(self, supplies: AskSupplies) -> None:
        self._supplies = supplies

    def collect(self) -> Iterator["Metric"]:
        """The metrics, as a registry asks for them."""
        from prometheus_client.multiprocess import MultiProcessCollector

        folder = os.environ.get(_FOLDER)
        if folder is None:
            yield from _numbers().registry.collect()
        else:
            yield from MultiProcessCollector(None, folder).collect()
        yield from _from_the_database(self._supplies())


def _from_the_database(supplies: Supplies | None) -> Iterator["Metric"]:
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

    yield GaugeMetricFamily(
        "gaps_database_up", "Whether the database could be asked.", float(supplies is not None)
    )
    if supplies is None:
        return
    stock = GaugeMetricFamily(
        "gaps_stock_deals", "Verified deals that no date has yet.", labels=["variant"]
    )
    ahead = GaugeMetricFamily(
        "gaps_days_ahead",
        "Days after today, in UTC, that have their daily; -1 where today has none.",
        labels=["variant"],
    )
    for supply in supplies.variants:
        stock.add_metric([supply.variant], supply.stock)
        ahead.add_metric([supply.variant], supply.days_ahead)
    yield stock
    yield ahead
    yield GaugeMetricFamily(
        "gaps_stock_wanted_deals", "What the stock of a variant should be.", supplies.stock_wanted
    )
    yield GaugeMetricFamily(
        "gaps_days_wanted", "How many days ahead dailies should be prepared.", supplies.days_wanted
    )
    yield CounterMetricFamily(
        "gaps_checker_refusals",
        "Lines of the solver's that the checker has refused; their deals are kept aside.",
        supplies.refusals,
    )
