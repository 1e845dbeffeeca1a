"""The slides of a position of one pack, with the safe slide; what a slide does, and undoes.

A slide is one whole number: the cell that the card leaves, from bit 6 on the cell that it enters,
from bit 12 on the row whose card in column 1 first changes places with that of the row entered
(that row itself: none), from bit 14 on the number of the gap. The arrays are those of
`service.solver.kernel`, the column is that of `service.solver.one_deal.column`. Source:
docs/rules.md, section 2.
"""

from typing import Any, Final

from service.solver.compiled import compiled
from service.solver.kernel import (
    CELLS,
    COLUMN_MASK,
    KEYS,
    RANK_MASK,
    ROW_SHIFT,
    WALL,
    Position,
    move_card,
    take_back,
)
from service.solver.one_deal.column import (
    CARDS,
    agreed,
    column_key,
    column_of,
    decide,
    decided,
    exchanged,
    first_column,
    settle,
    with_card,
    write_column,
)

MOST_SLIDES: Final = 16
"""The most slides a position has: each of the four 2s into each of four gaps in column 1."""

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
def other_row(slide: int) -> int:
    """The row whose card in column 1 goes to the row entered first."""
    return slide >> _OTHER & 3


@compiled
def needs_switches(slide: int) -> bool:
    """Whether column 1 has to be brought into another order first."""
    return other_row(slide) != target_of(slide) >> ROW_SHIFT


@compiled
def list_slides(
    board: Any,
    places: Any,
    gaps: Any,
    runs: Any,
    keys: Any,
    rest: int,
    part: int,
    column: int,
    top: int,
    base: int,
    switches: int,
    slides: Any,
    reached: Any,
) -> int:
    """Writes the slides, and the keys of what they reach; gives how many they are.

    `part` is what column 1 has in the position's key, and `rest` what all others have. Without
    `switches` no 2 leaves column 1 for column 1.

    A position that has a safe slide gets that one alone: a card that lengthens its row's run, where
    that row's 2 cannot leave column 1 any more, and the card is a king, or stands in the last
    column, or left of its successor. Only this card fits the gap, whose left neighbour stays; and
    playing it early takes away but one slide, that of its successor to its right, which such a card
    does not have. So if the position can be won, it can be won by the safe slide first, in no more
    slides.
    """
    count = 0
    entered = 0
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
                slides[count] = source | cell << _TARGET | row << _OTHER | gap << _GAP
                after = settle(with_card(column, row, two), switches)
                reached[count] = rest ^ keys[two * CELLS + source] ^ column_key(keys, after)
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
                source = places[2 * three]
                after = decide(exchanged(column, row, other), row)
                child = rest ^ keys[three * CELLS + cell]
                if (source & COLUMN_MASK) == 1:
                    after = with_card(after, source >> ROW_SHIFT, 0)
                else:
                    child ^= keys[three * CELLS + source]
                slides[count] = source | cell << _TARGET | other << _OTHER | gap << _GAP
                reached[count] = child ^ column_key(keys, settle(after, switches))
                count += 1
        elif left != 0 and (left & RANK_MASK) != top:
            card = left + 1
            source = places[2 * card]
            slide = source | cell << _TARGET | row << _OTHER | gap << _GAP
            child = rest ^ keys[card * CELLS + cell]
            if (source & COLUMN_MASK) == 1:
                after = settle(with_card(column, source >> ROW_SHIFT, 0), switches)
                child ^= column_key(keys, after)
            else:
                child ^= keys[card * CELLS + source] ^ part
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


@compiled
def run_length(board: Any, row: int, base: int) -> int:
    """The run length of a row, a fixed ace counted."""
    start = row << ROW_SHIFT | 1
    if (board[start] & RANK_MASK) != base:
        return 0
    run = 1
    while board[start + run] == board[start] + run:
        run += 1
    return run


