"""Reconciling: the database is looked at, and the dates that should have a daily get theirs."""

import datetime as dt
from collections.abc import Callable

from sqlalchemy.orm import Session

from service.clock import Clock
from service.publishing.calendar import State, closes_at, first_live, state, today
from service.publishing.publish import Mint, PublishedDate, PublishOutcome, publish_date
from service.settings import Settings
from service.store import dailies
from service.store.database import Database

_DAY = dt.timedelta(days=1)


def missing(session: Session, variant: str, now: dt.datetime, horizon_days: int) -> list[dt.date]:
    """The dates that should have a daily of a variant and have none, in order.

    That is every date from the first that had its daily in time on, and at least from the first
    that is still today anywhere, to `horizon_days` after today in UTC. A date whose daily was
    withdrawn is among them as long as it has begun nowhere.
    """
    there = dailies.publications(session, variant)
    # A daily that an operator published for a date long closed is no sign that the service ran
    # then; the years from there to here were not missed.
    in_time = [date for date, daily in there.items() if daily.published_at < closes_at(date)]
    final = {
        date
        for date, daily in there.items()
        if not (daily.withdrawn and state(date, now) is State.HIDDEN)
    }
    first = min([first_live(now), *in_time])
    days = (_last(now, horizon_days) - first).days + 1
    return [date for day in range(days) if (date := first + day * _DAY) not in final]


def reconcile(
    database: Database,
    settings: Settings,
    clock: Clock,
    mint: Mint,
    *,
    on_published: Callable[[PublishedDate], None] = lambda published: None,
    stopped: Callable[[], bool] = lambda: False,
) -> list[PublishedDate]:
    """Publishes every date that should have a daily, in every variant of the settings, in order.

    Safe to run at any time, twice at once, and again after it was killed. A variant whose minting
    gives up is left for the next time, so that its dates never come out of order.
    """
    now = clock()
    with database.reading() as session:
        wanted = sorted(
            (date, variant)
            for variant in settings.variants
            for date in missing(session, variant, now, settings.horizon_days)
        )
    done: list[PublishedDate] = []
    given_up: set[str] = set()
    for date, variant in wanted:
        # Minting takes its time, and a clock that had jumped ahead may have been put right.
        if stopped() or date > _last(clock(), settings.horizon_days):
            break
        if variant in given_up:
            continue
        published = publish_date(
            database,
            variant,
            date,
            clock=clock,
            redeals=settings.redeals,
            max_redeals=settings.max_redeals(variant),
            mint=mint,
        )
        if published.outcome is PublishOutcome.NO_DEAL:
            given_up.add(variant)
        done.append(published)
        on_published(published)
    return done


def _last(now: dt.datetime, horizon_days: int) -> dt.date:
    return today(now) + horizon_days * _DAY
