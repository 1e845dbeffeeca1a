"""What can be wrong with a stored deal or submission, found by a fresh replay.

Nothing here knows of a database: it runs in processes that only replay.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final, TypeAlias

import checker
from service.publishing.audit_deep import PUT_RIGHT, differences
from service.store.identity import deal_id, layout_digest, submission_id

RESTORE: Final = "The row was changed after it was written: restore it from a backup."
WITHHOLD: Final = "Do not publish it. If it is published already, withdraw it and mint another."
UNREADABLE: Final = (ValueError, TypeError, LookupError, AttributeError, RecursionError)
"""What a row raises that holds something else than it should."""

Row: TypeAlias = Mapping[str, Any]
Finding: TypeAlias = tuple[str, str]
"""What is wrong, and what to do about it."""


@dataclass(frozen=True, slots=True)
class AuditFault:
    """Something stored that is not as it should be: where, what, and what to do about it."""

    where: str
    message: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows to check: deals, and submissions with the documents of their deals.

    `documents` are by deal id, None for one that cannot be read; one that is not stored is not in
    it. `deep` tells to replay with the engine, too, and compare.
    """

    deals: Sequence[Row] = ()
    submissions: Sequence[Row] = ()
    documents: Mapping[str, Any] = field(default_factory=dict)
    deep: bool = False


def check(batch: Batch) -> list[AuditFault]:
    """All faults of the rows of a batch, in their order."""
    faults: list[AuditFault] = []
    for deal in batch.deals:
        findings = _deal_faults(deal)
        if batch.deep:
            findings = chain(findings, _differences(deal["document"], deal["line"]))
        faults += found(f"deal {deal['id']}", findings)
    for submission in batch.submissions:
        findings = _submission_faults(submission, batch.documents)
        if batch.deep and submission["deal_id"] in batch.documents:
            document = batch.documents[submission["deal_id"]]
            findings = chain(findings, _differences(document, submission["moves"]))
        faults += found(f"submission {submission['id']}", findings)
    return faults


def found(where: str, findings: Iterator[Finding]) -> list[AuditFault]:
    """The faults of one row. One that cannot even be read is a fault like any other."""
    try:
        return [AuditFault(where, message, remedy) for message, remedy in findings]
    # Whatever somebody wrote into a row by hand: it is a finding, and the audit goes on.
    except UNREADABLE as error:
        return [unreadable(where, type(error).__name__)]


def unreadable(where: str, error: str) -> AuditFault:
    """The fault of a row that cannot be read; `error` is the kind of error that it raises."""
    return AuditFault(where, f"The row cannot be read ({error}).", RESTORE)


def _deal_faults(deal: Row) -> Iterator[Finding]:
    document = deal["document"]
    try:
        verdict = checker.verify(document, deal["line"])
    except checker.RefusedDeal as refused:
        for fault in refused.faults:
            yield f"Its document is refused at {fault.where or '/'}: {fault.message}", WITHHOLD
        return
    if not (verdict.legal and verdict.won):
        reason = verdict.fault.message if verdict.fault else "The last board is not won."
        yield f"The checker does not find its line a win: {reason}", WITHHOLD
    if deal["verdict"] != verdict.as_json():
        yield "Its stored verdict is not what the checker says now.", WITHHOLD
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
        if deal[column] != fresh:
            yield f"Its column {column} does not follow from its document and line.", RESTORE


def _differences(document: Any, moves: Sequence[Any]) -> Iterator[Finding]:
    for difference in differences(document, moves):
        yield difference, PUT_RIGHT


def _submission_faults(submission: Row, documents: Mapping[str, Any]) -> Iterator[Finding]:
    deal, moves = submission["deal_id"], submission["moves"]
    if submission["id"] != submission_id(deal, moves):
        yield "Its id does not follow from its deal and log.", RESTORE
    if deal not in documents:
        yield f"Its deal {deal} is not stored.", RESTORE
        return
    try:
        verdict = checker.verify(documents[deal], moves).as_json()
    except checker.RefusedDeal:
        yield f"The document of its deal {deal} is refused.", RESTORE
        return
    if submission["verdict"] != verdict:
        yield (
            "Its stored verdict is not what the checker says now.",
            "If the checker was changed, the rules moved under a published deal: take the "
            "change back. Otherwise restore the row from a backup.",
        )
    for column in ("legal", "won", "ordered", "slides", "redeals", "undos"):
        if submission[column] != verdict[column]:
            yield f"Its column {column} is not what its log comes to.", RESTORE
