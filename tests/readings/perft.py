"""Perft: how many sequences of legal slides there are to each depth, by both readings.

``python -m tests.readings.perft`` counts the frozen table ``tests/data/perft.json`` again, by both
readings, and stops where one differs from it; ``--variant`` counts a part of it. With ``--write``
it makes the table anew.

There are two ways to count. The plain one plays every sequence and takes it back. The other goes
depth by depth and keeps each board once, with the number of sequences that lead to it: what may
slide depends on the board alone. It counts millions in a second, and never takes a slide back.
"""

import argparse
import itertools
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from checker.board import Board as CheckerBoard
from checker.board import parse_slide
from checker.document import read_deal
from checker.replay import Replay
from service.game.board import Layout, slides
from service.game.cards import GAP, KING
from service.game.deal import Deal, numbered_deal
from service.game.document import document
from service.game.notation import REDEAL, slide_token
from service.game.play import Game
from service.game.redeal import redeals_left
from service.game.variants import VARIANTS

TABLE = Path(__file__).parents[1] / "data" / "perft.json"
NUMBERS = range(1, 6)
MINIATURE_RANKS = range(3, 7)
ENOUGH = 10_000_000
"""A row of the table ends with the first count beyond this, or where no sequence is longer."""
DEEPEST = 40
"""Or with so many slides: where a few cards go to and fro for ever the counts may grow slowly."""


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


def engine_layers(position: Position) -> Iterator[int]:
    """The engine's count again, depth by depth."""
    game = Game(position.deal)
    for token in position.line:
        game.play(token)
    layer = {game.layout: 1}
    while True:
        after: dict[Layout, int] = {}
        total = 0
        for layout, sequences in layer.items():
            board = list(layout)
            for source, target in slides(game.rules, layout):
                total += sequences
                board[target], board[source] = board[source], GAP
                child = tuple(board)
                after[child] = after.get(child, 0) + sequences
                board[source], board[target] = board[target], GAP
        yield total
        layer = after


def checker_layers(position: Position) -> Iterator[int]:
    """The checker's count again, depth by depth."""
    replay = Replay(read_deal(document(position.deal)))
    for token in position.line:
        replay.play(token)
    variant = replay.variant
    layer = Counter({tuple(map(tuple, replay.board.rows)): 1})
    while True:
        after: Counter[tuple[tuple[str | None, ...], ...]] = Counter()
        for rows, sequences in layer.items():
            for token in CheckerBoard(variant, rows).legal_slides():
                child = CheckerBoard(variant, rows)
                child.move(*parse_slide(token) or ("", ""))
                after[tuple(map(tuple, child.rows))] += sequences
        yield after.total()
        layer = after


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


def row_of(position: Position) -> list[int]:
    """A position's counts, by both readings."""
    counts: list[int] = []
    both = zip(engine_layers(position), checker_layers(position), strict=True)
    for depth, (engine, checker) in enumerate(both, 1):
        if engine != checker:
            sys.exit(f"{position} at depth {depth}: engine {engine}, checker {checker}")
        counts.append(engine)
        if _ended(counts):
            break
    return counts


def _ended(counts: Sequence[int]) -> bool:
    return counts[-1] == 0 or counts[-1] > ENOUGH or len(counts) == DEEPEST


def is_whole(counts: Sequence[int]) -> bool:
    """Whether a row of the frozen table ends where it should, not before and not after."""
    ended = [_ended(counts[: depth + 1]) for depth in range(len(counts))]
    return ended.count(True) == 1 and ended[-1]


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


def write() -> None:
    """Makes the table."""
    rows = []
    for position in positions():
        row = {**position._asdict(), "line": " ".join(position.line)}
        rows.append(json.dumps(row | {"counts": row_of(position)}))
    TABLE.write_text("[\n" + ",\n".join(rows) + "\n]\n", "utf-8")


def again(variants: Sequence[str]) -> None:
    """Counts the rows of these variants again; ends the process where a count is another one."""
    rows = table()
    total = 0
    if [position for position, _ in rows] != list(positions()):
        sys.exit("the table's positions are not those that it should have")
    rows = [(position, counts) for position, counts in rows if position.variant in variants]
    for number, (position, counts) in enumerate(rows, 1):
        if not is_whole(counts):
            sys.exit(f"{position}: the row ends too soon or too late")
        for name, counts_of in READINGS.items():
            found = list(itertools.islice(counts_of(position), len(counts)))
            if found != counts:
                sys.exit(f"{position}: the {name} counts {found}, the table has {counts}")
        total += sum(counts)
        if number % 50 == 0:
            print(f"{number} of {len(rows)} rows", flush=True)
    print(f"{len(rows)} rows, {total} sequences of slides, counted alike by both readings")


READINGS: dict[str, Callable[[Position], Iterator[int]]] = {
    "engine": engine_layers,
    "checker": checker_layers,
}


def main() -> None:
    """Counts the table again, or makes it."""
    parser = argparse.ArgumentParser(prog="python -m tests.readings.perft", description=__doc__)
    parser.add_argument("--write", action="store_true", help="make the table anew")
    parser.add_argument(
        "--variant", nargs="+", choices=VARIANTS, default=list(VARIANTS), help="count these alone"
    )
    arguments = parser.parse_args()
    start = time.monotonic()
    if arguments.write:
        write()
    again(arguments.variant)
    print(f"{(time.monotonic() - start) / 60:.1f} minutes")


if __name__ == "__main__":
    main()
