"""Publishing: a date gets the deal that has been in stock longest. What is published is final."""

import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from service.clock import Clock
from service.publishing.calendar import State, state
from service.settings import Redeals
from service.store import dailies, deals
from service.store.database import Database
from service.store.tables import Daily

Mint: TypeAlias = Callable[[str], bool]
"""Puts one deal of a variant into the stock that may be published; False if it gives up."""


class PublishOutcome(StrEnum):
    """What became of a date."""

    PUBLISHED = "published"
    """It got its deal."""
    ALREADY_THERE = "already there"
    """It had one, which stays."""
    WITHDRAWN = "withdrawn"
    """It had one that was withdrawn after the date had begun, so it gets no other."""
    NO_DEAL = "no deal"
    """The stock was empty and minting gave up."""


@dataclass(frozen=True, slots=True)
class PublishedDate:
    """What became of a date. `deal_id` is None where there was no deal."""

    variant: str
    date: dt.date
    deal_id: str | None
    outcome: PublishOutcome


def publish(
    database: Database,
    variant: str,
    dates: Iterable[dt.date],
    *,
    clock: Clock,
    redeals: Redeals,
    max_redeals: int,
    mint: Mint,
) -> list[PublishedDate]:
    """Gives each date its daily, in the order asked for, one transaction a date.

    Only deals whose known win takes at most `max_redeals` are taken; `mint` is called, outside
    any transaction, where the stock has none. Several may publish the same dates at once.
    """
    return [
        publish_date(
            database,
            variant,
            date,
            clock=clock,
            redeals=redeals,
            max_redeals=max_redeals,
            mint=mint,
        )
        for date in dates
    ]


def publish_date(
    database: Database,
    variant: str,
    date: dt.date,
    *,
    clock: Clock,
    redeals: Redeals,
    max_redeals: int,
    mint: Mint,
) -> PublishedDate:
    """Gives one date its daily; see `publish`.

    A daily that was withdrawn is replaced, as long as its date has begun nowhere on earth.
    """
    with database.reading() as session:
        there = dailies.on(session, variant, date)
    if there is not None and not replaceable(there, clock()):
        return _there(there)
    while True:
        claimed, there = _claim(database, variant, date, clock, redeals, max_redeals)
        if claimed is not None:
            return PublishedDate(variant, date, claimed.deal_id, PublishOutcome.PUBLISHED)
        if there is not None:
            return _there(there)
        if not mint(variant):
            return PublishedDate(variant, date, None, PublishOutcome.NO_DEAL)


def replaceable(daily: Daily, now: dt.datetime) -> bool:
    """Whether a daily is withdrawn and its date has begun nowhere, so that it may have another."""
    return daily.withdrawn_at is not None and state(daily.date, now) is State.HIDDEN


def _there(daily: Daily) -> PublishedDate:
    withdrawn = daily.withdrawn_at is not None
    outcome = PublishOutcome.WITHDRAWN if withdrawn else PublishOutcome.ALREADY_THERE
    return PublishedDate(daily.variant, daily.date, daily.deal_id, outcome)


def _claim(
    database: Database,
    variant: str,
    date: dt.date,
    clock: Clock,
    redeals: Redeals,
    max_redeals: int,
) -> tuple[Daily | None, Daily | None]:
    """The daily made now, or else the one that is there; neither where the stock is empty."""
    with database.writing() as session:
        while True:
            # Asked again each time round: another process may have given the date its deal, or
            # the deal another date.
            there = dailies.on(session, variant, date)
            if there is not None and not replaceable(there, clock()):
                return None, there
            deal = deals.oldest_in_stock(session, variant, max_redeals)
            if deal is None:
                return None, None
            claimed = dailies.claim(
                session,
                variant=variant,
                date=date,
                deal_id=deal.id,
                redeals=redeals,
                published_at=clock(),
            )
            if claimed is not None:
                return claimed, None
