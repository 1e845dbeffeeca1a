"""Bundles: a deal, the line that wins it and where it comes from, in one file for a doubter.

Source: docs/rules.md, section 8.
"""

import datetime as dt
from typing import Any, Final

from sqlalchemy.orm import Session

from service.clock import written
from service.publishing import gate
from service.publishing.gate import PublishedDeal
from service.store import practices

FORMAT: Final = "gaps-bundle/1"


def bundle(session: Session, deal_id: str, now: dt.datetime) -> dict[str, Any]:
    """The bundle of a deal whose solution is open, as JSON; it never changes.

    Raises what `gate.solution` raises.
    """
    found = gate.opened(session, deal_id, now)
    number = practices.number(session, deal_id) if found.daily is None else None
    return {
        "format": FORMAT,
        "document": found.deal.document,
        "line": found.deal.line,
        "provenance": _provenance(found, number),
    }


def _provenance(found: PublishedDeal, number: int | None) -> dict[str, Any]:
    """What is stored of how a deal was made and published; of one to practise with its number.

    Nothing of the program that answers: with its next version the bundle would be another one.
    """
    deal, daily = found
    return {
        "solver_version": deal.solver_version,
        "budget": deal.budget,
        "positions": deal.positions,
        "moves": deal.slides + deal.redeals,
        "redeals": deal.redeals,
        "minted_at": written(deal.minted_at),
        "variant": deal.variant,
        "number": number,
        "date": None if daily is None else daily.date.isoformat(),
        "published_at": None if daily is None else written(daily.published_at),
    }
