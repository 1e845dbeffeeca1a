"""Perft: how many sequences of legal slides there are to each depth, by both readings.

``python -m tests.readings.perft`` makes the frozen table ``tests/data/perft.json`` anew, and stops
where the readings differ.
"""

import argparse
import itertools
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from checker.board import Board as CheckerBoard
from checker.board import parse_slide
from checker.document import read_deal
from checker.replay import Replay
from service.game.board import slides
from service.game.cards import KING
from service.game.deal import Deal, numbered_deal
from service.game.document import document
from service.game.notation import REDEAL, slide_token
from service.game.play import Game
from service.game.redeal import redeals_left
from service.game.variants import VARIANTS

TABLE = Path(__file__).parents[1] / "data" / "perft.json"
NUMBERS = range(1, 6)
MINIATURE_RANKS = range(3, 7)
ENOUGH = 1_000
"""A row of the table ends with the first count beyond this, or where no sequence is longer."""
DEEPEST = 40


class Position(NamedTuple):
    """A row's board: a numbered deal, and the line from its opening to the board."""

    variant: str
    number: int
    ranks: int
    line: tuple[str, ...]

    @property
    def deal(self) -> Deal:
        """The deal."""
        return numbered_deal(self.variant, self.number, self.ranks)


def engine_counts(position: Position) -> Iterator[int]:
    """The engine's count of sequences of 1 slide, 2 slides, …"""
    game = Game(position.deal)
    for token in position.line:
        game.play(token)

    def count(depth: int) -> int:
        legal = list(slides(game.rules, game.board))
        if depth == 1:
            return len(legal)
        total = 0
        for slide in legal:
            game.push(slide)
            total += count(depth - 1)
            game.pop()
        return total

    return (count(depth) for depth in itertools.count(1))


def checker_counts(position: Position) -> Iterator[int]:
    """The checker's count of sequences of 1 slide, 2 slides, …"""
    replay = Replay(read_deal(document(position.deal)))
    for token in position.line:
        replay.play(token)
    board: CheckerBoard = replay.board

    def count(depth: int) -> int:
        legal = board.legal_slides()
        if depth == 1:
            return len(legal)
        total = 0
        for token in legal:
            source, goal = parse_slide(token) or ("", "")
            board.move(source, goal)
            total += count(depth - 1)
            board.move(goal, source)
        return total

    return (count(depth) for depth in itertools.count(1))


def to_the_first_redeal(deal: Deal) -> tuple[str, ...]:
    """A line that ends with a redeal: slides at random, until none is legal."""
    game, line = Game(deal), []
    random = Random(f"{deal.rules.variant.name} {deal.rules.ranks} {deal.layout}")
    while legal := list(slides(deal.rules, game.board)):
        slide = random.choice(legal)
        game.push(slide)
        line.append(slide_token(deal.rules, slide))
    return (*line, REDEAL)


def positions() -> Iterator[Position]:
    """The positions of the table: openings, and boards after a redeal; whole packs, miniatures."""
    for variant in VARIANTS.values():
        sizes = [KING, *(MINIATURE_RANKS if variant.packs == 1 else ())]
        for ranks, number in itertools.product(sizes, NUMBERS):
            opening = Position(variant.name, number, ranks, ())
            yield opening
            line = to_the_first_redeal(opening.deal)
            game = Game(opening.deal)
            for token in line[:-1]:
                game.play(token)
            if redeals_left(game.rules, 0) and not game.won:
                yield opening._replace(line=line)


def row_of(position: Position, enough: int) -> dict[str, Any]:
    """A position's row, counted by both readings."""
    counts: list[int] = []
    both = zip(engine_counts(position), checker_counts(position), strict=True)
    for depth, (engine, checker) in enumerate(both, 1):
        if engine != checker:
            sys.exit(f"{position} at depth {depth}: engine {engine}, checker {checker}")
        counts.append(engine)
        if engine == 0 or engine > enough or depth == DEEPEST:
            break
    return {**position._asdict(), "line": " ".join(position.line), "counts": counts}


def table() -> list[tuple[Position, list[int]]]:
    """The frozen table."""
    rows = json.loads(TABLE.read_text("utf-8"))
    return [
        (
            Position(row["variant"], row["number"], row["ranks"], tuple(row["line"].split())),
            row["counts"],
        )
        for row in rows
    ]


def main() -> None:
    """Makes the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--enough", type=int, default=ENOUGH, help="see ENOUGH")
    enough = parser.parse_args().enough
    rows = [json.dumps(row_of(position, enough)) for position in positions()]
    TABLE.write_text("[\n" + ",\n".join(rows) + "\n]\n", "utf-8")


if __name__ == "__main__":
    main()
