"""``python -m tests.mutation``: changes one thing after another, and wants a test to fail.

Exit status 0: every survivor is explained, and enough are killed. 1: not so.
"""

import argparse
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.mutation.judging import (
    JUDGES,
    ROOT,
    Reached,
    copy_of_the_repository,
    is_killed,
    modules,
    reach,
    warm_up,
)
from tests.mutation.mutants import Mutant, mutants
from tests.mutation.survivors import FILE, explained

WANTED = 0.95
"""The share of all mutants that has to be killed, whether or not the others are explained."""

_copy = Path()
_reached: list[Reached] = []


def main() -> None:
    """Judges all mutants, or some."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--only", default="", help="only mutants with this in their file or name")
    parser.add_argument("--jobs", type=int, default=1, help="processes that judge at once")
    parser.add_argument(
        "--explained", action="store_true", help="only those that survivors.toml explains"
    )
    arguments = parser.parse_args()
    reasons = explained(FILE.read_text("utf-8"))
    every: list[Mutant] = []
    killed: dict[tuple[str, str], bool] = {}
    start = time.monotonic()
    for folder in JUDGES:
        found = [mutant for path in modules(folder) for mutant in _mutants(path)]
        every += found
        chosen = [
            mutant
            for mutant in found
            if arguments.only in f"{mutant.path} {mutant.name}"
            and (not arguments.explained or mutant[:2] in reasons)
        ]
        killed |= _judge(folder, chosen, arguments.jobs)
    if not killed:
        parser.error(f"no mutant has {arguments.only!r} in its file or name")
    sys.exit(report(every, killed, reasons, time.monotonic() - start))


def _mutants(path: Path) -> list[Mutant]:
    return mutants(str(path.relative_to(ROOT)), path.read_text("utf-8"))


def _judge(folder: str, chosen: Sequence[Mutant], jobs: int) -> dict[tuple[str, str], bool]:
    """Which of a folder's mutants are killed."""
    if not chosen:
        return {}
    global _reached
    with tempfile.TemporaryDirectory() as scratch:
        copy = copy_of_the_repository(Path(scratch))
        warm_up(copy, folder)
        _reached = reach(copy, folder)
    print(f"{folder}: {len(chosen)} mutants, {len(_reached)} tests", flush=True)
    verdicts: dict[tuple[str, str], bool] = {}
    context = multiprocessing.get_context("fork")
    with (
        tempfile.TemporaryDirectory() as scratch,
        context.Pool(jobs, _start_worker, (scratch,)) as pool,
    ):
        for number, (mutant, dead) in enumerate(pool.imap(_try, chosen), 1):
            verdicts[mutant.path, mutant.name] = dead
            if not dead:
                print(f"survived: {mutant.path} {mutant.name}", flush=True)
            if number % 100 == 0:
                print(f"{folder}: {number} of {len(chosen)}", flush=True)
    return verdicts


def _start_worker(scratch: str) -> None:
    global _copy
    _copy = copy_of_the_repository(Path(tempfile.mkdtemp(dir=scratch)))


def _try(mutant: Mutant) -> tuple[Mutant, bool]:
    return mutant, is_killed(_copy, mutant, _reached)


def report(
    every: Sequence[Mutant],
    killed: dict[tuple[str, str], bool],
    reasons: dict[tuple[str, str], str],
    seconds: float,
) -> int:
    """Says what came of it, and returns the exit status."""
    dead = sum(killed.values())
    left = [key for key, is_dead in killed.items() if not is_dead]
    new = [key for key in left if key not in reasons]
    names = {mutant[:2] for mutant in every}
    share = dead / len(killed) if killed else 1.0
    for path in sorted({path for path, _ in killed}):
        there = [is_dead for (place, _), is_dead in killed.items() if place == path]
        print(f"{path}: {sum(there)} of {len(there)}")
    for path, name in reasons:
        if killed.get((path, name)):
            print(f"explained, but killed now: {path} {name}")
        elif (path, name) not in names:
            print(f"explained, but there is no such mutant now: {path} {name}")
    for path, name in new:
        print(f"survived, and not explained: {path} {name}")
    print(
        f"{len(killed)} mutants: {dead} killed ({share:.1%}), {len(left)} survived, "
        f"{len(left) - len(new)} of them explained; {seconds / 60:.0f} minutes"
    )
    # Of a choice of mutants the share says nothing.
    return 1 if new or (len(killed) == len(every) and share < WANTED) else 0


if __name__ == "__main__":
    main()
