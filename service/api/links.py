"""Paths on this service, below whatever path a proxy has put it."""

import datetime as dt
from urllib.parse import urlencode

from fastapi import Request

from service.api.schemas import DailyLinks


def path(request: Request, below: str, **query: str | int | None) -> str:
    """A path on this service, with the query's parameters that are not None."""
    asked = urlencode({name: value for name, value in query.items() if value is not None}, safe="~")
    root = request.scope.get("root_path", "").rstrip("/")
    return f"{root}{below}?{asked}" if asked else f"{root}{below}"


def of_daily(request: Request, deal_id: str, date: dt.date, variant: str) -> DailyLinks:
    """Where to go from a daily."""
    deal = path(request, f"/v1/deals/{deal_id}")
    return DailyLinks(
        self=path(request, f"/v1/dailies/{date.isoformat()}", variant=variant),
        deal=deal,
        solution=f"{deal}/solution",
        redeals=f"{deal}/redeals",
        submissions=f"{deal}/submissions",
        stats=f"{deal}/stats",
    )
