"""The variants: the table of docs/rules.md section 4, and what follows from a row of it."""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

RANKS = "A23456789TJQK"
SUITS = "CDHS"

ENTRIES_OF_UNLIMITED = 12
"""How many redeal entries a document carries where redeals have no limit (section 6)."""


@dataclass(frozen=True)
class Variant:
    """One row of the table; with fewer than 13 ranks, a miniature of it."""

    name: str
    packs: int
    aces: str
    redeals: int | None
    """None: no limit."""
    redeal_allowed: str
    order: str
    gaps: str
    ranks: int = 13

    def with_ranks(self, ranks: int) -> "Variant":
        """Return the miniature with the ranks A up to the ranks-th (3 to 13)."""
        return replace(self, ranks=ranks)

    @cached_property
    def aces_stand_left(self) -> bool:
        """Whether the aces are fixed in column 1."""
        return self.aces != "out"

    @cached_property
    def rows(self) -> int:
        """How many rows the board has: one for each ace."""
        return 4 * self.packs

    @cached_property
    def columns(self) -> int:
        """How many cells a row has."""
        return self.ranks + 1 if self.aces_stand_left else self.ranks

    @cached_property
    def base(self) -> str:
        """The rank a row starts from."""
        return "A" if self.aces_stand_left else "2"

    @cached_property
    def king(self) -> str:
        """The top rank, which no card follows; in a miniature it is not K."""
        return RANKS[self.ranks - 1]

    @cached_property
    def most_ordered(self) -> int:
        """The ordered count of a won board: 48 a pack, fewer in a miniature."""
        return 4 * (self.ranks - 1) * self.packs

    @cached_property
    def entries(self) -> int:
        """How many redeal entries a document carries; 0 where `redeals` is forbidden."""
        if self.order != "shuffled":
            return 0
        return ENTRIES_OF_UNLIMITED if self.redeals is None else self.redeals

    @cached_property
    def next_card(self) -> dict[str | None, str]:
        """For each card the one of its suit and the next rank; none for a king or a gap (None)."""
        return {
            rank + suit: next_rank + suit
            for suit in SUITS
            for rank, next_rank in pairwise(RANKS[: self.ranks])
        }

    @cached_property
    def pack(self) -> list[str]:
        """The sorted pack (section 7): the second pack's cards primed, aces in."""
        return [
            rank + suit + prime
            for prime in ("", "'")[: self.packs]
            for suit in SUITS
            for rank in RANKS[: self.ranks]
        ]

    @cached_property
    def redeal_pack(self) -> list[str]:
        """What a redeal order permutes: no aces, except where gaps are scattered."""
        if self.gaps == "scattered":
            return self.pack
        return [card for card in self.pack if not is_ace(card)]

    @cached_property
    def board_cards(self) -> list[str]:
        """The cards that lie on a board, unprimed, once for each pack."""
        return [card.rstrip("'") for card in self.pack if self.aces_stand_left or not is_ace(card)]


def is_ace(card: str) -> bool:
    """Tell whether a card, primed or not, is an ace."""
    return card[0] == "A"


_BESIDE = "left, gaps beside them"
_AFTER = "after the run"

VARIANTS = {
    variant.name: variant
    for variant in (
        Variant("classic", 1, "out", 2, "when stuck", "shuffled", _AFTER),
        Variant("relaxed", 1, "out", 4, "when stuck", "shuffled", _AFTER),
        Variant("one-deal", 1, "out", 0, "never", "none", "none"),
        Variant("four-rounds", 1, "out", 3, "when stuck", "shuffled", _AFTER),
        Variant("unlimited", 1, "out", None, "when stuck", "shuffled", _AFTER),
        Variant("gathered", 1, "out", 2, "when stuck", "gathered", _AFTER),
        Variant("scattered", 1, "out", 2, "when stuck", "shuffled", "scattered"),
        Variant("addiction", 1, "out", 3, "at any time", "shuffled", "scattered"),
        Variant("blue-moon", 1, "left", 2, "when stuck", "shuffled", _AFTER),
        Variant("red-moon", 1, _BESIDE, 2, "when stuck", "shuffled", _AFTER),
        Variant("double-montana", 2, "out", 2, "when stuck", "shuffled", _AFTER),
        Variant("big-paganini", 2, "left", 2, "when stuck", "shuffled", _AFTER),
        Variant("big-paganini-one-deal", 2, "left", 0, "never", "none", "none"),
    )
}
"""The table, by name, in the order of docs/rules.md."""
