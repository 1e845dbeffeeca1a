"""A board: runs, slides and redeals, as docs/rules.md sections 1 to 3 tell them."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from .variants import SUITS, Variant, is_ace

Place = tuple[int, int]
"""A cell: its row and its column, both counted from 0. Row `a`, column 1 is (0, 0)."""

_SLIDE = re.compile(r"([a-h](?:1[0-4]|[1-9]))([a-h](?:1[0-4]|[1-9]))")
_PLACES = {
    f"{'abcdefgh'[row]}{column + 1}": (row, column) for row in range(8) for column in range(14)
}
_NAMES = {place: name for name, place in _PLACES.items()}


def parse_slide(token: str) -> tuple[Place, Place] | None:
    """Return the source and the goal that a slide's token names; None if it has another form."""
    match = _SLIDE.fullmatch(token)
    return (_PLACES[match[1]], _PLACES[match[2]]) if match else None


def cell_name(place: Place) -> str:
    """Return how a token writes a cell: `c12` for (2, 11)."""
    return _NAMES[place]


def slide_token(source: Place, goal: Place) -> str:
    """Return the token of a slide."""
    return cell_name(source) + cell_name(goal)


class Board:
    """Rows of cards and gaps (None) that slides and redeals change."""

    def __init__(self, variant: Variant, layout: Sequence[Sequence[str | None]]) -> None:
        self.variant = variant
        self.rows = [list(row) for row in layout]

    def has(self, place: Place) -> bool:
        """Tell whether this board has such a cell."""
        row, column = place
        return row < self.variant.rows and column < self.variant.columns

    def at(self, place: Place) -> str | None:
        """Return the card in a cell, or None for a gap."""
        row, column = place
        return self.rows[row][column]

    def is_fixed_ace(self, place: Place) -> bool:
        """Tell whether a cell holds an ace in column 1 that never moves."""
        card = self.at(place)
        column = place[1]
        return self.variant.aces_stand_left and column == 0 and card is not None and is_ace(card)

    def run(self, row: int) -> list[str]:
        """Return the cards from column 1 on: base, base+1, base+2 … of one suit, unbroken."""
        cards = self.rows[row]
        first = cards[0]
        if first is None or first[0] != self.variant.base:
            return []
        run = [first]
        for card in cards[1:]:
            # A gap is asked for first: no card follows a king, and that is None too.
            if card is None or card != self.variant.next_card.get(run[-1]):
                break
            run.append(card)
        return run

    def ordered(self) -> int:
        """Return how many cards are in runs, fixed aces not counted."""
        cards = [card for row in range(self.variant.rows) for card in self.run(row)]
        return len([card for card in cards if not is_ace(card)])

    def is_won(self) -> bool:
        """Tell whether every row is a full run followed by one gap, its last cell."""
        full = self.variant.columns - 1
        return all(
            len(self.run(row)) == full and self.rows[row][-1] is None
            for row in range(self.variant.rows)
        )

    # --- Slides (section 2) ---

    def accepted(self, gap: Place) -> list[str]:
        """Return the cards that may slide into a gap; none where the gap is dead."""
        row, column = gap
        if column == 0:
            return ["2" + suit for suit in SUITS] if self.variant.base == "2" else []
        left = self.rows[row][column - 1]
        if left is None or left[0] == self.variant.king:
            return []
        return [self.variant.next_card[left]]

    def legal_slides(self) -> list[str]:
        """Return the tokens of all legal slides, by gap, row `a` first."""
        places: dict[str | None, list[Place]] = defaultdict(list)
        for r, row in enumerate(self.rows):
            for c, card in enumerate(row):
                places[card].append((r, c))
        return [
            slide_token(source, gap)
            for gap in places[None]
            for card in self.accepted(gap)
            for source in places[card]
        ]

    def move(self, source: Place, goal: Place) -> None:
        """Move a card into a gap, whether or not that is a legal slide; the source is a gap."""
        self.rows[goal[0]][goal[1]] = self.at(source)
        self.rows[source[0]][source[1]] = None

    # --- Redeals (section 3) ---

    def redeal(self, order: Sequence[str] | None) -> None:
        """Take up every card outside the runs and deal it again.

        `order` is the redeal order, primes and all; None where the cards are gathered, to be
        dealt in just the order in which they were picked up.
        """
        runs = [self.run(row) for row in range(self.variant.rows)]
        loose = [
            card
            for row, run in zip(self.rows, runs, strict=True)
            for card in row[len(run) :]
            if card is not None
        ]
        if self.variant.gaps == "scattered":
            loose += ["A" + suit for suit in SUITS]
        sequence = iter(loose if order is None else brought_into(order, loose))
        self.rows = [[*run, *self._dealt(sequence, len(run))] for run in runs]

    def _dealt(self, sequence: Iterator[str], kept: int) -> list[str | None]:
        """Return the free cells of a row after its kept run, dealt from the sequence."""
        free = self.variant.columns - kept
        if self.variant.gaps == "after the run":
            return [None] + [next(sequence) for _ in range(free - 1)]
        dealt = [next(sequence) for _ in range(free)]
        return [None if is_ace(card) else card for card in dealt]


def brought_into(order: Sequence[str], loose: Sequence[str]) -> list[str]:
    """Return the loose cards as they stand in a redeal order, without primes.

    An unprimed place is a card's if a copy of it is loose, a primed place if both are.
    """
    copies = Counter(loose)
    sequence = []
    for place in order:
        card, needed = (place[:2], 2) if place.endswith("'") else (place, 1)
        if copies[card] >= needed:
            sequence.append(card)
    return sequence