def begin(position: Position, switches: int) -> tuple[int, int, int]:
    """Makes a position one that a search begins with.

    Gives its column, what that has in its key, and what the rest has.
    """
    column = first_column(position.board, switches)
    rest = position.key ^ column_key(KEYS, settle(column_of(position.board), 0))
    write_column(position.board, position.places, position.gaps, column)
    for row in range(4):
        position.runs[row] = run_length(position.board, row, position.rules.base)
    return column, int(column_key(KEYS, column)), int(rest)


@compiled
def _play_in_column(
    board: Any, places: Any, gaps: Any, runs: Any, slide: int, column: int, base: int, switches: int
) -> tuple[int, int]:
    """Plays a slide that changes the cards of column 1."""
    source, target, gap = source_of(slide), target_of(slide), slide >> _GAP
    saved = 0
    for index in range(4):
        saved |= int(runs[index]) << 4 * index | int(gaps[index]) << 16 + 6 * index
    row = target >> ROW_SHIFT
    card = board[source]
    after = column
    if needs_switches(slide):
        after = exchanged(after, row, other_row(slide))
    if (target & COLUMN_MASK) == 1:
        after = with_card(after, row, card)
    elif (target & COLUMN_MASK) == 2 and (after >> 8 * row & RANK_MASK) == 2:
        after = decide(after, row)
    if (source & COLUMN_MASK) == 1:
        after = with_card(after, source >> ROW_SHIFT, 0)
    board[target] = card
    board[source] = 0
    places[2 * card] = target
    gaps[gap] = source
    after = agreed(board, settle(after, switches))
    write_column(board, places, gaps, after)
    for index in range(4):
        runs[index] = run_length(board, index, base)
    return after, saved


@compiled
def play(
    board: Any, places: Any, gaps: Any, runs: Any, slide: int, column: int, base: int, switches: int
) -> tuple[int, int]:
    """Plays a slide; gives the new column, and what `undo` needs to know."""
    source, target, gap = source_of(slide), target_of(slide), slide >> _GAP
    if (source & COLUMN_MASK) == 1 or (target & COLUMN_MASK) == 1 or needs_switches(slide):
        column, saved = _play_in_column(board, places, gaps, runs, slide, column, base, switches)
    else:
        saved, _, _ = move_card(board, places, gaps, runs, gap, source)
        if (target & COLUMN_MASK) == 2 and (board[target - 1] & RANK_MASK) == 2:
            column = settle(decide(column, target >> ROW_SHIFT), switches)
    return column, saved


@compiled
def rest_after(keys: Any, rest: int, slide: int, card: int) -> int:
    """What all columns but the first have in the key of what that slide of that card leads to."""
    source, target = source_of(slide), target_of(slide)
    if (source & COLUMN_MASK) != 1:
        rest ^= keys[card * CELLS + source]
    if (target & COLUMN_MASK) != 1:
        rest ^= keys[card * CELLS + target]
    return rest


@compiled
def _undo_in_column(
    board: Any, places: Any, gaps: Any, runs: Any, slide: int, card: int, column: int, saved: int
) -> None:
    source, target = source_of(slide), target_of(slide)
    board[target] = 0
    board[source] = card
    places[2 * card] = source
    for index in range(4):
        runs[index] = saved >> 4 * index & 15
        gaps[index] = saved >> 16 + 6 * index & _CELL
        first = column >> 8 * index & 255
        board[index << ROW_SHIFT | 1] = first
        if first != 0:
            places[2 * first] = index << ROW_SHIFT | 1


@compiled
def undo(
    board: Any,
    places: Any,
    gaps: Any,
    runs: Any,
    slide: int,
    card: int,
    column: int,
    after: int,
    saved: int,
) -> None:
    """Takes back what `play` did with that card: `column` is that before, `after` the one after."""
    if (after ^ column) & CARDS == 0:
        take_back(board, places, gaps, runs, slide >> _GAP, target_of(slide), saved)
    else:
        _undo_in_column(board, places, gaps, runs, slide, card, column, saved)
