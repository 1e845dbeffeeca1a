"""Cells and move tokens as text: ``c12b5``, ``redeal``, ``undo``.

Source: docs/rules.md, section 5.
"""

import re
from typing import Final

from service.game.board import Slide
from service.game.variants import Rules

REDEAL: Final = "redeal"
UNDO: Final = "undo"

_SLIDE: Final = re.compile(r"([a-h])(1[0-4]|[1-9])([a-h])(1[0-4]|[1-9])", re.ASCII)


def cell_name(rules: Rules, cell: int) -> str:
    """The name of a cell: ``c7`` is row 3, column 7."""
    row, column = divmod(cell, rules.columns)
    return f"{'abcdefgh'[row]}{column + 1}"


def slide_token(rules: Rules, slide: Slide) -> str:
    """A slide as a token. The inverse of `parse_slide`."""
    return cell_name(rules, slide.source) + cell_name(rules, slide.target)


class TokenError(ValueError):
    """A token that is no slide: `off_board` tells whether its form was right."""

    def __init__(self, message: str, *, off_board: bool) -> None:
        super().__init__(message)
        self.off_board = off_board


def parse_slide(rules: Rules, token: object) -> Slide:
    """The slide a token names, legal or not. The inverse of `slide_token`.

    Raises `TokenError` for a text of another form, and for cells that this board does not have.
    """
    match = _SLIDE.fullmatch(token) if isinstance(token, str) else None
    if match is None:
        raise TokenError("a move is two cells like c12b5, or redeal, or undo", off_board=False)
    row, column, to_row, to_column = match.groups()
    return Slide(_cell(rules, row, column), _cell(rules, to_row, to_column))


def _cell(rules: Rules, row: str, column: str) -> int:
    y, x = ord(row) - ord("a"), int(column) - 1
    if y >= rules.rows or x >= rules.columns:
        raise TokenError(
            f"there is no cell {row}{column} on {rules.rows} rows of {rules.columns}",
            off_board=True,
        )
    return y * rules.columns + x
