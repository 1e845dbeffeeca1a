"""``gaps serve`` and ``gaps scheduler``: what runs for years."""

import errno
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from types import FrameType
from typing import Annotated

import typer
import uvicorn
from uvicorn.supervisors import Multiprocess

from service import __version__, metrics
from service.api.app import create_app
from service.cli.context import current_database
from service.cli.ending import on_signals
from service.cli.failures import CommandError, Status
from service.cli.minting_bar import MintingBar
from service.cli.output import remark
from service.cli.protocol import Protocol
from service.clock import system_clock
from service.logs import configure_logs
from service.publishing.publish import PublishedDate, PublishOutcome
from service.publishing.supplies import supplies
from service.scheduler import Jobs
from service.settings import Settings, load_settings
from service.store.database import Database
from service.store.schema import SchemaState, upgrade

GRACE_SECONDS = 2
"""How long requests in flight may take when the service is asked to end."""

STARTING_SECONDS = 60
"""How long an API process may be silent, as it is while it starts on a busy machine."""


def serve(
    workers: Annotated[
        int, typer.Option(min=1, max=64, metavar="N", help="How many processes answer requests.")
    ] = 1,
    scheduler: Annotated[
        bool,
        typer.Option("--scheduler/--no-scheduler", help="Whether to run the scheduled jobs, too."),
    ] = True,
) -> None:
    """Publishes today's deal, serves the API, and runs the scheduled jobs.

    Brings a SQLite database up to date first; for PostgreSQL, run gaps db upgrade. Ctrl-C ends it.
    """
    settings = load_settings()
    with _listen(settings) as listening:
        _make_ready(settings)
        together = metrics.counting_together() if workers > 1 else nullcontext()
        with together, current_database(settings) as database:
            jobs = Jobs(settings, database, system_clock)
            try:
                if scheduler:
                    _publish_today(settings, jobs)
                configure_logs(settings.log_level)
                if scheduler:
                    jobs.start()
                remark(
                    f"Serving on {_address(settings)}: /v1/daily is today's deal, /docs describes "
                    "the API. Ctrl-C ends it."
                )
                _serve(settings, database, listening, workers)
            finally:
                jobs.stop()


def run_scheduler() -> None:
    """Runs the scheduled jobs alone: for deployments in which others serve the API."""
    settings = load_settings()
    _make_ready(settings)
    configure_logs(settings.log_level)
    ended = threading.Event()
    on_signals(ended.set)
    with current_database(settings) as database, _metrics_served(settings, database):
        jobs = Jobs(settings, database, system_clock)
        jobs.start()
        remark("The jobs run. Ctrl-C ends them.")
        try:
            ended.wait()
        finally:
            jobs.stop()


def _listen(settings: Settings) -> socket.socket:
    """The socket that will be served on, taken before any work is done."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=2048)
    except OSError as error:
        raise _cannot_listen(settings.host, settings.port, "GAPS_PORT", error) from None


@contextmanager
def _metrics_served(settings: Settings, database: Database) -> Iterator[None]:
    """Answers with the numbers of this process meanwhile, where the settings name a port."""
    if not settings.metrics_port:
        yield
        return
    try:
        serving = metrics.Serving(
            settings.host,
            settings.metrics_port,
            lambda: supplies(database, settings, system_clock),
        )
    except OSError as error:
        raise _cannot_listen(
            settings.host, settings.metrics_port, "GAPS_METRICS_PORT", error
        ) from None
    with serving:
        yield


def _cannot_listen(host: str, port: int, variable: str, error: OSError) -> CommandError:
    if error.errno == errno.EADDRINUSE:
        sentence = (
            f"Port {port} on {host} is taken: end what listens there, or set {variable} to another "
            "port."
        )
    else:
        sentence = (
            f"{host} port {port} cannot be listened on ({error.strerror or error}): set GAPS_HOST "
            f"and {variable}."
        )
    return CommandError(sentence, Status.FAULT)


def _make_ready(settings: Settings) -> None:
    """Brings a SQLite database up to date; another may be in use by an older program."""
    remark(f"Gaps {__version__}")
    with Database.open(settings.database_url) as database:
        url, sqlite = database.url, database.engine.dialect.name == "sqlite"
    if sqlite and upgrade(settings.database_url) is not SchemaState.CURRENT:
        remark(f"Brought the database {url} up to date.")
    else:
        remark(f"The database is {url}.")


def _publish_today(settings: Settings, jobs: Jobs) -> None:
    """Publishes what should be out already, and says what was done."""
    bar = MintingBar(jobs.minter, jobs.processes)

    def tell(published: PublishedDate) -> None:
        remark(f"{published.date} {published.variant}: {_done(published)}")

    if not jobs.prepare_dailies(horizon_days=0, mint=bar.mint_one, on_published=tell):
        remark(f"Today's dailies ({', '.join(settings.variants)}) were published already.")


def _done(published: PublishedDate) -> str:
    match published.outcome:
        case PublishOutcome.PUBLISHED:
            return f"published deal {published.deal_id}."
        case PublishOutcome.ALREADY_THERE:
            return f"deal {published.deal_id} was published already."
        case PublishOutcome.WITHDRAWN:
            return f"deal {published.deal_id} was withdrawn."
        case PublishOutcome.NO_DEAL:
            return "no deal was won within the limits; the jobs will try again."


def _serve(settings: Settings, database: Database, listening: socket.socket, workers: int) -> None:
    """Answers requests until a signal says to end."""
    config = uvicorn.Config(
        create_app(settings, database, system_clock)
        if workers == 1
        else "service.cli.worker:application",
        factory=workers > 1,
        host=settings.host,
        port=settings.port,
        workers=workers,
        http=Protocol,
        # There is nothing to upgrade to, and its refusals would be logged with their addresses.
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        # Whom to believe about a client's address is a setting of ours, see service.api.clients.
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
        timeout_worker_healthcheck=STARTING_SECONDS,
    )
    if workers == 1:
        server = _Server(config)
        # For signals that come before uvicorn listens to them, and for the one that it sends itself
        # once it has ended, when there is still to clean up.
        server.asked = on_signals(server.end)
        server.run(sockets=[listening])
    else:
        supervisor = Multiprocess(config, sockets=[listening])
        on_signals(supervisor.should_exit.set)
        supervisor.run()


class _Server(uvicorn.Server):
    """Uvicorn's server, which ends in time."""

    asked: Callable[[], None]

    def end(self) -> None:
        """Has it end as soon as what is under way is done."""
        self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """What it does when it gets a signal."""
        self.asked()
        super().handle_exit(sig, frame)


def _address(settings: Settings) -> str:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{host}:{settings.port}"
