"""The audit: everything that is stored, checked again from the beginning."""

import datetime as dt
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Final

from sqlalchemy.orm import Session

from service.processes import end_with_parent
from service.publishing.audit_arrivals import Dates, play_findings
from service.publishing.audit_chain import ChainAudit, lost_head
from service.publishing.audit_faults import (
    RESTORE,
    AuditFault,
    Row,
    found,
    unprintable,
    unreadable,
)
from service.publishing.audit_practices import practice_findings
from service.publishing.audit_rows import Batch, Checked, check
from service.store import chain, stored, tallies
from service.store.database import Database
from service.store.stored import StoredRow, Unreadable
from service.store.tables import Base, Daily, Deal, Link, Play, Practice, Refusal, Submission

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
    plays: int
    practices: int
    refusals: int
    links: int
    lines_replayed: int
    """How many deals' lines were replayed: by the checker, in a deep audit by the engine too."""
    logs_replayed: int
    """How many submissions' logs were replayed, in the same way."""
    not_replayed: int
    """How many lines and logs could not be; each is a fault."""
    head: str | None
    faults: Sequence[AuditFault]
    deep: bool = False
    """Whether the engine replayed as well."""


def audit(
    database: Database,
    on_progress: Callable[[int, int], None] = lambda done, all_: None,
    *,
    heads: Sequence[str] = (),
    processes: int | None = None,
    deep: bool = False,
) -> AuditReport:
    """Checks every row of every table; changes nothing.

    All: that each column holds what it can. Deals: document against seed, commitments, id and
    digest, line against the checker. Dailies: their deal, that no two share a layout, and the chain
    that they make, in which `heads` must be. Submissions: their verdict against a fresh replay,
    when they came in, and the statistics made of them. Plays: their submission, and when they came
    in. Practice: that the deal of a number is that number's, and no daily's. Refusals are faults in
    themselves. What follows from nothing else that is stored cannot be judged: when and by which
    version a deal was minted, or that a deal of the stock or a play is gone.

    A `deep` audit replays lines and logs with both readings of the rules, checker and engine; where
    these differ, that is a fault. The replays run in as many `processes` as there are processors,
    unless it says how many; 1 is this one. `on_progress` gets how many rows are done, and of how
    many. Raises `ReplayEndedError`.
    """
    with database.snapshot() as session, stored.any_text(session):
        tables = (Deal, Daily, Link, Submission, Play, Practice, Refusal)
        counts = {table: stored.count(session, table) for table in tables}
        auditing = _Auditing(session, lambda done: on_progress(done, sum(counts.values())), deep)
        replays = counts[Deal] + counts[Submission]
        auditing.replay(1 if processes is None and replays < PARALLEL_FROM else processes)
        chained = auditing.chain(heads)
        auditing.plays()
        auditing.practices()
        auditing.refusals()
        auditing.tallies()
    return AuditReport(
        deals=counts[Deal],
        dailies=counts[Daily],
        submissions=counts[Submission],
        plays=counts[Play],
        practices=counts[Practice],
        refusals=counts[Refusal],
        links=counts[Link],
        lines_replayed=auditing.lines,
        logs_replayed=auditing.logs,
        not_replayed=replays - auditing.lines - auditing.logs,
        head=chained.head,
        faults=auditing.faults,
        deep=deep,
    )


