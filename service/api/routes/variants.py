"""The table of variants."""

from typing import Literal

from fastapi import APIRouter, Request, Response

from service.api.answers import fresh, json_answer
from service.api.context import Service
from service.api.openapi import answers, cached
from service.api.route import StrictRoute
from service.api.schemas import VariantRules, Variants
from service.game.variants import VARIANTS, Variant, rules

router = APIRouter(tags=["reference"], route_class=StrictRoute)


@router.get(
    "/v1/variants",
    operation_id="listVariants",
    summary="The table of variants",
    response_model=Variants,
    responses=cached(answers(stored=False)),
)
async def list_variants(request: Request, service: Service) -> Response:
    """All variants of the game, with their rules, and which of them have a daily here."""
    rows = [_row(variant, service.settings.variants) for variant in VARIANTS.values()]
    return json_answer(request, Variants(variants=rows), fresh())


def _row(variant: Variant, dailies: tuple[str, ...]) -> VariantRules:
    game = rules(variant.name)
    redealt = variant.redeals != 0
    allowed: Literal["when stuck", "at any time"] = (
        "when stuck" if variant.when_stuck else "at any time"
    )
    return VariantRules(
        name=variant.name,
        packs=variant.packs,
        rows=game.rows,
        columns=game.columns,
        aces=variant.aces.value,
        redeals=variant.redeals,
        redeal_allowed=allowed if redealt else None,
        order=variant.order.value if redealt else None,
        gaps=variant.gaps.value if redealt else None,
        also_known_as=list(variant.also_known_as),
        daily=variant.name in dailies,
    )
