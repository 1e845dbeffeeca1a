"""Measures the solver on numbered deals and prints Markdown tables: ``python -m bench.solver``.

With ``--write README.md`` the tables also take the place of those in that file.

Times are of one core, after warming up, as the process's own CPU time. *First line* is a search
that stops at its first line; *shortened* goes on with the default share of the budget.
"""

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from service.game.deal import numbered_deal
from service.solver import Outcome, Solution, solve, warm_up


@dataclass(frozen=True)
class Case:
    """One row: a variant, how many deals of it, the budget in positions, what it may use."""

    variant: str
    deals: int
    budget: int = 1_000_000
    max_redeals: int | None = None
    memory_mb: int = 512


CASES = (
    Case("classic", 10_000),
    *(
        Case(variant, 2_000)
        for variant in (
            "relaxed",
            "four-rounds",
            "unlimited",
            "scattered",
            "addiction",
            "blue-moon",
            "red-moon",
            "double-montana",
            "big-paganini",
        )
    ),
    Case("gathered", 2_000, budget=10_000_000),
    Case("big-paganini-one-deal", 500, budget=16_000_000),
    Case("red-moon", 200, budget=30_000_000, max_redeals=0),
    Case("blue-moon", 200, budget=30_000_000, max_redeals=0),
    # On this game budgets stand for 0.1, 1, 10 and 120 seconds.
    Case("one-deal", 200, budget=450_000),
    Case("one-deal", 200, budget=3_700_000, memory_mb=1_024),
    Case("one-deal", 200, budget=58_000_000, memory_mb=2_048),
    Case("one-deal", 50, budget=700_000_000, memory_mb=4_096),
)


LENGTH_CASES = (
    Case("classic", 100, budget=12_000_000),
    Case("one-deal", 100, budget=20_000_000, memory_mb=1_024),
)


@dataclass(frozen=True)
class Run:
    """One deal solved, and the CPU seconds it took."""

    solution: Solution
    seconds: float


def run(case: Case, number: int, *, improve: bool) -> Run:
    """Solves one numbered deal."""
    deal = numbered_deal(case.variant, number)
    start = time.process_time()
    solution = solve(
        deal,
        case.budget,
        max_redeals=case.max_redeals,
        memory_mb=case.memory_mb,
        improve=improve,
    )
    return Run(solution, time.process_time() - start)


def quantile(values: list[float], share: float) -> float:
    """The value that so large a share of them does not pass."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def name(case: Case) -> str:
    """How the table names a row."""
    return case.variant + ("" if case.max_redeals is None else f", {case.max_redeals} redeals")


def speed_row(case: Case, runs: list[Run]) -> str:
    """The row of the table of first lines."""
    outcomes = Counter(run.solution.outcome for run in runs)
    redeals = Counter(run.solution.redeals for run in runs if run.solution.redeals is not None)
    milliseconds = [run.seconds * 1000 for run in runs]
    positions = [float(run.solution.positions) for run in runs]
    rate = sum(positions) / sum(milliseconds) / 1000
    cells = (
        name(case),
        f"{case.budget / 1e6:g}",
        f"{len(runs):,}",
        " / ".join(str(outcomes[outcome]) for outcome in Outcome),
        " / ".join(f"{value:.1f}" for value in _three(milliseconds)),
        " / ".join(f"{value:,.0f}" for value in _three(positions)),
        f"{rate:.1f}",
        " / ".join(str(redeals[k]) for k in range(max(redeals, default=0) + 1)),
    )
    return "| " + " | ".join(cells) + " |"


def _three(values: list[float]) -> tuple[float, float, float]:
    return statistics.median(values), quantile(values, 0.99), max(values)


def length_row(case: Case, runs: list[Run]) -> str:
    """The row of the table of shortened lines; `runs` went on after their first line."""
    won = [run for run in runs if run.solution.line is not None]
    first = [float(run.solution.first_moves or 0) for run in won]
    last = [float(len(run.solution.line or ())) for run in won]
    saved = [1 - after / before for before, after in zip(first, last, strict=True)]
    redeals = Counter(run.solution.redeals for run in won)
    milliseconds = [run.seconds * 1000 for run in runs]
    cells = (
        name(case),
        f"{case.budget / 1e6:g}",
        f"{len(won):,}",
        f"{statistics.median(first):.0f}",
        f"{statistics.median(last):.0f}",
        f"{statistics.median(saved):.1%}",
        " / ".join(f"{value:.0f}" for value in _three(milliseconds)),
        " / ".join(str(redeals[k]) for k in range(max(k or 0 for k in redeals) + 1)),
    )
    return "| " + " | ".join(cells) + " |"


@dataclass(frozen=True)
class Table:
    """A table: its cases, whether lines are shortened, its headings, how a row is made."""

    cases: tuple[Case, ...]
    improve: bool
    columns: tuple[str, ...]
    row: Callable[[Case, list[Run]], str]


TABLES = {
    "speed": Table(
        CASES,
        False,
        (
            "variant",
            "budget, M",
            "deals",
            "won / lost / undecided",
            "ms: median / p99 / max",
            "positions: median / p99 / max",
            "M positions a second",
            "by redeals 0 / 1 / …",
        ),
        speed_row,
    ),
    "length": Table(
        LENGTH_CASES,
        True,
        (
            "variant",
            "budget, M",
            "deals won",
            "first line, moves",
            "shortened",
            "saved, median",
            "ms: median / p99 / max",
            "by redeals 0 / 1 / …",
        ),
        length_row,
    ),
}


BEGIN, END = "<!-- bench-solver -->", "<!-- /bench-solver -->"
"""What stands around the tables in a file that holds them."""


def write(path: Path, tables: list[str]) -> None:
    """Puts the tables in the place of those in a file."""
    before, begin, rest = path.read_text("utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise SystemExit(f"{path} has no lines {BEGIN} and {END}.")
    path.write_text(before + begin + "\n" + "\n".join(tables) + end + after, "utf-8")


def main() -> None:
    """Prints the tables, and writes them where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variants", help="comma-separated; all cases if left out")
    parser.add_argument("--deals", type=int, help="at most so many of each")
    parser.add_argument("--budget", type=int, help="positions, in place of each case's own")
    parser.add_argument("--table", choices=TABLES, help="only this one")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the tables into this file")
    asked = parser.parse_args()
    print(f"Warmed up in {warm_up():.1f} s.\n")
    tables = []
    for table_name, table in TABLES.items():
        if asked.table not in (None, table_name):
            continue
        lines = ["| " + " | ".join(table.columns) + " |", "| --- " * len(table.columns) + "|"]
        print(*lines, sep="\n")
        for case in table.cases:
            if asked.variants and case.variant not in asked.variants.split(","):
                continue
            sized = replace(
                case,
                deals=min(asked.deals or case.deals, case.deals),
                budget=asked.budget or case.budget,
            )
            numbers = range(1, sized.deals + 1)
            runs = [run(sized, number, improve=table.improve) for number in numbers]
            lines.append(table.row(sized, runs))
            print(lines[-1], flush=True)
        print()
        tables.append("\n".join(lines) + "\n")
    if asked.write is not None:
        write(asked.write, tables)


if __name__ == "__main__":
    main()
