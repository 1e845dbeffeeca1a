"""The archive's cursors: after which daily a page begins. Opaque to clients, plain to read here."""

from typing import Final

from service.game.variants import VARIANTS
from service.publishing.calendar import parse_date
from service.store.dailies import Place

_BETWEEN: Final = "~"


def cursor(place: Place) -> str:
    """The cursor of the page that begins after a place. The inverse of `parse_cursor`."""
    return f"{place.date.isoformat()}{_BETWEEN}{place.variant}"


def parse_cursor(text: str) -> Place:
    """The place a cursor stands for; the inverse of `cursor`. Raises `ValueError`."""
    date, _, variant = text.partition(_BETWEEN)
    if variant not in VARIANTS:
        raise ValueError("this is no cursor")
    return Place(parse_date(date), variant)
