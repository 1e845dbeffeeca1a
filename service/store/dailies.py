"""Dailies: which deal a variant has on a date. The database holds that there is one."""

import datetime as dt
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from service.settings import Redeals
from service.store.once import insert_once
from service.store.tables import Daily, Deal


class DatedDeal(NamedTuple):
    """A daily with its deal."""

    daily: Daily
    deal: Deal


class Place(NamedTuple):
    """A daily's place in the archive: newest date first, variants by name within a date."""

    date: dt.date
    variant: str


_DATED_DEALS = select(Daily, Deal).join(Deal, Deal.id == Daily.deal_id)


def claim(
    session: Session,
    *,
    variant: str,
    date: dt.date,
    deal_id: str,
    redeals: Redeals,
    published_at: dt.datetime,
) -> Daily | None:
    """Gives a date its deal; None if the date has one, or the deal has a date, already."""
    return insert_once(
        session,
        Daily,
        {
            "variant": variant,
            "date": date,
            "deal_id": deal_id,
            "redeals": redeals,
            "published_at": published_at,
        },
    )


def on(session: Session, variant: str, date: dt.date) -> Daily | None:
    """The daily of a variant and a date."""
    return session.scalars(
        select(Daily).where(Daily.date == date, Daily.variant == variant)
    ).one_or_none()


def deal_on(session: Session, variant: str, date: dt.date) -> DatedDeal | None:
    """The daily of a variant and a date, with its deal, in one query."""
    row = session.execute(
        _DATED_DEALS.where(Daily.date == date, Daily.variant == variant)
    ).one_or_none()
    return None if row is None else DatedDeal(*row)


def dated_deal(session: Session, deal_id: str, last: dt.date) -> DatedDeal | None:
    """The daily that a deal is, with the deal, in one query; None if it has no date to `last`.

    A deal of a later date costs what one that does not exist costs: nothing of it is read.
    """
    row = session.execute(
        _DATED_DEALS.where(Daily.deal_id == deal_id, Daily.date <= last)
    ).one_or_none()
    return None if row is None else DatedDeal(*row)


def publications(session: Session, variant: str) -> dict[dt.date, dt.datetime]:
    """All dates that have a daily of this variant, with the instants they were published."""
    rows = session.execute(
        select(Daily.date, Daily.published_at).where(Daily.variant == variant).order_by(Daily.date)
    )
    return {row.date: row.published_at for row in rows}


def page(
    session: Session,
    *,
    limit: int,
    variant: str | None = None,
    first: dt.date | None = None,
    last: dt.date | None = None,
    after: Place | None = None,
) -> Sequence[Daily]:
    """At most `limit` dailies, newest first, of dates from `first` to `last`, both counted.

    `after` is the place of the last one on the page before. Who may see them is not asked here.
    """
    wanted = select(Daily).order_by(Daily.date.desc(), Daily.variant).limit(limit)
    if variant is not None:
        wanted = wanted.where(Daily.variant == variant)
    if first is not None:
        wanted = wanted.where(Daily.date >= first)
    if last is not None:
        wanted = wanted.where(Daily.date <= last)
    if after is not None:
        wanted = wanted.where(
            or_(
                Daily.date < after.date,
                and_(Daily.date == after.date, Daily.variant > after.variant),
            )
        )
    return session.scalars(wanted).all()


def every(session: Session) -> Sequence[Daily]:
    """All dailies, in the order of their dates."""
    return session.scalars(select(Daily).order_by(Daily.date, Daily.variant)).all()


def ids(session: Session) -> Sequence[int]:
    """The ids of all dailies, in the order they were published."""
    return session.scalars(select(Daily.id).order_by(Daily.id)).all()
