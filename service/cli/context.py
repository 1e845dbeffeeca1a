"""What commands work with: the settings, and a database that is up to date."""

from collections.abc import Iterator
from contextlib import contextmanager

from service.cli.failures import CommandError, Status
from service.settings import Settings, load_settings
from service.store.database import Database
from service.store.schema import SchemaAheadError, SchemaState, schema_state


@contextmanager
def current_database(settings: Settings | None = None) -> Iterator[Database]:
    """The database of the settings, open and of this program's schema.

    Raises `CommandError` where its schema is behind, and the store's errors where it is ahead or
    cannot be reached.
    """
    settings = settings or load_settings()
    with Database.open(settings.database_url) as database:
        state = schema_state(database)
        if state is SchemaState.AHEAD:
            raise SchemaAheadError(database.url)
        if state is not SchemaState.CURRENT:
            raise CommandError(
                f"The database {database.url} is {state}: run gaps db upgrade.", Status.FAULT
            )
        yield database
