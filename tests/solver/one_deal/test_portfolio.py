"""The search without a redeal on one pack: right on miniatures, whatever was learned."""

import os
import random
import subprocess
import sys
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from checker import verify
from service.game.board import Slide, is_won, slides
from service.game.cards import GAP, parse_card
from service.game.deal import Deal, numbered_deal
from service.game.document import document
from service.game.notation import slide_token
from service.solver.kernel import Position, index_of
from service.solver.one_deal import Result, search
from service.solver.one_deal.best_first import BestFirst
from service.solver.one_deal.depth_first import DepthFirst
from service.solver.one_deal.evaluation import FEATURES, weights
from service.solver.one_deal.found import Found, unwatched
from service.solver.table import Int64s
from tests.solver.brute import fewest_redeals, fewest_slides
from tests.solver.replays import assert_no_position_twice

MINIATURES = [
    (variant, ranks, number)
    for variant, ranks, deals in (
        ("one-deal", 3, 120),
        ("one-deal", 4, 120),
        ("one-deal", 5, 40),
        ("one-deal", 6, 3),
        ("blue-moon", 4, 40),
        ("blue-moon", 6, 10),
        ("red-moon", 4, 40),
        ("red-moon", 6, 10),
    )
    for number in range(deals)
]


def random_weights(seed: int) -> Int64s:
    return np.random.default_rng(seed).integers(-400, 400, FEATURES)


def tokens(deal: Deal, result: Result) -> tuple[str, ...]:
    assert result.line is not None
    return tuple(slide_token(deal.rules, slide) for slide in result.line)


def assert_wins(deal: Deal, result: Result) -> None:
    line = tokens(deal, result)
    assert verify(document(deal), list(line)).won
    assert_no_position_twice(deal, line)


@cache
def truth() -> dict[tuple[str, int, int], bool]:
    return {
        case: fewest_redeals(numbered_deal(case[0], case[2], case[1]), 0) is not None
        for case in MINIATURES
    }


def outcome(found: Found) -> bool | None:
    return True if found.line is not None else False if found.exhausted else None


def test_the_miniatures_hold_both_outcomes_for_every_variant() -> None:
    for variant in ("one-deal", "blue-moon", "red-moon"):
        assert {won for case, won in truth().items() if case[0] == variant} == {False, True}


@pytest.mark.parametrize("seed", [None, 1, 2])
def test_the_portfolio_equals_brute_force_whatever_was_learned(seed: int | None) -> None:
    for (variant, ranks, number), won in truth().items():
        deal = numbered_deal(variant, number, ranks)
        learned = None if seed is None else random_weights(seed)
        result = search(deal.rules, deal.layout, budget=10**7, learned=learned)
        assert result.lost is not won, (variant, ranks, number)
        if won:
            assert_wins(deal, result)


def test_the_prover_alone_equals_brute_force() -> None:
    for (variant, ranks, number), won in truth().items():
        deal = numbered_deal(variant, number, ranks)
        search = DepthFirst(Position(deal.rules, deal.layout), 1 << 26)
        assert outcome(search.run(10**7, unwatched)) is won, (variant, ranks, number)


def test_the_best_first_search_alone_equals_brute_force() -> None:
    for (variant, ranks, number), won in truth().items():
        deal = numbered_deal(variant, number, ranks)
        search = BestFirst(Position(deal.rules, deal.layout), 1 << 26, random_weights(number))
        assert outcome(search.run(10**7, unwatched)) is won, (variant, ranks, number)


@pytest.mark.parametrize(("variant", "ranks"), [("one-deal", 3), ("one-deal", 4), ("blue-moon", 4)])
def test_both_searches_equal_brute_force_on_boards_that_are_no_openings(
    variant: str, ranks: int
) -> None:
    chance = random.Random(ranks)
    opening = numbered_deal(variant, 1, ranks)
    columns = opening.rules.columns
    loose = [c for c in range(len(opening.layout)) if opening.rules.base == 2 or c % columns]
    outcomes = set()
    for number in range(300 if ranks == 3 else 80):
        board = list(opening.layout)
        cards = [board[cell] for cell in loose]
        chance.shuffle(cards)
        for cell, card in zip(loose, cards, strict=True):
            board[cell] = card
        if is_won(opening.rules, board):
            continue
        deal = replace(opening, layout=tuple(board))
        position = Position(deal.rules, deal.layout)
        shortest = fewest_slides(deal)
        outcomes.add(shortest is None)
        for turn in (
            DepthFirst(position, 1 << 26, noise=number),
            BestFirst(Position(deal.rules, deal.layout), 1 << 26, random_weights(number)),
        ):
            found = turn.run(10**7, unwatched)
            assert outcome(found) is (shortest is not None), board
            if found.line is not None:
                assert shortest is not None
                assert len(found.line) >= shortest
                assert follows_the_rules(deal, found.line), board
    assert outcomes == {False, True}


def follows_the_rules(deal: Deal, line: list[tuple[int, int]]) -> bool:
    """Whether the slides of a line are legal one after another, and the last one wins."""
    board = list(deal.layout)
    for packed in line:
        slide = Slide(*(index_of(deal.rules, cell) for cell in packed))
        if slide not in set(slides(deal.rules, board)):
            return False
        board[slide.target], board[slide.source] = board[slide.source], 0
    return is_won(deal.rules, board)


