"""Searches for numbered deals without a solver: what ``tests/data/won.json`` has is won."""

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

from service.game.shuffle import numbered_seed
from service.minting.search import Find, SearchLimits
from service.settings import Settings
from service.solver import Outcome
from tests.deals import WonDeal, won_deals


class CannedSearches(Executor):
    """Finds at once the wins it is given, and no others. It counts what it is asked."""

    def __init__(self, *wins: WonDeal) -> None:
        self._wins = {numbered_seed(win.variant, win.number): win for win in wins or won_deals()}
        self.asked: list[bytes] = []
        self.gate = threading.Event()
        self.gate.set()
        self.fails: Callable[[], BaseException] | None = None
        self.ended = False

    def __call__(self, _: Settings) -> "CannedSearches":
        """Itself, where the application wants to make an executor."""
        return self

    def submit(self, _: Any, /, *args: Any, **__: Any) -> Future[Any]:
        """Answers a search in a thread of its own, once the gate is open."""
        future: Future[Any] = Future()
        variant, seed, limits = args
        self.asked.append(seed)
        threading.Thread(target=self._answer, args=(future, variant, seed, limits)).start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Notes that it was ended."""
        self.ended = True

    def _answer(self, future: Future[Any], variant: str, seed: bytes, limits: SearchLimits) -> None:
        assert limits.max_redeals == 2
        self.gate.wait(30)
        if self.fails is not None:
            future.set_exception(self.fails())
            return
        win = self._wins.get(seed)
        future.set_result(
            Find(variant, seed, Outcome.UNDECIDED, None, None, None, 10, 0.1)
            if win is None
            else Find(
                variant,
                seed,
                Outcome.WON,
                tuple(win.line),
                win.verdict["slides"],
                win.redeals,
                10,
                0.1,
            )
        )
