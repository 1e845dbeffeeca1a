"""For the operator and the proxy in front: whether the process is alive, and ready."""

import structlog
from fastapi import APIRouter, Response

from service import metrics
from service.api.context import Context, Service
from service.api.openapi import answers
from service.api.problems import Problem, ProblemError
from service.api.route import StrictRoute
from service.api.schemas import Health
from service.publishing import gate
from service.publishing.calendar import today
from service.publishing.supplies import supplies
from service.store.database import DatabaseUnavailableError
from service.store.schema import SchemaState, schema_state

router = APIRouter(tags=["operation"], route_class=StrictRoute)

_log = structlog.get_logger(__name__)

_SCHEMA = {
    SchemaState.EMPTY: "The database is empty: run gaps db upgrade.",
    SchemaState.BEHIND: "The database's schema is behind this program: run gaps db upgrade.",
    SchemaState.AHEAD: "The database's schema is ahead of this program: install a newer one.",
}


@router.get(
    "/healthz",
    operation_id="getHealth",
    summary="Whether the process answers",
    response_model=Health,
    responses=answers(stored=False),
)
async def get_health() -> Health:
    """That the process answers, and nothing more: the database is not asked."""
    return Health()


@router.get(
    "/readyz",
    operation_id="getReadiness",
    summary="Whether the service is ready",
    response_model=Health,
    responses=answers(Problem.NOT_READY, stored=False),
)
def get_readiness(service: Service) -> Health:
    """Whether the database answers, its schema is right, and today has its dailies."""
    reasons = _reasons(service)
    if reasons:
        raise ProblemError(Problem.NOT_READY, reasons[0], reasons=reasons)
    return Health()


@router.get("/metrics", include_in_schema=False)
def get_metrics(service: Service) -> Response:
    """The numbers of all processes that serve together, for Prometheus."""
    numbers = metrics.exposition(
        lambda: supplies(service.database, service.settings, service.clock)
    )
    return Response(numbers, media_type=metrics.CONTENT_TYPE)


def _reasons(service: Context) -> list[str]:
    """What is missing, a sentence each."""
    try:
        state = schema_state(service.database)
        if state is not SchemaState.CURRENT:
            return [_SCHEMA[state]]
        return _missing_dailies(service)
    except DatabaseUnavailableError as error:
        # Where the database is and what its driver says is for the operator, not for strangers.
        _log.warning("not ready", reason=str(error))
        return ["The database cannot be used; the log says why."]


def _missing_dailies(service: Context) -> list[str]:
    now = service.clock()
    date = today(now)
    reasons = []
    with service.database.reading() as session:
        for variant in service.settings.variants:
            try:
                gate.open_daily(session, variant, date, now)
            except gate.WithdrawnError:
                # It is gone on purpose: no other process would have it.
                continue
            except gate.NotVisibleError:
                reasons.append(f"There is no {variant} daily for today, {date.isoformat()}.")
    return reasons
