"""The entry point of ``gaps``: runs a command, and turns errors into exit statuses.

Nothing is imported at the top. Processes that search or serve are started afresh, and each of them
imports this module again before it does what it is there for.
"""


def main() -> None:
    """Runs the command line of this process and exits with its status.

    Typer ends wrong usage with status 2 and Ctrl-C with 130, and is quiet about a closed pipe.
    """
    import sys

    from service.cli.commands import app
    from service.cli.failures import CommandError, Status
    from service.cli.output import remark
    from service.settings import SettingsError
    from service.store.database import DatabaseUnavailableError
    from service.store.schema import BrokenKeysError, SchemaAheadError

    try:
        app()
    except CommandError as error:
        sentence, status = str(error), error.status
    except SettingsError as error:
        sentence, status = str(error), Status.USAGE
    except (DatabaseUnavailableError, SchemaAheadError, BrokenKeysError) as error:
        sentence, status = str(error), Status.FAULT
    remark(f"gaps: {sentence}")
    sys.exit(status)
