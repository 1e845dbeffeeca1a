"""What a publisher says of how a deal was made: free-form, and shown to a person."""

import json
import math
from collections.abc import Iterator
from itertools import islice

from .faults import LARGEST_NUMBER, LONGEST_QUOTE, MOST_NAMED, DealFault, pointer, quoted

MOST_NESTED = 16
"""Objects and lists within each other, the provenance itself counted; a reader would be lost."""

_MOST_LINES = 100
_LONGEST_LINE = 160


def provenance_faults(provenance: object) -> Iterator[DealFault]:
    """Yield what is wrong with a provenance as such, whatever stands beside it in the bundle.

    Any parsed JSON value may be given.
    """
    here = pointer("provenance")
    if not isinstance(provenance, dict):
        yield DealFault(here, f"This must be an object, not {quoted(provenance)}.")
        return
    untellable = _untellable(provenance, here, 1)
    yield from islice(untellable, MOST_NAMED)
    # Not counted: a Python user's value that holds itself has more than can be gone through.
    if next(untellable, None):
        yield DealFault(here, f"There is more at fault in it than the {MOST_NAMED} places named.")


def shown(provenance: dict[str, object]) -> list[str]:
    """Return the lines of text that show a good provenance: JSON in printable ASCII, cut short."""
    # In parts, and no more of them than are shown: indented, a large one is many times as large.
    parts, ends = [], 0
    for part in json.JSONEncoder(indent=2).iterencode(provenance):
        parts.append(part)
        ends += part.count("\n")
        if ends >= _MOST_LINES:
            break
    lines = "".join(parts).split("\n")
    if len(lines) > _MOST_LINES:
        lines[_MOST_LINES:] = ["... and more lines"]
    return [line if len(line) <= _LONGEST_LINE else line[:_LONGEST_LINE] + "..." for line in lines]


def _untellable(value: object, where: str, depth: int) -> Iterator[DealFault]:
    """Yield what within a value cannot be shown to a person, or written as JSON again."""
    if isinstance(value, dict | list):
        if depth > MOST_NESTED:
            yield DealFault(where, f"No more than {MOST_NESTED} lists and objects may be nested.")
            return
        yield from _within(value, where, depth)
    elif isinstance(value, str):
        if not _is_text(value):
            yield DealFault(where, f"{quoted(value)} has half of a surrogate pair in it.")
    elif isinstance(value, float):
        if not math.isfinite(value):
            yield DealFault(where, "This number is out of range.")
    elif isinstance(value, int):
        if abs(value) >= LARGEST_NUMBER:
            yield DealFault(where, f"This number is too large; {LARGEST_NUMBER - 1} is not.")
    elif value is not None:
        yield DealFault(where, "This is not JSON.")


def _within(
    value: dict[object, object] | list[object], where: str, depth: int
) -> Iterator[DealFault]:
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _untellable(item, where + pointer(index), depth + 1)
        return
    for key, item in value.items():
        if not isinstance(key, str):
            yield DealFault(where, "A key that is no string is not JSON.")
            continue
        if not _is_text(key):
            yield DealFault(where, f"The key {quoted(key)} has half of a surrogate pair in it.")
        # As elsewhere, what is too long to be quoted is not put in a pointer.
        inside = where + pointer(key) if len(key) <= LONGEST_QUOTE else where
        yield from _untellable(item, inside, depth + 1)


def _is_text(value: str) -> bool:
    """Tell whether a string can be written as UTF-8: it has no half of a surrogate pair."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
