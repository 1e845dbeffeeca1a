"""Miniatures, exhaustively: the solver's outcome against brute force on the checker's rules.

``python -m tests.readings.miniatures`` goes through every one-deal layout of three ranks (up to
what exchanging rows and suits makes equal), and through the numbered deals of four and five ranks
of every variant with one pack, solved with all its redeals and with one, where more are lost; one
in twenty also with none, and with its line shortened. Every won line is replayed by the checker,
and wherever there are redeals the search that proves losses is asked alone as well. ``--ranks``
takes one size at a time.
"""

import argparse
import itertools
import json
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import checker
from service.game.board import Layout
from service.game.deal import Deal, numbered_deal
from service.game.document import document
from service.game.variants import VARIANTS, rules
from service.solver import Outcome, solve
from service.solver.meter import Meter
from service.solver.proof import search_all
from service.solver.rounds import Redeals
from tests.readings.brute import TooManyPositionsError, can_be_won
from tests.readings.layouts import ALL, RANKS, representatives

BUDGET = 5_000_000
IMPROVING_BUDGET = 1_000_000
"""What a search that shortens its line may spend; it spends all of it."""
MOST = 1_000_000
DEALS = 20_000
ONE_IN = 20
"""One deal in so many is also solved without a redeal, and has its line shortened."""
SIZES = (RANKS, 4, 5)
ONE_PACK = [name for name, variant in VARIANTS.items() if variant.packs == 1]


class Case(NamedTuple):
    """A deal to compare on: a numbered one, or a one-deal layout; and how many redeals it gets."""

    variant: str
    ranks: int
    number: int | None
    layout: Layout = ()
    max_redeals: int | None = None
    improve: bool = True

    @property
    def deal(self) -> Deal:
        """The deal."""
        if self.number is None:
            return Deal(rules(self.variant, self.ranks), self.layout)
        return numbered_deal(self.variant, self.number, self.ranks)


class DifferenceError(AssertionError):
    """The solver says something else than brute force, or its line does not win."""


def compare(case: Case, most: int = MOST) -> bool:
    """Whether a deal can be won; solver, prover, brute force and checker agree on it.

    Raises `DifferenceError` where they do not, and `TooManyPositionsError` where brute force
    would have to look at more than `most` positions.
    """
    deal = case.deal
    written = document(deal)
    truth = can_be_won(written, most, case.max_redeals)
    budget = IMPROVING_BUDGET if case.improve else BUDGET
    solution = solve(deal, budget, max_redeals=case.max_redeals, improve=case.improve)
    if solution.outcome is not (Outcome.WON if truth else Outcome.LOST):
        raise DifferenceError(f"{case}: {solution.outcome}, and brute force says {truth}")
    if solution.line is not None:
        verdict = checker.verify(written, list(solution.line))
        counts = verdict.won, verdict.slides, verdict.redeals
        if counts != (True, solution.slides, solution.redeals):
            raise DifferenceError(f"{case}: {solution}, and the checker says {verdict}")
    proven = _proven(deal, case.max_redeals)
    if proven not in {truth, None}:
        raise DifferenceError(f"{case}: proven {proven}, and brute force says {truth}")
    return truth


def _proven(deal: Deal, max_redeals: int | None) -> bool | None:
    """Whether the search that proves losses wins a deal; None where it does not come to an end.

    Within `solve` it is asked only for what another search has not won, which are few.
    """
    redeals = Redeals(deal, max_redeals)
    if len(redeals) == 0:
        return None
    found = search_all(deal, redeals, Meter(BUDGET), BUDGET)
    return None if found is None else found is not False


def layouts() -> Iterator[Case]:
    """Every one-deal layout of three ranks that is no other's image."""
    total = 0
    for layout, standing_for in representatives():
        total += standing_for
        yield Case("one-deal", RANKS, None, layout, improve=False)
    if total != ALL:
        raise DifferenceError(f"the layouts stand for {total} and not for all {ALL}")


def numbered(ranks: int, deals: int) -> Iterator[Case]:
    """Numbered deals of every variant with one pack."""
    for variant, number in itertools.product(ONE_PACK, range(1, deals + 1)):
        more = number % ONE_IN == 0
        yield Case(variant, ranks, number, improve=more)
        if VARIANTS[variant].redeals == 0:
            continue
        yield Case(variant, ranks, number, max_redeals=1, improve=False)
        if more:
            yield Case(variant, ranks, number, max_redeals=0)


def _outcome(case: Case) -> tuple[Case, str]:
    try:
        return case, "won" if compare(case) else "lost"
    except DifferenceError as difference:
        return case, f"DIFFERENCE {difference}\n{json.dumps(document(case.deal))}"
    except TooManyPositionsError:
        return case, "too many positions for brute force"


def main() -> None:
    """Compares, and ends with status 1 where something differs or was too much."""
    parser = argparse.ArgumentParser(prog="python -m tests.readings.miniatures")
    parser.add_argument("--deals", type=int, default=DEALS, help="numbered deals of each variant")
    parser.add_argument(
        "--ranks", type=int, nargs="+", choices=SIZES, default=SIZES, help="these sizes alone"
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes that compare at once")
    arguments = parser.parse_args()
    start = time.monotonic()
    cases = itertools.chain.from_iterable(
        layouts() if ranks == RANKS else numbered(ranks, arguments.deals)
        for ranks in sorted(set(arguments.ranks))
    )
    table: dict[tuple[str, int, str], Counter[str]] = {}
    bad = 0
    with multiprocessing.get_context("spawn").Pool(arguments.jobs) as pool:
        for done, (case, outcome) in enumerate(pool.imap(_outcome, cases, 50), 1):
            if outcome not in {"won", "lost"}:
                bad += 1
                print(f"{case}: {outcome}", flush=True)
                outcome = "other"
            redeals = "all" if case.max_redeals is None else str(case.max_redeals)
            table.setdefault((case.variant, case.ranks, redeals), Counter())[outcome] += 1
            if done % 10_000 == 0:
                print(f"{done} deals compared", flush=True)
    for (variant, ranks, redeals), counts in table.items():
        print(f"{variant}, {ranks} ranks, {redeals} redeals: {dict(sorted(counts.items()))}")
    total = sum((counts for counts in table.values()), Counter[str]())
    print(f"{total.total()} in all: {dict(total)}; {(time.monotonic() - start) / 60:.0f} minutes")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
