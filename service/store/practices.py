"""Practice: which numbers were asked for, and what came of them."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, exists, not_, select
from sqlalchemy.orm import Session

from service.store.once import insert_into
from service.store.tables import Daily, Deal, Practice


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
    _put(session, variant, number, found)


def claim(
    session: Session,
    *,
    variant: str,
    number: int,
    budget: int,
    solver_version: str,
    now: dt.datetime,
    lease: dt.timedelta,
) -> bool:
    """Has others leave the search for a number to the caller; False where there is none to make.

    That is where another has claimed it within the `lease`, before now or (by a clock that is
    ahead) after, or where it is known already what so large a search comes to. A claim is a note
    of a search that might visit nothing: until it is replaced or released nothing is known.
    """
    claimed = {
        "deal_id": None,
        "budget": 0,
        "solver_version": solver_version,
        "searched_at": now,
    }
    under_way = and_(Practice.budget == 0, Practice.searched_at.between(now - lease, now + lease))
    known = and_(Practice.budget == budget, Practice.solver_version == solver_version)
    return _put(session, variant, number, claimed, and_(not_(under_way), not_(known)))


def _put(
    session: Session,
    variant: str,
    number: int,
    values: Mapping[str, Any],
    where: ColumnElement[bool] | None = None,
) -> bool:
    """Writes what is said of a number, in place of what is there but for a win; whether it did."""
    open_still = Practice.deal_id.is_(None)
    insert = insert_into(session.get_bind().dialect.name, Practice)
    made = session.execute(
        insert.values(variant=variant, number=number, **values)
        .on_conflict_do_update(
            index_elements=(Practice.variant, Practice.number),
            set_=values,
            where=open_still if where is None else and_(open_still, where),
        )
        .returning(Practice.number)
    )
    return made.first() is not None


def release(session: Session, variant: str, number: int) -> None:
    """Takes a claim back, if there is one."""
    session.execute(
        delete(Practice).where(
            Practice.variant == variant,
            Practice.number == number,
            Practice.deal_id.is_(None),
            Practice.budget == 0,
        )
    )


def get(session: Session, variant: str, number: int) -> Practice | None:
    """What came of a number; None if nobody has asked for it."""
    return session.get(Practice, (variant, number))


def deal(session: Session, deal_id: str) -> Deal | None:
    """A deal by its id, if it is one to practise; None for a daily's, whatever a number says.

    One of a daily costs what one that does not exist costs: nothing of it is read.
    """
    return session.scalars(
        select(Deal)
        .join(Practice, Practice.deal_id == Deal.id)
        .where(Deal.id == deal_id, ~exists().where(Daily.deal_id == Deal.id))
    ).one_or_none()


def number(session: Session, deal_id: str) -> int | None:
    """The number that a deal to practise has; None for any other deal."""
    return session.scalar(select(Practice.number).where(Practice.deal_id == deal_id))
