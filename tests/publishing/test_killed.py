"""Processes killed in the middle of publishing, without a chance to tidy up."""

import datetime as dt
import itertools
import multiprocessing
import time

from sqlalchemy import event

from service.publishing.audit import audit
from service.publishing.reconcile import reconcile
from service.publishing.withdraw import withdraw
from service.settings import Settings
from service.store import dailies
from service.store.database import Database
from tests.clock import NOON, FakeClock
from tests.conftest import Server
from tests.databases import SqliteFiles
from tests.publishing.minting import endless

HORIZON = 30


def publish_on(url: str, first_number: int) -> None:
    """What the process does: mints and publishes as fast as it can."""
    settings = Settings.model_validate({"horizon_days": HORIZON})
    with Database.open(url) as database:
        reconcile(database, settings, FakeClock(), endless(database, first_number))


def published(database: Database) -> list[int]:
    with database.reading() as session:
        return [(daily.date - NOON.date()).days for daily in dailies.every(session)]


def test_killed_again_and_again_it_ends_with_the_same_dates(
    database_url: str, database: Database
) -> None:
    processes = multiprocessing.get_context("spawn")
    for round_ in range(2):
        before = published(database)
        process = processes.Process(target=publish_on, args=(database_url, 1_000 * round_ + 1))
        process.start()
        while process.is_alive() and len(published(database)) < len(before) + 3:
            time.sleep(0.001)
        process.kill()
        process.join()
        after = published(database)
        assert after == list(range(len(after))), "no hole, and nothing twice"
        assert after[: len(before)] == before
    publish_on(database_url, 10_000)
    assert published(database) == list(range(HORIZON + 1))


class Killed(BaseException):
    """What nothing catches, as nothing catches a kill; what was not committed is undone."""


def die_before(database: Database, step: int) -> list[str]:
    """Has the work on a database end before its `step`-th statement; answers what came before."""
    done: list[str] = []

    def count(statement: str) -> None:
        done.append(statement)
        if len(done) == step:
            raise Killed

    for engine in (database.engine, database._writer):
        event.listen(engine, "before_cursor_execute", lambda *asked: count(asked[2]))
        event.listen(engine, "commit", lambda _: count("COMMIT"))
    return done


def test_killed_before_any_statement_it_ends_the_same(server: Server) -> None:
    """Publishing, and withdrawing and replacing a daily that nobody has seen."""
    clock = FakeClock()
    settings = Settings.model_validate({"horizon_days": 2})
    tomorrow_but_one = NOON.date() + dt.timedelta(days=2)

    def work(database: Database, first_number: int) -> None:
        reconcile(database, settings, clock, endless(database, first_number))
        withdraw(database, "classic", tomorrow_but_one, "A slip.", clock)
        reconcile(database, settings, clock, endless(database, first_number + 100))

    def seen(database: Database) -> list[tuple[int, bool]]:
        with database.reading() as session:
            return [
                ((daily.date - NOON.date()).days, daily.withdrawn_at is not None)
                for daily in dailies.every(session)
            ]

    def faults(database: Database) -> list[str]:
        # The deals are under invented names; dailies and the chain are sound all the same.
        found = [fault.where for fault in audit(database, processes=1).faults]
        return [where for where in found if not where.startswith("deal ")]

    whole = [(0, False), (1, False), (2, True), (2, False)]
    statements: list[str] = []
    # Making a database of PostgreSQL's takes longer, so there it is every fifth statement.
    for step in itertools.count(1, 1 if isinstance(server, SqliteFiles) else 5):
        with server.fresh(migrated=True) as url, Database.open(url) as database:
            with Database.open(url) as dying:
                statements = die_before(dying, step)
                try:
                    work(dying, 1)
                except Killed:
                    pass
                else:
                    assert seen(database) == whole
                    break
            before = seen(database)
            assert before in [[*whole[:2], (2, False)], *(whole[:n] for n in range(5))]
            assert faults(database) == []
            work(database, 1_000)
            # Who was killed after the replacement withdraws that as well, by doing all again.
            assert [day for day in seen(database) if not day[1]] == [
                (0, False),
                (1, False),
                (2, False),
            ]
            assert faults(database) == []
    assert statements.count("COMMIT") > 10
    assert len(statements) > 40
