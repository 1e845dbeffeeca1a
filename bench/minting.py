"""Measures how much faster two processes mint than one: ``python -m bench.minting``.

Both search the same candidates, in turns, with warm processes, into databases of their own. Prints
a Markdown table.
"""

import argparse
import itertools
import statistics
import tempfile
import time
from pathlib import Path

from service.clock import system_clock
from service.game.shuffle import numbered_seed
from service.minting.mint import mint
from service.minting.search import SearchLimits
from service.minting.workers import SearchProcesses
from service.store.database import Database
from service.store.schema import upgrade

VARIANT = "classic"
LIMITS = SearchLimits(budget=3_000_000, max_redeals=0, memory_mb=512)


def seconds(processes: SearchProcesses, parallel: int, deals: int, url: str) -> float:
    """How long it takes to mint so many deals into a new database, and no more than these."""
    upgrade(url)
    numbers = itertools.count(1)
    with Database.open(url) as database:
        started = time.perf_counter()
        report = mint(
            database,
            VARIANT,
            deals,
            executor=processes,
            clock=system_clock,
            limits=LIMITS,
            parallel=parallel,
            most_candidates=deals,
            seeds=lambda: numbered_seed(VARIANT, next(numbers)),
        )
        taken = time.perf_counter() - started
    assert report.candidates == deals
    return taken


def main() -> None:
    """Measures, as the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--candidates", type=int, default=24, help="how many a round searches")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    taken: dict[int, list[float]] = {1: [], 2: []}
    pools = {parallel: SearchProcesses(parallel, seconds=600, memory_mb=512) for parallel in taken}
    with tempfile.TemporaryDirectory() as folder:
        try:
            for processes in pools.values():
                processes.warm().result()
            # The first round only warms every process.
            for number in range(asked.rounds + 1):
                for parallel, processes in pools.items():
                    url = f"sqlite:///{Path(folder)}/{number}-{parallel}.db"
                    time_taken = seconds(processes, parallel, asked.candidates, url)
                    if number:
                        taken[parallel].append(time_taken)
        finally:
            for processes in pools.values():
                processes.shutdown(cancel_futures=True)
    one, two = (asked.candidates / statistics.median(taken[parallel]) for parallel in (1, 2))
    print("| candidates | one process | two | ratio | wanted |")
    print("| --- | --- | --- | --- | --- |")
    print(f"| {VARIANT} | {one:.2f}/s | {two:.2f}/s | {two / one:.2f} | 1.80 |")


if __name__ == "__main__":
    main()
