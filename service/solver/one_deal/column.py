"""Column 1 while it is undecided: what makes the space of switches small.

A *switch* takes a 2 from column 1 into a gap of column 1. As long as column 1 has a gap, switches
bring its 2s and gaps into any order, and back. So all boards that differ in this order alone are
one position: what one can reach, all can. When the last gap is filled the order is settled for as
long as no other card leaves column 1, but which order it was need not be said yet: a row is
*decided* when a 3 is built on its 2, and until then it may have had any 2 that is not in a decided
row; so the last row is decided by the others. A gap that comes back leaves all open again. So a
position is a board, of which column 1 holds but one order of many, and which of its rows are
decided. `service.solver.one_deal.switches` finds the switches of a line afterwards.

A *column* is one whole number: eight bits for the card of each row in column 1, 0 a gap, and from
bit 32 on one bit for each decided row. Without switches every 2 decides its row at once.
"""

from typing import Any, Final

from service.solver.compiled import compiled
from service.solver.kernel import CELLS, COLUMN_MASK, RANK_MASK, ROW_SHIFT

CARDS: Final = (1 << 32) - 1
_DECIDED: Final = 32
_SOMEWHERE: Final = 0
"""The cell for which a 2 of an undecided row has its key."""


@compiled
def cards_of(board: Any) -> int:
    """The cards in column 1 of a board, no row decided."""
    return int(board[1]) | int(board[17]) << 8 | int(board[33]) << 16 | int(board[49]) << 24


@compiled
def with_card(column: int, row: int, card: int) -> int:
    """The column with another card, or a gap, in a row."""
    return (column & ~(255 << 8 * row)) | card << 8 * row


@compiled
def exchanged(column: int, row: int, other: int) -> int:
    """The column with the cards of two rows exchanged."""
    card = column >> 8 * row & 255
    return with_card(with_card(column, row, column >> 8 * other & 255), other, card)


@compiled
def decided(column: int, row: int) -> bool:
    """Whether the row's 2 is the one that it will have."""
    return (column >> _DECIDED + row & 1) != 0


@compiled
def decide(column: int, row: int) -> int:
    """The column with a row decided."""
    return column | 1 << _DECIDED + row


@compiled
def settle(column: int, switches: int) -> int:
    """The column with what follows: a gap leaves all open, one open row with a 2 is decided."""
    twos = 0
    still = 0
    for row in range(4):
        card = column >> 8 * row & 255
        if card == 0 and switches != 0:
            return column & CARDS
        if (card & RANK_MASK) == 2:
            twos |= 1 << _DECIDED + row
            still += 1 - (column >> _DECIDED + row & 1)
    if still <= 1 or switches == 0:
        return column & CARDS | twos
    return column


@compiled
def column_at_start(board: Any, switches: int) -> int:
    """The column of a board that a search begins with: without a gap all is as it stands."""
    cards = cards_of(board)
    for row in range(4):
        if switches != 0 and cards >> 8 * row & 255 == 0:
            return cards
    return settle(cards, 0)


@compiled
def column_key(keys: Any, column: int) -> int:
    """The part of a position's key that stands for column 1."""
    key = 0
    for row in range(4):
        card = column >> 8 * row & 255
        if card != 0:
            cell = row << ROW_SHIFT | 1
            if (card & RANK_MASK) == 2 and not decided(column, row):
                cell = _SOMEWHERE
            key ^= keys[card * CELLS + cell]
    return key


@compiled
def agreed(board: Any, column: int) -> int:
    """The column with the 2s of undecided rows left of their 3s, where these are in column 2."""
    for row in range(4):
        three = board[row << ROW_SHIFT | 2]
        card = column >> 8 * row & 255
        if (three & RANK_MASK) != 3 or card == three - 1 or decided(column, row):
            continue
        if card != 0 and (card & RANK_MASK) != 2:
            continue
        for other in range(4):
            if (column >> 8 * other & 255) == three - 1 and not decided(column, other):
                column = exchanged(column, row, other)
                break
    return column


@compiled
def write_column(board: Any, places: Any, gaps: Any, column: int) -> None:
    """Puts the cards of a column, which holds as many gaps as the board's, into column 1."""
    gap = 0
    for row in range(4):
        cell = row << ROW_SHIFT | 1
        card = column >> 8 * row & 255
        board[cell] = card
        if card != 0:
            places[2 * card] = cell
            continue
        while (gaps[gap] & COLUMN_MASK) != 1:
            gap += 1
        gaps[gap] = cell
        gap += 1
