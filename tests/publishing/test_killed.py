"""Processes killed in the middle of publishing, without a chance to tidy up."""

import multiprocessing
import time

from service.publishing.reconcile import reconcile
from service.settings import Settings
from service.store import dailies
from service.store.database import Database
from tests.clock import NOON, FakeClock
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
