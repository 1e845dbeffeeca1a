"""JSON as strictly as a stranger's must be read: one reading for everybody, or none.

RFC 8259 leaves open what a key that stands twice means, and Python reads more than JSON. Whatever
two readers could understand in two ways is refused here, and whatever a database cannot hold.
"""

import json
import math
import re
from collections.abc import Iterable
from typing import Any, Final

DEPTH: Final = 16
"""How deep values may lie in one another; a deal in a request lies five deep."""
DIGITS: Final = 18
"""How many digits a whole number may have, so that 64 bits hold it."""

_SURROGATE_OR_NUL: Final = re.compile("[\0\ud800-\udfff]")


class StrictJsonError(ValueError):
    """A text that is refused; the message says why, and repeats nothing of the text."""


def parse_json(body: bytes) -> Any:
    """The value a body of JSON stands for.

    Raises `StrictJsonError` for what is not UTF-8 or not JSON, for a byte order mark, a key twice
    in one object, NaN, Infinity, a number out of range, a lone surrogate or NUL in a string, and
    for more than `DEPTH` levels.
    """
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise StrictJsonError(f"The body is not UTF-8 at byte {error.start}.") from None
    if text.startswith("\ufeff"):
        raise StrictJsonError("The body begins with a byte order mark; leave it out.")
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise StrictJsonError(
            f"The body is not JSON at line {error.lineno}, column {error.colno}."
        ) from None
    except RecursionError:
        raise StrictJsonError(_TOO_DEEP) from None
    # Only an escape can bring in a surrogate or a NUL: bare ones do not decode, or are no JSON.
    _look_through(value, strings="\\u" in text)
    return value


_TOO_DEEP: Final = f"The body's values lie in one another more than {DEPTH} levels deep."


def _look_through(value: Any, *, strings: bool) -> None:
    """Refuses what lies too deep and, if asked to look at `strings`, what none may hold."""
    level = [value]
    for _ in range(DEPTH + 1):
        containers = [part for part in level if isinstance(part, dict | list)]
        if strings and any(isinstance(p, str) and _SURROGATE_OR_NUL.search(p) for p in level):
            raise StrictJsonError("A string holds a lone surrogate or a NUL.")
        if not containers:
            return
        level = [part for container in containers for part in _parts(container, keys=strings)]
    raise StrictJsonError(_TOO_DEEP)


def _parts(container: dict[str, Any] | list[Any], *, keys: bool) -> Iterable[Any]:
    if isinstance(container, list):
        return container
    return [*container, *container.values()] if keys else container.values()


def _object(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in pairs:
        if key in members:
            raise StrictJsonError("An object has a key twice.")
        members[key] = value
    return members


def _whole(digits: str) -> int:
    if len(digits.lstrip("-")) > DIGITS:
        raise StrictJsonError(f"A whole number has more than {DIGITS} digits.")
    return int(digits)


def _fraction(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise StrictJsonError("A number is out of range.")
    return number


def _no_number(_: str) -> None:
    raise StrictJsonError("NaN and Infinity are not JSON.")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_whole, parse_float=_fraction, parse_constant=_no_number
)
