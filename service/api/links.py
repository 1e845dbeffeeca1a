"""Paths on this service, below whatever path a proxy has put it."""

import datetime as dt
from urllib.parse import urlencode

from fastapi import Request

from service.api.schemas import DealLinks


def path(request: Request, below: str, **query: str | int | None) -> str:
    """A path on this service, with the query's parameters that are not None."""
    asked = urlencode({name: value for name, value in query.items() if value is not None}, safe="~")
    root = request.scope.get("root_path", "").rstrip("/")
    return f"{root}{below}?{asked}" if asked else f"{root}{below}"


def of_daily(request: Request, deal_id: str, date: dt.date, variant: str) -> DealLinks:
    """Where to go from a daily."""
    return DealLinks(
        self=path(request, f"/v1/dailies/{date.isoformat()}", variant=variant),
        **_of_deal(request, deal_id),
    )


def of_practice(request: Request, deal_id: str, variant: str, number: int) -> DealLinks:
    """Where to go from a deal to practise."""
    return DealLinks(self=practice(request, variant, number), **_of_deal(request, deal_id))


def practice(request: Request, variant: str, number: int) -> str:
    """The path of a numbered deal."""
    return path(request, f"/v1/practice/{variant}/{number}")


def _of_deal(request: Request, deal_id: str) -> dict[str, str]:
    deal = path(request, f"/v1/deals/{deal_id}")
    return {
        "deal": deal,
        "solution": f"{deal}/solution",
        "bundle": f"{deal}/bundle",
        "redeals": f"{deal}/redeals",
        "submissions": f"{deal}/submissions",
        "stats": f"{deal}/stats",
    }
