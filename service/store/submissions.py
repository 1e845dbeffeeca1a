"""Players' logs with their verdicts, one for each deal and log."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from service.store import tallies
from service.store.identity import submission_id
from service.store.once import insert_once
from service.store.tables import Arrival, Submission


def add(
    session: Session,
    *,
    deal_id: str,
    moves: Sequence[str],
    verdict: Mapping[str, Any],
    state: Arrival,
    received_at: dt.datetime,
) -> tuple[Submission, bool]:
    """The submission of this log for this deal, and whether it is new.

    A log that is there already stays as it first arrived; a new one is counted. `verdict` is the
    checker's, as JSON.
    """
    name = submission_id(deal_id, moves)
    created = insert_once(
        session,
        Submission,
        {
            "id": name,
            "deal_id": deal_id,
            "moves": list(moves),
            "verdict": dict(verdict),
            "legal": verdict["legal"],
            "won": verdict["won"],
            "ordered": verdict["ordered"],
            "slides": verdict["slides"],
            "redeals": verdict["redeals"],
            "undos": verdict["undos"],
            "state": state,
            "received_at": received_at,
        },
    )
    if created is not None:
        tallies.count(session, created)
        return created, True
    return session.get_one(Submission, name), False


def get(session: Session, submission: str) -> Submission | None:
    """The submission of an id."""
    return session.get(Submission, submission)


def find(session: Session, deal_id: str, moves: Sequence[str]) -> Submission | None:
    """The submission of a log for a deal, if it came in before."""
    return session.get(Submission, submission_id(deal_id, moves))


def ids(session: Session) -> Sequence[str]:
    """The ids of all submissions, in order."""
    return session.scalars(select(Submission.id).order_by(Submission.id)).all()
