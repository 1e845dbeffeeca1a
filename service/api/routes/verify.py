"""Verdicts on any deal document, stored nowhere."""

from fastapi import APIRouter

from service.api import views
from service.api.inputs import Claim
from service.api.openapi import answers
from service.api.problems import Problem, ProblemError
from service.api.route import StrictRoute
from service.api.schemas import Verdict
from service.publishing import verdicts

router = APIRouter(tags=["verdicts"], route_class=StrictRoute)

MAX_FAULTS = 100
"""How many faults of one document are listed."""


@router.post(
    "/v1/verify",
    operation_id="verifyLog",
    summary="A verdict on any deal",
    response_model=Verdict,
    responses=answers(Problem.DEAL_REFUSED, stored=False, body=True),
)
def verify_log(claim: Claim) -> Verdict:
    """What the checker says of a log and the deal document that comes with it."""
    try:
        verdict = verdicts.verify(claim.deal, claim.moves)
    except verdicts.RefusedDocumentError as refused:
        raise ProblemError(
            Problem.DEAL_REFUSED,
            "The deal document is refused; faults says where and why.",
            faults=[views.document_fault(fault) for fault in refused.faults[:MAX_FAULTS]],
        ) from None
    return Verdict(**verdict.as_json())
