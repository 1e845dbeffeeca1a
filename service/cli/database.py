"""``gaps db``: the schema brought up to date, and told."""

from typing import Annotated

import typer

from service.cli.failures import Status
from service.cli.output import out, print_json
from service.settings import load_settings
from service.store.database import Database
from service.store.schema import SchemaState, schema_state, upgrade

app = typer.Typer(help="The database: its schema.", no_args_is_help=True)


@app.command("upgrade")
def upgrade_database() -> None:
    """Brings the database up to date; makes a SQLite file that is not there.

    Safe to run again, also after it failed, and from several machines at once.
    """
    settings = load_settings()
    before = upgrade(settings.database_url)
    with Database.open(settings.database_url) as database:
        url = database.url
    if before is SchemaState.CURRENT:
        out.print(f"{url} was up to date already.", markup=False)
    else:
        out.print(f"{url} is up to date now; it was {before}.", markup=False)


@app.command("check")
def check_database(
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """Says whether the database is empty, behind, current or ahead of this program.

    Exit status 1 unless it is current.
    """
    with Database.open(load_settings().database_url) as database:
        state, url = schema_state(database), database.url
    if as_json:
        print_json({"database": url, "schema": state.value})
    else:
        out.print(f"{url} is {state}.{_remedy(state)}", markup=False)
    if state is not SchemaState.CURRENT:
        raise typer.Exit(Status.NO)


def _remedy(state: SchemaState) -> str:
    match state:
        case SchemaState.CURRENT:
            return ""
        case SchemaState.AHEAD:
            return " A newer program made it: install that version."
        case SchemaState.EMPTY | SchemaState.BEHIND:
            return " Run gaps db upgrade."
