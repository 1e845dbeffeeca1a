"""Makes the evaluation's weights from nothing: ``python -m service.solver.one_deal.train``.

The same deals give the same weights on every run; it takes about five minutes of one core. The
deals are numbered from a million upwards, so that none is one that the solver is measured on.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from service.game.cards import KING, TWO
from service.solver.one_deal.evaluation import FEATURES
from service.solver.one_deal.fit import UNIT, accuracy, feature_rows, fit
from service.solver.one_deal.samples import Pairs, add_pairs

DEALS: Final = (*range(1_000_000, 1_003_278), *range(1_100_000, 1_108_349))
"""The numbers of the deals to learn from."""

BUDGET: Final = 400_000
"""Slides that the search for examples makes in one deal."""

_UNSEEN: Final = 10
"""One deal in so many is kept back, to tell how well the weights do on deals they never saw."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Collects examples, fits the weights, writes them; gives the exit status."""
    parser = argparse.ArgumentParser(prog="python -m service.solver.one_deal.train")
    parser.add_argument(
        "--deals", type=int, default=len(DEALS), help="learn from the first so many"
    )
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("weights.json"))
    options = parser.parse_args(arguments)
    pairs = Pairs()
    won = 0
    for done, number in enumerate(DEALS[: options.deals], 1):
        won += add_pairs(pairs, number, budget=BUDGET)
        if done % 500 == 0:
            _say(f"{done} deals, {won} won, {len(pairs.deals)} pairs")
    if not pairs.deals:
        parser.error("no deal was won: learn from more")
    rows = feature_rows(np.array(pairs.alive + pairs.dead), KING, TWO)
    count = len(pairs.deals)
    indices = np.stack((np.arange(count), np.arange(count, 2 * count)), 1)
    unseen = np.array(pairs.deals) % _UNSEEN == 0
    weights = fit(rows, indices[~unseen])
    right = accuracy(rows, indices[unseen], weights)
    _say(f"{count} pairs, {np.count_nonzero(unseen)} of them unseen, {right:.1%} of these right")
    document = {
        "deals": len(DEALS[: options.deals]),
        "pairs": count,
        "unseen_right_percent": round(100 * right, 1),
        "weights": [round(weight * UNIT) for weight in weights[:FEATURES].tolist()],
    }
    options.out.write_text(json.dumps(document, separators=(",", ":")) + "\n", "ascii")
    return 0


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")


if __name__ == "__main__":
    sys.exit(main())
