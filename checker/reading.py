"""Reads a document or a log from a file, and says in a sentence why one cannot be read."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from .faults import quoted
from .streams import read_all

LARGEST = 16 * 2**20
"""Bytes; no deal and no log that anybody plays comes near."""

Value = TypeVar("Value")

_MOST_DIGITS = 100
_WHITE_SPACE = " \t\n\r\f\v"
_BYTE_ORDER_MARK = "\ufeff"


class Unreadable(Exception):  # noqa: N818 - it is a verdict on the input
    """Something that is not the text or the JSON it should be; the message is a sentence."""


def read_document(name: str) -> object:
    """Return the JSON value in a file (`-`: standard input), whichever of the two it is."""
    return _reading("deal document or bundle", name, parse_json)


def read_log(name: str) -> list[object]:
    """Return the tokens of a log in a file (`-`: standard input)."""
    return _reading("log", name, parse_log)


def parse_log(text: str) -> list[object]:
    """Return the tokens of a log: a JSON list, or a text that ASCII white space separates."""
    if not text.lstrip(_WHITE_SPACE).startswith("["):
        return list(re.findall(f"[^{_WHITE_SPACE}]+", text))
    tokens: list[object] = parse_json(text)
    return tokens


def parse_json(text: str) -> Any:
    """Return the value of a JSON text; Unreadable where it is not JSON or has a key twice."""
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_whole_number,
            parse_constant=_no_constant,
        )
    except json.JSONDecodeError as error:
        # Some of Python's messages end as if the place came next.
        what = error.msg.removesuffix(" at")
        place = f"line {error.lineno}, column {error.colno}"
        raise Unreadable(f"it is not JSON ({what} at {place})") from None
    except RecursionError:
        raise Unreadable("its lists or objects are nested too deeply") from None


def _reading(what: str, name: str, parse: Callable[[str], Value]) -> Value:
    place = "from standard input" if name == "-" else json.dumps(name)
    try:
        return parse(_text(name))
    except Unreadable as error:
        raise Unreadable(f"Cannot read the {what} {place}: {error}.") from None


def _text(name: str) -> str:
    try:
        data = _bytes(name)
    except OSError as error:
        raise Unreadable(error.strerror or "it cannot be opened") from None
    if len(data) > LARGEST:
        raise Unreadable(f"it has more than {LARGEST} bytes")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(f"it is not UTF-8 (at byte {error.start})") from None
    if text.startswith(_BYTE_ORDER_MARK):
        raise Unreadable("it starts with a byte order mark; save it as UTF-8 without one")
    return text


def _bytes(name: str) -> bytes:
    """Return what a file holds, but little more than shows that it is too large."""
    if name == "-":
        if sys.stdin is None or sys.stdin.closed:
            raise Unreadable("it is closed")
        return read_all(sys.stdin.buffer, LARGEST)
    try:
        with Path(name).open("rb") as file:
            return read_all(file, LARGEST)
    except ValueError:
        raise Unreadable("it is no file name") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for key, item in pairs:
        if key in value:
            raise Unreadable(f"the key {quoted(key)} is twice in one object")
        value[key] = item
    return value


def _whole_number(digits: str) -> int:
    # Python refuses to read numbers of some length, and the length is a setting.
    count = len(digits.removeprefix("-"))
    if count > _MOST_DIGITS:
        raise Unreadable(f"it has a number of {count} digits")
    return int(digits)


def _no_constant(name: str) -> NoReturn:
    raise Unreadable(f"{name} is not JSON")
