"""``python -m tests.readings.soak``: both readings side by side, for as long as is wanted.

Games of every variant and size, from documents of every kind, with legal and illegal tokens; and
before each game its document damaged. A difference ends it with status 1, the seed that leads
there, and a test to put among the others.
"""

import argparse
import copy
import sys
import time
import traceback
from collections import Counter
from random import Random
from typing import Any

from service.game.deal import numbered_deal
from service.game.play import Fault
from service.game.variants import VARIANTS
from tests.readings.documents import damage, of_any_kind
from tests.readings.side_by_side import KINDS, DifferenceError, Pair, is_refused, regression

LONG = 0.02
"""The share of long games, which come through more redeals."""


class Soak:
    """Plays games one after another and counts what came up."""

    def __init__(self) -> None:
        self.tokens = 0
        self.games: Counter[str] = Counter()
        self.codes: Counter[str] = Counter()
        self.documents: Counter[str] = Counter()
        self.won = 0
        self.most_redeals = 0

    def game(self, seed: str) -> None:
        """One game, and its document damaged; ends the process where the readings differ.

        A reading that fails, with whatever exception, is a difference.
        """
        random = Random(seed)
        written: Any = _document(random)
        at: Any = written
        tokens: list[Any] = []
        try:
            for _ in range(3):
                at = _damaged(written, random)
                refused = is_refused(at)
                if not refused:
                    Pair(at)
                self.documents["refused" if refused else "good"] += 1
            at = written
            pair = Pair(written)
            tokens = pair.tokens
            self._play(pair, random)
        except Exception as error:
            if not isinstance(error, DifferenceError):
                traceback.print_exc()
            print(f"DIFFERENCE with --game {seed}\n{error!r}\n\n{regression(at, tokens)}")
            sys.exit(1)

    def _play(self, pair: Pair, random: Random) -> None:
        # Some play for order, and so come to won boards; others just play.
        for_order = random.random() < 0.5
        most = random.randint(300, 1500) if random.random() < LONG else random.randint(10, 200)
        for _ in range(most):
            kind = random.choices(list(KINDS), list(KINDS.values()))[0]
            token = pair.token(kind, random.choice)
            before = pair.game.ordered
            fault = pair.play(token)
            if for_order and kind == "legal" and not fault and pair.game.ordered < before:
                pair.play("undo")
            self.codes[fault or "legal"] += 1
        self.tokens += len(pair.tokens)
        self.games[pair.game.rules.variant.name] += 1
        self.won += pair.game.won
        self.most_redeals = max(self.most_redeals, pair.game.redeals)

    def report(self) -> None:
        """Prints what came up."""
        print(f"{self.tokens} tokens in {self.games.total()} games, {self.won} won at their end")
        for title, counts in (
            ("games", self.games),
            ("tokens", self.codes),
            ("damaged documents", self.documents),
        ):
            print(f"{title}: " + ", ".join(f"{name} {counts[name]}" for name in sorted(counts)))
        print(f"most redeals in a game: {self.most_redeals}")
        print("never came up: " + (", ".join(set(Fault) - set(self.codes)) or "nothing"))


def _damaged(written: Any, random: Random) -> Any:
    damaged = copy.deepcopy(written)
    for _ in range(random.randint(1, 3)):
        damaged = damage(damaged, random)
    return damaged


def _document(random: Random) -> Any:
    variant = VARIANTS[random.choice(list(VARIANTS))]
    ranks = 13 if random.random() < 0.5 else random.randint(variant.min_ranks, 13)
    deal = numbered_deal(variant.name, random.randrange(10**9), ranks)
    return of_any_kind(deal, random)


def main() -> None:
    """Plays until there were so many tokens, or one game again."""
    parser = argparse.ArgumentParser(prog="python -m tests.readings.soak")
    parser.add_argument("--tokens", type=int, default=1_000_000, help="how many to play")
    parser.add_argument("--seed", type=int, default=1, help="other games with another one")
    parser.add_argument("--game", help="one game alone, by the seed that a difference told")
    arguments = parser.parse_args()
    start, soak = time.monotonic(), Soak()
    if arguments.game:
        soak.game(arguments.game)
    number = 0
    while not arguments.game and soak.tokens < arguments.tokens:
        soak.game(f"{arguments.seed}/{number}")
        number += 1
        if number % 1_000 == 0:
            print(f"{soak.tokens} tokens", flush=True)
    soak.report()
    print(f"no difference; {(time.monotonic() - start) / 60:.1f} minutes")


if __name__ == "__main__":
    main()
