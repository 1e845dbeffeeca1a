"""The audit: everything that is stored, checked again from the beginning."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy.orm import Session

import checker
from service.store import dailies, deals, refusals, submissions
from service.store.database import Database
from service.store.identity import deal_id, layout_digest, submission_id
from service.store.tables import Daily, Deal, Refusal, Submission

Row = TypeVar("Row")

_RESTORE = "The row was changed after it was written: restore it from a backup."


@dataclass(frozen=True, slots=True)
class AuditFault:
    """Something stored that is not as it should be: where, what, and what to do about it."""

    where: str
    message: str
    remedy: str


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What an audit looked at, and every fault it found."""

    deals: int
    dailies: int
    submissions: int
    refusals: int
    faults: Sequence[AuditFault]


def audit(
    database: Database, on_progress: Callable[[int, int], None] = lambda done, all_: None
) -> AuditReport:
    """Checks every deal, daily, submission and refusal; changes nothing.

    Deals: document against seed, commitments, id and digest, line against the checker. Dailies:
    their deal, and that no two share a layout. Submissions: their verdict against a fresh replay.
    Refusals are faults in themselves. `on_progress` gets how many rows are done, and of how many.
    """
    with database.reading() as session:
        all_deals = deals.ids(session)
        all_dailies = dailies.ids(session)
        all_submissions = submissions.ids(session)
        all_refusals = refusals.ids(session)
        everything = len(all_deals) + len(all_dailies) + len(all_submissions) + len(all_refusals)
        auditing = _Auditing(session, lambda done: on_progress(done, everything))
        for name in all_deals:
            auditing.look(f"deal {name}", Deal, name, _deal_faults)
        for number in all_dailies:
            auditing.look(f"daily {number}", Daily, number, auditing.daily_faults)
        for name in all_submissions:
            auditing.look(f"submission {name}", Submission, name, auditing.submission_faults)
        for number in all_refusals:
            auditing.look(f"refusal {number}", Refusal, number, _refusal_faults)
    return AuditReport(
        len(all_deals),
        len(all_dailies),
        len(all_submissions),
        len(all_refusals),
        auditing.faults,
    )


class _Auditing:
    """One audit under way: the faults so far, and what has to be remembered between rows."""

    def __init__(self, session: Session, on_row: Callable[[int], None]) -> None:
        self.faults: list[AuditFault] = []
        self._session = session
        self._on_row = on_row
        self._done = 0
        self._layouts: dict[str, str] = {}

    def look(
        self,
        where: str,
        table: type[Row],
        key: object,
        faults_of: Callable[[Row], Iterator[tuple[str, str]]],
    ) -> None:
        """Checks one row. One that cannot even be read is a fault like any other."""
        try:
            row = self._session.get_one(table, key)
            found = list(faults_of(row))
        # Whatever somebody wrote into a row by hand: it is a finding, and the audit goes on.
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            found = [(f"The row cannot be read ({type(error).__name__}).", _RESTORE)]
        else:
            # Nothing is remembered of a row, or a big database would not fit into memory.
            self._session.expunge(row)
        self.faults.extend(AuditFault(where, message, remedy) for message, remedy in found)
        self._done += 1
        self._on_row(self._done)

    def daily_faults(self, daily: Daily) -> Iterator[tuple[str, str]]:
        """What is wrong with a daily."""
        name = f"The daily of {daily.variant} on {daily.date}"
        deal = self._session.get(Deal, daily.deal_id)
        if deal is None:
            yield f"{name} has the deal {daily.deal_id}, which is not stored.", _RESTORE
            return
        if deal.variant != daily.variant:
            yield f"{name} has a deal of {deal.variant}.", _RESTORE
        digest = layout_digest(deal.document["layout"])
        first = self._layouts.setdefault(digest, f"{daily.variant} on {daily.date}")
        if first != f"{daily.variant} on {daily.date}":
            yield f"{name} has the same layout as {first}.", _RESTORE
        self._session.expunge(deal)

    def submission_faults(self, submission: Submission) -> Iterator[tuple[str, str]]:
        """What is wrong with a submission."""
        if submission.id != submission_id(submission.deal_id, submission.moves):
            yield "Its id does not follow from its deal and log.", _RESTORE
        deal = self._session.get(Deal, submission.deal_id)
        if deal is None:
            yield f"Its deal {submission.deal_id} is not stored.", _RESTORE
            return
        try:
            verdict = checker.verify(deal.document, submission.moves).as_json()
        except checker.RefusedDeal:
            yield f"The document of its deal {submission.deal_id} is refused.", _RESTORE
            return
        if submission.verdict != verdict:
            yield (
                "Its stored verdict is not what the checker says now.",
                "If the checker was changed, the rules moved under a published deal: take the "
                "change back. Otherwise restore the row from a backup.",
            )
        for column in ("legal", "won", "ordered", "slides", "redeals", "undos"):
            if getattr(submission, column) != verdict[column]:
                yield f"Its column {column} is not what its log comes to.", _RESTORE


def _deal_faults(deal: Deal) -> Iterator[tuple[str, str]]:
    document: Mapping[str, Any] = deal.document
    withhold = "Do not publish it. If it is published already, withdraw it and mint another."
    try:
        verdict = checker.verify(document, deal.line)
    except checker.RefusedDeal as refused:
        for fault in refused.faults:
            yield f"Its document is refused at {fault.where or '/'}: {fault.message}", withhold
        return
    if not (verdict.legal and verdict.won):
        reason = verdict.fault.message if verdict.fault else "The last board is not won."
        yield f"The checker does not find its line a win: {reason}", withhold
    if deal.verdict != verdict.as_json():
        yield "Its stored verdict is not what the checker says now.", withhold
    closed = [entry for entry in document.get("redeals", ()) if "salt" not in entry]
    if "seed" not in document or "seed_commitment" not in document or closed:
        yield "Its document does not hold everything that is to be opened.", _RESTORE
        return
    for column, stored, fresh in (
        ("id", deal.id, deal_id(document)),
        ("seed", deal.seed, document["seed"]),
        ("variant", deal.variant, document["variant"]),
        ("layout_digest", deal.layout_digest, layout_digest(document["layout"])),
        ("slides", deal.slides, verdict.slides),
        ("redeals", deal.redeals, verdict.redeals),
    ):
        if stored != fresh:
            yield f"Its column {column} does not follow from its document and line.", _RESTORE


def _refusal_faults(refusal: Refusal) -> Iterator[tuple[str, str]]:
    yield (
        f"The checker refused the solver's line for the deal {refusal.deal_id} of "
        f"{refusal.variant}, found by solver {refusal.solver_version}.",
        "Solver and checker read the rules differently: replay its line with gaps-check, and "
        "mint no more of this variant before one of them is put right.",
    )
