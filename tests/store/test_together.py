"""Work put together: one transaction for all who wait, and no failure for anybody else's."""

import random
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.publishing.remembered import PublishedDeals
from service.store import deals, submissions, tallies
from service.store.database import Database
from service.store.engine import DatabaseUnavailableError
from service.store.submissions import NewSubmission
from service.store.tables import Arrival, Play
from service.store.together import MOST_TOGETHER, Together
from tests.clock import NOON
from tests.deals import minted, won

WINS = won("classic")[:2]


class Work:
    """Doubles numbers, once it is let; notes what was put together. Does no odd ones."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.batches: list[list[int]] = []
        self.gate = threading.Event()
        self.error = error

    def __call__(self, items: Sequence[int]) -> list[int]:
        self.batches.append(list(items))
        self.gate.wait(30)
        if self.error is not None:
            raise self.error
        if any(item % 2 for item in items):
            raise ValueError
        return [2 * item for item in items]


def together(work: Work, items: Sequence[int]) -> list[int | type[BaseException]]:
    """What comes of items that all come while the first of them is worked on."""
    doing = Together(work)

    def do(item: int) -> int | type[BaseException]:
        try:
            return doing.do(item)
        except BaseException as error:
            return type(error)

    with ThreadPoolExecutor(len(items)) as threads:
        first = threads.submit(do, items[0])
        while not work.batches:
            threading.Event().wait(0.001)
        rest = [threads.submit(do, item) for item in items[1:]]
        while len(doing._waiting) < len(rest):
            threading.Event().wait(0.001)
        work.gate.set()
        return [first.result(), *(each.result() for each in rest)]


def test_all_who_wait_are_done_at_once() -> None:
    work = Work()
    assert together(work, range(0, 40, 2)) == list(range(0, 80, 4))
    assert [len(batch) for batch in work.batches] == [1, 19]


def test_there_is_an_end_to_how_many() -> None:
    work = Work()
    many = range(0, 2 * MOST_TOGETHER + 10, 2)
    work.gate.set()
    doing = Together(work)
    with ThreadPoolExecutor(len(many)) as threads:
        assert list(threads.map(doing.do, many)) == [2 * item for item in many]
    assert max(map(len, work.batches)) <= MOST_TOGETHER


def test_none_fails_for_another() -> None:
    work = Work()
    assert together(work, [0, 2, 3, 4, 5]) == [0, 4, ValueError, 8, ValueError]
    assert [len(batch) for batch in work.batches] == [1, 4, 1, 1, 1, 1]


def test_a_database_that_is_away_is_not_asked_for_each() -> None:
    work = Work(DatabaseUnavailableError("It is away."))
    assert together(work, [0, 2, 4]) == [DatabaseUnavailableError] * 3
    assert len(work.batches) == 2


def new(deal_id: str, number: int, player: str | None = None) -> NewSubmission:
    return NewSubmission(
        deal_id=deal_id,
        moves=[f"x{number}"],
        verdict=WINS[0].verdict | {"ordered": number % 5},
        state=Arrival.LIVE,
        received_at=NOON,
        player=player,
    )


@pytest.fixture
def names(database: Database) -> list[str]:
    """The ids of two deals."""
    with database.writing() as session:
        stored = [deals.add(session, minted(win)) for win in WINS]
    return [deal.id for deal in stored if deal is not None]


def test_the_same_twice_at_once_is_new_once(database: Database, names: list[str]) -> None:
    with database.writing() as session:
        answers = submissions.add(
            session,
            [new(names[0], 1, "a"), new(names[0], 1, "a"), new(names[0], 2), new(names[0], 1, "b")],
        )
        assert [created for _, created in answers] == [True, False, True, False]
        assert len({stored.id for stored, _ in answers}) == 2
        assert session.query(Play).count() == 2
        assert tallies.wrong(session) == []


def test_processes_that_store_the_same_at_once_wait_for_none_of_each_other(
    database: Database, names: list[str]
) -> None:
    """They do not queue up as threads do, and each has the order that chance has given it."""
    chance = random.Random(5)

    def store(_: int) -> int:
        logs = [new(name, number, "player") for name in names for number in range(12)]
        chance.shuffle(logs)
        with Database(database.engine).writing() as session:
            return sum(created for _, created in submissions.add(session, logs))

    with ThreadPoolExecutor(4) as processes:
        assert sum(processes.map(store, range(12))) == 24
    with database.reading() as session:
        assert len(submissions.ids(session)) == 24
        assert tallies.wrong(session) == []


def test_threads_that_submit_at_once_share_transactions(
    database: Database, names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    published = PublishedDeals(database)
    sizes: list[int] = []
    add = submissions.add

    def noted(session: object, arrived: Sequence[NewSubmission]) -> object:
        sizes.append(len(arrived))
        return add(session, arrived)  # type: ignore[arg-type]

    monkeypatch.setattr(submissions, "add", noted)
    with ThreadPoolExecutor(16) as threads:
        stored = list(threads.map(published.store, [new(names[0], n) for n in range(100)]))
    assert all(created for _, created in stored)
    assert sum(sizes) == 100
    assert len(sizes) < 100
