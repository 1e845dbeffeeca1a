"""The stuck boards that a search keeps, to be redealt: those with most cards ordered.

After a redeal that shuffles, a board depends on the runs kept alone, so one board is kept for
each tuple of runs; where the loose cards are gathered, each board counts.
"""

from typing import Any

from service.solver.compiled import compiled
from service.solver.kernel import CELLS, ROW_SHIFT


@compiled
def runs_key(board: Any, runs: Any, keys: Any) -> int:
    """The key of the cards in runs alone."""
    key = 0
    for row in range(len(runs)):
        start = row << ROW_SHIFT
        for cell in range(start + 1, start + 1 + runs[row]):
            key ^= keys[board[cell] * CELLS + cell]
    return key


@compiled
def keep_board(
    board: Any,
    runs: Any,
    state: Any,
    value: int,
    key: int,
    whole: bool,
    keys: Any,
    depth: int,
    path: Any,
    kept_keys: Any,
    kept_values: Any,
    kept_boards: Any,
    kept_depths: Any,
    kept_paths: Any,
) -> None:
    """Keeps a stuck board if it is new, and there is room or a worse one to give way.

    ``state[5]`` counts the kept boards, ``state[7]`` those that were lost for want of room.
    """
    count = state[5]
    room = len(kept_keys)
    worst = 0
    if count == room:
        for i in range(1, room):
            if kept_values[i] < kept_values[worst]:
                worst = i
        if kept_values[worst] >= value:
            state[7] += 1
            return
    if not whole:
        key = runs_key(board, runs, keys)
    for i in range(count):
        if kept_keys[i] == key:
            return
    if count < room:
        worst = count
        state[5] = count + 1
    else:
        state[7] += 1
    kept_keys[worst] = key
    kept_values[worst] = value
    kept_depths[worst] = depth
    for cell in range(CELLS):
        kept_boards[worst, cell] = board[cell]
    for i in range(depth):
        kept_paths[worst, i] = path[i]
