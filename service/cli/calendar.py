"""``gaps publish``: dates get their deals."""

import datetime as dt
from typing import Annotated

import typer

from service.cli.context import current_database
from service.cli.failures import CommandError, Status
from service.cli.minting_bar import MintingBar
from service.cli.naming import VariantOption, checked_variant
from service.cli.output import out, print_json
from service.clock import system_clock
from service.minting.minter import Minter
from service.minting.workers import SearchProcesses
from service.publishing.calendar import LAST_DATE, DateError, parse_date, today
from service.publishing.publish import PublishOutcome, publish
from service.settings import load_settings


def publish_dates(
    first: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="DATE",
            help="The first date, YYYY-MM-DD; by default today in UTC.",
            show_default=False,
        ),
    ] = None,
    days: Annotated[int, typer.Option(min=1, max=366, metavar="N", help="How many dates.")] = 1,
    variant: VariantOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Publishes dates: each gets the deal that has been in stock longest.

    A date that has its deal keeps it; one whose deal was withdrawn gets another as long as it has
    begun nowhere on earth. Where the stock is empty a deal is minted. By default for all variants
    of GAPS_VARIANTS. Exit status 1 if a date has none.
    """
    settings = load_settings()
    variants = (checked_variant(variant),) if variant else settings.variants
    start = today(system_clock()) if first is None else checked_date(first)
    if (LAST_DATE - start).days < days:
        raise CommandError(f"The last date that can be published is {LAST_DATE}.")
    dates = [start + dt.timedelta(days=day) for day in range(days)]
    processes = SearchProcesses(
        settings.search_processes, settings.search_seconds, settings.search_memory_mb
    )
    try:
        with current_database(settings) as database:
            minter = Minter(
                settings, database, system_clock, processes, parallel=settings.search_processes
            )
            bar = MintingBar(minter, processes)
            done = [
                published
                for name in variants
                for published in publish(
                    database,
                    name,
                    dates,
                    clock=system_clock,
                    redeals=settings.redeals,
                    max_redeals=settings.max_redeals(name),
                    mint=bar.mint_one,
                )
            ]
    finally:
        processes.shutdown(cancel_futures=True)
    if as_json:
        print_json(
            [
                {
                    "date": published.date.isoformat(),
                    "variant": published.variant,
                    "deal": published.deal_id,
                    "outcome": published.outcome.value,
                }
                for published in done
            ]
        )
    else:
        for published in done:
            deal = f" ({published.deal_id})" if published.deal_id else ""
            out.print(f"{published.date} {published.variant}: {published.outcome}{deal}")
    none = {PublishOutcome.NO_DEAL, PublishOutcome.WITHDRAWN}
    if any(published.outcome in none for published in done):
        raise typer.Exit(Status.NO)


def checked_date(text: str) -> dt.date:
    """The date of a text; raises `CommandError` for one that is none."""
    try:
        return parse_date(text)
    except DateError as error:
        raise CommandError(f"{text} is no date: {error}.") from None
