"""Redeals: what stays, what moves, and that a part of a fair order is dealt in that order."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.game.board import run_lengths
from service.game.cards import GAP, parse_card
from service.game.deal import Deal, redeal_pack
from service.game.play import Game
from service.game.redeal import may_redeal, redeal, redeals_left
from service.game.variants import VARIANTS, Gaps, Order, rules
from tests.game.games import deals, random_tokens
from tests.game.test_board import board


def cards(text: str) -> list[int]:
    return [parse_card(name, primed=True) for name in text.split()]


def test_gaps_after_the_run_and_the_order_decides() -> None:
    mini = rules("classic", 4)
    before = board("2C 3C 3H --  4D 2D 3D --  2S 3S 4S --  4C 2H 4H --")
    order = cards("4H 2S 4C 3S 2H 4D 3C 4S 2D 3H 2C 3D")
    # Loose: 3H 4D 2D 3D 4C 2H 4H, in the order's sequence 4H 4C 2H 4D 2D 3H 3D.
    assert redeal(mini, before, order) == board(
        "2C 3C -- 4H  -- 4C 2H 4D  2S 3S 4S --  -- 2D 3H 3D"
    )


def test_scattered_gaps_are_where_the_aces_fall() -> None:
    mini = rules("scattered", 3)
    before = board("2C -- 3H  3D 2D --  2S 3S --  3C -- 2H")
    order = cards("AC 3H AD 3D 2S 2D 3S 3C AH 2H 2C AS")
    # Kept: 2C and 2S 3S. Into a2 a3, b1 b2 b3, c3, d1 d2 d3 go AC 3H AD 3D 2D 3C AH 2H AS.
    assert redeal(mini, before, order) == board("2C -- 3H  -- 3D 2D  2S 3S 3C  -- 2H --")


def test_gathered_cards_keep_their_sequence() -> None:
    mini = rules("gathered", 3)
    before = board("3C 2D --  2H -- 3D  -- 2S 3S  2C -- 3H")
    # Kept: 2H and 2C; loose, row by row: 3C 2D 3D 2S 3S 3H.
    assert redeal(mini, before, None) == board("-- 3C 2D  2H -- 3D  -- 2S 3S  2C -- 3H")


def test_one_loose_copy_of_two_stands_at_the_unprimed_place() -> None:
    two = rules("double-montana")
    full = board(" ".join(f"{rank}{suit}" for suit in "CDHS" for rank in "23456789TJQK") + "")
    pack = list(full)
    # Seven full rows; of the eighth run all but the last two stand, so KS and QS are loose once.
    rows = [[*pack[suit * 12 : suit * 12 + 12], GAP] for suit in (0, 1, 2, 0, 1, 2, 3)]
    eighth = [*pack[36:46], GAP, pack[47], pack[46]]
    before = tuple(card for row in [*rows, eighth] for card in row)
    order = redeal_pack(two)
    primed_first = sorted(order, key=lambda card: (card < 64, card))
    # QS' KS' stand first there, but a single loose copy goes by the unprimed place.
    swapped = [card for card in primed_first if card not in cards("KS QS")] + cards("KS QS")
    after = redeal(two, before, swapped)
    assert after[-3:] == (GAP, parse_card("KS"), parse_card("QS"))


def test_an_order_is_for_variants_that_shuffle() -> None:
    with pytest.raises(ValueError, match="redeal order"):
        redeal(rules("gathered", 3), board("3C 2D -- 2H -- 3D -- 2S 3S 2C -- 3H"), [])
    with pytest.raises(ValueError, match="redeal order"):
        redeal(rules("classic", 3), board("3C 2D -- 2H -- 3D -- 2S 3S 2C -- 3H"), None)


@given(deals(), st.randoms(use_true_random=False), st.integers(0, 40))
def test_a_redeal_keeps_runs_and_deals_in_sequence(deal: Deal, random: Random, most: int) -> None:
    game = Game(deal)
    for token in random_tokens(deal, random, most):
        game.play(token)
    variant = deal.rules.variant
    if variant.redeals == 0 or game.won:
        return
    order = deal.order(game.redeals + 1)
    runs = run_lengths(deal.rules, game.board)
    after = redeal(deal.rules, game.board, order)
    columns = deal.rules.columns
    assert sorted(after) == sorted(game.board)
    assert after == redeal(deal.rules, game.board, order), "a redeal depends on nothing else"
    dealt = []
    for row, run in enumerate(runs):
        start = row * columns
        assert list(after[start : start + run]) == game.board[start : start + run]
        if variant.gaps is Gaps.AFTER_RUN:
            assert after[start + run] == GAP
        dealt += [card for card in after[start + run : start + columns] if card != GAP]
    loose = [
        card
        for row, run in enumerate(runs)
        for card in game.board[row * columns + run : (row + 1) * columns]
        if card != GAP
    ]
    if variant.order is Order.GATHERED:
        assert dealt == loose
    elif variant.packs == 1:
        assert order is not None
        assert dealt == sorted(loose, key=order.index)


@pytest.mark.parametrize("name", VARIANTS)
def test_redeals_are_counted(name: str) -> None:
    limit = VARIANTS[name].redeals
    if limit is None:
        assert redeals_left(rules(name), 1000)
    else:
        assert [redeals_left(rules(name), used) for used in (limit - 1, limit)] == [True, False]


def test_only_addiction_redeals_while_slides_are_legal() -> None:
    cells = board("2C -- 4D 3D  3C 2D -- 4H  3H -- 4S 2H  -- 2S 3S 4C")
    assert {
        name
        for name in VARIANTS
        if VARIANTS[name].packs == 1
        and not VARIANTS[name].aces.startswith("left")
        and may_redeal(rules(name, 4), cells, 0)
    } == {"addiction"}


def test_an_order_without_a_loose_card_is_no_order() -> None:
    mini = rules("classic", 3)
    before = board("3C 2C --  2D 3D --  2H 3H --  2S 3S --")
    with pytest.raises(ValueError, match="zip"):
        redeal(mini, before, cards("2C 2D 3D 2H 3H 2S 3S"))
