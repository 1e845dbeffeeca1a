"""Brute force on the checker's rules: whether a deal can be won at all, every position seen."""

import heapq
import itertools
from typing import Any, TypeAlias

from checker.board import Board, parse_slide
from checker.document import read_deal

Cells: TypeAlias = tuple[tuple[str | None, ...], ...]


class TooManyPositionsError(Exception):
    """More positions than brute force was allowed."""


def can_be_won(document: dict[str, Any], most: int, max_redeals: int | None = None) -> bool:
    """Whether some legal line wins a deal; looks at all slides and all redeals wherever legal.

    It goes on from the position with most cards in order, so that a win is found soon; a deal is
    called lost once no position is left. `max_redeals` allows fewer redeals than the variant does.
    Raises `TooManyPositionsError` beyond `most` positions, and where a variant without a limit
    has none left but of redeals beyond the twelfth.
    """
    deal = read_deal(document)
    variant = deal.variant
    shuffled = variant.order == "shuffled"
    most_redeals = variant.redeals if max_redeals is None else max_redeals
    limit = 12 if most_redeals is None else most_redeals
    orders = [deal.order(k) if shuffled else None for k in range(1, limit + 1)]
    start = (_cells(Board(variant, deal.layout)), 0)
    seen = {start}
    # Of positions as good as each other the newest first, which keeps the queue short.
    newer = itertools.count(0, -1)
    waiting = [(0, next(newer), start)]
    while waiting:
        cells, redeals = heapq.heappop(waiting)[-1]
        board = Board(variant, cells)
        if board.is_won():
            return True
        legal = board.legal_slides()
        after: list[tuple[int, tuple[Cells, int]]] = []
        for token in legal:
            source, goal = parse_slide(token) or ("", "")
            board.move(source, goal)
            after.append((redeals - board.ordered(), (_cells(board), redeals)))
            board.move(goal, source)
        if redeals < limit and (not legal or variant.redeal_allowed != "when stuck"):
            board.redeal(orders[redeals])
            after.append((redeals + 1 - board.ordered(), (_cells(board), redeals + 1)))
        for rank, position in after:
            if position not in seen:
                seen.add(position)
                heapq.heappush(waiting, (rank, next(newer), position))
        if len(seen) > most:
            raise TooManyPositionsError
    if most_redeals is None:
        raise TooManyPositionsError
    return False


def _cells(board: Board) -> Cells:
    return tuple(tuple(row) for row in board.rows)
