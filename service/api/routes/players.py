"""Players: what the logs that came with one token have come to."""

from fastapi import APIRouter

from service.api import views
from service.api.context import Service
from service.api.inputs import PlayerHeader, VariantParam
from service.api.openapi import answers
from service.api.route import StrictRoute
from service.api.schemas import Record
from service.publishing.record import record

router = APIRouter(tags=["players"], route_class=StrictRoute)


@router.get(
    "/v1/record",
    operation_id="getRecord",
    summary="A player's record",
    response_model=Record,
    responses=answers(),
)
def get_record(service: Service, player: PlayerHeader, variant: VariantParam = None) -> Record:
    """The record of whoever sent logs with this token, on the dailies of one variant.

    It is never cached. A token that is new has a record too, with nothing in it.
    """
    with service.database.reading() as session:
        found = record(session, player, variant or service.settings.variants[0], service.clock())
    return views.record(found)
