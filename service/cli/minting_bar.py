"""Minting while somebody looks on: what is searched, what came of it, how fast it goes."""

import time

from service.cli.output import err, progress_bar, remark
from service.minting.mint import MintReport
from service.minting.minter import Minter
from service.minting.workers import SearchProcesses

COMPILING_SECONDS = 3.0
"""A search process starts and loads the compiled solver in less than this."""


class MintingBar:
    """Mints with a progress bar on standard error.

    `processes` are warmed before the first search, so that only one of them compiles; None where
    the searches run elsewhere.
    """

    def __init__(self, minter: Minter, processes: SearchProcesses | None) -> None:
        self._minter = minter
        self._processes = processes

    def mint(self, variant: str, count: int) -> MintReport:
        """Mints so many deals of a variant."""
        self._warm()
        stock = self._minter.stock(variant)
        started = time.perf_counter()
        with progress_bar("{task.fields[note]}") as bar:
            task = bar.add_task(f"minting {variant}", total=count, note="")

            def show(report: MintReport) -> None:
                seconds = time.perf_counter() - started
                bar.update(task, completed=len(report.deal_ids), note=note(report, stock, seconds))

            return self._minter.mint(variant, count, show)

    def mint_one(self, variant: str) -> bool:
        """Mints one deal of a variant; False if minting gave up."""
        return bool(self.mint(variant, 1).deal_ids)

    def _warm(self) -> None:
        if self._processes is None:
            return
        loading = "Loading the solver; the first time ever it is compiled, for about half a minute."
        if not err.is_terminal:
            remark(loading)
        with err.status(loading):
            seconds = self._processes.warm().result()
        self._processes = None
        if seconds > COMPILING_SECONDS:
            remark(f"Compiled the solver in {seconds:.0f} s; that is kept for the next time.")


def note(report: MintReport, stock: int, seconds: float) -> str:
    """What a bar tells: of the stock, which was so large before, and of the candidates."""
    stored = len(report.deal_ids)
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in report.outcomes.items())
    per_minute = 60 * stored / seconds if seconds else 0.0
    rate = report.positions / seconds if seconds else 0.0
    return (
        f"stock {stock + stored}; {report.candidates} candidates: {outcomes or '-'}; "
        f"{per_minute:.1f} deals/min, {rate / 1e6:.1f} M positions/s"
    )
