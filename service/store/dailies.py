"""Dailies: which deal a variant has on a date. The database holds that there is one.

Of a date whose dailies were withdrawn and replaced, the one published last stands for it.
"""

import datetime as dt
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import and_, bindparam, exists, or_, select
from sqlalchemy.orm import Session, aliased

from service.settings import Redeals
from service.store import chain
from service.store.once import insert_once
from service.store.tables import Daily, Deal, LinkKind


class DatedDeal(NamedTuple):
    """A daily with its deal."""

    daily: Daily
    deal: Deal


class Place(NamedTuple):
    """A daily's place in the archive: newest date first, variants by name within a date."""

    date: dt.date
    variant: str


class Publication(NamedTuple):
    """When the daily that stands for a date was published, and whether it is withdrawn."""

    published_at: dt.datetime
    withdrawn: bool


# These are asked all the time, and making a statement takes longer than running it.
_DATED_DEALS = select(Daily, Deal).join(Deal, Deal.id == Daily.deal_id)
_DEAL_ON = (
    _DATED_DEALS.where(Daily.date == bindparam("date"), Daily.variant == bindparam("variant"))
    .order_by(Daily.id.desc())
    .limit(1)
)
_DATED_DEAL = _DATED_DEALS.where(
    Daily.deal_id == bindparam("deal"), Daily.date <= bindparam("last")
)


def claim(
    session: Session,
    *,
    variant: str,
    date: dt.date,
    deal_id: str,
    redeals: Redeals,
    published_at: dt.datetime,
) -> Daily | None:
    """Gives a date its deal, as a link of the chain.

    None if the date has a daily that is not withdrawn, or the deal has, or had, a date already.
    """
    chain.lock(session)
    daily = insert_once(
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
    if daily is not None:
        chain.append(session, LinkKind.PUBLISHED, daily)
    return daily


def withdraw(
    session: Session, variant: str, date: dt.date, *, reason: str, withdrawn_at: dt.datetime
) -> tuple[Daily | None, bool]:
    """Withdraws the daily of a date, as a link of the chain; answers it, and whether it did so.

    One that is withdrawn already stays as it is.
    """
    chain.lock(session)
    daily = on(session, variant, date)
    if daily is None or daily.withdrawn_at is not None:
        return daily, False
    daily.withdrawn_at = withdrawn_at
    daily.withdrawn_reason = reason
    session.flush()
    chain.append(session, LinkKind.WITHDRAWN, daily)
    return daily, True


def on(session: Session, variant: str, date: dt.date) -> Daily | None:
    """The daily of a variant and a date, withdrawn or not."""
    return session.scalars(
        select(Daily)
        .where(Daily.date == date, Daily.variant == variant)
        .order_by(Daily.id.desc())
        .limit(1)
    ).one_or_none()


def deal_on(session: Session, variant: str, date: dt.date) -> DatedDeal | None:
    """The daily of a variant and a date, with its deal, in one query."""
    row = session.execute(_DEAL_ON, {"date": date, "variant": variant}).one_or_none()
    return None if row is None else DatedDeal(*row)


def dated_deal(session: Session, deal_id: str, last: dt.date) -> DatedDeal | None:
    """The daily that a deal is, with the deal, in one query; None if it has no date to `last`.

    A deal of a later date costs what one that does not exist costs: nothing of it is read.
    """
    row = session.execute(_DATED_DEAL, {"deal": deal_id, "last": last}).one_or_none()
    return None if row is None else DatedDeal(*row)


def publications(session: Session, variant: str) -> dict[dt.date, Publication]:
    """All dates that have a daily of this variant, withdrawn or not."""
    rows = session.execute(
        select(Daily.date, Daily.published_at, Daily.withdrawn_at)
        .where(Daily.variant == variant)
        .order_by(Daily.date, Daily.id)
    )
    return {
        row.date: Publication(row.published_at, withdrawn=row.withdrawn_at is not None)
        for row in rows
    }


def page(
    session: Session,
    *,
    limit: int,
    variant: str | None = None,
    first: dt.date | None = None,
    last: dt.date | None = None,
    after: Place | None = None,
    replaced: bool = False,
) -> Sequence[Daily]:
    """At most `limit` dailies, newest first, of dates from `first` to `last`, both counted.

    `after` is the place of the last one on the page before; `replaced` asks for those, too, that
    no longer stand for their date. Who may see them is not asked here.
    """
    wanted = select(Daily).order_by(Daily.date.desc(), Daily.variant, Daily.id.desc()).limit(limit)
    if not replaced:
        later = aliased(Daily)
        wanted = wanted.where(
            ~exists().where(
                later.date == Daily.date, later.variant == Daily.variant, later.id > Daily.id
            )
        )
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
    """All dailies, those withdrawn too, in the order of their dates."""
    return session.scalars(select(Daily).order_by(Daily.date, Daily.variant, Daily.id)).all()


def ids(session: Session) -> Sequence[int]:
    """The ids of all dailies, in the order they were published."""
    return session.scalars(select(Daily.id).order_by(Daily.id)).all()


def dates(session: Session, variant: str, first: dt.date, last: dt.date) -> Sequence[dt.date]:
    """The dates from `first` to `last` that have a daily of a variant which is not withdrawn."""
    return session.scalars(
        select(Daily.date)
        .where(Daily.variant == variant, Daily.date >= first, Daily.date <= last)
        .where(Daily.withdrawn_at.is_(None))
        .order_by(Daily.date)
    ).all()
