"""Numbered deals, verified on demand: searched, replayed, and stored as what they are.

A number stands for the same deal everywhere (docs/rules.md, section 7), and its seed is no secret.
So its deal must never be taken for stock: deal and number are stored in one transaction.
"""

import datetime as dt
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Final

from sqlalchemy.orm import Session

from service.clock import Clock
from service.game.shuffle import numbered_seed, seed_commitment
from service.minting.mint import store_win
from service.minting.minter import MOST_REDEALS
from service.minting.search import SearchLimits, search
from service.settings import Settings
from service.solver import SOLVER_VERSION
from service.store import deals, practices
from service.store.database import Database
from service.store.identity import DEAL_ID_LENGTH
from service.store.tables import Deal, Practice

LARGEST_NUMBER: Final = 999_999_999

CLAIM_SECONDS: Final = 10.0
"""How long beyond a search's deadline its claim holds; then whoever made it must have died."""
POLL_SECONDS: Final = 0.05
"""How often is looked whether the search of another process has come to its end."""


def practice_limits(settings: Settings) -> SearchLimits:
    """How far the search for a numbered deal may go."""
    return SearchLimits(settings.practice_budget, MOST_REDEALS, settings.search_memory_mb)


class NumberedDeals:
    """Verifies numbered deals, by the settings. May be used from any thread."""

    def __init__(
        self, settings: Settings, database: Database, clock: Clock, executor: Callable[[], Executor]
    ) -> None:
        self._limits = practice_limits(settings)
        self._database = database
        self._clock = clock
        self._executor = executor
        self._lease = dt.timedelta(seconds=settings.search_seconds + CLAIM_SECONDS)
        # One search at a time: a claim is made when the search begins, not when it has to wait.
        self._turn = threading.Lock()

    def known(self, variant: str, number: int) -> Practice | None:
        """What came of a number before; None where a search might find more."""
        with self._database.reading() as session:
            found = practices.get(session, variant, number)
        if found is None or found.deal_id is not None:
            return found
        same = (found.budget, found.solver_version) == (self._limits.budget, SOLVER_VERSION)
        return found if same else None

    def verify(self, variant: str, number: int) -> Practice:
        """Searches the deal of a number, and stores what came of it.

        Where another process does so already, its end is waited for. Raises `TimeoutError`, or
        whatever else ended the search before its budget was spent; nothing is stored then.
        """
        while True:
            with self._turn:
                if self._claim(variant, number):
                    try:
                        return self._search(variant, number)
                    except BaseException:
                        with self._database.writing() as session:
                            practices.release(session, variant, number)
                        raise
            known = self.known(variant, number)
            if known is not None:
                return known
            time.sleep(POLL_SECONDS)

    def _claim(self, variant: str, number: int) -> bool:
        with self._database.writing() as session:
            return practices.claim(
                session,
                variant=variant,
                number=number,
                budget=self._limits.budget,
                solver_version=SOLVER_VERSION,
                now=self._clock(),
                lease=self._lease,
            )

    def _search(self, variant: str, number: int) -> Practice:
        seed = numbered_seed(variant, number)
        with self._database.reading() as session:
            elsewhere = deals.get(session, seed_commitment(seed)[:DEAL_ID_LENGTH])
        if elsewhere is None:
            find = self._executor().submit(search, variant, seed, self._limits).result()
            if find.line is not None:
                store_win(
                    self._database,
                    find,
                    find.line,
                    self._limits,
                    self._clock,
                    lambda session, deal: self._note(session, variant, number, deal),
                )
        with self._database.writing() as session:
            # What has no deal by now was not won, or is a deal that somebody has for another use.
            self._note(session, variant, number, None)
            return session.get_one(Practice, (variant, number))

    def _note(self, session: Session, variant: str, number: int, deal: Deal | None) -> None:
        practices.note(
            session,
            variant=variant,
            number=number,
            deal_id=None if deal is None else deal.id,
            budget=self._limits.budget,
            solver_version=SOLVER_VERSION,
            searched_at=self._clock(),
        )
