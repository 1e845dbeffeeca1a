"""What a slide makes of a position of one pack, and how it is taken back.

Slides, columns and arrays are those of `service.solver.one_deal.slides`. Most slides leave column 1
alone and are the kernel's; those that change it write it anew.
"""

from typing import Any, Final

from service.solver.compiled import compiled
from service.solver.kernel import (
    COLUMN_MASK,
    KEYS,
    ROW_SHIFT,
    Position,
    move_card,
    run_length,
    take_back,
)
from service.solver.one_deal.column import (
    CARDS,
    agreed,
    cards_of,
    column_at_start,
    column_key,
    settle,
    write_column,
)
from service.solver.one_deal.slides import (
    column_after,
    gap_of,
    needs_switches,
    source_of,
    target_of,
)

_CELL: Final = 63


def begin(position: Position, switches: int) -> tuple[int, int]:
    """The column of a search's first position, and its key without column 1."""
    column = column_at_start(position.board, switches)
    rest = position.key ^ column_key(KEYS, settle(cards_of(position.board), 0))
    return int(column), int(rest)


@compiled
def _play_in_column(
    board: Any, places: Any, gaps: Any, runs: Any, slide: int, column: int, base: int, switches: int
) -> tuple[int, int]:
    """Plays a slide that changes the cards of column 1."""
    source, target, gap = source_of(slide), target_of(slide), gap_of(slide)
    saved = 0
    for index in range(4):
        saved |= int(runs[index]) << 4 * index | int(gaps[index]) << 16 + 6 * index
    card = board[source]
    after = column_after(column, slide, card, switches)
    board[target] = card
    board[source] = 0
    places[2 * card] = target
    gaps[gap] = source
    after = agreed(board, after)
    write_column(board, places, gaps, after)
    for index in range(4):
        runs[index] = run_length(board, index, base)
    return after, saved


@compiled
def play(
    board: Any, places: Any, gaps: Any, runs: Any, slide: int, column: int, base: int, switches: int
) -> tuple[int, int]:
    """Plays a slide; gives the new column, and what `undo` needs to know."""
    source, target, gap = source_of(slide), target_of(slide), gap_of(slide)
    if (source & COLUMN_MASK) == 1 or (target & COLUMN_MASK) == 1 or needs_switches(slide):
        column, saved = _play_in_column(board, places, gaps, runs, slide, column, base, switches)
    else:
        saved, _, _ = move_card(board, places, gaps, runs, gap, source)
        if (target & COLUMN_MASK) == 2:
            column = column_after(column, slide, board[target], switches)
    return column, saved


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
        take_back(board, places, gaps, runs, gap_of(slide), target_of(slide), saved)
    else:
        _undo_in_column(board, places, gaps, runs, slide, card, column, saved)
