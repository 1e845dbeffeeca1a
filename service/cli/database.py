"""``gaps db``: the schema brought up to date and told, and all that is stored copied and moved."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from service.cli.context import current_database
from service.cli.failures import CommandError, Status
from service.cli.output import out, print_json, progress_bar, remark
from service.settings import load_settings
from service.store.backup import BadBackupError, NothingToCopyError, ToolOfItsOwnError, backup
from service.store.database import Database
from service.store.exporting import UnreadableError, export
from service.store.importing import BadExportError, NotEmptyError, load
from service.store.newfile import FileThereError, new_file
from service.store.schema import SchemaState, schema_state, upgrade

app = typer.Typer(help="The database: its schema, backups, moving it.", no_args_is_help=True)


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


@app.command("backup")
def back_up_database(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to make.")],
) -> None:
    """Copies a SQLite database into a new file, while it is in use, and checks the copy.

    The copy holds seeds and solutions; only its owner may read it. For PostgreSQL it names the
    command that makes a backup, with exit status 2.
    """
    with Database.open(load_settings().database_url) as database, _told(file):
        size = backup(database, file)
    out.print(f"{file} is a checked copy of the database, of {size:,} bytes.", markup=False)


@app.command("export")
def export_database(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The file to make, or - for standard output.")
    ],
) -> None:
    """Writes all that is stored as lines of JSON, for gaps db import, as it is at one moment.

    The file holds seeds and solutions; only its owner may read it.
    """
    with current_database() as database, _told(file), _bar("exporting") as show:
        if str(file) == "-":
            counts = export(database, sys.stdout.buffer, show)
            sys.stdout.buffer.flush()
        else:
            with new_file(file) as path, path.open("wb") as sink:
                counts = export(database, sink, show)
    remark(f"Exported {_counted(counts)}.")


@app.command("import")
def import_database(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="What was exported, or - for standard input.")
    ],
) -> None:
    """Reads what gaps db export wrote into an empty database that is up to date.

    All of it or nothing. Run gaps audit then.
    """
    with current_database() as database, _told(file), _bar("importing") as show:
        try:
            if str(file) == "-":
                counts = load(database, sys.stdin.buffer, show)
            else:
                with file.open("rb") as source:
                    counts = load(database, source, show)
        except BadExportError as error:
            raise CommandError(f"{file}: {error}") from None
    remark(f"Imported {_counted(counts)}. Run gaps audit now.")


@contextmanager
def _bar(what: str) -> Iterator[Callable[[int, int], None]]:
    with progress_bar() as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


@contextmanager
def _told(file: Path) -> Iterator[None]:
    """Turns what can go wrong with a file or a copy into one sentence and an exit status."""
    try:
        yield
    except (FileThereError, NotEmptyError, NothingToCopyError, ToolOfItsOwnError) as error:
        raise CommandError(str(error)) from None
    except (BadBackupError, UnreadableError) as error:
        raise CommandError(str(error), Status.FAULT) from None
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror or error}.") from None


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def _remedy(state: SchemaState) -> str:
    match state:
        case SchemaState.CURRENT:
            return ""
        case SchemaState.AHEAD:
            return " A newer program made it: install that version."
        case SchemaState.EMPTY | SchemaState.BEHIND:
            return " Run gaps db upgrade."
