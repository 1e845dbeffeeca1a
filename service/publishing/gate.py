"""The gate: the one place that decides what of a deal may be seen.

Before its date is visible a deal cannot be told from one that does not exist, neither by what is
answered nor by how long that takes. While it is live, its seed and its line are secret, and its
redeal orders too where it was published sealed. Once it is closed, all is open. Where it was
withdrawn nothing is shown but the reason, and nothing at all before its date is visible. Deals to
practise are no dailies, and open from the start.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy.orm import Session

from service.publishing.calendar import (
    State,
    closes_at,
    last_visible,
    state,
    visible_from,
)
from service.settings import Redeals
from service.store import chain, dailies, practices
from service.store.dailies import Place
from service.store.tables import Daily, Deal

# What a live document may hold. A key that is new to documents stays secret until it is named.
_LIVE_KEYS: Final = ("format", "variant", "ranks", "layout", "redeals", "seed_commitment")


class NotVisibleError(Exception):
    """There is nothing to see, whether or not there is something.

    `available_at` is the instant a date that was asked for becomes visible; None for a date that
    is visible and has no daily, and always for deals and submissions asked for by id.
    """

    def __init__(self, available_at: dt.datetime | None = None) -> None:
        super().__init__(
            "nothing is here"
            if available_at is None
            else f"nothing is here before {available_at.isoformat()}"
        )
        self.available_at = available_at


class SolutionSealedError(Exception):
    """The line of a live daily, which opens to all at `opens_at`."""

    def __init__(self, opens_at: dt.datetime) -> None:
        super().__init__(f"the solution opens at {opens_at.isoformat()}")
        self.opens_at = opens_at


class WithdrawnError(Exception):
    """A daily that can be seen no more: it was withdrawn at `withdrawn_at`, for a `reason`."""

    def __init__(self, reason: str, withdrawn_at: dt.datetime) -> None:
        super().__init__(f"withdrawn at {withdrawn_at.isoformat()}: {reason}")
        self.reason = reason
        self.withdrawn_at = withdrawn_at


class PublishedDeal(NamedTuple):
    """A deal that somebody may see, with all that is secret of it.

    `daily` is None where it is one to practise.
    """

    deal: Deal
    daily: Daily | None

    def state(self, now: dt.datetime) -> State:
        """What its date is; a deal to practise is open as if it were closed."""
        return State.CLOSED if self.daily is None else state(self.daily.date, now)


@dataclass(frozen=True, slots=True)
class VisibleDeal:
    """A published deal as it may be seen at an instant.

    `document` is a deal document: while the daily is live without what is secret then. `date` is
    None where it is a deal to practise. `winnable_without_redeal` tells whether such a win is
    known, which betrays nothing of how it goes.
    """

    id: str
    variant: str
    date: dt.date | None
    state: State
    document: Mapping[str, Any]
    winnable_without_redeal: bool


@dataclass(frozen=True, slots=True)
class VisibleSolution:
    """The winning line of a deal that is open, with the checker's verdict on it as JSON.

    `date` is None where it is a deal to practise.
    """

    id: str
    variant: str
    date: dt.date | None
    line: Sequence[str]
    verdict: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """A daily in the archive's list, which has those that were withdrawn as well."""

    id: str
    variant: str
    date: dt.date
    state: State
    withdrawn: bool


@dataclass(frozen=True, slots=True)
class ArchivePage:
    """A page of the archive, newest first.

    `next` is the place to go on after, if there is more. `head` is the digest of the chain's newest
    link about a daily that is visible; None where there is none.
    """

    entries: Sequence[ArchiveEntry]
    next: Place | None
    head: str | None


def open_daily(session: Session, variant: str, date: dt.date, now: dt.datetime) -> VisibleDeal:
    """The daily of a variant and a date, as it may be seen now.

    Raises `NotVisibleError` and `WithdrawnError`.
    """
    if state(date, now) is State.HIDDEN:
        raise NotVisibleError(visible_from(date))
    found = dailies.deal_on(session, variant, date)
    if found is None:
        raise NotVisibleError
    return _seen(_standing(PublishedDeal(found.deal, found.daily)), now)


