"""Documents for both readings: of every kind, and damaged ones."""

import copy
from dataclasses import replace
from random import Random
from typing import Any

from service.game.deal import Deal, Redeal
from service.game.document import document

VALUES: list[Any] = [
    None, True, 0, 3, 13, 3.0, "", "2C", "2C'", "AS", "0" * 32, "0" * 64, "classic", "gathered",
    "big-paganini", "gaps-deal/1", [], {}, [[]], [None] * 13, {"order": []},
    {"commitment": "0" * 64},
]  # fmt: skip


def of_any_kind(deal: Deal, random: Random) -> dict[str, Any]:
    """A deal's document with its seed or without, and each redeal open, sealed or made by hand."""
    if random.random() < 0.4:
        return document(deal)
    if random.random() < 0.3:
        return document(deal.sealed())
    redeals = tuple(
        random.choice([redeal, redeal.seal(), Redeal(order=redeal.order)])
        for redeal in deal.redeals
    )
    kept = deal if random.random() < 0.4 else deal.without_seed()
    return document(replace(kept, redeals=redeals))


def damage(value: Any, random: Random) -> Any:
    """A document with one place of it changed, left out, doubled or swapped with another."""
    if not isinstance(value, (dict, list)) or not value or random.random() < 0.15:
        return copy.deepcopy(random.choice(VALUES))
    keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = random.choice(keys)
    kind = random.random()
    if kind < 0.6:
        value[key] = damage(value[key], random)
    elif kind < 0.7:
        del value[key]
    elif kind < 0.8 and isinstance(value, list):
        value.insert(key, value[random.choice(keys)])
    elif kind < 0.8 and isinstance(value, dict):
        value["more"] = value[key]
    else:
        other = random.choice(keys)
        value[key], value[other] = value[other], value[key]
    return value