class _Auditing:
    """One audit under way: the faults so far, and how many rows are done and moves replayed."""

    def __init__(self, session: Session, on_rows: Callable[[int], None], deep: bool) -> None:
        self.faults: list[AuditFault] = []
        self.lines = 0
        self.logs = 0
        self._session = session
        self._on_rows = on_rows
        self._deep = deep
        self._done = 0
        self._dates = _dates(session)

    def replay(self, processes: int | None) -> None:
        """Deals and submissions, in `processes`: None for one a processor."""
        if processes == 1:
            for batch, rows in self._batches():
                self._take(check(batch), rows)
            return
        try:
            self._replay_in(processes or _processors())
        except BrokenProcessPool:
            raise ReplayEndedError from None

    def _replay_in(self, processes: int) -> None:
        pool = ProcessPoolExecutor(
            processes, multiprocessing.get_context("spawn"), initializer=_settle
        )
        under_way: deque[tuple[Future[Checked], int]] = deque()
        try:
            for batch, rows in self._batches():
                under_way.append((pool.submit(check, batch), rows))
                # No further ahead than keeps all of them busy, or all rows would be in memory.
                if len(under_way) > 2 * processes:
                    future, rows = under_way.popleft()
                    self._take(future.result(), rows)
            for future, rows in under_way:
                self._take(future.result(), rows)
        finally:
            pool.shutdown(cancel_futures=True)

    def chain(self, heads: Sequence[str]) -> ChainAudit:
        """Dailies, the links of their chain, and that it still has the heads that were noted."""
        chained = ChainAudit()
        for row, deal in self._rows("daily", Daily, "deal_id", Deal, "variant", "document", "line"):
            self.faults += chained.daily_faults(row, deal)
        for page in stored.pages(self._session, Link):
            for name, link in page:
                self._readable("link", [(name, link)])
                self.faults += chained.link_faults(link)
            self._step(len(page))
        self.faults += chained.unlinked()
        for digest in heads:
            if not chain.has(self._session, digest):
                self.faults.append(lost_head(digest))
        return chained

    def plays(self) -> None:
        """Which player has sent which log, and when."""
        for row, sent in self._rows("play", Play, "submission_id", Submission, "deal_id"):
            where = f"play {row['player']} {row['submission_id']}"
            self.faults += found(where, play_findings(row, sent, self._dates))

    def practices(self) -> None:
        """The numbers that somebody asked for, and their deals."""
        for row, deal in self._rows("practice", Practice, "deal_id", Deal, "variant", "seed"):
            name = row["deal_id"]
            daily = name is not None and self._dates.of(name) is not None
            where = f"practice {row['variant']} {row['number']}"
            self.faults += found(where, practice_findings(row, deal, daily=daily))

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

    def _batches(self) -> Iterator[tuple[Batch, int]]:
        for page in stored.pages(self._session, Deal):
            yield Batch(deals=self._readable("deal", page), deep=self._deep), len(page)
        for page in stored.pages(self._session, Submission):
            rows = self._readable("submission", page)
            deals = self._named(rows, "deal_id", Deal, "document")
            documents = {name: deal.get("document") for name, deal in deals.items()}
            dates = self._dates.among({row["deal_id"] for row in rows})
            yield Batch((), rows, documents, dates, self._deep), len(page)

    def _rows(
        self, what: str, table: type[Base], column: str, other: type[Base], *columns: str
    ) -> Iterator[tuple[Row, Row | None]]:
        """The rows of a table that can be read, each with the row that it names in a column.

        Of that row there is what can be read of the other columns; None if it is not stored.
        """
        for page in stored.pages(self._session, table):
            rows = self._readable(what, page)
            others = self._named(rows, column, other, *columns)
            for row in rows:
                yield row, others.get(row[column])
            self._step(len(page))

    def _readable(self, what: str, page: Sequence[tuple[str, StoredRow]]) -> list[Row]:
        """The rows of a page that can be read; of the others a fault is noted."""
        rows: list[Row] = []
        for name, row in page:
            where = f"{what} {name}"
            if isinstance(row, Unreadable):
                self.faults.append(unreadable(where, row.columns))
            else:
                self.faults += found(where, unprintable(row))
                rows.append(row)
        return rows

    def _named(
        self, rows: Sequence[Row], column: str, other: type[Base], *columns: str
    ) -> Mapping[str, Row]:
        """What can be read of the rows of another table that these name in a column."""
        names = sorted({row[column] for row in rows if row[column] is not None})
        return stored.by_key(self._session, other, names, *columns)

    def _take(self, checked: Checked, rows: int) -> None:
        self.faults += checked.faults
        self.lines += checked.lines
        self.logs += checked.logs
        self._step(rows)

    def _step(self, rows: int) -> None:
        self._done += rows
        self._on_rows(self._done)


def _dates(session: Session) -> Dates:
    """The dates of all dailies, which tell what others may be."""
    dates: dict[str, dt.date] = {}
    whole = True
    for page in stored.pages(session, Daily):
        for _, daily in page:
            held = stored.held(daily)
            if {"deal_id", "date"} <= held.keys():
                dates[held["deal_id"]] = held["date"]
            else:
                whole = False
    return Dates(dates, whole)


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
