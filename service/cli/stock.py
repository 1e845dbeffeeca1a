"""``gaps mint``: verified deals into the stock."""

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from service.cli.context import current_database
from service.cli.failures import CommandError, Status
from service.cli.minting_bar import MintingBar
from service.cli.naming import checked_variant
from service.cli.output import out, print_json
from service.clock import system_clock
from service.minting.minter import Minter
from service.minting.workers import SearchProcesses
from service.settings import Settings, load_settings


def mint_deals(
    variant: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The variant; by default the first of GAPS_VARIANTS.",
            show_default=False,
        ),
    ] = None,
    count: Annotated[int, typer.Option(min=1, metavar="N", help="How many deals to mint.")] = 1,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=64,
            metavar="N",
            help="How many processes search; by default GAPS_SEARCH_PROCESSES.",
            show_default=False,
        ),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Search on the Dask cluster with this scheduler instead.",
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Mints deals into the stock: searched, replayed by the checker, stored one by one.

    Exit status 1 if fewer were minted than asked for. Ctrl-C ends it; what is stored stays.
    """
    settings = load_settings()
    variant = checked_variant(variant) if variant else settings.variants[0]
    parallel = workers or settings.search_processes
    with (
        current_database(settings) as database,
        _searchers(settings, parallel, dask) as (executor, parallel),
    ):
        minter = Minter(settings, database, system_clock, executor, parallel=parallel)
        processes = executor if isinstance(executor, SearchProcesses) else None
        report = MintingBar(minter, processes).mint(variant, count)
        stock = minter.stock(variant)
    outcomes = {outcome.value: number for outcome, number in report.outcomes.items()}
    if as_json:
        print_json(
            {
                "variant": variant,
                "deals": report.deal_ids,
                "candidates": report.candidates,
                "outcomes": outcomes,
                "positions": report.positions,
                "stock": stock,
            }
        )
    else:
        told = ", ".join(f"{number} {outcome}" for outcome, number in outcomes.items())
        out.print(
            f"Minted {len(report.deal_ids)} of {count} {variant} deals from {report.candidates} "
            f"candidates ({told}); the stock is {stock}."
        )
    if len(report.deal_ids) < count:
        raise typer.Exit(Status.NO)


@contextmanager
def _searchers(
    settings: Settings, parallel: int, dask: str | None
) -> Iterator[tuple[Executor, int]]:
    """What runs the searches, and how many at a time."""
    if dask is not None:
        with _dask_client(dask) as client:
            threads = sum(client.nthreads().values())
            yield client.get_executor(), max(1, threads)
        return
    processes = SearchProcesses(parallel, settings.search_seconds, settings.search_memory_mb)
    try:
        yield processes, parallel
    finally:
        processes.shutdown(cancel_futures=True)


def _dask_client(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise CommandError(
            "Dask is not installed here: pip install distributed, in the version of the cluster."
        ) from None
    try:
        return Client(address, timeout=5)
    except (OSError, ValueError) as error:
        raise CommandError(
            f"There is no Dask scheduler at {address}: {error}.", Status.FAULT
        ) from None
