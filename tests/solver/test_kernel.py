"""The searches' boards against the rules: slides, stuck boards, redeals, keys."""

import random

import numpy as np
import pytest

from service.game.board import is_stuck, ordered, run_lengths, slides
from service.game.deal import Deal, numbered_deal
from service.game.redeal import redeal
from service.game.variants import VARIANTS, Order
from service.solver.depth_first import pad, redealt
from service.solver.kernel import (
    CELLS,
    KEYS,
    Position,
    all_dead,
    index_of,
    move_card,
    pack_slide,
    padded,
    take_back,
    unpack_slide,
    unpadded,
)
from service.solver.redealing import set_up
from service.solver.table import add_key, grown, make_table, room


def random_boards(deal: Deal, seed: int, count: int) -> list[tuple[int, ...]]:
    """Boards of a random play, redealt in between where it is stuck."""
    rng = random.Random(seed)
    boards = [deal.layout]
    done = 0
    while len(boards) < count:
        board = list(boards[-1])
        legal = list(slides(deal.rules, board))
        if legal:
            slide = rng.choice(legal)
            board[slide.target], board[slide.source] = board[slide.source], 0
        else:
            if done == (deal.rules.variant.redeals or 0):
                break
            done += 1
            order = deal.order(done)
            board = list(redeal(deal.rules, board, order))
        boards.append(tuple(board))
    return boards


@pytest.mark.parametrize("variant", VARIANTS)
def test_cells_and_slides_there_and_back(variant: str) -> None:
    rules = numbered_deal(variant, 1).rules
    cells = [padded(rules, index) for index in range(rules.cells)]
    assert [index_of(rules, cell) for cell in cells] == list(range(rules.cells))
    deal = numbered_deal(variant, 1)
    assert unpadded(rules, pad(rules, deal.layout)) == deal.layout
    for slide in slides(rules, deal.layout):
        assert unpack_slide(pack_slide(slide, rules), rules) == slide


@pytest.mark.parametrize("variant", VARIANTS)
def test_slides_and_their_taking_back(variant: str) -> None:
    deal = numbered_deal(variant, 2)
    rules = deal.rules
    for board in random_boards(deal, 5, 120):
        position = Position(rules, board)
        state = (position.board, position.places, position.gaps, position.runs)
        assert all_dead(position.board, position.gaps, rules.ranks) == is_stuck(rules, board)
        before = [array.copy() for array in state]
        for slide in slides(rules, board):
            source = padded(rules, slide.source)
            gap = position.gaps.tolist().index(padded(rules, slide.target))
            saved, change, target = move_card(*state, gap, source)
            after = list(board)
            after[slide.target], after[slide.source] = after[slide.source], 0
            assert position.layout() == tuple(after)
            assert position.runs.tolist() == run_lengths(rules, after)
            assert ordered(rules, after) - ordered(rules, board) == change
            take_back(*state, gap, target, saved)
            for array, was in zip(state, before, strict=True):
                assert array.tolist() == was.tolist()


@pytest.mark.parametrize("variant", [name for name in VARIANTS if VARIANTS[name].redeals != 0])
@pytest.mark.parametrize("ranks", [3, 8, 13])
def test_redeals_are_those_of_the_rules(variant: str, ranks: int) -> None:
    if VARIANTS[variant].packs == 2 and ranks != 13:
        ranks = 13
    for number in range(4):
        deal = numbered_deal(variant, number, ranks)
        for board in random_boards(deal, number, 60):
            order = deal.order(1)
            assert (order is None) == (deal.rules.variant.order is Order.GATHERED)
            after = redealt(deal.rules, pad(deal.rules, board), order)
            assert unpadded(deal.rules, after) == redeal(deal.rules, board, order)


@pytest.mark.parametrize("variant", ["classic", "red-moon", "big-paganini"])
def test_set_up_agrees_with_position(variant: str) -> None:
    deal = numbered_deal(variant, 3)
    rules = deal.rules
    for board in random_boards(deal, 1, 80):
        expected = Position(rules, board)
        cells, places = np.zeros(CELLS, np.int64), np.zeros(CELLS, np.int64)
        gaps, runs = np.zeros_like(expected.gaps), np.zeros_like(expected.runs)
        key, total, misplaced = set_up(
            pad(rules, board), rules.base, KEYS, cells, places, gaps, runs
        )
        assert key == expected.key
        assert total == sum(run_lengths(rules, board))
        assert misplaced == sum(
            card != 0 and cell % rules.columns + rules.base != card & 15
            for cell, card in enumerate(board)
        )
        assert cells.tolist() == expected.board.tolist()
        assert gaps.tolist() == expected.gaps.tolist()


def test_a_table_knows_its_keys_after_growing() -> None:
    keys = [int(key) for key in KEYS[:3000]] + [0]
    table = make_table(12)
    assert len(keys) <= room(table)
    assert all(add_key(table, key) for key in keys)
    bigger = grown(table, 1 << 20)
    assert bigger is not None
    assert len(bigger) == 2 * len(table)
    assert not any(add_key(bigger, key) for key in keys)
    assert add_key(bigger, int(KEYS[3001]))
    assert grown(bigger, 1 << 16) is None
