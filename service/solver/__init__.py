"""The solver: a bounded search that wins a deal, proves it lost, or gives up."""

from service.solver.meter import Progress
from service.solver.solution import Outcome, Solution
from service.solver.solving import DEFAULT_BUDGET, SOLVER_VERSION, solve, warm_up

__all__ = [
    "DEFAULT_BUDGET",
    "SOLVER_VERSION",
    "Outcome",
    "Progress",
    "Solution",
    "solve",
    "warm_up",
]
