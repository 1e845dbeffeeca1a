"""Cards and their names are inverse to each other, and there is one form of each."""

import pytest

from service.game.cards import (
    GAP,
    PRIME,
    CardError,
    card_name,
    parse_card,
    rank_of,
    sorted_pack,
    suit_of,
)


def test_every_card_comes_back_from_its_name() -> None:
    for card in sorted_pack(2, 13, aces=True):
        assert parse_card(card_name(card), primed=True) == card
    assert len({card_name(card) for card in sorted_pack(2, 13, aces=True)}) == 104


def test_names_are_rank_then_suit() -> None:
    assert card_name(parse_card("TH")) == "TH"
    assert (rank_of(parse_card("TH")), suit_of(parse_card("TH"))) == (10, 2)
    assert parse_card("TH'", primed=True) == parse_card("TH") + PRIME


@pytest.mark.parametrize(
    "name",
    ["10H", "th", "tH", "0H", "1H", "T♥", "T", "H", "", " TH", "TH ", "TH''", None, 3, [], {}],
)
def test_nothing_else_is_a_card(name: object) -> None:
    with pytest.raises(CardError):
        parse_card(name, primed=True)


def test_primes_are_refused_where_there_are_none() -> None:
    with pytest.raises(CardError):
        parse_card("6H'")


def test_a_sorted_pack_is_suits_then_ranks() -> None:
    pack = " ".join(card_name(card) for card in sorted_pack(1, 4, aces=True))
    assert pack == "AC 2C 3C 4C AD 2D 3D 4D AH 2H 3H 4H AS 2S 3S 4S"
    assert GAP not in sorted_pack(2, 13, aces=False)
    assert len(sorted_pack(2, 13, aces=False)) == 96
