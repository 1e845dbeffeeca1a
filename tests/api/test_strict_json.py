"""JSON is read in the one way that everybody reads it, or not at all."""

import contextlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.api.strict_json import DEPTH, DIGITS, StrictJsonError, parse_json

ORDINARY = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**DIGITS) + 1, 10**DIGITS - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)

REFUSED = {
    "nothing": b"",
    "white space": b" \n",
    "half": b'{"moves": ["a1b2"',
    "two values": b"{} {}",
    "a trailing comma": b"[1,]",
    "single quotes": b"{'moves': []}",
    "a comment": b"[] // none",
    "NaN": b"[NaN]",
    "Infinity": b"[Infinity]",
    "-Infinity": b"[-Infinity]",
    "a fraction out of range": b"[1e999]",
    "a whole number out of range": b"[" + b"9" * (DIGITS + 1) + b"]",
    "ten thousand digits": b"[" + b"9" * 10_000 + b"]",
    "a key twice": b'{"moves": [], "moves": ["a1b2"]}',
    "a key twice, once escaped": b'{"moves": [], "\\u006doves": []}',
    "a key twice, deep": b'{"deal": {"a": 1, "a": 1}}',
    "a lone surrogate": b'["\\ud800"]',
    "a lone low surrogate": b'["\\udc00"]',
    "a lone surrogate in a key": b'{"\\ud800": 1}',
    "an escaped NUL": b'["a\\u0000b"]',
    "a bare NUL": b'["a\x00b"]',
    "a bare control character": b'["a\nb"]',
    "a byte order mark": b"\xef\xbb\xbf{}",
    "UTF-16": '{"moves": []}'.encode("utf-16"),
    "Latin-1": b'["\xe9"]',
    "an encoded surrogate": b'["\xed\xa0\x80"]',
    "an overlong encoding": b'["\xc0\xaf"]',
    "lists too deep": b"[" * (DEPTH + 1) + b"]" * (DEPTH + 1),
    "objects too deep": b'{"a":' * (DEPTH + 1) + b"1" + b"}" * (DEPTH + 1),
    "200,000 levels": b"[" * 200_000,
    "200,000 closed levels": b"[" * 200_000 + b"]" * 200_000,
}


@settings(deadline=None)
@given(ORDINARY)
def test_ordinary_json_is_read_as_python_reads_it(value: object) -> None:
    for ascii_only in (True, False):
        assert parse_json(json.dumps(value, ensure_ascii=ascii_only).encode()) == value


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED.keys())
def test_what_could_be_misread_is_refused(body: bytes) -> None:
    with pytest.raises(StrictJsonError) as refused:
        parse_json(body)
    assert str(refused.value).endswith(".")


def test_depth_is_allowed_up_to_its_limit() -> None:
    assert parse_json(b"[" * DEPTH + b"]" * DEPTH) is not None


def test_a_surrogate_pair_is_a_character() -> None:
    assert parse_json(b'["\\ud83c\\udca1"]') == ["\N{PLAYING CARD ACE OF SPADES}"]


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    with contextlib.suppress(StrictJsonError):
        parse_json(body)
