import datetime as dt
import threading

import pytest

from service.store import deals, submissions
from service.store.database import Database
from service.store.identity import submission_id
from service.store.tables import Arrival, Submission
from tests.clock import NOON
from tests.deals import minted, won

WIN = won(redeals=1)[0]


@pytest.fixture
def deal_id(database: Database) -> str:
    with database.writing() as session:
        deal = deals.add(session, minted(WIN))
    assert deal is not None
    return deal.id


def submit(
    database: Database, deal_id: str, moves: list[str], at: dt.datetime = NOON
) -> tuple[Submission, bool]:
    with database.writing() as session:
        (answer,) = submissions.add(
            session,
            [
                submissions.NewSubmission(
                    deal_id=deal_id,
                    moves=moves,
                    verdict=WIN.verdict,
                    state=Arrival.LIVE if at == NOON else Arrival.ARCHIVE,
                    received_at=at,
                )
            ],
        )
    return answer


def test_a_submission_comes_back_as_it_went_in(database: Database, deal_id: str) -> None:
    stored, created = submit(database, deal_id, WIN.line)
    assert created
    with database.reading() as session:
        found = submissions.get(session, stored.id)
    assert found is not None
    assert (found.moves, found.verdict) == (WIN.line, WIN.verdict)
    assert {name: getattr(found, name) for name in ("legal", "won", "ordered", "slides")} == {
        "legal": True,
        "won": True,
        "ordered": 48,
        "slides": WIN.verdict["slides"],
    }
    assert (found.redeals, found.undos) == (1, 0)
    assert (found.state, found.received_at) == (Arrival.LIVE, NOON)


def test_the_same_log_is_the_same_submission(database: Database, deal_id: str) -> None:
    first, _ = submit(database, deal_id, WIN.line)
    later = NOON + dt.timedelta(days=5)
    second, created = submit(database, deal_id, WIN.line, later)
    assert not created
    assert (second.id, second.received_at, second.state) == (first.id, NOON, Arrival.LIVE)
    with database.reading() as session:
        assert submissions.ids(session) == [first.id]
        assert submissions.get(session, submission_id(deal_id, WIN.line)) is not None
        assert submissions.get(session, submission_id(deal_id, WIN.line[:-1])) is None


def test_two_retries_at_once_make_one_submission(database: Database, deal_id: str) -> None:
    together = threading.Barrier(6)
    answers: list[tuple[str, bool]] = []

    def send() -> None:
        together.wait()
        stored, created = submit(database, deal_id, WIN.line)
        answers.append((stored.id, created))

    threads = [threading.Thread(target=send) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({name for name, _ in answers}) == 1
    assert sorted(created for _, created in answers) == [False] * 5 + [True]


def test_an_id_tells_deals_and_logs_apart() -> None:
    logs = [[], ["undo"], ["undo", "undo"], ["a1b2", "c3d4"], ["a1b2c3d4"], ["redeal"]]
    names = {submission_id(deal, log) for deal in ("0" * 20, "1" * 20) for log in logs}
    assert len(names) == 2 * len(logs)


def test_an_id_never_changes() -> None:
    assert (
        submission_id("272c25573d98f334278d", ["b11d7", "redeal"])
        == "cae537a587949088ffcfb13d14a70900"
    )
