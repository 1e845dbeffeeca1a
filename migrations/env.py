"""How Alembic runs the steps: on the connection that it is handed, in its transaction.

Run from Alembic's own command line (to write a new step, say) it opens the database of
``GAPS_DATABASE_URL``.
"""

from alembic import context
from sqlalchemy import Connection

from service.settings import load_settings
from service.store.engine import WRITING, new_engine
from service.store.tables import Base


def run(connection: Connection) -> None:
    """Runs the steps that are asked for."""
    context.configure(connection=connection, target_metadata=Base.metadata, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()


handed = context.config.attributes.get("connection")
if handed is not None:
    run(handed)
else:
    engine = new_engine(load_settings().database_url, migrating=True)
    with engine.execution_options(**{WRITING: True}).begin() as opened:
        run(opened)
