"""Redeals and set-up of the searches' boards, compiled: `service.game.redeal` on padded cells."""

from typing import Any

import numpy as np

from service.game.cards import ACE, PRIME
from service.solver.compiled import allocating, compiled
from service.solver.kernel import CELLS, COLUMN_MASK, RANK_MASK, ROW_SHIFT, WALL, run_length


@compiled
def set_up(
    layout: Any, base: int, keys: Any, board: Any, places: Any, gaps: Any, runs: Any
) -> tuple[int, int, int]:
    """Fills the arrays of `service.solver.kernel` from a padded board.

    Gives its key, its run total, and how many cards stand in another column than in a won board.
    """
    key = 0
    total = 0
    misplaced = 0
    places.fill(0)
    filled = 0
    for cell in range(CELLS):
        card = np.int64(layout[cell])
        board[cell] = card
        if card == 0:
            gaps[filled] = cell
            filled += 1
        elif card != WALL:
            if places[2 * card] == 0:
                places[2 * card] = cell
            else:
                places[2 * card + 1] = cell
            key ^= keys[card * CELLS + cell]
            if (cell & COLUMN_MASK) + base - 1 != (card & RANK_MASK):
                misplaced += 1
    for row in range(len(runs)):
        runs[row] = run_length(board, row, base)
        total += runs[row]
    return key, total, misplaced


@allocating
def redeal_board(
    before: Any, base: int, rows: int, columns: int, order: Any, scattered: bool, after: Any
) -> None:
    """Redeals one padded board into another; an empty `order` gathers the loose cards.

    Source: docs/rules.md, section 3.
    """
    copies = np.zeros(CELLS, np.int64)
    loose = np.zeros(CELLS, np.int64)
    free = np.zeros(CELLS, np.int64)
    cards = 0
    cells = 0
    for cell in range(CELLS):
        after[cell] = before[cell]
    for row in range(rows):
        start = (row << ROW_SHIFT) + 1
        run = run_length(before, row, base)
        for column in range(run, columns):
            card = np.int64(before[start + column])
            if card != 0:
                loose[cards] = card
                copies[card] += 1
                cards += 1
            after[start + column] = 0
            if scattered or column > run:
                free[cells] = start + column
                cells += 1
    dealt = 0
    if len(order) == 0:
        for i in range(cards):
            after[free[i]] = loose[i]
    for i in range(len(order)):
        card = order[i] % PRIME
        if scattered and (card & RANK_MASK) == ACE:
            dealt += 1
        elif copies[card] > order[i] // PRIME:
            after[free[dealt]] = card
            dealt += 1