def open_deal(session: Session, deal_id: str, now: dt.datetime) -> VisibleDeal:
    """A published deal by its id, as it may be seen now.

    Raises `NotVisibleError` and `WithdrawnError`.
    """
    return _seen(published(session, deal_id, now), now)


def solution(session: Session, deal_id: str, now: dt.datetime) -> VisibleSolution:
    """The winning line of a closed daily, or of a deal to practise.

    Raises `NotVisibleError` and `WithdrawnError`, and `SolutionSealedError` while it is live.
    """
    deal, daily = opened(session, deal_id, now)
    return VisibleSolution(
        deal.id, deal.variant, None if daily is None else daily.date, deal.line, deal.verdict
    )


def archive(
    session: Session,
    now: dt.datetime,
    *,
    limit: int,
    variant: str | None = None,
    first: dt.date | None = None,
    last: dt.date | None = None,
    after: Place | None = None,
) -> ArchivePage:
    """At most `limit` dailies that are visible now, of dates from `first` to `last`, newest first.

    `after` is the `next` of the page before.
    """
    visible = last_visible(now)
    found = dailies.page(
        session,
        limit=limit + 1,
        variant=variant,
        first=first,
        last=visible if last is None else min(last, visible),
        after=after,
    )
    entries = [_entry(daily, now) for daily in found[:limit]]
    more = len(found) > limit
    return ArchivePage(
        entries,
        Place(entries[-1].date, entries[-1].variant) if more else None,
        chain.head(session, visible),
    )


def published(session: Session, deal_id: str, now: dt.datetime) -> PublishedDeal:
    """A deal that is visible now, with all that is secret of it: for publishing's own eyes.

    Raises `NotVisibleError` and `WithdrawnError`.
    """
    return _standing(once_published(session, deal_id, now))


def opened(session: Session, deal_id: str, now: dt.datetime) -> PublishedDeal:
    """A deal of which nothing is secret any more: a closed daily's, or one to practise.

    Raises `NotVisibleError` and `WithdrawnError`, and `SolutionSealedError` while it is live.
    """
    found = published(session, deal_id, now)
    if found.daily is not None and found.state(now) is not State.CLOSED:
        raise SolutionSealedError(closes_at(found.daily.date))
    return found


def once_published(session: Session, deal_id: str, now: dt.datetime) -> PublishedDeal:
    """Any deal that was published, withdrawn or not: what was stored about it stays.

    Raises `NotVisibleError`.
    """
    found = dailies.dated_deal(session, deal_id, last_visible(now))
    if found is not None:
        return PublishedDeal(found.deal, found.daily)
    # A daily's deal is never one to practise, even if somebody wrote so into the database: of one
    # that is hidden, this finds nothing either.
    practised = practices.deal(session, deal_id)
    if practised is None:
        raise NotVisibleError
    return PublishedDeal(practised, None)


def _standing(found: PublishedDeal) -> PublishedDeal:
    daily = found.daily
    if daily is not None and daily.withdrawn_at is not None:
        raise WithdrawnError(daily.withdrawn_reason or "", daily.withdrawn_at)
    return found


def _seen(found: PublishedDeal, now: dt.datetime) -> VisibleDeal:
    deal, daily = found
    current = found.state(now)
    if daily is None:
        return VisibleDeal(deal.id, deal.variant, None, current, deal.document, deal.redeals == 0)
    shown = (
        deal.document if current is State.CLOSED else live_document(deal.document, daily.redeals)
    )
    return VisibleDeal(deal.id, daily.variant, daily.date, current, shown, deal.redeals == 0)


def live_document(document: Mapping[str, Any], redeals: Redeals) -> dict[str, Any]:
    """What of a whole document may be seen while its daily is live."""
    shown = {key: document[key] for key in _LIVE_KEYS if key in document}
    if redeals is Redeals.SEALED and "redeals" in shown:
        shown["redeals"] = [{"commitment": entry["commitment"]} for entry in shown["redeals"]]
    return shown


def _entry(daily: Daily, now: dt.datetime) -> ArchiveEntry:
    return ArchiveEntry(
        daily.deal_id,
        daily.variant,
        daily.date,
        state(daily.date, now),
        withdrawn=daily.withdrawn_at is not None,
    )
