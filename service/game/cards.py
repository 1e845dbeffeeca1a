"""Cards as small numbers, and their two-character names.

A card is ``suit * 16 + rank`` with suits C D H S = 0 to 3 and ranks A to K = 1 to 13, so that the
next card of a suit is ``card + 1``; 0 is a gap. In a redeal order of two packs the second pack's
cards are primed: ``PRIME`` is added. Boards never hold primed cards.
"""

from typing import Final

GAP: Final = 0
ACE: Final = 1
TWO: Final = 2
KING: Final = 13
PRIME: Final = 64

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"

_NAMES: Final = {
    suit * 16 + rank: RANKS[rank - 1] + SUITS[suit]
    for suit in range(4)
    for rank in range(ACE, KING + 1)
}
_CARDS: Final = {name: card for card, name in _NAMES.items()} | {
    name + "'": card + PRIME for card, name in _NAMES.items()
}


class CardError(ValueError):
    """A text that names no card."""


def card_name(card: int) -> str:
    """The name of a card: ``TH``, or ``TH'`` for a primed one. The inverse of `parse_card`."""
    return _NAMES[card] if card < PRIME else _NAMES[card - PRIME] + "'"


def parse_card(name: object, *, primed: bool = False) -> int:
    """The card a name stands for; the inverse of `card_name`.

    Only the one canonical form is taken (``TH``; never ``10H``, ``th``). `primed` also admits the
    second pack's names, ``TH'``. Raises `CardError` for anything else, of whatever type.
    """
    card = _CARDS.get(name) if isinstance(name, str) else None
    if card is None or (card >= PRIME and not primed):
        raise CardError("a card is a rank of A23456789TJQK and a suit of CDHS, like TH")
    return card


def rank_of(card: int) -> int:
    """A card's rank, 1 (ace) to 13 (king); a gap's is 0."""
    return card & 15


def suit_of(card: int) -> int:
    """A card's suit, 0 to 3 for C D H S; primes do not matter."""
    return card >> 4 & 3


def sorted_pack(packs: int, ranks: int, *, aces: bool) -> list[int]:
    """The cards in sorted order: pack after pack, suits C D H S, ranks upwards.

    The second pack's cards are primed. Source: docs/rules.md, section 7.
    """
    return [
        pack * PRIME + suit * 16 + rank
        for pack in range(packs)
        for suit in range(4)
        for rank in range(ACE if aces else TWO, ranks + 1)
    ]
