"""Brute force on the checker's rules: whether a deal can be won at all, every position seen."""

from typing import Any, TypeAlias

from checker.board import Board, parse_slide
from checker.document import read_deal

Cells: TypeAlias = tuple[tuple[str | None, ...], ...]


class TooManyPositionsError(Exception):
    """More positions than brute force was allowed."""


def can_be_won(document: dict[str, Any], most: int) -> bool:
    """Whether some legal line wins a deal; looks at all slides and all redeals wherever legal.

    Raises `TooManyPositionsError` beyond `most` positions.
    """
    deal = read_deal(document)
    variant = deal.variant
    shuffled = variant.order == "shuffled"
    limit = variant.redeals if variant.redeals is not None else 12
    orders = [deal.order(k) if shuffled else None for k in range(1, limit + 1)]
    start = (_cells(Board(variant, deal.layout)), 0)
    seen, waiting = {start}, [start]
    while waiting:
        cells, redeals = waiting.pop()
        board = Board(variant, cells)
        if board.is_won():
            return True
        legal = board.legal_slides()
        after: list[tuple[Cells, int]] = []
        for token in legal:
            source, goal = parse_slide(token) or ("", "")
            board.move(source, goal)
            after.append((_cells(board), redeals))
            board.move(goal, source)
        if redeals < limit and (not legal or variant.redeal_allowed != "when stuck"):
            board.redeal(orders[redeals])
            after.append((_cells(board), redeals + 1))
        for position in after:
            if position not in seen:
                seen.add(position)
                waiting.append(position)
        if len(seen) > most:
            raise TooManyPositionsError
    return False


def _cells(board: Board) -> Cells:
    return tuple(tuple(row) for row in board.rows)
