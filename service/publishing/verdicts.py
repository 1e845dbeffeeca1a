"""Verdicts: logs replayed by the checker, and the redeal that a log has come to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

import checker
from checker import Fault, Verdict
from service.clock import Clock
from service.game.notation import REDEAL
from service.publishing import gate
from service.publishing.arrival import arrived
from service.publishing.remembered import PublishedDeals
from service.store import plays, submissions
from service.store.submissions import NewSubmission
from service.store.tables import Submission

__all__ = [
    "Fault",
    "NoRedealDueError",
    "RedealDue",
    "RefusedDocumentError",
    "Verdict",
    "next_redeal",
    "submission",
    "submit",
    "verify",
]


class RefusedDocumentError(ValueError):
    """A document that is no deal. `faults` names every reason: a JSON Pointer and a sentence."""

    def __init__(self, faults: Sequence[Mapping[str, str]]) -> None:
        super().__init__(f"the deal document has {len(faults)} fault(s)")
        self.faults = tuple(faults)


class NoRedealDueError(Exception):
    """A log that has not come to a redeal.

    `fault` is the checker's. `in_log` tells where it lies: in the log itself, which is illegal,
    or only in the redeal that would follow (won, none left, or a slide still legal).
    """

    def __init__(self, fault: Fault, *, in_log: bool) -> None:
        super().__init__(fault.message)
        self.fault = fault
        self.in_log = in_log


@dataclass(frozen=True, slots=True)
class RedealDue:
    """The redeal that is due after a log.

    `number` counts from 1. `entry` is what a deal document says of it (commitment, order, salt);
    None where the cards are gathered and nothing is secret. `layout` is the board after it.
    """

    number: int
    entry: Mapping[str, Any] | None
    layout: list[list[str | None]]


def verify(document: object, moves: Sequence[str]) -> Verdict:
    """The verdict on a log for a document of any kind of parsed JSON; nothing is stored.

    Raises `RefusedDocumentError` for a document that is no deal.
    """
    try:
        return checker.verify(document, list(moves))
    except checker.RefusedDeal as refused:
        raise RefusedDocumentError([fault.as_json() for fault in refused.faults]) from None


def submit(
    published: PublishedDeals,
    deal_id: str,
    moves: Sequence[str],
    clock: Clock,
    player: str | None = None,
) -> tuple[Submission, bool]:
    """Stores the verdict on a log for a published deal; answers it, and whether it is new.

    A log that came in before is answered as it was then. `player` is the token of who sent it, if
    that is to be on record. Raises `gate.NotVisibleError` and `gate.WithdrawnError`.
    """
    now = clock()
    found = published.published(deal_id, now)
    verdict = verify(found.deal.document, moves).as_json()
    return published.store(
        NewSubmission(
            deal_id=deal_id,
            moves=moves,
            verdict=verdict,
            state=arrived(None if found.daily is None else found.daily.date, now),
            received_at=now,
            player=None if player is None else plays.player_digest(player),
        )
    )


def submission(session: Session, submission_id: str, now: datetime) -> Submission:
    """A stored submission by its id, to a withdrawn daily too. Raises `gate.NotVisibleError`."""
    found = submissions.get(session, submission_id)
    if found is None:
        raise gate.NotVisibleError
    gate.once_published(session, found.deal_id, now)
    return found


def next_redeal(
    published: PublishedDeals, deal_id: str, moves: Sequence[str], clock: Clock
) -> RedealDue:
    """The redeal that is due after a log for a published deal.

    Raises `gate.NotVisibleError` and `gate.WithdrawnError`, and `NoRedealDueError` where none is
    due.
    """
    deal = published.published(deal_id, clock()).deal
    verdict = verify(deal.document, [*moves, REDEAL])
    if verdict.fault is not None:
        raise NoRedealDueError(verdict.fault, in_log=verdict.fault.index < len(moves))
    number = verdict.redeals
    entries = deal.document.get("redeals")
    # There is an entry for every redeal that can come due. Where their number has no limit, that
    # is twelve: from the third round on every row that is not full starts with a run and a gap
    # right of it, so that no round gets stuck before each of them has grown, and the thirteenth
    # round is won.
    return RedealDue(number, entries[number - 1] if entries else None, verdict.layout)
