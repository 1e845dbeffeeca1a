"""Column 1 undecided: its slides are those of all boards that it stands for, and no others."""

import random
from collections.abc import Iterator
from itertools import permutations

import numpy as np
import pytest

from checker import verify
from service.game.board import Layout, Slide
from service.game.board import slides as legal_slides
from service.game.deal import Deal, numbered_deal
from service.game.document import document
from service.game.notation import slide_token
from service.solver.kernel import KEYS, Position, index_of, padded
from service.solver.one_deal.column import column_key, decided
from service.solver.one_deal.depth_first import DepthFirst
from service.solver.one_deal.found import unwatched
from service.solver.one_deal.playing import begin, play, undo
from service.solver.one_deal.slides import (
    MOST_SLIDES,
    list_slides,
    rest_after,
    source_of,
    target_of,
)
from service.solver.table import Int64s
from tests.solver.replays import assert_no_position_twice

Listed = tuple[int, int]
"""A slide, and the key of what it leads to."""


class Walk:
    """A position of the search with its column, which a test plays on by chance."""

    def __init__(self, deal: Deal, switches: int) -> None:
        self.rules = deal.rules
        self.position = Position(deal.rules, deal.layout)
        self.switches = switches
        self.column, self.rest = begin(self.position, switches)

    @property
    def arrays(self) -> tuple[Int64s, Int64s, Int64s, Int64s]:
        position = self.position
        return position.board, position.places, position.gaps, position.runs

    @property
    def key(self) -> int:
        return int(self.rest ^ column_key(KEYS, self.column))

    def listed(self) -> list[Listed]:
        out, reached = np.zeros(MOST_SLIDES, np.int64), np.zeros(MOST_SLIDES, np.int64)
        count = list_slides(
            *self.arrays,
            KEYS,
            self.rest,
            self.column,
            self.rules.ranks,
            self.rules.base,
            self.switches,
            out,
            reached,
        )
        return list(zip(out[:count].tolist(), reached[:count].tolist(), strict=True))

    def play(self, slide: int) -> int:
        card = int(self.position.board[source_of(slide)])
        self.rest = int(rest_after(KEYS, self.rest, slide, card))
        self.column, saved = play(*self.arrays, slide, self.column, self.rules.base, self.switches)
        return saved

    def boards(self) -> Iterator[Layout]:
        """All boards that the position stands for."""
        layout = self.position.layout()
        cells = [row * self.rules.columns for row in range(4)]
        free = [
            row
            for row, cell in enumerate(cells)
            if (layout[cell] == 0 or layout[cell] & 15 == 2) and not decided(self.column, row)
        ]
        if not self.switches or self.rules.base == 1:
            free = []
        for order in set(permutations(layout[cells[row]] for row in free)):
            board = list(layout)
            for row, card in zip(free, order, strict=True):
                board[cells[row]] = card
            yield tuple(board)


CASES = [
    (variant, ranks, switches)
    for variant, ranks in (("one-deal", 5), ("one-deal", 13), ("blue-moon", 6))
    for switches in (0, 1)
]


def walks(variant: str, ranks: int, switches: int) -> Iterator[tuple[Walk, list[Listed]]]:
    """Positions on walks by chance, and their slides."""
    chance = random.Random(1)
    for number in range(60):
        walk = Walk(numbered_deal(variant, number, ranks), switches)
        while listed := walk.listed():
            yield walk, listed
            walk.play(chance.choice(listed)[0])


@pytest.mark.parametrize(("variant", "ranks", "switches"), CASES)
def test_a_slide_keeps_all_arrays_true_and_can_be_taken_back(
    variant: str, ranks: int, switches: int
) -> None:
    for walk, listed in walks(variant, ranks, switches):
        before = [array.copy() for array in walk.arrays]
        column, rest = walk.column, walk.rest
        for slide, key in listed:
            card = int(walk.position.board[source_of(slide)])
            saved = walk.play(slide)
            assert walk.key == key
            fresh = Position(walk.rules, walk.position.layout())
            board, places, gaps, runs = walk.arrays
            assert (board[:64] == fresh.board[:64]).all()
            assert (places[4:] == fresh.places[4:]).all()
            assert sorted(gaps) == sorted(fresh.gaps)
            assert (runs == fresh.runs).all()
            undo(*walk.arrays, slide, card, column, walk.column, saved)
            walk.column, walk.rest = column, rest
            assert all((now == then).all() for now, then in zip(walk.arrays, before, strict=True))


@pytest.mark.parametrize(("variant", "ranks", "switches"), CASES)
def test_the_slides_are_those_of_all_boards_that_a_position_stands_for(
    variant: str, ranks: int, switches: int
) -> None:
    columns = numbered_deal(variant, 0, ranks).rules.columns
    several = safe = 0
    for walk, listed in walks(variant, ranks, switches):
        open_column = bool(switches) and 0 in [
            walk.position.board[row * 16 + 1] for row in range(4)
        ]

        def target(cell: int, open_column: bool = open_column) -> int:
            # Which gap of an undecided column 1 is entered is all the same.
            return -1 if open_column and cell % columns == 0 else cell

        boards = list(walk.boards())
        several += len(boards) > 1
        legal = {
            (board[slide.source], target(slide.target))
            for board in boards
            for slide in legal_slides(walk.rules, board)
            if slide.source % columns or slide.target % columns
        }
        found = {
            (
                int(walk.position.board[source_of(slide)]),
                target(index_of(walk.rules, target_of(slide))),
            )
            for slide, _ in listed
        }
        if len(listed) == 1 < len(legal):
            safe += 1
            assert found < legal
        else:
            assert found == legal
            assert len(found) == len(listed)
    assert safe > 0
    assert (several > 0) == (bool(switches) and variant == "one-deal")


def test_boards_that_are_switches_apart_are_one_position_and_others_are_not() -> None:
    keys: dict[int, set[Layout]] = {}
    begun = 0
    for walk, _ in walks("one-deal", 5, 1):
        boards = set(walk.boards())
        assert keys.setdefault(walk.key, boards) == boards
        assert walk.position.layout() in boards
        if 0 in [walk.position.board[row * 16 + 1] for row in range(4)]:
            for board in boards:
                column, rest = begin(Position(walk.rules, board), 1)
                assert rest ^ column_key(KEYS, column) == walk.key
                begun += 1
    assert len(keys) > 200
    assert begun > 1_000
    assert max(map(len, keys.values())) == 24


def test_the_switches_that_a_line_wants_are_put_in() -> None:
    switched = 0
    for number in range(200):
        deal = numbered_deal("one-deal", number, 6)
        search = DepthFirst(Position(deal.rules, deal.layout), 1 << 26, noise=number)
        line = search.run(200_000, unwatched).line
        if line is None:
            continue
        slides = [
            Slide(index_of(deal.rules, source), index_of(deal.rules, target))
            for source, target in line
        ]
        tokens = tuple(slide_token(deal.rules, slide) for slide in slides)
        assert verify(document(deal), list(tokens)).won
        assert_no_position_twice(deal, tokens)
        columns = deal.rules.columns
        switches = sum(s.source % columns == s.target % columns == 0 for s in slides)
        assert len(search.slides()) == len(line) - switches
        switched += switches > 0
    assert switched > 10


def test_padded_cells_of_column_1_are_where_the_search_looks_for_them() -> None:
    rules = numbered_deal("one-deal", 1).rules
    assert [padded(rules, row * rules.columns) for row in range(4)] == [1, 17, 33, 49]
