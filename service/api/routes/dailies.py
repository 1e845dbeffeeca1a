"""Today's daily, the daily of a date, and the archive of all that may be seen."""

import datetime as dt
from collections.abc import Iterator
from typing import Final
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from service.api import links, views
from service.api.answers import CLOSED_DATE, fresh, fresh_until, json_answer, stream
from service.api.context import Context, Service
from service.api.cursor import cursor, parse_cursor
from service.api.inputs import (
    MAX_PAGE,
    CursorParam,
    DatePath,
    FromParam,
    LimitParam,
    ToParam,
    VariantFilter,
    VariantParam,
    ZoneParam,
)
from service.api.openapi import answers, cached
from service.api.problems import Problem, ProblemError
from service.api.route import StrictRoute
from service.api.schemas import Archive, Daily
from service.clock import written
from service.publishing import gate
from service.publishing.calendar import State, closes_at, ends_at, today
from service.store.dailies import Place

router = APIRouter(tags=["dailies"], route_class=StrictRoute)

UTC: Final = ZoneInfo("UTC")
NDJSON: Final = "application/x-ndjson"
PAGE: Final = 30
"""How many dailies a page of the archive has, unless asked otherwise."""
PAGE_SECONDS: Final = 60
"""How long a page of the archive stays fresh: its first one grows, and states change."""


@router.get(
    "/v1/daily",
    operation_id="getToday",
    summary="Today's daily",
    response_model=Daily,
    responses=cached(answers(Problem.DAILY_NOT_FOUND)),
)
def get_today(
    request: Request, service: Service, variant: VariantParam = None, tz: ZoneParam = UTC
) -> Response:
    """The daily of today, in UTC or in the time zone asked for."""
    now = service.clock()
    date = today(now, tz)
    daily = _daily(service, variant, date, now)
    cache = fresh_until(min(ends_at(date, tz), closes_at(date)), now)
    return json_answer(request, views.daily(request, daily, date), cache)


@router.get(
    "/v1/dailies",
    operation_id="listDailies",
    summary="The archive",
    response_model=Archive,
    responses=cached(answers()),
)
def list_dailies(
    request: Request,
    service: Service,
    variant: VariantFilter = None,
    first: FromParam = None,
    last: ToParam = None,
    limit: LimitParam = PAGE,
    after: CursorParam = None,
) -> Response:
    """All dailies whose date has begun somewhere on earth, newest first, a page at a time.

    Those that were withdrawn are among them, with that state.
    The path of the next page is in `next` and in the `Link` header.
    """
    with service.database.reading() as session:
        page = gate.archive(
            session,
            service.clock(),
            limit=limit,
            variant=variant,
            first=first,
            last=last,
            after=None if after is None else parse_cursor(after),
        )
    asked = {"variant": variant, "from": _written(first), "to": _written(last)}
    following = page.next and links.path(
        request, "/v1/dailies", **asked, limit=limit, cursor=cursor(page.next)
    )
    related = {"alternate": links.path(request, "/v1/dailies.ndjson", **asked)}
    if after is not None:
        related["first"] = links.path(request, "/v1/dailies", **asked, limit=limit)
    if following:
        related["next"] = following
    entries = [views.summary(request, entry) for entry in page.entries]
    return json_answer(
        request,
        Archive(dailies=entries, next=following, head=page.head),
        fresh(PAGE_SECONDS),
        {"Link": ", ".join(f'<{target}>; rel="{rel}"' for rel, target in related.items())},
    )


@router.get(
    "/v1/dailies.ndjson",
    operation_id="streamDailies",
    summary="The archive, whole",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "A daily a line, without its deal: a `DailySummary` each.",
            "content": {NDJSON: {"schema": {"type": "string"}}},
        },
        **answers(),
    },
)
def stream_dailies(
    request: Request,
    service: Service,
    variant: VariantFilter = None,
    first: FromParam = None,
    last: ToParam = None,
) -> Response:
    """All dailies that `/v1/dailies` has, newest first, as lines of JSON, as they come."""
    # What is visible is decided once, for all pages.
    lines = _lines(request, service, service.clock(), variant, first, last)
    return stream(request, lines, NDJSON, fresh(PAGE_SECONDS))


@router.get(
    "/v1/dailies/{date}",
    operation_id="getDaily",
    summary="The daily of a date",
    response_model=Daily,
    responses=cached(answers(Problem.DAILY_NOT_FOUND)),
)
def get_daily(
    request: Request, service: Service, date: DatePath, variant: VariantParam = None
) -> Response:
    """The daily of a date that has begun somewhere on earth."""
    now = service.clock()
    daily = _daily(service, variant, date, now)
    closed = daily.state is State.CLOSED
    cache = CLOSED_DATE if closed else fresh_until(closes_at(date), now)
    return json_answer(request, views.daily(request, daily, date), cache)


def _daily(
    service: Context, variant: str | None, date: dt.date, now: dt.datetime
) -> gate.VisibleDeal:
    try:
        with service.database.reading() as session:
            return gate.open_daily(session, variant or service.settings.variants[0], date, now)
    except gate.NotVisibleError as hidden:
        # The same words for a date to come and for one that has no daily: the first may have one.
        later = hidden.available_at
        raise ProblemError(
            Problem.DAILY_NOT_FOUND,
            "No daily of this variant that may be seen has that date.",
            available_at=None if later is None else written(later),
        ) from None


def _lines(
    request: Request,
    service: Context,
    now: dt.datetime,
    variant: str | None,
    first: dt.date | None,
    last: dt.date | None,
) -> Iterator[bytes]:
    """The archive a page at a time: no transaction lasts as long as a slow client reads."""
    after: Place | None = None
    while True:
        with service.database.reading() as session:
            page = gate.archive(
                session,
                now,
                limit=MAX_PAGE,
                variant=variant,
                first=first,
                last=last,
                after=after,
            )
        yield b"".join(
            views.summary(request, entry).model_dump_json().encode() + b"\n"
            for entry in page.entries
        )
        after = page.next
        if after is None:
            return


def _written(date: dt.date | None) -> str | None:
    return None if date is None else date.isoformat()
