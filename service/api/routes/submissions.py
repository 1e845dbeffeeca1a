"""Submissions: move logs for published deals, each stored once with its verdict."""

from typing import Final

from fastapi import APIRouter, Request, Response

from service.api import links, views
from service.api.answers import JSON, fresh, json_answer
from service.api.context import Service
from service.api.inputs import (
    NO_DEAL,
    NO_SUBMISSION,
    ArrivalFilter,
    DealId,
    Log,
    OptionalPlayerHeader,
    SubmissionId,
)
from service.api.openapi import answers, cached
from service.api.problems import Problem, ProblemError
from service.api.route import StrictRoute
from service.api.schemas import Statistics, Submission
from service.publishing import gate, verdicts
from service.publishing.statistics import statistics

router = APIRouter(tags=["verdicts"], route_class=StrictRoute)

STATISTICS_SECONDS: Final = 10
"""How long statistics stay fresh: whoever has just won wants to find the win in them."""


@router.post(
    "/v1/deals/{id}/submissions",
    operation_id="submitLog",
    summary="Submit a move log",
    status_code=201,
    response_model=Submission,
    responses={
        200: {"model": Submission, "description": "This very log was submitted before."},
        201: {
            "description": "The log is new.",
            "headers": {
                "Location": {
                    "description": "Where the submission is.",
                    "schema": {"type": "string", "format": "uri-reference"},
                }
            },
        },
        **answers(Problem.DEAL_NOT_FOUND, body=True),
    },
)
def submit_log(
    request: Request,
    service: Service,
    deal_id: DealId,
    log: Log,
    player: OptionalPlayerHeader = None,
) -> Response:
    """A verdict on a log, replayed by the checker and stored.

    The same log for the same deal is one submission, however often it is sent. A log that is not
    legal gets a verdict as well, which says where and why.
    """
    try:
        stored, created = verdicts.submit(
            service.published, deal_id, log.moves, service.clock, player
        )
    except gate.NotVisibleError:
        raise ProblemError(Problem.DEAL_NOT_FOUND, NO_DEAL) from None
    return Response(
        views.submission(stored).model_dump_json(),
        status_code=201 if created else 200,
        headers={"Location": links.path(request, f"/v1/submissions/{stored.id}")},
        media_type=JSON,
    )


@router.get(
    "/v1/submissions/{id}",
    operation_id="getSubmission",
    summary="A submission",
    response_model=Submission,
    responses=cached(answers(Problem.SUBMISSION_NOT_FOUND)),
)
def get_submission(request: Request, service: Service, submission_id: SubmissionId) -> Response:
    """A stored verdict again, by the submission's id."""
    try:
        with service.database.reading() as session:
            stored = verdicts.submission(session, submission_id, service.clock())
    except gate.NotVisibleError:
        raise ProblemError(Problem.SUBMISSION_NOT_FOUND, NO_SUBMISSION) from None
    return json_answer(request, views.submission(stored), fresh())


@router.get(
    "/v1/deals/{id}/stats",
    operation_id="getStatistics",
    summary="How submissions went",
    response_model=Statistics,
    responses=cached(answers(Problem.DEAL_NOT_FOUND)),
)
def get_statistics(
    request: Request, service: Service, deal_id: DealId, arrival: ArrivalFilter = None
) -> Response:
    """The submissions of a deal in numbers: wins by redeals used, the best, how far logs came."""
    try:
        with service.database.reading() as session:
            found = statistics(session, deal_id, service.clock(), arrival)
    except gate.NotVisibleError:
        raise ProblemError(Problem.DEAL_NOT_FOUND, NO_DEAL) from None
    return json_answer(request, views.statistics(deal_id, found), fresh(STATISTICS_SECONDS))
