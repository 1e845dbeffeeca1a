"""Good documents that tests spoil, and the means to."""

import copy
from typing import Any

from .build import Document, by_hand, numbered, sealed, without_seed

NOTHING = object()
OTHER_HEX = "0123456789abcdef" * 4


def put(document: Document, where: str, value: object) -> Document:
    """Return a copy with the value at a place (a JSON Pointer), or with nothing there."""
    changed = copy.deepcopy(document)
    *steps, last = where[1:].split("/")
    place: Any = changed
    for step in steps:
        place = place[int(step) if isinstance(place, list) else step]
    key: Any = int(last) if isinstance(place, list) else last
    if value is NOTHING:
        del place[key]
    elif isinstance(place, list) and key == len(place):
        place.append(value)
    else:
        place[key] = value
    return changed


def swap(document: Document, one: str, other: str) -> Document:
    """Return a copy with the values at two places exchanged."""
    return put(put(document, one, get(document, other)), other, get(document, one))


def get(document: Document, where: str) -> Any:
    value: Any = document
    for step in where[1:].split("/"):
        value = value[int(step) if isinstance(value, list) else step]
    return value


OPEN = numbered("classic", 1)
NO_SEED = without_seed(OPEN)
SEALED = sealed(OPEN)
SMALL = by_hand(
    "classic",
    4,
    "2C 3C -- 4H\n2D 3D 4D --\n2H -- 3S 4S\n2S 3H 4C --",
    "4C 3C 4D 2C 2D 2H 3D 3H 4H 2S 3S 4S",
    "4C 3C 4D 2C 2D 2H 3D 3H 4H 2S 3S 4S",
)
BLUE = by_hand(
    "blue-moon",
    3,
    "AC 2C -- 3D\nAD 2D 3C --\nAH -- 2S 3H\nAS 3S 2H --",
    "2C 2D 2H 2S 3C 3D 3H 3S",
    "2C 2D 2H 2S 3C 3D 3H 3S",
)
RED = {
    **BLUE,
    "variant": "red-moon",
    "layout": [
        ["AC", None, "2C", "3D"],
        ["AD", None, "2D", "3C"],
        ["AH", None, "2S", "3H"],
        ["AS", None, "2H", "3S"],
    ],
}
TWO_PACKS = without_seed(numbered("big-paganini", 2))
ONE_DEAL = by_hand("one-deal", 4, "2C 3C -- 4H\n2D 3D 4D --\n2H -- 3S 4S\n2S 3H 4C --")
