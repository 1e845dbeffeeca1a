"""``gaps show`` and ``gaps solve``: a board printed, and a deal searched while one looks on."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType
from typing import Annotated

import typer

from service.cli.failures import Status
from service.cli.naming import (
    DealArgument,
    NumberOption,
    RanksOption,
    VariantOption,
    named_deal,
)
from service.cli.output import board_text, out, print_json, progress_bar, remark
from service.game.cards import KING
from service.game.deal import Deal
from service.game.document import document
from service.game.notation import REDEAL
from service.game.play import Game
from service.solver import DEFAULT_BUDGET, Outcome, Progress, Solution, solve, warm_up

TOKENS_A_LINE = 12

COMPILING_SECONDS = 2.0
"""Loading the compiled solver takes less than this; compiling it takes more."""


def show(
    deal: DealArgument = None,
    variant: VariantOption = None,
    number: NumberOption = None,
    ranks: RanksOption = KING,
    as_json: Annotated[bool, typer.Option("--json", help="Print the deal document.")] = False,
) -> None:
    """Prints a deal's board.

    A date means that of the classic daily, or of --variant's. Everything is shown, sealed or not.
    """
    named = named_deal(deal, variant, number, ranks)
    if as_json:
        print_json(document(named.deal))
        return
    out.print(named.title, style="bold", markup=False)
    out.print(board_text(named.deal.rules, named.deal.layout))


def solve_deal(
    deal: DealArgument = None,
    variant: VariantOption = None,
    number: NumberOption = None,
    ranks: RanksOption = KING,
    budget: Annotated[
        int, typer.Option(min=1, metavar="N", help="How many positions to search at most.")
    ] = DEFAULT_BUDGET,
    max_redeals: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="N", help="How many redeals to take at most.", show_default=False
        ),
    ] = None,
    memory: Annotated[
        int, typer.Option(min=16, metavar="MB", help="How much memory the search may take.")
    ] = 512,
    replay: Annotated[bool, typer.Option(help="Print the board after each round's moves.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Solves a deal: prints the outcome, the line, the positions searched and the time.

    Ctrl-C ends the search and prints what it has found. Exit status 1 if the deal is not won.
    """
    named = named_deal(deal, variant, number, ranks)
    if not as_json:
        out.print(named.title, style="bold", markup=False)
        out.print(board_text(named.deal.rules, named.deal.layout))
    seconds_warming = warm_up()
    if seconds_warming > COMPILING_SECONDS:
        remark(f"Compiled the solver in {seconds_warming:.0f} s; that is kept for the next time.")
    started = time.perf_counter()
    with _stop_on_interrupt() as stop, progress_bar("{task.fields[phase]}") as bar:
        task = bar.add_task("searching", total=budget, phase="")
        solution = solve(
            named.deal,
            budget,
            max_redeals=max_redeals,
            memory_mb=memory,
            report=lambda progress: bar.update(
                task, completed=progress.positions, phase=_phase(progress)
            ),
            cancelled=stop.is_set,
        )
    seconds = time.perf_counter() - started
    if as_json:
        print_json(
            {
                "outcome": solution.outcome.value,
                "line": None if solution.line is None else list(solution.line),
                "slides": solution.slides,
                "redeals": solution.redeals,
                "positions": solution.positions,
                "seconds": round(seconds, 6),
                "deal": document(named.deal),
            }
        )
    else:
        _print_solution(named.deal, solution, seconds, stopped=stop.is_set(), replay=replay)
    if solution.outcome is not Outcome.WON:
        raise typer.Exit(Status.NO)


@contextmanager
def _stop_on_interrupt() -> Iterator[Event]:
    """An event that Ctrl-C sets, instead of what it does otherwise."""
    stop = Event()

    def interrupted(number: int, frame: FrameType | None) -> None:
        stop.set()

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def _phase(progress: Progress) -> str:
    best = "" if progress.best_ordered is None else f", best board {progress.best_ordered} ordered"
    return f"{progress.phase}{best}"


def _print_solution(
    deal: Deal, solution: Solution, seconds: float, *, stopped: bool, replay: bool
) -> None:
    out.print(_sentence(solution, seconds, stopped=stopped))
    if solution.line is None:
        return
    game = Game(deal)
    for number, tokens in enumerate(rounds(solution.line)):
        if number:
            game.play(REDEAL)
            out.print(f"redeal {number}", style="bold")
            if replay:
                out.print(board_text(deal.rules, game.board))
        for start in range(0, len(tokens), TOKENS_A_LINE):
            out.print("  " + " ".join(tokens[start : start + TOKENS_A_LINE]), markup=False)
        for token in tokens:
            game.play(token)
        if replay:
            out.print(board_text(deal.rules, game.board))


def rounds(line: tuple[str, ...]) -> list[list[str]]:
    """A line's slides, round by round; a redeal lies between each two."""
    parts: list[list[str]] = [[]]
    for token in line:
        if token == REDEAL:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _sentence(solution: Solution, seconds: float, *, stopped: bool) -> str:
    searched = f"{solution.positions:,} positions in {seconds:.2f} s"
    match solution.outcome:
        case Outcome.WON:
            redeals = {0: "no redeal", 1: "1 redeal"}.get(
                solution.redeals or 0, f"{solution.redeals} redeals"
            )
            return f"Won with {solution.slides} slides and {redeals} ({searched})."
        case Outcome.LOST:
            return f"Lost: no line wins, all that can be reached has been seen ({searched})."
        case Outcome.UNDECIDED if stopped:
            return f"Stopped before it was decided ({searched})."
        case Outcome.UNDECIDED:
            return f"Undecided ({searched}). A larger --budget or --memory may decide it."
