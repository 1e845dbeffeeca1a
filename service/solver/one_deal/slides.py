"""The slides of a position of one pack, with the safe slide.

A slide is written ``source * 4 + gap``, the number of a gap in `gaps`; the arrays are those of
`service.solver.kernel`. Source: docs/rules.md, section 2.
"""

from typing import Any, Final

from service.solver.compiled import compiled
from service.solver.kernel import RANK_MASK, WALL

MOST_SLIDES: Final = 16
"""The most slides a position has: each of the four 2s into each of four gaps in column 1."""


@compiled
def twos_at_home(places: Any) -> int:
    """How many 2s stand in column 1."""
    count = 0
    for two in range(2, 64, 16):
        if (places[2 * two] & 15) == 1:
            count += 1
    return count


@compiled
def list_slides(
    board: Any,
    places: Any,
    gaps: Any,
    runs: Any,
    top: int,
    base: int,
    switches: int,
    safe: int,
    out: Any,
    at: int,
) -> int:
    """Writes the slides to `out` from index `at` on; gives how many they are.

    Without `switches` no 2 goes from column 1 to column 1. With `safe` a position that has a safe
    slide gets that one alone: a card that lengthens its row's run, where no 2 can leave column 1
    any more, and the card is a king, or stands in the last column, or left of its successor. Only
    this card fits the gap, whose left neighbour stays; and playing it early takes away but one
    slide, that of its successor to its right, which such a card does not have. So if the position
    can be won, it can be won by the safe slide first, in no more slides.
    """
    count = 0
    settled = safe != 0 and (base == 1 or switches == 0 or twos_at_home(places) == 4)
    for gap in range(4):
        cell = gaps[gap]
        left = board[cell - 1]
        if left == WALL:
            if base == 2:
                for two in range(2, 64, 16):
                    source = places[2 * two]
                    if switches != 0 or (source & 15) != 1:
                        out[at + count] = source * 4 + gap
                        count += 1
        elif left != 0 and (left & RANK_MASK) != top:
            card = left + 1
            source = places[2 * card]
            if settled and (cell & 15) == runs[cell >> 4] + 1:
                right = board[source + 1]
                if (card & RANK_MASK) == top or right == WALL or right == card + 1:
                    out[at] = source * 4 + gap
                    return 1
            out[at + count] = source * 4 + gap
            count += 1
    return count
