"""Hostile input: each is refused with a problem that repeats nothing of it, and breaks nothing."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.api.app import create_app
from service.api.inputs import MAX_MOVES
from service.api.problems import MEDIA_TYPE, Problem
from service.settings import Settings
from service.store.database import Database
from tests.api.client import Client, client_of, problem
from tests.clock import NOON, FakeClock
from tests.databases import SqliteFiles
from tests.deals import publish_deal, won

WIN = won("classic", redeals=2)[0]
ID = WIN.document["seed_commitment"][:20]
LOGS = (f"/v1/deals/{ID}/redeals", f"/v1/deals/{ID}/submissions")
PATHS = (*LOGS, "/v1/verify")


@pytest.fixture(scope="module")
def client(sqlite_files: SqliteFiles) -> Iterator[Client]:
    """A client for the whole module: what is refused leaves nothing behind."""
    with sqlite_files.fresh(migrated=True) as url, Database.open(url) as database:
        clock = FakeClock()
        publish_deal(database, WIN, NOON.date(), clock)
        with client_of(create_app(Settings(rate_limit="off"), database, clock)) as client:
            yield client


def with_moves(path: str, moves: str) -> bytes:
    """A body that holds these moves, whatever text that is."""
    deal = f'"deal": {json.dumps(WIN.document)}, ' if path == "/v1/verify" else ""
    return f'{{{deal}"moves": {moves}}}'.encode("utf-8", "surrogatepass")


def send(client: Client, path: str, body: bytes) -> Any:
    return client.post(path, content=body, headers={"Content-Type": "application/json"})


NOT_JSON = {
    "empty": b"",
    "text": b"SENTINEL",
    "a form": b"moves=SENTINEL",
    "half": b'{"moves": ["SENTINEL"',
    "NaN": b'{"moves": [NaN]}',
    "Infinity": b'{"moves": [-Infinity]}',
    "out of range": b'{"moves": [1e999]}',
    "a huge number": b'{"moves": [' + b"9" * 60_000 + b"]}",
    "a lone surrogate": b'{"moves": ["\\ud800SENTINEL"]}',
    "a raw surrogate": b'{"moves": ["\xed\xa0\x80"]}',
    "a NUL": b'{"moves": ["SENTINEL\\u0000"]}',
    "a raw NUL": b'{"moves": ["SENTINEL\x00"]}',
    "a key twice": b'{"moves": [], "moves": ["SENTINEL"]}',
    "a key of the deal twice": b'{"deal": {"format": 1, "format": 2}, "moves": []}',
    "a byte order mark": b'\xef\xbb\xbf{"moves": []}',
    "UTF-16": '{"moves": ["SENTINEL"]}'.encode("utf-16"),
    "60,000 levels": b"[" * 60_000,
    "20,000 levels of objects": b'{"a":' * 10_000,
    "balanced levels": b'{"moves": ' + b"[" * 30_000 + b"]" * 30_000 + b"}",
}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("body", NOT_JSON.values(), ids=NOT_JSON.keys())
def test_what_is_not_strict_json_is_refused(client: Client, path: str, body: bytes) -> None:
    response = send(client, path, body)
    problem(response, Problem.MALFORMED_JSON)
    assert "SENTINEL" not in response.text
    assert len(response.content) < 1_000


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("size", [65_537, 200_000, 5_000_000])
def test_what_is_too_large_is_refused_unread(client: Client, path: str, size: int) -> None:
    problem(send(client, path, b"[" * size), Problem.BODY_TOO_LARGE)
    chunks = iter([b"[" * 10_000] * (size // 10_000 + 1))
    problem(send(client, path, chunks), Problem.BODY_TOO_LARGE)  # type: ignore[arg-type]


WRONG_MOVES = {
    "null": "null",
    "true": "true",
    "a number": "7",
    "a string": '"a1b2"',
    "an object": '{"a1b2": "a1b2"}',
    "a list in a list": '[["a1b2"]]',
    "numbers": "[1, 2]",
    "booleans": "[true]",
    "nulls": "[null]",
    "an empty token": '["a1b2", ""]',
    "nine letters": '["abcdefghi"]',
    "a space": '["a1 b2"]',
    "a line break at the end": '["a1b2\\n"]',
    "Arabic digits": '["a\u0661b\u0662"]',
    "wide letters": '["\uff41\uff11\uff42\uff12"]',
    "a minus": '["a1-b2"]',
    "a zero-width space": '["a1b2\\u200b"]',
    "markup": '["<b>1</b>"]',
    "one too many": json.dumps(["undo"] * (MAX_MOVES + 1)),
    "all that fit": json.dumps([""] * 12_000, separators=(",", ":")),
}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("moves", WRONG_MOVES.values(), ids=WRONG_MOVES.keys())
def test_what_is_no_log_is_refused(client: Client, path: str, moves: str) -> None:
    response = send(client, path, with_moves(path, moves))
    document = problem(response, Problem.INVALID_REQUEST)
    (error,) = document["errors"]
    assert error["in"] == "body"
    assert error["where"].startswith("/moves")
    assert len(response.content) < 1_000


@pytest.mark.parametrize("path", LOGS)
def test_the_longest_log_is_judged(client: Client, path: str) -> None:
    response = send(client, path, with_moves(path, json.dumps(["undo"] * MAX_MOVES)))
    assert response.status_code in {201, 200, 409}
    assert "nothing-to-undo" in response.text


@pytest.mark.parametrize("path", PATHS)
def test_a_key_that_does_not_belong_is_refused(client: Client, path: str) -> None:
    body = with_moves(path, '[], "SENTINEL": 1')
    response = send(client, path, body)
    (error,) = problem(response, Problem.INVALID_REQUEST)["errors"]
    assert (error["where"], "SENTINEL" in response.text) == ("", False)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("body", [b"null", b"[]", b'"SENTINEL"', b"1", b"true", b"{}"])
def test_what_is_no_object_with_moves_is_refused(client: Client, path: str, body: bytes) -> None:
    response = send(client, path, body)
    problem(response, Problem.INVALID_REQUEST)
    assert "SENTINEL" not in response.text


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats()
    | st.text()
    | st.sampled_from(["gaps-deal/1", "classic", "big-paganini", "2C", "redeal", "0" * 64]),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(
            st.text(max_size=5) | st.sampled_from([*WIN.document, "moves", "deal", "ranks"]),
            inner,
            max_size=6,
        )
    ),
    max_leaves=20,
)


@settings(deadline=None)
@given(body=JSON_VALUES | st.fixed_dictionaries({"deal": JSON_VALUES, "moves": JSON_VALUES}))
def test_any_json_is_answered_and_never_with_a_fault_of_ours(client: Client, body: Any) -> None:
    text = json.dumps(body).encode()
    for path in PATHS:
        response = send(client, path, text)
        assert response.status_code < 500
        if response.status_code >= 400:
            assert response.headers["content-type"] == MEDIA_TYPE


@settings(deadline=None)
@given(key=st.sampled_from(list(WIN.document)), value=JSON_VALUES)
def test_any_damage_to_a_document_is_survived(client: Client, key: str, value: Any) -> None:
    body = json.dumps({"deal": {**WIN.document, key: value}, "moves": WIN.line}).encode()
    response = send(client, "/v1/verify", body)
    assert response.status_code in {200, 400, 422}


@settings(deadline=None)
@given(body=st.binary(max_size=300))
def test_any_bytes_are_refused(client: Client, body: bytes) -> None:
    for path in PATHS:
        assert send(client, path, body).status_code in {400, 422}


@settings(deadline=None)
@given(name=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=50))
def test_any_text_as_a_parameter_is_answered(client: Client, name: str) -> None:
    for parameter in ("variant", "tz", "from", "to", "limit", "cursor", name):
        for path in ("/v1/daily", "/v1/dailies", f"/v1/deals/{ID}"):
            assert client.get(path, params={parameter: name}).status_code in {200, 404, 422}


HEADERS = {
    "If-None-Match": ['"' * 5_000, "*", "W/" * 2_000, "\xff\xfe"],
    "Accept": ["\xff", ",,,;;;", "text/plain;" * 500],
    "X-Request-ID": ["\xff" * 10, "x" * 5_000, "a b"],
    "Origin": ["null", "\xff"],
    "Host": ["", "a b", "[::1", "x" * 5_000],
    "Range": ["bytes=0-0"],
    "Content-Length": ["0"],
    "Expect": ["100-continue"],
    "Cookie": ["a=b; " * 1_000, "\xff"],
}


@pytest.mark.parametrize("name", HEADERS)
def test_no_header_breaks_an_answer(client: Client, name: str) -> None:
    for value in HEADERS[name]:
        response = client.get(f"/v1/deals/{ID}", headers={name.encode(): value.encode("latin-1")})
        assert response.status_code in {200, 304}
