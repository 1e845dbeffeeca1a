"""The commands of ``gaps``, put together."""

from typing import Annotated

import typer

from service import __version__
from service.cli import auditing, calendar, dailies, database, serving, solving, stock
from service.settings import settings_table


def _epilog() -> str:
    """The settings, as the help of ``gaps`` ends with them."""
    rows = [f"{row.name} (default {row.default}): {row.description}" for row in settings_table()]
    exits = "Exit status: 0 done, 1 the answer is no, 2 wrong usage or input, 3 a fault here."
    return "\n\n".join(["Settings are environment variables:", *rows, exits])


app = typer.Typer(
    name="gaps",
    help="One verified deal of Gaps (Montana) a day: mint, publish, serve, audit.",
    epilog=_epilog(),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("serve")(serving.serve)
app.command("scheduler")(serving.run_scheduler)
app.command("show")(solving.show)
app.command("solve")(solving.solve_deal)
app.command("mint")(stock.mint_deals)
app.command("publish")(calendar.publish_dates)
app.add_typer(dailies.dailies_app, name="dailies")
app.command("audit")(auditing.audit_all)
app.add_typer(database.app, name="db")


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"gaps {__version__}")
        raise typer.Exit


@app.callback()
def _gaps(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass
