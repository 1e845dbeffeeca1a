"""The audit: everything that is stored, checked again from the beginning."""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy.orm import Session

from service.processes import end_with_parent
from service.publishing.audit_chain import ChainAudit, lost_head
from service.publishing.audit_rows import RESTORE, AuditFault, Batch, Row, check, unreadable
from service.store import chain, stored, tallies
from service.store.database import Database
from service.store.stored import StoredRow, Unreadable
from service.store.tables import Daily, Deal, Link, Refusal, Submission

__all__ = ["AuditFault", "AuditReport", "ReplayEndedError", "audit"]

PARALLEL_FROM: Final = 300
"""With fewer replays than this, processes take longer to start than they save."""


class ReplayEndedError(Exception):
    """A process that replays was ended by somebody else."""

    def __init__(self) -> None:
        super().__init__("A process of the audit was killed; run it again.")


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What an audit looked at, the end of the chain as it is stored, and every fault found."""

    deals: int
    dailies: int
    submissions: int
    refusals: int
    links: int
    head: str | None
    faults: Sequence[AuditFault]
    deep: bool = False
    """Whether the engine replayed everything as well."""


def audit(
    database: Database,
    on_progress: Callable[[int, int], None] = lambda done, all_: None,
    *,
    heads: Sequence[str] = (),
    processes: int | None = None,
    deep: bool = False,
) -> AuditReport:
    """Checks every deal, daily, link, submission and refusal; changes nothing.

    Deals: document against seed, commitments, id and digest, line against the checker. Dailies:
    their deal, that no two share a layout, and the chain that they make, in which `heads` must be.
    Submissions: their verdict against a fresh replay, and the statistics made of them. Refusals
    are faults in themselves. A `deep` audit replays lines and logs with both readings of the rules,
    checker and engine; where these differ, that is a fault. The replays run in as many `processes`
    as there are processors, unless it says how many; 1 is this one. `on_progress` gets how many
    rows are done, and of how many. Raises `ReplayEndedError`.
    """
    with database.snapshot() as session:
        tables = (Deal, Daily, Link, Submission, Refusal)
        counts = {table: stored.count(session, table) for table in tables}
        auditing = _Auditing(session, lambda done: on_progress(done, sum(counts.values())), deep)
        replays = counts[Deal] + counts[Submission]
        auditing.replay(1 if processes is None and replays < PARALLEL_FROM else processes)
        chained = auditing.chain(heads)
        auditing.refusals()
        auditing.tallies()
    return AuditReport(
        deals=counts[Deal],
        dailies=counts[Daily],
        submissions=counts[Submission],
        refusals=counts[Refusal],
        links=counts[Link],
        head=chained.head,
        faults=auditing.faults,
        deep=deep,
    )


class _Auditing:
    """One audit under way: the faults so far, and how many rows are done."""

    def __init__(self, session: Session, on_rows: Callable[[int], None], deep: bool) -> None:
        self.faults: list[AuditFault] = []
        self._session = session
        self._on_rows = on_rows
        self._deep = deep
        self._done = 0

    def replay(self, processes: int | None) -> None:
        """Deals and submissions, in `processes`: None for one a processor."""
        if processes == 1:
            for batch in self._batches():
                self._take(check(batch), batch)
            return
        try:
            self._replay_in(processes or _processors())
        except BrokenProcessPool:
            raise ReplayEndedError from None

    def _replay_in(self, processes: int) -> None:
        pool = ProcessPoolExecutor(
            processes, multiprocessing.get_context("spawn"), initializer=_settle
        )
        under_way: deque[tuple[Future[list[AuditFault]], Batch]] = deque()
        try:
            for batch in self._batches():
                under_way.append((pool.submit(check, batch), batch))
                # No further ahead than keeps all of them busy, or all rows would be in memory.
                if len(under_way) > 2 * processes:
                    future, oldest = under_way.popleft()
                    self._take(future.result(), oldest)
            for future, batch in under_way:
                self._take(future.result(), batch)
        finally:
            pool.shutdown(cancel_futures=True)

    def chain(self, heads: Sequence[str]) -> ChainAudit:
        """Dailies, the links of their chain, and that it still has the heads that were noted."""
        chained = ChainAudit()
        for page in stored.pages(self._session, Daily):
            rows = self._readable("daily", page)
            found = self._deals_of(rows)
            for row in rows:
                self.faults += chained.daily_faults(row, found.get(row["deal_id"]))
            self._step(len(page))
        for page in stored.pages(self._session, Link):
            for row in self._readable("link", page):
                self.faults += chained.link_faults(row)
            self._step(len(page))
        self.faults += chained.unlinked()
        for digest in heads:
            if not chain.has(self._session, digest):
                self.faults.append(lost_head(digest))
        return chained

    def refusals(self) -> None:
        """Refusals, each of them a fault."""
        for page in stored.pages(self._session, Refusal):
            self.faults += map(_refusal, self._readable("refusal", page))
            self._step(len(page))

    def tallies(self) -> None:
        """The statistics, which are counted as submissions come in."""
        for name in tallies.wrong(self._session):
            message = "Its statistics are not what the submissions to it come to."
            self.faults.append(AuditFault(f"deal {name}", message, RESTORE))

    def _batches(self) -> Iterator[Batch]:
        for page in stored.pages(self._session, Deal):
            yield Batch(deals=self._readable("deal", page), deep=self._deep)
        for page in stored.pages(self._session, Submission):
            rows = self._readable("submission", page)
            documents = {
                name: None if isinstance(deal, Unreadable) else deal["document"]
                for name, deal in self._deals_of(rows).items()
            }
            yield Batch(submissions=rows, documents=documents, deep=self._deep)

    def _readable(self, what: str, page: Sequence[tuple[Any, StoredRow]]) -> list[Row]:
        rows: list[Row] = []
        for key, row in page:
            if isinstance(row, Unreadable):
                self.faults.append(unreadable(f"{what} {key}", row.error))
            else:
                rows.append(row)
        return rows

    def _deals_of(self, rows: Sequence[Row]) -> dict[Any, StoredRow]:
        return stored.by_key(self._session, Deal, sorted({row["deal_id"] for row in rows}))

    def _take(self, faults: Sequence[AuditFault], batch: Batch) -> None:
        self.faults += faults
        self._step(len(batch.deals) + len(batch.submissions))

    def _step(self, rows: int) -> None:
        self._done += rows
        self._on_rows(self._done)


def _refusal(refusal: Row) -> AuditFault:
    return AuditFault(
        f"refusal {refusal['id']}",
        f"The checker refused the solver's line for the deal {refusal['deal_id']} of "
        f"{refusal['variant']}, found by solver {refusal['solver_version']}.",
        "Solver and checker read the rules differently: replay its line with gaps-check, and "
        "mint no more of this variant before one of them is put right.",
    )


def _settle() -> None:
    """What a process does first: it ends with its parent, and leaves Ctrl-C to that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
