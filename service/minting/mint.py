"""Minting: candidates are searched, each winning line is replayed by the checker, wins are stored.

A line that the checker refuses is never published: the deal is kept aside with all evidence, and
an error is logged.
"""

import secrets
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import structlog
from sqlalchemy.orm import Session

import checker
from service import metrics
from service.clock import Clock
from service.game.deal import deal_from_seed
from service.game.document import document
from service.game.shuffle import SEED_BYTES
from service.game.variants import rules
from service.minting.search import Find, SearchLimits, search
from service.solver import SOLVER_VERSION
from service.store import deals, refusals
from service.store.database import Database
from service.store.identity import deal_id
from service.store.tables import Deal

log = structlog.get_logger(__name__)

POLL_SECONDS = 0.1
"""How long a wait for searches lasts before the caller is asked whether to stop."""


class CandidateOutcome(StrEnum):
    """What became of a candidate."""

    STORED = "stored"
    """Won, replayed, and in the stock."""
    REFUSED = "refused"
    """Won by the solver and refused by the checker: an alarm."""
    KNOWN = "known"
    """Won, but a deal of this seed or layout is stored already."""
    LOST = "lost"
    """Proven to have no win within the redeals allowed."""
    UNDECIDED = "undecided"
    """The budget was spent."""
    TIMED_OUT = "timed out"
    """The search's process was ended at its deadline."""
    CRASHED = "crashed"
    """The search's process died, or the search raised an error."""


@dataclass(slots=True)
class MintReport:
    """How minting goes: deals stored, candidates by outcome, positions searched."""

    wanted: int
    deal_ids: list[str] = field(default_factory=list)
    outcomes: Counter[CandidateOutcome] = field(default_factory=Counter)
    positions: int = 0

    @property
    def candidates(self) -> int:
        """How many candidates have been searched."""
        return self.outcomes.total()


def random_seed() -> bytes:
    """32 random bytes from the operating system."""
    return secrets.token_bytes(SEED_BYTES)


def mint(
    database: Database,
    variant: str,
    count: int,
    *,
    executor: Executor,
    clock: Clock,
    limits: SearchLimits,
    parallel: int = 1,
    most_candidates: int | None = None,
    seeds: Callable[[], bytes] = random_seed,
    on_progress: Callable[[MintReport], None] = lambda report: None,
    stopped: Callable[[], bool] = lambda: False,
) -> MintReport:
    """Mints `count` deals of a variant into the stock.

    `parallel` searches are under way at a time in the executor. Minting ends early, with what it
    has, when `stopped` answers True or `most_candidates` have been searched (None: no limit); the
    report tells. Each deal is stored by a transaction of its own.
    """
    report = MintReport(count)
    since = time.perf_counter()
    searches: set[Future[Find]] = set()
    started = 0
    try:
        while len(report.deal_ids) < count and not stopped():
            while len(searches) < parallel and (
                most_candidates is None or started < most_candidates
            ):
                searches.add(executor.submit(search, variant, seeds(), limits))
                started += 1
            if not searches:
                break
            done, searches = wait(searches, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                # The executor is shutting down.
                if future.cancelled():
                    continue
                outcome, positions = _take(database, future, limits, clock, report)
                metrics.candidate_searched(variant, outcome.value, positions)
                if outcome is CandidateOutcome.STORED:
                    since, before = time.perf_counter(), since
                    metrics.deal_minted(variant, since - before)
            on_progress(report)
    finally:
        for future in searches:
            future.cancel()
    return report


def _take(
    database: Database,
    future: Future[Find],
    limits: SearchLimits,
    clock: Clock,
    report: MintReport,
) -> tuple[CandidateOutcome, int]:
    """Enters a search that is done into the report; answers its outcome and its positions."""
    outcome, deal_id, positions = _judge(database, future, limits, clock)
    report.outcomes[outcome] += 1
    report.positions += positions
    if outcome is CandidateOutcome.STORED:
        report.deal_ids.append(deal_id)
    return outcome, positions


def _judge(
    database: Database, future: Future[Find], limits: SearchLimits, clock: Clock
) -> tuple[CandidateOutcome, str, int]:
    """What became of a candidate, the deal's id where it was won, and the positions searched."""
    try:
        find = future.result()
    except TimeoutError:
        return CandidateOutcome.TIMED_OUT, "", 0
    # Whatever kills one search, minting goes on with the next candidate.
    except Exception:
        log.exception("a search failed")
        return CandidateOutcome.CRASHED, "", 0
    if find.line is None:
        return CandidateOutcome(find.outcome.value), "", find.positions
    return *store_win(database, find, find.line, limits, clock), find.positions


def store_win(
    database: Database,
    find: Find,
    line: Sequence[str],
    limits: SearchLimits,
    clock: Clock,
    also: Callable[[Session, Deal], object] = lambda session, deal: None,
) -> tuple[CandidateOutcome, str]:
    """Replays a line that the solver calls a win, and stores the deal or keeps it aside.

    Answers what became of it and the deal's id. One transaction stores deal, line and verdict, and
    whatever `also` has to store about a deal that is new.
    """
    made = document(deal_from_seed(rules(find.variant), find.seed))
    try:
        verdict = checker.verify(made, list(line))
    except checker.RefusedDeal as refused:
        reason: dict[str, Any] = {"refused": [fault.as_json() for fault in refused.faults]}
        return CandidateOutcome.REFUSED, _keep_aside(database, made, line, reason, clock)
    if not (verdict.legal and verdict.won):
        return CandidateOutcome.REFUSED, _keep_aside(database, made, line, verdict.as_json(), clock)
    minted = deals.MintedDeal(
        document=made,
        line=line,
        verdict=verdict.as_json(),
        positions=find.positions,
        budget=limits.budget,
        solver_version=SOLVER_VERSION,
        seconds=find.seconds,
        minted_at=clock(),
    )
    with database.writing() as session:
        stored = deals.add(session, minted)
        if stored is not None:
            also(session, stored)
    outcome = CandidateOutcome.KNOWN if stored is None else CandidateOutcome.STORED
    return outcome, deal_id(made)


def _keep_aside(
    database: Database,
    made: dict[str, Any],
    line: Sequence[str],
    reason: dict[str, Any],
    clock: Clock,
) -> str:
    with database.writing() as session:
        refusal = refusals.add(
            session,
            document=made,
            line=line,
            reason=reason,
            solver_version=SOLVER_VERSION,
            refused_at=clock(),
        )
    log.error(
        "the checker refused a line of the solver's; the deal is kept aside",
        deal=refusal.deal_id,
        variant=refusal.variant,
        refusal=refusal.id,
    )
    return refusal.deal_id
