"""What can be wrong with a stored deal or submission, found by a fresh replay.

Nothing here knows of a database: it runs in processes that only replay.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import checker
from checker import Verdict
from service.publishing.audit_arrivals import Dates, arrival_findings
from service.publishing.audit_deep import PUT_RIGHT, compare
from service.publishing.audit_faults import (
    RESTORE,
    WITHHOLD,
    AuditFault,
    Finding,
    Row,
    found,
    same_json,
)
from service.store.identity import deal_id, layout_digest, submission_id


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows to check: deals, and submissions with the documents of their deals and the dates.

    `documents` are by deal id, None for one that cannot be read; one that is not stored is not in
    it. `deep` tells to replay with the engine, too, and compare.
    """

    deals: Sequence[Row] = ()
    submissions: Sequence[Row] = ()
    documents: Mapping[str, Any] = field(default_factory=dict)
    dates: Dates = field(default_factory=Dates)
    deep: bool = False


@dataclass(slots=True)
class Checked:
    """All faults of the rows of a batch, in their order, and how many moves were replayed.

    `lines` are of deals, `logs` of submissions; in a deep audit those that both readings replayed.
    """

    faults: list[AuditFault] = field(default_factory=list)
    lines: int = 0
    logs: int = 0


def check(batch: Batch) -> Checked:
    """Replays the rows of a batch."""
    checked = Checked()
    for deal in batch.deals:
        checked.faults += found(f"deal {deal['id']}", _deal(deal, batch.deep, checked))
    for submission in batch.submissions:
        findings = _submission(submission, batch, checked)
        checked.faults += found(f"submission {submission['id']}", findings)
    return checked


def _deal(deal: Row, deep: bool, checked: Checked) -> Iterator[Finding]:
    for column in ("positions", "budget", "seconds"):
        if deal[column] < 0:
            yield f"Its column {column} is below 0.", RESTORE
    verdict = None
    try:
        verdict = checker.verify(deal["document"], deal["line"])
    except checker.RefusedDeal as refused:
        for fault in refused.faults:
            yield f"Its document is refused at {fault.where or '/'}: {fault.message}", WITHHOLD
    else:
        yield from _won(deal, verdict)
        yield from _derived(deal, verdict)
    differences, replayed = _compared(deal["document"], deal["line"], verdict, deep)
    yield from differences
    checked.lines += replayed


def _won(deal: Row, verdict: Verdict) -> Iterator[Finding]:
    if not (verdict.legal and verdict.won):
        reason = verdict.fault.message if verdict.fault else "The last board is not won."
        yield f"The checker does not find its line a win: {reason}", WITHHOLD
    if not same_json(deal["verdict"], verdict.as_json()):
        yield "Its stored verdict is not what the checker says now.", WITHHOLD


def _derived(deal: Row, verdict: Verdict) -> Iterator[Finding]:
    document = deal["document"]
    closed = [entry for entry in document.get("redeals", ()) if "salt" not in entry]
    if "seed" not in document or "seed_commitment" not in document or closed:
        yield "Its document does not hold everything that is to be opened.", RESTORE
        return
    for column, fresh in (
        ("id", deal_id(document)),
        ("seed", document["seed"]),
        ("variant", document["variant"]),
        ("layout_digest", layout_digest(document["layout"])),
        ("slides", verdict.slides),
        ("redeals", verdict.redeals),
    ):
        if not same_json(deal[column], fresh):
            yield f"Its column {column} does not follow from its document and line.", RESTORE


def _submission(submission: Row, batch: Batch, checked: Checked) -> Iterator[Finding]:
    deal, moves = submission["deal_id"], submission["moves"]
    if submission["id"] != submission_id(deal, moves):
        yield "Its id does not follow from its deal and log.", RESTORE
    if deal in batch.documents and batch.dates.known(deal):
        date = batch.dates.of(deal)
        yield from arrival_findings(submission["state"], submission["received_at"], date)
    if deal not in batch.documents:
        yield f"Its deal {deal} is not stored.", RESTORE
        return
    document = batch.documents[deal]
    if document is None:
        yield f"It cannot be replayed: the document of its deal {deal} cannot be read.", RESTORE
        return
    verdict = None
    try:
        verdict = checker.verify(document, moves)
    except checker.RefusedDeal:
        yield f"It cannot be replayed: the document of its deal {deal} is refused.", RESTORE
    else:
        yield from _judged(submission, verdict.as_json())
    differences, replayed = _compared(document, moves, verdict, batch.deep)
    yield from differences
    checked.logs += replayed


def _judged(submission: Row, verdict: Mapping[str, Any]) -> Iterator[Finding]:
    if not same_json(submission["verdict"], verdict):
        yield (
            "Its stored verdict is not what the checker says now.",
            "If the checker was changed, the rules moved under a published deal: take the "
            "change back. Otherwise restore the row from a backup.",
        )
    for column in ("legal", "won", "ordered", "slides", "redeals", "undos"):
        if not same_json(submission[column], verdict[column]):
            yield f"Its column {column} is not what its log comes to.", RESTORE


def _compared(
    document: Any, moves: Sequence[Any], verdict: Verdict | None, deep: bool
) -> tuple[Sequence[Finding], bool]:
    """In what the readings differ, and whether the moves were replayed: if `deep`, by both."""
    if not deep:
        return (), verdict is not None
    comparison = compare(document, moves, verdict)
    return [(told, PUT_RIGHT) for told in comparison.differences], comparison.replayed
