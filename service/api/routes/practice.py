"""Practice: numbered deals to play besides the daily, as many as anybody likes."""

import secrets
from functools import partial
from typing import Final

from fastapi import APIRouter, Request, Response

from service.api import links, views
from service.api.answers import CLOSED_DATE, json_answer
from service.api.context import Service
from service.api.inputs import NumberPath, VariantPath
from service.api.openapi import answers, cached
from service.api.problems import Problem, ProblemError
from service.api.route import StrictRoute
from service.api.schemas import Practice
from service.publishing import gate
from service.publishing.practice import BusyError, NoWinError

router = APIRouter(tags=["practice"], route_class=StrictRoute)

CHOICES: Final = 1_000_000
"""How many numbers a number is chosen from."""
BUSY_SECONDS: Final = 3
"""When to ask again while searches are under way: most of them take less than one."""


@router.get(
    "/v1/practice/{variant}",
    operation_id="choosePractice",
    summary="A deal to practise",
    status_code=307,
    response_class=Response,
    response_model=None,
    responses={
        307: {
            "description": "To a deal that was won.",
            "headers": {
                "Location": {
                    "description": "The path of a numbered deal.",
                    "schema": {"type": "string", "format": "uri-reference"},
                }
            },
        },
        **answers(Problem.PRACTICE_NOT_WON, Problem.TOO_MANY_REQUESTS, Problem.BUSY),
    },
)
def choose_practice(request: Request, service: Service, variant: VariantPath) -> Response:
    """Leads to a numbered deal of the service's choice, another one each time."""
    spend = partial(service.limiter.spend, request)
    try:
        number = service.practice.won_from(variant, secrets.randbelow(CHOICES), spend)
    except BusyError:
        raise _busy() from None
    except NoWinError:
        raise ProblemError(
            Problem.PRACTICE_NOT_WON, "Of the numbers that were tried none was won; ask again."
        ) from None
    return Response(status_code=307, headers={"Location": links.practice(request, variant, number)})


@router.get(
    "/v1/practice/{variant}/{number}",
    operation_id="getPractice",
    summary="A numbered deal",
    response_model=Practice,
    responses=cached(answers(Problem.PRACTICE_NOT_WON, Problem.TOO_MANY_REQUESTS, Problem.BUSY)),
)
def get_practice(
    request: Request, service: Service, variant: VariantPath, number: NumberPath
) -> Response:
    """The deal of a number, the same for everybody, won by a solver when it was first asked for.

    It is open from the start, orders, seed and winning line, and never a daily. By its id it takes
    logs and has statistics as dailies have.
    """
    spend = partial(service.limiter.spend, request)
    try:
        deal_id = service.practice.deal_id(variant, number, spend)
    except BusyError:
        raise _busy() from None
    except NoWinError as lost:
        following = lost.following
        raise ProblemError(
            Problem.PRACTICE_NOT_WON,
            "The search for a win of this deal ended without one.",
            next=None if following is None else links.practice(request, variant, following),
        ) from None
    with service.database.reading() as session:
        deal = gate.open_deal(session, deal_id, service.clock())
    return json_answer(request, views.practice(request, deal, number), CLOSED_DATE)


def _busy() -> ProblemError:
    return ProblemError(
        Problem.BUSY,
        "Others are waiting for searches; try again in a moment.",
        headers={"Retry-After": str(BUSY_SECONDS)},
    )
