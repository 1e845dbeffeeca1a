"""Players' logs with their verdicts, one for each deal and log."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from service.store import plays, tallies
from service.store.identity import submission_id
from service.store.once import insert_new
from service.store.tables import Arrival, Submission


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSubmission:
    """A log that came in, with the checker's verdict as JSON.

    `player` is the digest of its sender's token, if it goes on a record.
    """

    deal_id: str
    moves: Sequence[str]
    verdict: Mapping[str, Any]
    state: Arrival
    received_at: dt.datetime
    player: str | None = None

    @property
    def id(self) -> str:
        """What it is called, however often it is sent."""
        return submission_id(self.deal_id, self.moves)


def add(session: Session, arrived: Sequence[NewSubmission]) -> list[tuple[Submission, bool]]:
    """For each log its submission, and whether it is new.

    A log that is there already stays as it first arrived; new ones are counted. All transactions
    lock rows in the order of their names here, so that no two wait for each other.
    """
    first: dict[str, NewSubmission] = {}
    names = [submission.id for submission in arrived]
    for name, submission in zip(names, arrived, strict=True):
        first.setdefault(name, submission)
    created = {
        row.id: row
        for row in insert_new(
            session, Submission, [_values(name, first[name]) for name in sorted(first)]
        )
    }
    tallies.count(session, created.values())
    plays.add(
        session,
        [
            {
                "player": submission.player,
                "submission_id": name,
                "state": submission.state,
                "played_at": submission.received_at,
            }
            for name, submission in zip(names, arrived, strict=True)
            if submission.player is not None
        ],
    )
    # The first of several that are the same is the one that is new.
    return [
        (row, True)
        if (row := created.pop(name, None)) is not None
        else (session.get_one(Submission, name), False)
        for name in names
    ]


def _values(name: str, submission: NewSubmission) -> dict[str, Any]:
    verdict = submission.verdict
    return {
        "id": name,
        "deal_id": submission.deal_id,
        "moves": list(submission.moves),
        "verdict": dict(verdict),
        "legal": verdict["legal"],
        "won": verdict["won"],
        "ordered": verdict["ordered"],
        "slides": verdict["slides"],
        "redeals": verdict["redeals"],
        "undos": verdict["undos"],
        "state": submission.state,
        "received_at": submission.received_at,
    }


def get(session: Session, submission: str) -> Submission | None:
    """The submission of an id."""
    return session.get(Submission, submission)


def ids(session: Session) -> Sequence[str]:
    """The ids of all submissions, in order."""
    return session.scalars(select(Submission.id).order_by(Submission.id)).all()
