"""The slides of a position of one pack, with the safe slide.

A slide is one whole number: the cell that the card leaves, from bit 6 on the cell that it enters,
from bit 12 on the row whose card in column 1 first changes places with that of the row entered
(that row itself: none), from bit 14 on the number of the gap. The arrays are those of
`service.solver.kernel`, the column is that of `service.solver.one_deal.column`. Source:
docs/rules.md, section 2.
"""

from typing import Any, Final

from service.solver.compiled import compiled
from service.solver.kernel import CELLS, COLUMN_MASK, RANK_MASK, ROW_SHIFT, WALL
from service.solver.one_deal.column import column_key, decide, decided, exchanged, settle, with_card

MOST_SLIDES: Final = 16
"""The most slides a position has: without switches each of the four 2s into each of four gaps in
column 1; with them each of the four 3s into each of four gaps in column 2, no row decided."""

_CELL: Final = 63
_TARGET: Final = 6
_OTHER: Final = 12
_GAP: Final = 14

_RANKS: Final = 0x0F0F0F0F
_FOUR_TWOS: Final = 0x02020202


@compiled
def source_of(slide: int) -> int:
    """The cell that the card leaves."""
    return slide & _CELL


@compiled
def target_of(slide: int) -> int:
    """The cell that the card enters."""
    return slide >> _TARGET & _CELL


@compiled
def gap_of(slide: int) -> int:
    """The number of the gap that it enters."""
    return slide >> _GAP


@compiled
def other_row(slide: int) -> int:
    """The row whose card in column 1 goes to the row entered first."""
    return slide >> _OTHER & 3


@compiled
def needs_switches(slide: int) -> bool:
    """Whether column 1 has to be brought into another order first."""
    return other_row(slide) != target_of(slide) >> ROW_SHIFT


@compiled
def column_after(column: int, slide: int, card: int, switches: int) -> int:
    """The column that a slide of that card leaves."""
    source, target = source_of(slide), target_of(slide)
    row = target >> ROW_SHIFT
    if needs_switches(slide):
        column = exchanged(column, row, other_row(slide))
    if (target & COLUMN_MASK) == 1:
        column = with_card(column, row, card)
    elif (target & COLUMN_MASK) == 2 and (column >> 8 * row & RANK_MASK) == 2:
        column = decide(column, row)
    if (source & COLUMN_MASK) == 1:
        column = with_card(column, source >> ROW_SHIFT, 0)
    return settle(column, switches)


@compiled
def rest_after(keys: Any, rest: int, slide: int, card: int) -> int:
    """The key without column 1 of what a slide of that card leads to."""
    source, target = source_of(slide), target_of(slide)
    if (source & COLUMN_MASK) != 1:
        rest ^= keys[card * CELLS + source]
    if (target & COLUMN_MASK) != 1:
        rest ^= keys[card * CELLS + target]
    return rest


@compiled
def _key_after(keys: Any, rest: int, column: int, slide: int, card: int, switches: int) -> int:
    after = column_after(column, slide, card, switches)
    return rest_after(keys, rest, slide, card) ^ column_key(keys, after)


@compiled
def list_slides(
    board: Any,
    places: Any,
    gaps: Any,
    runs: Any,
    keys: Any,
    rest: int,
    column: int,
    top: int,
    base: int,
    switches: int,
    slides: Any,
    reached: Any,
) -> int:
    """Writes the slides, and the keys of what they reach; gives how many they are.

    `rest` is the position's key without column 1. Without `switches` no 2 leaves column 1 for
    column 1.

    A position that has a safe slide gets that one alone: a card that lengthens its row's run, where
    that row's 2 cannot leave column 1 any more nor its 3 leave the 2, and the card is a king, or
    stands in the last column, or left of its successor. Only this card fits the gap, whose left
    neighbour stays; and playing it early takes away but one slide, that of its successor to its
    right, which such a card does not have. So if the position can be won, it can be won by the safe
    slide first, in no more slides.
    """
    count = 0
    entered = 0
    same_column = rest ^ column_key(keys, column)
    settled = base == 1 or switches == 0 or (column & _RANKS) == _FOUR_TWOS
    for gap in range(4):
        cell = gaps[gap]
        row = cell >> ROW_SHIFT
        left = board[cell - 1]
        if left == WALL:
            if base == 1 or (entered != 0 and switches != 0):
                continue
            # While column 1 is undecided it is all the same which of its gaps a 2 enters.
            entered = 1
            for two in range(2, 64, 16):
                source = places[2 * two]
                if (source & COLUMN_MASK) == 1:
                    continue
                slide = source | cell << _TARGET | row << _OTHER | gap << _GAP
                slides[count] = slide
                reached[count] = _key_after(keys, rest, column, slide, two, switches)
                count += 1
        elif (
            (cell & COLUMN_MASK) == 2
            and switches != 0
            and (left == 0 or (left & RANK_MASK) == 2)
            and not decided(column, row)
        ):
            for two in range(2, 64, 16):
                other = places[2 * two] >> ROW_SHIFT
                if (places[2 * two] & COLUMN_MASK) != 1 or decided(column, other):
                    continue
                three = two + 1
                slide = places[2 * three] | cell << _TARGET | other << _OTHER | gap << _GAP
                slides[count] = slide
                reached[count] = _key_after(keys, rest, column, slide, three, switches)
                count += 1
        elif left != 0 and (left & RANK_MASK) != top:
            card = left + 1
            source = places[2 * card]
            slide = source | cell << _TARGET | row << _OTHER | gap << _GAP
            if (source & COLUMN_MASK) == 1:
                child = _key_after(keys, rest, column, slide, card, switches)
            else:
                child = same_column ^ keys[card * CELLS + source] ^ keys[card * CELLS + cell]
            if (
                settled
                and (cell & COLUMN_MASK) == runs[row] + 1
                and (base == 1 or decided(column, row))
            ):
                right = board[source + 1]
                if (card & RANK_MASK) == top or right == WALL or right == card + 1:
                    slides[0] = slide
                    reached[0] = child
                    return 1
            slides[count] = slide
            reached[count] = child
            count += 1
    return count
