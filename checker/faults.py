"""What is wrong with a document or bundle, and how its values and places are named to a person."""

import json
import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice

LONGEST_QUOTE = 40
"""Characters of a string that are quoted; a fault never repeats a large input."""

LARGEST_NUMBER = 2**63
"""Numbers from here on are described, not quoted."""

MOST_NAMED = 20
"""Faults that are named where an input could have any number of one kind."""


@dataclass(frozen=True)
class DealFault:
    """One fault of a deal document, or of a bundle."""

    where: str
    """A JSON Pointer (RFC 6901) into what was given; empty for the whole of it."""
    message: str
    """What is wrong there and what should be there instead."""

    def as_json(self) -> dict[str, str]:
        """Return the fault as a JSON object."""
        return {"where": self.where, "message": self.message}


class RefusedDeal(ValueError):  # noqa: N818 - it is the deal that is refused
    """A document or bundle that is not good; `faults` has every reason, at least one."""

    def __init__(self, faults: list[DealFault]) -> None:
        first = faults[0]
        others = f" ({len(faults) - 1} more)" if len(faults) > 1 else ""
        super().__init__(f"{first.where or 'the document'}: {first.message}{others}")
        self.faults = faults


def pointer(*steps: str | int) -> str:
    """Return the JSON Pointer that goes down by these keys and indexes."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def unknown_keys(
    parent: str, given: Collection[str], known: tuple[str, ...]
) -> Iterator[DealFault]:
    """Yield the faults of the keys that do not belong in the object at `parent`.

    Beyond MOST_NAMED of them they are counted, in one more fault for the object.
    """
    unknown = (key for key in given if key not in known)
    for key in islice(unknown, MOST_NAMED):
        yield unknown_key(parent, key, known)
    more = sum(1 for _ in unknown)
    if more:
        message = f"The {MOST_NAMED} keys that are named and {more} more do not belong here."
        yield DealFault(parent, message)


def unknown_key(parent: str, key: str, known: tuple[str, ...]) -> DealFault:
    """Return the fault of a key that does not belong in the object at `parent`.

    A key too long to be quoted whole is not put in the pointer either; its object is.
    """
    where = parent + pointer(key) if len(key) <= LONGEST_QUOTE else parent
    return DealFault(
        where, f"{quoted(key)} is no key that belongs here; known are {', '.join(known)}."
    )


def quoted(value: object) -> str:
    """Return a value as a person should see it, in ASCII and never long.

    Strings and small numbers are written as JSON, strings cut; anything else is described.
    """
    short = in_short(value)
    if isinstance(value, str) or short is value:
        return json.dumps(short)
    return str(short)


def in_short(value: object) -> str | int | float | bool | None:
    """Return something small, and good as JSON, that stands for any parsed JSON value.

    A short string, a number of ordinary size, true, false and null stand for themselves. A long
    string is cut; of anything else its kind is told.
    """
    if isinstance(value, str):
        return value if len(value) <= LONGEST_QUOTE else value[:LONGEST_QUOTE] + "…"
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < LARGEST_NUMBER else "a huge number"
    if isinstance(value, float):
        return value if math.isfinite(value) else "a number out of range"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return f"an object of {len(value)}"
    return "a value that is not JSON"
