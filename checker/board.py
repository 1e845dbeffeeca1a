"""A board: its cells, runs, slides and redeals, as docs/rules.md sections 1 to 3 tell them.

Also here is the form of a slide's token (section 5), since it is made of cells; when a redeal is
legal (the end of section 3) is in replay.py.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, islice, pairwise

from .variants import SUITS, Variant, is_ace

LETTERS = "abcdefgh"
"""The letters of the rows, from the top; one pack has but the first four."""

ROWS = [[f"{letter}{column}" for column in range(1, 15)] for letter in LETTERS]
"""The cells of the largest board by their names, row by row: row 3, column 7 is `c7`."""

LEFT_OF = {cell: left for row in ROWS for left, cell in pairwise(row)}
"""The cell immediately to the left of each; none for those in column 1."""

_CELLS = [cell for row in ROWS for cell in row]
# A table of them all, since it takes longer to take each token apart.
parse_slide = {source + goal: (source, goal) for source in _CELLS for goal in _CELLS}.get
"""Return the source and the goal that a slide's token names; None if it has another form.

The form is `[a-h](1[0-4]|[1-9])` twice.
"""

_TWOS = tuple("2" + suit for suit in SUITS)
_ACES = tuple("A" + suit for suit in SUITS)


class Board:
    """Cells, each with a card or a gap (None), that slides and redeals change."""

    def __init__(self, variant: Variant, layout: Sequence[Sequence[str | None]]) -> None:
        self.variant = variant
        self.next_card = variant.next_card
        """That of the variant."""
        self.names = [row[: len(cards)] for row, cards in zip(ROWS, layout, strict=False)]
        """The names of its cells: row `a` first, each row from left to right."""
        self.cells = dict(zip(chain(*self.names), chain(*layout), strict=True))
        """What each of them holds, in the same order."""
        self.fixed_aces = {row[0] for row in self.names} if variant.aces_stand_left else set()
        """The cells of the aces that never move."""

    # --- Words (section 1) ---

    @property
    def rows(self) -> list[list[str | None]]:
        """The layout."""
        return [[self.cells[cell] for cell in row] for row in self.names]

    def run(self, row: Sequence[str]) -> list[str]:
        """Return the cards of a row from column 1 on: base, base+1 … of one suit, unbroken."""
        cells, next_card = self.cells, self.next_card
        run: list[str] = []
        wanted = None
        for cell in row:
            card = cells[cell]
            if card is None:
                break
            fits = card == wanted if run else card[0] == self.variant.base
            if not fits:
                break
            run.append(card)
            wanted = next_card.get(card)
        return run

    def ordered(self) -> int:
        """Return how many cards are in runs, fixed aces not counted."""
        # A fixed ace is a base card: each of them is in its row's run.
        return sum(len(self.run(row)) for row in self.names) - len(self.fixed_aces)

    def is_won(self) -> bool:
        """Tell whether every row is a full run followed by one gap, its last cell."""
        full = self.variant.columns - 1
        return all(self.cells[row[-1]] is None and len(self.run(row)) == full for row in self.names)

    # --- Slides (section 2) ---

    def accepted(self, gap: str) -> Sequence[str]:
        """Return the cards that may slide into a gap; none where the gap is dead."""
        left = LEFT_OF.get(gap)
        if left is None:
            return _TWOS if self.variant.base == "2" else ()
        # No card is next after a king; nor is one after a gap.
        wanted = self.next_card.get(self.cells[left])
        return () if wanted is None else (wanted,)

    def legal_slides(self) -> list[str]:
        """Return the tokens of all legal slides, by gap, row `a` first."""
        gaps = [cell for cell, card in self.cells.items() if card is None]
        return [
            source + gap
            for gap in gaps
            for wanted in self.accepted(gap)
            for source, card in self.cells.items()
            if card == wanted
        ]

    def move(self, source: str, goal: str) -> None:
        """Move a card into a gap, whether or not that is a legal slide; the source is a gap."""
        self.cells[goal] = self.cells[source]
        self.cells[source] = None

    # --- Redeals (section 3) ---

    def redeal(self, order: Sequence[str] | None) -> None:
        """Keep the runs, take up every other card, and deal it again.

        `order` is the redeal order, primes and all; None where the cards are gathered, to be
        dealt in just the order in which they were picked up.
        """
        # A fixed ace is a base card: it is in its row's run, and so it is kept.
        free = [row[len(self.run(row)) :] for row in self.names]
        loose = [card for row in free for cell in row if (card := self.cells[cell]) is not None]
        if self.variant.gaps == "scattered":
            loose += _ACES
        sequence = iter(loose if order is None else brought_into(order, loose))
        for row in free:
            self.cells.update(zip(row, self._dealt(sequence, len(row)), strict=True))

    def _dealt(self, sequence: Iterator[str], free: int) -> list[str | None]:
        """Return what comes to lie on that many cells, all that a row has after its kept run."""
        if self.variant.gaps == "after the run":
            return [None, *islice(sequence, free - 1)]
        return [None if is_ace(card) else card for card in islice(sequence, free)]


def brought_into(order: Sequence[str], loose: Sequence[str]) -> list[str]:
    """Return the loose cards as they stand in a redeal order, without primes.

    The first copy of a card that is loose stands at the unprimed place, a second at the primed.
    """
    places = set[str]()
    for card in loose:
        places.add(card + "'" if card in places else card)
    return [place[:2] for place in order if place in places]
