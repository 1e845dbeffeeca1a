"""Practice: which numbers were asked for, and what came of them."""

import datetime as dt

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from service.store.tables import Deal, Practice


def note(
    session: Session,
    *,
    variant: str,
    number: int,
    deal_id: str | None,
    budget: int,
    solver_version: str,
    searched_at: dt.datetime,
) -> None:
    """Notes what came of a number. A win is final; no win is until somebody finds one."""
    found = {
        "deal_id": deal_id,
        "budget": budget,
        "solver_version": solver_version,
        "searched_at": searched_at,
    }
    insert = (
        sqlite.insert(Practice)
        if session.get_bind().dialect.name == "sqlite"
        else postgresql.insert(Practice)
    ).values(variant=variant, number=number, **found)
    session.execute(
        insert.on_conflict_do_update(
            index_elements=(Practice.variant, Practice.number),
            set_=found,
            where=Practice.deal_id.is_(None),
        )
    )


def get(session: Session, variant: str, number: int) -> Practice | None:
    """What came of a number; None if nobody has asked for it."""
    return session.get(Practice, (variant, number))


def deal(session: Session, deal_id: str) -> Deal | None:
    """A deal by its id, if it is one to practise."""
    return session.scalars(
        select(Deal).join(Practice, Practice.deal_id == Deal.id).where(Deal.id == deal_id)
    ).one_or_none()
