"""Slides, runs, stuck and won on boards small enough to see."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.game.board import is_stuck, is_won, ordered, run_lengths, slides
from service.game.cards import parse_card, rank_of
from service.game.deal import Deal
from service.game.notation import slide_token
from service.game.play import Game
from service.game.variants import Rules, rules
from tests.game.games import deals, random_tokens


def board(text: str) -> tuple[int, ...]:
    """A board from text, ``--`` for a gap."""
    return tuple(0 if name == "--" else parse_card(name) for name in text.split())


def tokens(rules: Rules, cells: tuple[int, ...]) -> set[str]:
    return {slide_token(rules, slide) for slide in slides(rules, cells)}


MINI = rules("classic", 4)
MINI_LEFT = rules("blue-moon", 3)


def test_a_gap_takes_the_next_card_of_its_left_neighbours_suit() -> None:
    cells = board("2C -- 4D 3D  3C 2D -- 4H  3H -- 4S 2H  -- 2S 3S 4C")
    # a2 wants 3C; b3 wants 3D; c2 wants 4H; d1 wants any 2, also one from column 1.
    assert tokens(MINI, cells) == {"b1a2", "a4b3", "b4c2", "a1d1", "b2d1", "c4d1", "d2d1"}


def test_gaps_right_of_the_top_rank_and_of_gaps_are_dead() -> None:
    cells = board("3H 4C -- --  2C 3C 4D --  2D 3D 4H --  2H 2S 3S 4S")
    assert tokens(MINI, cells) == set()
    assert is_stuck(MINI, cells)


def test_with_aces_at_the_left_no_ace_moves_and_no_gap_takes_any_two() -> None:
    cells = board("AC -- 3C 2C  AD 2D 3D --  AH 2H 3H --  AS 2S 3S --")
    assert tokens(MINI_LEFT, cells) == {"a4a2"}
    assert run_lengths(MINI_LEFT, cells) == [1, 3, 3, 3]
    assert ordered(MINI_LEFT, cells) == 6


@pytest.mark.parametrize(
    ("text", "won"),
    [
        ("2H 3H 4H --  2C 3C 4C --  2S 3S 4S --  2D 3D 4D --", True),
        ("2H 3H 4H --  2C 3C 4C --  2S 3S 4S --  2D 3D -- 4D", False),
        ("-- 2H 3H 4H  2C 3C 4C --  2S 3S 4S --  2D 3D 4D --", False),
    ],
)
def test_won_is_full_runs_and_the_gap_last(text: str, won: bool) -> None:
    assert is_won(MINI, board(text)) is won


@given(deals(), st.randoms(use_true_random=False), st.integers(0, 60))
def test_play_keeps_the_pack_and_pop_undoes_push(deal: Deal, random: Random, most: int) -> None:
    game = Game(deal)
    for token in random_tokens(deal, random, most):
        game.play(token)
        assert sorted(game.board) == sorted(deal.layout)
        for slide in list(slides(deal.rules, game.board)):
            before, count = game.layout, game.slides
            game.push(slide)
            assert game.layout != before
            assert game.pop() == slide
            assert (game.layout, game.slides) == (before, count)


@given(deals())
def test_no_opening_has_an_ace_that_could_move(deal: Deal) -> None:
    aces = [cell for cell, card in enumerate(deal.layout) if rank_of(card) == 1]
    assert len(aces) == (deal.rules.rows if deal.rules.fixed_aces else 0)
    assert all(cell % deal.rules.columns == 0 for cell in aces)
    assert list(deal.layout).count(0) == 4 * deal.rules.variant.packs
