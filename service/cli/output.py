"""What commands print: data on standard output, progress and remarks on standard error."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Table
from rich.text import Text

from service.game.board import run_length
from service.game.cards import GAP, card_name, suit_of
from service.game.variants import Rules

WIDEST = 10_000
"""How many characters a line of a table may take."""

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)


def print_json(value: Any) -> None:
    """Prints a value as JSON on standard output, never wrapped or coloured."""
    out.out(json.dumps(value, indent=2), highlight=False)


def escaped(text: str) -> str:
    """A text of which nothing but printable ASCII reaches a terminal; the rest is as JSON has it.

    For what repeats things that nobody has checked: they may hold commands to the terminal.
    """
    return "".join(
        sign if sign.isascii() and sign.isprintable() else json.dumps(sign)[1:-1] for sign in text
    )


def remark(text: str) -> None:
    """Tells the person at the terminal something that is no data."""
    err.print(text, markup=False)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Prints rows under headings, as wide as they need."""
    table = Table(*columns, box=None, pad_edge=False, header_style="bold")
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    # An id that was cut to fit a terminal could not be copied from there.
    Console(highlight=False, width=WIDEST).print(table)


def board_text(rules: Rules, board: Sequence[int]) -> Text:
    """A board as a person reads it: lettered rows, numbered columns, runs in bold, ``--`` gaps."""
    text = Text("  " + "".join(f"{column + 1:>3}" for column in range(rules.columns)), "dim")
    for row in range(rules.rows):
        start = row * rules.columns
        run = run_length(rules, board, row)
        text.append(f"\n{'abcdefgh'[row]} ", "dim")
        for column, card in enumerate(board[start : start + rules.columns]):
            if card == GAP:
                text.append(" --", "dim")
                continue
            red = suit_of(card) in (1, 2)
            style = ("bold " if column < run else "") + ("red" if red else "default")
            text.append(f" {card_name(card)}", style)
    return text


def progress_bar(*columns: str) -> Progress:
    """A progress bar on standard error; `columns` are formats of further texts behind it.

    Where standard error is no terminal it prints nothing.
    """
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        *(TextColumn(column) for column in columns),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )
