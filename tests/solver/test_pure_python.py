"""With Numba switched off the very same code gives the very same solutions."""

import json
import os
import subprocess
import sys

PROGRAM = """
import json
from service.game.deal import numbered_deal
from service.solver import solve

found = []
for variant, number, ranks, budget, limit in (
    ("classic", 1, 13, 2_000, None),
    ("gathered", 5, 6, 3_000, None),
    ("scattered", 1, 6, 2_500, None),
    ("addiction", 4, 3, 2_000, None),
    ("blue-moon", 1, 3, 6_000, 1),
    ("one-deal", 3, 6, 2_500, None),
    ("double-montana", 2, 13, 2_000, None),
    ("big-paganini-one-deal", 5, 13, 2_000, None),
):
    solution = solve(numbered_deal(variant, number, ranks), budget, max_redeals=limit)
    found.append([
        solution.outcome, solution.line, solution.positions, solution.levels,
        solution.slides, solution.redeals, solution.first_moves, solution.first_positions,
    ])
print(json.dumps(found))
"""


def outcomes(*, jit: bool) -> list[list[object]]:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0" if jit else "1"}
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    found: list[list[object]] = json.loads(run.stdout)
    return found


def test_compiled_and_pure_agree() -> None:
    compiled = outcomes(jit=True)
    assert compiled == outcomes(jit=False)
    assert {"won", "lost"} <= {str(solution[0]) for solution in compiled}
