"""Deals, rules and variants are values: what is known of them, and that they stay as they are."""

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from service.game.cards import PRIME, parse_card, rank_of, suit_of
from service.game.deal import Redeal, UnknownRedealError, deal_from_seed, numbered_deal
from service.game.notation import TokenError, parse_slide
from service.game.play import Game, IllegalTokenError, replay
from service.game.variants import VARIANTS, VariantError, rules

DEAL = numbered_deal("classic", 1, 4)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (DEAL, "seed"),
        (DEAL.redeals[0], "order"),
        (DEAL.rules, "ranks"),
        (VARIANTS["classic"], "redeals"),
        (replay(DEAL, []), "fault"),
    ],
)
def test_nobody_changes_a_value(value: Any, name: str) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(value, name, None)


def test_a_redeal_is_sealed_as_long_as_its_order_is_not_known() -> None:
    redeal = DEAL.redeals[0]
    assert not redeal.sealed
    assert redeal.seal() == Redeal(redeal.commitment)
    assert redeal.seal().sealed is True
    assert Redeal(order=redeal.order).sealed is False


def test_every_open_order_is_known_without_a_seed_and_none_beyond() -> None:
    bare = DEAL.without_seed()
    assert [bare.order(k) for k in (1, 2)] == [redeal.order for redeal in DEAL.redeals]
    with pytest.raises(UnknownRedealError, match=r"^the order of redeal 3 is sealed$"):
        bare.order(3)
    assert DEAL.order(3) != DEAL.order(2)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seed_of_another_length_deals_nothing(length: int) -> None:
    with pytest.raises(ValueError, match=f"^a seed has 32 bytes, not {length}$"):
        deal_from_seed(DEAL.rules, b"7" * length)


def test_deals_are_numbered_from_0() -> None:
    assert numbered_deal("classic", 0, 4) != DEAL
    with pytest.raises(ValueError, match=r"^deals are numbered from 0, not -1$"):
        numbered_deal("classic", -1)


def test_a_prime_changes_neither_rank_nor_suit() -> None:
    for name in ("AC", "2D", "TH", "KS"):
        card = parse_card(name)
        assert rank_of(card + PRIME) == rank_of(card)
        assert suit_of(card + PRIME) == suit_of(card)


def test_a_text_that_is_no_slide_is_told_so() -> None:
    with pytest.raises(TokenError, match=r"^a move is two cells like c12b5") as caught:
        parse_slide(DEAL.rules, "c12")
    assert caught.value.off_board is False
    with pytest.raises(TokenError, match=r"^there is no cell e4 on 4 rows of 4$") as caught:
        parse_slide(DEAL.rules, "a1e4")
    assert caught.value.off_board is True


def test_rules_that_do_not_exist() -> None:
    with pytest.raises(VariantError, match=r"^there is no variant 'x'; there are: classic, "):
        rules("x")
    for ranks in (2, 14):
        with pytest.raises(VariantError, match=r"ranks; it takes 3 to 13$"):
            rules("classic", ranks)
    with pytest.raises(VariantError, match=r"ranks; it takes 13 only$"):
        rules("big-paganini", 12)


def test_a_slide_taken_back_is_told() -> None:
    game = Game(DEAL)
    with pytest.raises(IndexError):
        game.pop()
    assert game.slides == 0
    with pytest.raises(IllegalTokenError) as caught:
        game.play("undo")
    assert str(caught.value) == "this round has no slide to undo"
