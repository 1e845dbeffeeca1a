"""Deals by their id: the document, its solution once that is open, and redeals as they come due."""

import datetime as dt
from collections.abc import Callable
from typing import TypeVar

from fastapi import APIRouter, Request, Response
from sqlalchemy.orm import Session

from service.api import views
from service.api.answers import (
    FIXED,
    JSON,
    TEXT,
    answer,
    compact,
    fresh_until,
    json_answer,
)
from service.api.context import Context, Service
from service.api.inputs import NO_DEAL, DealId, Log
from service.api.negotiation import wishes
from service.api.openapi import answers, cached
from service.api.problems import Problem, ProblemError
from service.api.route import StrictRoute
from service.api.schemas import Bundle, DealDocument, DueRedeal, Solution
from service.clock import written
from service.publishing import gate, verdicts
from service.publishing.bundles import bundle
from service.publishing.calendar import State, closes_at

router = APIRouter(tags=["deals"], route_class=StrictRoute)

T = TypeVar("T")


@router.get(
    "/v1/deals/{id}",
    operation_id="getDeal",
    summary="A deal document",
    response_model=DealDocument,
    responses=cached(answers(Problem.DEAL_NOT_FOUND)),
)
def get_deal(request: Request, service: Service, deal_id: DealId) -> Response:
    """The document of a published deal, for `gaps-check` and any other reader of gaps-deal/1.

    While the daily is live it holds commitments; once closed it holds orders, salts and the seed.
    """
    now = service.clock()
    try:
        with service.database.reading() as session:
            deal = gate.open_deal(session, deal_id, now)
    except gate.NotVisibleError:
        raise ProblemError(Problem.DEAL_NOT_FOUND, NO_DEAL) from None
    if deal.date is None or deal.state is State.CLOSED:
        cache = FIXED
    else:
        cache = fresh_until(closes_at(deal.date), now)
    return answer(request, compact(deal.document), JSON, cache)


@router.get(
    "/v1/deals/{id}/solution",
    operation_id="getSolution",
    summary="The winning line",
    response_model=Solution,
    responses=cached(answers(Problem.DEAL_NOT_FOUND, Problem.SOLUTION_SEALED)),
)
def get_solution(request: Request, service: Service, deal_id: DealId) -> Response:
    """The line with which the deal was won before it was published, once its daily has closed.

    With `Accept: text/plain` the bare log, for `gaps-check`.
    """
    solution = _opened(service, gate.solution, deal_id)
    vary = {"Vary": "Accept"}
    if wishes(request.scope).text:
        return answer(request, f"{' '.join(solution.line)}\n".encode(), TEXT, FIXED, vary)
    return json_answer(request, views.solution(solution), FIXED, vary)


@router.get(
    "/v1/deals/{id}/bundle",
    operation_id="getBundle",
    summary="Deal, winning line and provenance in one file",
    response_model=Bundle,
    responses=cached(answers(Problem.DEAL_NOT_FOUND, Problem.SOLUTION_SEALED)),
)
def get_bundle(request: Request, service: Service, deal_id: DealId) -> Response:
    """All that it takes to check a win without this service, once the daily has closed.

    `gaps-check bundle.json`, or `python3 checker.pyz bundle.json`, says what is so. What the
    provenance says of the search is this service's word.
    """
    return answer(request, compact(_opened(service, bundle, deal_id)), JSON, FIXED)


@router.post(
    "/v1/deals/{id}/redeals",
    operation_id="getRedeal",
    summary="The redeal that is due",
    response_model=DueRedeal,
    responses=answers(Problem.DEAL_NOT_FOUND, Problem.REDEAL_NOT_DUE, body=True),
)
def get_redeal(service: Service, deal_id: DealId, log: Log) -> DueRedeal:
    """The next redeal after a log, if one is due there, and the board after it.

    Order and salt can be checked against the commitment in the deal document. Nothing is stored.
    """
    try:
        due = verdicts.next_redeal(service.published, deal_id, log.moves, service.clock)
    except gate.NotVisibleError:
        raise ProblemError(Problem.DEAL_NOT_FOUND, NO_DEAL) from None
    except verdicts.NoRedealDueError as refused:
        raise ProblemError(
            Problem.REDEAL_NOT_DUE,
            "The log is not legal; fault says where and why."
            if refused.in_log
            else "The log is legal, but no redeal may follow it; fault says why.",
            fault=views.log_fault(refused.fault),
        ) from None
    return views.redeal(due)


def _opened(service: Context, look: Callable[[Session, str, dt.datetime], T], deal_id: str) -> T:
    """What is shown of a deal once its solution is open; until then a problem says when."""
    try:
        with service.database.reading() as session:
            return look(session, deal_id, service.clock())
    except gate.NotVisibleError:
        raise ProblemError(Problem.DEAL_NOT_FOUND, NO_DEAL) from None
    except gate.SolutionSealedError as sealed:
        raise ProblemError(
            Problem.SOLUTION_SEALED,
            "The daily is live; available_at says when its solution opens.",
            available_at=written(sealed.opens_at),
        ) from None
