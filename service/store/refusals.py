"""Deals kept aside, because the checker refused what the solver called a win."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from service.store.identity import deal_id
from service.store.tables import Refusal


def add(
    session: Session,
    *,
    document: Mapping[str, Any],
    line: Sequence[str],
    reason: Mapping[str, Any],
    solver_version: str,
    refused_at: dt.datetime,
) -> Refusal:
    """Keeps a deal aside with its line and the checker's reason, as JSON."""
    refusal = Refusal(
        deal_id=deal_id(document),
        variant=document["variant"],
        document=dict(document),
        line=list(line),
        reason=dict(reason),
        solver_version=solver_version,
        refused_at=refused_at,
    )
    session.add(refusal)
    session.flush()
    return refusal


def every(session: Session) -> Sequence[Refusal]:
    """All refusals, oldest first."""
    return session.scalars(select(Refusal).order_by(Refusal.id)).all()


def count(session: Session) -> int:
    """How many refusals there are."""
    return session.execute(select(func.count(Refusal.id))).scalar_one()


def ids(session: Session) -> Sequence[int]:
    """The ids of all refusals, oldest first."""
    return session.scalars(select(Refusal.id).order_by(Refusal.id)).all()
