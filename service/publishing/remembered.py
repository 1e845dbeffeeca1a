"""What requests of a process share: deals that thousands play, and the wait for the disk.

A published deal never changes. Only that it was withdrawn would be missed, for so long as it is
remembered.
"""

import time
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from service.publishing import gate
from service.publishing.calendar import State
from service.publishing.gate import PublishedDeal
from service.store import submissions
from service.store.database import Database
from service.store.submissions import NewSubmission
from service.store.tables import Submission
from service.store.together import Together

MOST_DEALS: Final = 256
"""How many are remembered at most, of some 20 kB each."""


class PublishedDeals:
    """The published deals of a database, each read again after so many seconds; 0: every time.

    May be used from any thread.
    """

    def __init__(self, database: Database, seconds: float = 0.0) -> None:
        self.database = database
        self._submissions = Together(self._store)
        self._seconds = seconds
        self._deals: OrderedDict[str, tuple[float, PublishedDeal]] = OrderedDict()

    def published(self, deal_id: str, now: datetime) -> PublishedDeal:
        """A deal that is visible now, as `gate.published` has it, and with the same errors."""
        until, deal = self._deals.get(deal_id, (0.0, None))
        # A clock that was put back hides what was visible before.
        if deal is None or time.monotonic() >= until or deal.state(now) is State.HIDDEN:
            with self.database.reading() as session:
                deal = gate.published(session, deal_id, now)
            self._remember(deal_id, deal)
        return deal

    def store(self, submission: NewSubmission) -> tuple[Submission, bool]:
        """Stores a submission, with those of other threads; answers it, and whether it is new."""
        return self._submissions.do(submission)

    def _store(self, arrived: Sequence[NewSubmission]) -> list[tuple[Submission, bool]]:
        with self.database.writing() as session:
            return submissions.add(session, arrived)

    def _remember(self, deal_id: str, deal: PublishedDeal) -> None:
        if self._seconds:
            self._deals[deal_id] = (time.monotonic() + self._seconds, deal)
            while len(self._deals) > MOST_DEALS:
                self._deals.popitem(last=False)
