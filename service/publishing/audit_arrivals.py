"""What can be wrong with when logs came in, of submissions and of plays.

State and instant of each are written from one and the same look at the clock, so that the one
follows from the other, however wrong that clock was.
"""

import datetime as dt
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from service.publishing.arrival import arrived
from service.publishing.audit_faults import RESTORE, Finding, Row
from service.publishing.calendar import visible_from
from service.store.tables import Arrival

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Dates:
    """The dates of dailies, by their deals. `whole` says whether every daily could be read."""

    dates: Mapping[str, dt.date] = field(default_factory=dict)
    whole: bool = True

    def known(self, deal_id: str) -> bool:
        """Whether it can be told which date a deal has, if any."""
        return self.whole or deal_id in self.dates

    def of(self, deal_id: str) -> dt.date | None:
        """The date of a deal; None for one that is no daily's, or of which nothing is known."""
        return self.dates.get(deal_id)

    def among(self, deals: Collection[str]) -> "Dates":
        """What is known of these deals alone."""
        return Dates({name: self.dates[name] for name in deals if name in self.dates}, self.whole)


def arrival_findings(
    state: Arrival, instant: dt.datetime, date: dt.date | None
) -> Iterator[Finding]:
    """What is wrong with how a log is said to have come in, to the daily of a date or to none."""
    if date is not None and instant < visible_from(date):
        yield f"It came in at {instant}, when its deal, of {date}, could not be seen.", RESTORE
    elif state is not arrived(date, instant):
        to = "a deal to practise" if date is None else f"the daily of {date}"
        yield f"Its state is {state}, but it came in at {instant}, to {to}.", RESTORE


def play_findings(play: Row, submission: Row | None, dates: Dates) -> Iterator[Finding]:
    """What is wrong with a play, seen with what can be read of its submission; None without one."""
    if not _DIGEST.fullmatch(play["player"]):
        yield "Its player is no digest of a token.", RESTORE
    if submission is None:
        yield "Its submission is not stored.", RESTORE
        return
    deal = submission.get("deal_id")
    if deal is not None and dates.known(deal):
        yield from arrival_findings(play["state"], play["played_at"], dates.of(deal))
