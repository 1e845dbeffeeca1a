"""Verified deals, and the stock: those that no date has yet and nobody practises."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, exists, func, select
from sqlalchemy.orm import Session

from service.store.identity import deal_id, layout_digest
from service.store.once import insert_once
from service.store.tables import Daily, Deal, Practice


@dataclass(frozen=True, slots=True, kw_only=True)
class MintedDeal:
    """A deal that the solver won and the checker replayed, with how it was found.

    `document` has everything open, its seed too. `verdict` is the checker's on `line`, as JSON:
    legal and won. `positions` and `budget` count positions, `seconds` is the search's time.
    """

    document: Mapping[str, Any]
    line: Sequence[str]
    verdict: Mapping[str, Any]
    positions: int
    budget: int
    solver_version: str
    seconds: float
    minted_at: dt.datetime


def add(session: Session, minted: MintedDeal) -> Deal | None:
    """Puts a deal into the stock; None if its seed or its layout is stored already.

    Raises `ValueError` for a line that the verdict does not call legal and won.
    """
    if not (minted.verdict["legal"] and minted.verdict["won"]):
        raise ValueError(f"the line of deal {deal_id(minted.document)} is not a checked win")
    return insert_once(
        session,
        Deal,
        {
            "id": deal_id(minted.document),
            "variant": minted.document["variant"],
            "seed": minted.document["seed"],
            "layout_digest": layout_digest(minted.document["layout"]),
            "document": dict(minted.document),
            "line": list(minted.line),
            "verdict": dict(minted.verdict),
            "slides": minted.verdict["slides"],
            "redeals": minted.verdict["redeals"],
            "positions": minted.positions,
            "budget": minted.budget,
            "solver_version": minted.solver_version,
            "seconds": minted.seconds,
            "minted_at": minted.minted_at,
        },
    )


def get(session: Session, deal: str) -> Deal | None:
    """The deal of an id, whether anybody may see it or not."""
    return session.get(Deal, deal)


def stock(session: Session, variant: str, max_redeals: int | None = None) -> int:
    """How many deals of a variant no date has yet, whose line takes at most so many redeals."""
    waiting = _in_stock(variant, max_redeals).with_only_columns(func.count(Deal.id))
    return session.execute(waiting).scalar_one()


def oldest_in_stock(session: Session, variant: str, max_redeals: int | None = None) -> Deal | None:
    """The deal that has waited longest, among those `stock` counts."""
    waiting = _in_stock(variant, max_redeals).order_by(Deal.minted_at, Deal.id).limit(1)
    return session.scalars(waiting).one_or_none()


def ids(session: Session) -> Sequence[str]:
    """The ids of all deals, in order."""
    return session.scalars(select(Deal.id).order_by(Deal.id)).all()


def _in_stock(variant: str, max_redeals: int | None) -> Select[Deal]:
    taken = exists().where(Daily.deal_id == Deal.id)
    practised = exists().where(Practice.deal_id == Deal.id)
    waiting = select(Deal).where(Deal.variant == variant, ~taken, ~practised)
    return waiting if max_redeals is None else waiting.where(Deal.redeals <= max_redeals)
