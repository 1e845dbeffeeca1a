"""The chain: each thing that happens to a daily gets a link, which hangs on the link before.

Whoever changes a daily, its deal or an earlier link afterwards would have to change every link
since, and the heads that others have noted are still there to tell.
"""

import datetime as dt
from typing import Final

from sqlalchemy import exists, select, text
from sqlalchemy.orm import Session

from service.store.identity import NO_LINK, deal_digest, published_link, withdrawn_link
from service.store.tables import Daily, Deal, Link, LinkKind

LOCK: Final = 0x676C696E6B
"""The key of PostgreSQL's advisory lock under which one appends at a time ("glink")."""


def lock(session: Session) -> None:
    """Lets one transaction at a time append, from here to its end.

    Call it before anything is written: a transaction that waits for the lock with rows in hand
    could be waited for by the one that holds it. On SQLite there is one writer at a time anyway.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})


def append(session: Session, kind: LinkKind, daily: Daily) -> Link:
    """The new end of the chain, about a daily. The transaction must hold the `lock`."""
    last = session.execute(
        select(Link.position, Link.digest).order_by(Link.position.desc()).limit(1)
    ).one_or_none()
    position, previous = (0, NO_LINK) if last is None else last
    deal = session.get_one(Deal, daily.deal_id)
    digest = digest_of(kind, previous, daily, deal_digest(deal.document, deal.line))
    link = Link(position=position + 1, kind=kind, daily_id=daily.id, digest=digest)
    session.add(link)
    session.flush()
    return link


def digest_of(kind: LinkKind, previous: str, daily: Daily, content: str) -> str:
    """The digest that a link about a daily has after the link whose digest is `previous`.

    `content` is the `service.store.identity.deal_digest` of its deal. Raises `ValueError` for the
    withdrawal of a daily that is not withdrawn.
    """
    if kind is LinkKind.PUBLISHED:
        return published_link(
            previous,
            variant=daily.variant,
            date=daily.date,
            deal=daily.deal_id,
            redeals=daily.redeals.value,
            published_at=daily.published_at,
            content=content,
        )
    if daily.withdrawn_at is None or daily.withdrawn_reason is None:
        raise ValueError(f"the daily {daily.id} is not withdrawn")
    return withdrawn_link(
        previous,
        variant=daily.variant,
        date=daily.date,
        deal=daily.deal_id,
        withdrawn_at=daily.withdrawn_at,
        reason=daily.withdrawn_reason,
        content=content,
    )


def head(session: Session, last: dt.date | None = None) -> str | None:
    """The digest of the newest link about a daily of a date up to `last`; None if there is none.

    Without `last`, the end of the whole chain.
    """
    newest = select(Link.digest).order_by(Link.position.desc()).limit(1)
    if last is not None:
        newest = newest.join(Daily, Daily.id == Link.daily_id).where(Daily.date <= last)
    return session.scalars(newest).one_or_none()


def has(session: Session, digest: str) -> bool:
    """Whether a link has this digest."""
    return session.execute(select(exists().where(Link.digest == digest))).scalar_one()
