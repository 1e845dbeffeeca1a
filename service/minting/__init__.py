"""From a random seed to a verified deal: candidate, solver, checker, stock."""
