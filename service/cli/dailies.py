"""``gaps dailies``: what is published, listed and withdrawn."""

from typing import Annotated

import typer

from service.cli.calendar import checked_date
from service.cli.context import current_database
from service.cli.failures import CommandError, Status
from service.cli.naming import VariantOption, checked_variant
from service.cli.output import out, print_json, print_table
from service.clock import system_clock
from service.publishing.calendar import state
from service.publishing.withdraw import NoDailyError, ReasonError, Withdrawal, withdraw
from service.settings import load_settings
from service.store import dailies

dailies_app = typer.Typer(help="The dailies.", invoke_without_command=True)


@dailies_app.callback()
def list_dailies(
    context: typer.Context,
    variant: VariantOption = None,
    first: Annotated[
        str | None, typer.Option("--from", metavar="DATE", help="The first date.")
    ] = None,
    last: Annotated[str | None, typer.Option("--to", metavar="DATE", help="The last date.")] = None,
    limit: Annotated[
        int, typer.Option(min=1, max=100_000, metavar="N", help="How many at most.")
    ] = 50,
    as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
) -> None:
    """Lists dailies, newest first, those that are hidden still or withdrawn included."""
    if context.invoked_subcommand is not None:
        return
    now = system_clock()
    with current_database() as database, database.reading() as session:
        found = dailies.page(
            session,
            limit=limit,
            variant=None if variant is None else checked_variant(variant),
            first=None if first is None else checked_date(first),
            last=None if last is None else checked_date(last),
            replaced=True,
        )
    rows = [
        {
            "date": daily.date.isoformat(),
            "variant": daily.variant,
            "state": "withdrawn" if daily.withdrawn_at else state(daily.date, now).value,
            "deal": daily.deal_id,
            "redeals": daily.redeals.value,
            "published_at": daily.published_at.isoformat(timespec="seconds"),
            "withdrawn": daily.withdrawn_reason,
        }
        for daily in found
    ]
    if as_json:
        print_json(rows)
    elif not rows:
        out.print("There are no such dailies.")
    else:
        print_table(
            list(rows[0]), [["" if cell is None else cell for cell in row.values()] for row in rows]
        )


@dailies_app.command("withdraw")
def withdraw_daily(
    date: Annotated[str, typer.Argument(metavar="DATE", help="The date, YYYY-MM-DD.")],
    reason: Annotated[
        str,
        typer.Option(
            "--reason", metavar="TEXT", help="Why, in a sentence that everybody may read."
        ),
    ],
    variant: VariantOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Withdraws the daily of a date, for good: from now on the API answers 410 with the reason.

    Its record and the submissions to it stay. A date that has begun nowhere on earth gets another
    deal, from the jobs or from gaps publish. Without --variant, the one variant of GAPS_VARIANTS.
    Exit status 1 if there is none to withdraw.
    """
    settings = load_settings()
    if variant is None and len(settings.variants) > 1:
        raise CommandError(f"Name the --variant: one of {', '.join(settings.variants)}.")
    name = settings.variants[0] if variant is None else checked_variant(variant)
    with current_database(settings) as database:
        try:
            done = withdraw(database, name, checked_date(date), reason, system_clock)
        except ReasonError as error:
            raise CommandError(f"That is no reason: {error}.") from None
        except NoDailyError:
            raise CommandError(f"There is no {name} daily for {date}.", Status.NO) from None
    if as_json:
        print_json(
            {
                "date": done.date.isoformat(),
                "variant": done.variant,
                "deal": done.deal_id,
                "reason": done.reason,
                "withdrawn_at": done.withdrawn_at.isoformat(timespec="seconds"),
                "withdrawn_now": done.done,
                "replaceable": done.replaceable,
            }
        )
    else:
        out.print(_told(done), markup=False)
    if not done.done:
        raise typer.Exit(Status.NO)


def _told(withdrawal: Withdrawal) -> str:
    daily = f"The {withdrawal.variant} daily of {withdrawal.date} ({withdrawal.deal_id})"
    if not withdrawal.done:
        at = withdrawal.withdrawn_at.isoformat(timespec="seconds")
        return f"{daily} was withdrawn already, at {at}: {withdrawal.reason}"
    after = (
        "The date has begun nowhere yet: the jobs, or gaps publish, give it another deal."
        if withdrawal.replaceable
        else "The date has begun, so it gets no other."
    )
    return f"{daily} is withdrawn. {after}"
