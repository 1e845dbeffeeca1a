"""The minter: minting as the settings want it, for whoever needs deals."""

from collections.abc import Callable
from concurrent.futures import Executor
from typing import Final

from service.clock import Clock
from service.minting.mint import MintReport, mint
from service.minting.search import SearchLimits
from service.settings import Settings
from service.store import deals
from service.store.database import Database

MOST_CANDIDATES: Final = 500
"""How many candidates one deal may take before minting gives up until it is asked again.

Of the variants with the fewest wins about one deal in five is won, so this many failures tell of
settings under which nothing can be won.
"""

MOST_REDEALS: Final = 2
"""The promise for every variant: the known win of a published deal takes no more redeals."""


def search_limits(settings: Settings, variant: str) -> SearchLimits:
    """How far a search for a daily of this variant may go."""
    return SearchLimits(
        settings.budget,
        min(MOST_REDEALS, settings.max_redeals(variant)),
        settings.search_memory_mb,
    )


class Minter:
    """Mints by the settings into the stock.

    `executor` runs the searches, `parallel` of them at a time; it is the caller's to shut down.
    """

    def __init__(
        self,
        settings: Settings,
        database: Database,
        clock: Clock,
        executor: Executor,
        *,
        parallel: int,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self._settings = settings
        self._database = database
        self._clock = clock
        self._executor = executor
        self._parallel = parallel
        self._stopped = stopped

    def mint(
        self,
        variant: str,
        count: int,
        on_progress: Callable[[MintReport], None] = lambda report: None,
    ) -> MintReport:
        """Mints so many deals of a variant; gives up after `MOST_CANDIDATES` for each."""
        return mint(
            self._database,
            variant,
            count,
            executor=self._executor,
            clock=self._clock,
            limits=self.limits(variant),
            parallel=self._parallel,
            most_candidates=MOST_CANDIDATES * count,
            on_progress=on_progress,
            stopped=self._stopped,
        )

    def mint_one(self, variant: str) -> bool:
        """Mints one deal of a variant; False if minting gave up or was stopped."""
        return bool(self.mint(variant, 1).deal_ids)

    def stock(self, variant: str) -> int:
        """How many deals of a variant wait to become a daily."""
        with self._database.reading() as session:
            return deals.stock(session, variant, self.limits(variant).max_redeals)

    def lacking(self, variant: str) -> int:
        """How many deals the stock of a variant lacks, by the settings."""
        return max(0, self._settings.stock - self.stock(variant))

    def limits(self, variant: str) -> SearchLimits:
        """How far a search for a daily of this variant may go."""
        return search_limits(self._settings, variant)
