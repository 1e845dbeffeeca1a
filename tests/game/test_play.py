"""Logs: each fault code where it belongs, undo, and that a refused token changes nothing."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.game.deal import Deal, numbered_deal
from service.game.notation import REDEAL, UNDO
from service.game.play import Fault, Game, IllegalTokenError, replay
from tests.game.games import deals, random_tokens
from tests.game.test_board import board


def deal_of(layout: str, variant: str = "classic", ranks: int = 4) -> Deal:
    """A miniature with a layout of one's own and the redeal orders of number 1."""
    made = numbered_deal(variant, 1, ranks)
    return Deal(made.rules, board(layout), made.redeals)


OPENING = "2C -- 4D 3D  3C 2D -- 4H  3H -- 4S 2H  -- 2S 3S 4C"
STUCK = "3H 4C -- --  2C 3C 4D --  2D 3D 4H --  2H 2S 3S 4S"
WON = "2H 3H 4H --  2C 3C 4C --  2S 3S 4S --  2D 3D 4D --"


@pytest.mark.parametrize(
    ("layout", "variant", "moves", "fault"),
    [
        (OPENING, "classic", ["b1a2", "b1b"], Fault.MALFORMED_TOKEN),
        (OPENING, "classic", [None], Fault.MALFORMED_TOKEN),
        (OPENING, "classic", ["a5a1"], Fault.OFF_BOARD),
        (OPENING, "classic", ["a2b3"], Fault.NO_CARD),
        (OPENING, "classic", ["a1a1"], Fault.OCCUPIED),
        (STUCK, "classic", ["b1a4"], Fault.DEAD_GAP),
        (OPENING, "classic", ["c1a2"], Fault.WRONG_CARD),
        (OPENING, "classic", ["b1d1"], Fault.WRONG_CARD),
        (WON, "classic", ["redeal"], Fault.ALREADY_WON),
        (STUCK, "one-deal", ["redeal"], Fault.NO_REDEALS_LEFT),
        (OPENING, "classic", ["redeal"], Fault.REDEAL_NOT_STUCK),
        (OPENING, "classic", ["b1a2", "undo", "undo"], Fault.NOTHING_TO_UNDO),
        (STUCK, "classic", ["redeal", "undo"], Fault.NOTHING_TO_UNDO),
    ],
)  # fmt: skip
def test_each_fault(layout: str, variant: str, moves: list[object], fault: Fault) -> None:
    outcome = replay(deal_of(layout, variant), moves)
    assert (outcome.fault, outcome.index) == (fault, len(moves) - 1)
    assert not outcome.legal
    assert not outcome.won
    assert outcome.message


def test_a_sealed_redeal_is_unknown_once_it_is_due() -> None:
    deal = deal_of(STUCK).sealed()
    assert replay(deal, ["redeal"]).fault is Fault.REDEAL_UNKNOWN
    assert replay(deal_of(OPENING).sealed(), ["redeal"]).fault is Fault.REDEAL_NOT_STUCK


def test_the_sentence_names_what_the_gap_takes_and_what_is_still_legal() -> None:
    assert "3C" in (replay(deal_of(OPENING), ["c1a2"]).message or "")
    assert "a 2" in (replay(deal_of(OPENING), ["b1d1"]).message or "")
    assert "b1a2" in (replay(deal_of(OPENING), ["redeal"]).message or "")


def test_beside_a_fixed_ace_goes_the_2_of_its_suit_alone() -> None:
    layout = "AC -- 2D 3C  AD -- 2C 3D  AH -- 2S 3H  AS -- 2H 3S"
    outcome = replay(deal_of(layout, "blue-moon", 3), ["b3a2", "undo", "a3a2"])
    assert (outcome.fault, outcome.index) == (Fault.WRONG_CARD, 2)
    assert outcome.message == "this gap takes 2C, and not 2D"


@pytest.mark.parametrize(
    ("layout", "token", "sentence"),
    [
        (OPENING, "b1d1", "this gap takes a 2, and not 3C"),
        (OPENING, "c1a2", "this gap takes 3C, and not 3H"),
        (OPENING, "redeal", "b1a2 is still legal"),
        (WON, "redeal", "the game is won"),
    ],
)
def test_sentences(layout: str, token: str, sentence: str) -> None:
    assert replay(deal_of(layout), [token]).message == sentence


def test_a_wrong_token_ends_the_replay_and_counts_stay() -> None:
    outcome = replay(deal_of(OPENING), ["b1a2", "undo", "b1a2", "a1a1", "b4c2"])
    assert (outcome.index, outcome.game.slides, outcome.game.undos) == (3, 1, 1)


@given(deals(), st.randoms(use_true_random=False), st.integers(0, 60))
def test_a_refused_token_changes_nothing(deal: Deal, random: Random, most: int) -> None:
    game = Game(deal)
    for token in random_tokens(deal, random, most):
        game.play(token)
    state = (game.layout, game.slides, game.redeals, game.undos)
    cells = [f"{row}{column}" for row in "abcdefgh" for column in range(1, 15)]
    for token in [random.choice(cells) + random.choice(cells) for _ in range(40)] + ["x", ""]:
        try:
            game.play(token)
        except IllegalTokenError:
            assert (game.layout, game.slides, game.redeals, game.undos) == state
        else:
            game.play(UNDO)
            state = (game.layout, game.slides, game.redeals, game.undos)


@given(deals(), st.randoms(use_true_random=False), st.integers(0, 60))
def test_undo_takes_back_to_the_round_s_first_board(deal: Deal, random: Random, most: int) -> None:
    game = Game(deal)
    start, slides = game.layout, 0
    for token in random_tokens(deal, random, most):
        game.play(token)
        if token == REDEAL:
            start, slides = game.layout, game.slides
    for _ in range(game.slides - slides):
        game.play(UNDO)
    assert game.layout == start
    with pytest.raises(IllegalTokenError, match="no slide to undo"):
        game.play(UNDO)