def test_a_run_is_not_always_lengthened_at_once() -> None:
    """6H beside 5H loses at once; 7H beside 6H first wins."""
    rows = """2D 3D 7H 8H 9H TH JH 8S 9S TS JS QS KS
              2H 3H 4H 5H -- QH KH -- 6H -- QD KD --
              2C 3C 4C 4D 5D 6D 7D 8D 9D TD JD 5C 6C
              2S 3S 4S 5S 6S 7S 7C 8C 9C TC JC QC KC"""
    board = tuple(GAP if name == "--" else parse_card(name) for name in rows.split())
    deal = replace(numbered_deal("one-deal", 1), layout=board)
    for turn in (
        DepthFirst(Position(deal.rules, board), 1 << 26),
        BestFirst(Position(deal.rules, board), 1 << 26, weights()),
        BestFirst(Position(deal.rules, board), 1 << 26, weights(), switches=False),
    ):
        line = turn.run(10**6, unwatched).line
        assert line is not None
        assert follows_the_rules(deal, line)


def test_random_weights_win_whole_deals_with_legal_lines() -> None:
    wins = 0
    for number in range(1, 9):
        deal = numbered_deal("one-deal", number)
        result = search(deal.rules, deal.layout, budget=400_000, learned=random_weights(number))
        if result.line is not None:
            wins += 1
            assert_wins(deal, result)
    assert wins > 0


def test_what_was_learned_wins_more_than_its_opposite() -> None:
    def wins(learned: Int64s) -> int:
        deals = (numbered_deal("one-deal", number) for number in range(1, 31))
        return sum(
            BestFirst(Position(deal.rules, deal.layout), 1 << 28, learned, switches=False)
            .run(50_000, unwatched)
            .line
            is not None
            for deal in deals
        )

    assert wins(weights()) > wins(-weights())


def test_no_line_is_longer_than_was_asked_for_and_a_bound_makes_some_shorter() -> None:
    tightened = 0
    for number in range(12):
        deal = numbered_deal("one-deal", number, 4)

        def line(longest: int, deal: Deal = deal) -> int | None:
            position = Position(deal.rules, deal.layout)
            search = BestFirst(position, 1 << 26, weights(), switches=False, longest=longest)
            found = search.run(10**6, unwatched).line
            return None if found is None else len(found)

        shortest, unbounded = fewest_slides(deal), line(10**6)
        assert shortest is not None
        assert unbounded is not None
        # No line without switches has more slides, so nothing is left out.
        assert line(312) == unbounded
        found = [line(longest) for longest in range(unbounded)]
        assert all(slides is None or shortest <= slides <= n for n, slides in enumerate(found))
        tightened += any(slides is not None for slides in found)
    assert tightened > 2


def test_a_longest_line_is_refused_where_switches_come_later() -> None:
    deal = numbered_deal("one-deal", 1, 4)
    with pytest.raises(ValueError, match="without switches"):
        BestFirst(Position(deal.rules, deal.layout), 1 << 26, weights(), longest=30)


def test_a_won_board_needs_no_slide() -> None:
    deal = numbered_deal("one-deal", 0, 3)
    won = (2, 3, 0, 18, 19, 0, 34, 35, 0, 50, 51, 0)
    assert search(deal.rules, won, budget=0) == Result((), lost=False, positions=0, searches=0)


def test_two_packs_are_refused() -> None:
    deal = numbered_deal("double-montana", 1)
    with pytest.raises(ValueError, match="one pack, not for double-montana"):
        search(deal.rules, deal.layout, budget=1)


def test_the_budget_is_kept_and_gives_the_same_every_time() -> None:
    for number in (1, 2, 3):
        deal = numbered_deal("one-deal", number)
        for budget in (0, 1_000, 100_000):
            first = search(deal.rules, deal.layout, budget=budget)
            assert first == search(deal.rules, deal.layout, budget=budget)
            # A position is opened as a whole, so the budget may be passed by what it has.
            assert first.positions <= budget + 16 * first.searches


def test_a_larger_budget_never_loses_what_was_decided() -> None:
    for number in range(1, 13):
        deal = numbered_deal("one-deal", number, 7)
        small = search(deal.rules, deal.layout, budget=20_000)
        large = search(deal.rules, deal.layout, budget=10**7)
        assert not (small.lost and large.line is not None)
        assert not (small.line is not None and large.lost)


def test_it_stops_when_it_is_told_to_and_tells_how_far_it_is() -> None:
    deal = numbered_deal("one-deal", 4)
    told: list[tuple[int, str, int]] = []

    def report(positions: int, phase: str, ordered: int) -> None:
        told.append((positions, phase, ordered))

    result = search(
        deal.rules, deal.layout, budget=10**9, report=report, cancelled=lambda: len(told) == 5
    )
    assert (result.line, result.lost) == (None, False)
    assert len(told) == 5
    assert [positions for positions, _, _ in told] == sorted({p for p, _, _ in told})
    assert result.positions == told[-1][0]


def test_reaching_the_memory_is_undecided() -> None:
    deal = numbered_deal("one-deal", 4)
    result = search(deal.rules, deal.layout, budget=10**8, memory_mb=2)
    assert (result.line, result.lost) == (None, False)
    assert 0 < result.positions < 10**7


SCRIPT = """
from service.game.deal import numbered_deal
from service.solver.one_deal import search
for ranks, number, budget in ((13, 1, 3000), (6, 2, 10000), (5, 3, 20000), (4, 29, 20000)):
    deal = numbered_deal("one-deal", number, ranks)
    print(search(deal.rules, deal.layout, budget=budget))
"""


def test_plain_python_gives_the_same_outcome_line_and_count() -> None:
    def run(**more: str) -> str:
        command = [sys.executable, "-W", "error", "-c", SCRIPT]
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, env=os.environ | more
        )
        return done.stdout

    plain = run(NUMBA_DISABLE_JIT="1")
    assert plain == run()
    assert "lost=True" in plain
    assert "Slide(" in plain
