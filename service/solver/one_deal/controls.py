"""What else decides whether a position can be won, for the fit alone.

Which gaps are alive, what they will pull in, how long the rows' runs are and what blocks them: all
that explains pairs of positions as well as the evaluation's own features do. Fitted along, it takes
up what is its own and leaves the features what is theirs, which win fewer deals if fitted alone.
The search does without: controls cost speed there, and win no more. Figures are in
docs/decisions/discrepancies.md.

Cards count as in `service.solver.one_deal.evaluation`.
"""

from typing import Any, Final

from service.solver.compiled import compiled
from service.solver.kernel import COLUMN_MASK, RANK_MASK, WALL
from service.solver.one_deal.evaluation import FEATURES

# The first index of each kind, and what the index then counts.
_GAP: Final = FEATURES  # left rank, column
_PULL: Final = _GAP + 16 * 16  # left rank, rank left of the wanted card
_NEXT: Final = _PULL + 16 * 16  # the same as _PULL, one step later
_CHAIN: Final = _NEXT + 16 * 16  # steps, how they end
_BLOCK: Final = _CHAIN + 16 * 4  # run length, rank in the cell right of the run
_NEED: Final = _BLOCK + 16 * 16  # run length, rank left of the card that the run needs
_HOME: Final = _NEED + 16 * 16  # 2s in column 1
_DEAD: Final = _HOME + 8  # dead gaps
WITH_CONTROLS: Final = _DEAD + 8
"""How many features and controls there are."""

_LONGEST_CHAIN: Final = 8

MOST_CONTROLS: Final = 4 * 4 + 4 * 2 + 2
"""The most controls a position has."""


@compiled
def controls_of(board: Any, places: Any, gaps: Any, runs: Any, top: int, out: Any, at: int) -> int:
    """Writes a position's controls to `out` from index `at` on; gives how many they are."""
    count = at
    dead = 0
    for gap in range(4):
        cell = gaps[gap]
        left = board[cell - 1]
        rank = left & RANK_MASK
        out[count] = _GAP + rank * 16 + (cell & COLUMN_MASK)
        count += 1
        steps = 0
        end = 3
        while steps < _LONGEST_CHAIN:
            if left == WALL:
                end = 2
                break
            if left == 0:
                end = 0
                break
            if rank == top:
                end = 1
                break
            source = places[2 * left + 2]
            left = board[source - 1]
            following = left & RANK_MASK
            if steps == 0:
                out[count] = _PULL + rank * 16 + following
                count += 1
            elif steps == 1:
                out[count] = _NEXT + rank * 16 + following
                count += 1
            rank = following
            steps += 1
        if steps == 0 and end < 2:
            dead += 1
        out[count] = _CHAIN + steps * 4 + end
        count += 1
    home = 0
    for row in range(4):
        run = runs[row]
        start = row * 16 + 1
        out[count] = _BLOCK + run * 16 + (board[start + run] & RANK_MASK)
        count += 1
        if run > 0:
            home += 1
            card = board[start] + run - 1
            if (card & RANK_MASK) < top:
                out[count] = _NEED + run * 16 + (board[places[2 * card + 2] - 1] & RANK_MASK)
                count += 1
    out[count] = _HOME + home
    out[count + 1] = _DEAD + dead
    return count + 2 - at
