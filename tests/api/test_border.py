"""What every answer has in common, shown on an application of a few routes."""

import contextlib
import logging
from collections.abc import Iterator
from typing import Annotated, Any

import httpx
import pytest
from fastapi import APIRouter, FastAPI, Query, Request, Response
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from service.api import handlers
from service.api.answers import answer
from service.api.border import Border
from service.api.problems import Problem, ProblemError
from service.api.route import MAX_BODY_BYTES, StrictRoute, check_media_type
from service.store.database import DatabaseUnavailableError
from tests.api.client import Client, client_of, problem

router = APIRouter(route_class=StrictRoute)


class Word(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    word: str


@router.get("/word")
def read(request: Request, more: Annotated[str, Query()] = "") -> Response:
    return answer(request, b"a word" + more.encode(), "text/plain", "no-cache")


@router.post("/word")
def write(word: Word) -> Word:
    return word


@router.get("/broken")
def broken() -> Response:
    raise LookupError("a secret of the service's own")


@router.get("/gone")
def gone() -> Response:
    raise DatabaseUnavailableError("The database at a secret place cannot be used.")


def post(client: Client, content: Any, headers: dict[Any, Any] | None = None) -> httpx.Response:
    sent = {b"Content-Type": b"application/json", **(headers or {})}
    return client.post("/word", content=content, headers=sent)


@pytest.fixture
def client() -> Iterator[Client]:
    app = FastAPI(openapi_url=None, redirect_slashes=False)
    app.add_middleware(Border)
    handlers.install(app)
    app.include_router(router)
    with client_of(app) as client:
        yield client


@pytest.mark.parametrize("path", ["/word", "/nowhere", "/gone", "/broken"])
def test_every_answer_has_the_common_headers(client: Client, path: str) -> None:
    headers = client.get(path).headers
    assert headers["access-control-allow-origin"] == "*"
    assert "ETag" in headers["access-control-expose-headers"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert len(headers["x-request-id"]) == 16


def test_a_decent_request_id_is_kept_and_any_other_replaced(client: Client) -> None:
    def sent(name: str) -> str:
        return client.get("/word", headers={"X-Request-ID": name}).headers["x-request-id"]

    assert sent("proxy-4711.a") == "proxy-4711.a"
    for indecent in ("short", "x" * 65, "with a space", "<script>alert</script>"):
        assert sent(indecent) != indecent


@pytest.mark.parametrize("path", ["/word", "/word?more=s", "/nowhere", "/gone", "/broken"])
def test_head_answers_as_get_does_without_a_body(client: Client, path: str) -> None:
    got, asked = client.get(path), client.head(path)
    assert asked.status_code == got.status_code
    assert asked.content == b""
    same = ("content-type", "content-length", "etag", "cache-control")
    assert [asked.headers.get(name) for name in same] == [got.headers.get(name) for name in same]


def test_a_preflight_is_allowed_for_everybody(client: Client) -> None:
    response = client.request(
        "OPTIONS",
        "/word",
        headers={"Origin": "https://a.example", "Access-Control-Request-Method": "POST"},
    )
    assert response.status_code == 204
    assert response.headers["access-control-allow-origin"] == "*"
    assert "POST" in response.headers["access-control-allow-methods"]
    assert "Content-Type" in response.headers["access-control-allow-headers"]
    assert "access-control-allow-credentials" not in response.headers


def test_options_tells_the_methods(client: Client) -> None:
    response = client.request("OPTIONS", "/broken")
    assert response.status_code == 204
    assert response.headers["allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize("method", ["DELETE", "PUT", "PATCH", "TRACE", "BREW"])
def test_another_method_is_told_those_that_there_are(client: Client, method: str) -> None:
    response = client.request(method, "/broken")
    problem(response, Problem.METHOD_NOT_ALLOWED)
    assert response.headers["allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize("path", ["/nowhere", "/word/", "//word", "/%00", "/%ff%fe", "/word%2F"])
def test_an_unknown_path_is_a_problem(client: Client, path: str) -> None:
    problem(client.get(path), Problem.NOT_FOUND)


def test_a_fault_of_the_service_is_told_to_the_log_alone(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        response = client.get("/broken")
    problem(response, Problem.INTERNAL_ERROR)
    assert "secret" not in response.text
    assert "a secret of the service's own" in caplog.text
    assert response.headers["x-request-id"] in caplog.text


def test_a_database_that_is_gone_asks_for_patience(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    response = client.get("/gone")
    problem(response, Problem.DATABASE_UNAVAILABLE)
    assert int(response.headers["retry-after"]) > 0
    assert "secret" not in response.text
    assert "The database at a secret place cannot be used." in caplog.text


@settings(deadline=None)
@given(media_type=st.from_regex(r"application/json;? ?[ -~]*", fullmatch=True) | st.text())
def test_any_media_type_is_understood_or_refused(media_type: str) -> None:
    encoded = media_type.encode("utf-8", "surrogatepass")
    scope = {"type": "http", "headers": [(b"content-type", encoded)]}
    with contextlib.suppress(ProblemError):
        check_media_type(Request(scope))


@pytest.mark.parametrize(
    "asked",
    ["{tag}", "W/{tag}", '"other", {tag}', '"a,b",{tag}', "*", ' {tag} ,"other"', '"", W/{tag}'],
)
def test_if_none_match_in_all_its_forms(client: Client, asked: str) -> None:
    first = client.get("/word")
    tag = first.headers["etag"]
    assert tag.startswith('"')
    again = client.get("/word", headers={"If-None-Match": asked.format(tag=tag)})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == tag
    assert again.headers["cache-control"] == first.headers["cache-control"]


def test_if_none_match_on_several_lines(client: Client) -> None:
    tag = client.get("/word").headers["etag"]
    lines = [("If-None-Match", '"other"'), ("If-None-Match", tag)]
    assert client.get("/word", headers=lines).status_code == 304


@pytest.mark.parametrize("asked", ['"other"', "{bare}", "", ",", '"', "W/", "**"])
def test_what_is_not_this_tag_gets_the_body(client: Client, asked: str) -> None:
    bare = client.get("/word").headers["etag"].strip('"')
    response = client.get("/word", headers={"If-None-Match": asked.format(bare=bare)})
    assert (response.status_code, response.text) == (200, "a word")


def test_unknown_and_repeated_parameters_are_refused(client: Client) -> None:
    unknown = problem(client.get("/word?more=s&SENTINEL=1"), Problem.INVALID_REQUEST)
    assert "this call takes more" in unknown["detail"]
    assert "SENTINEL" not in str(unknown)
    twice = problem(client.get("/word?more=s&more=t"), Problem.INVALID_REQUEST)
    assert twice["errors"] == [
        {"in": "query", "where": "more", "message": "This parameter is there more than once."}
    ]
    none = problem(client.get("/gone?SENTINEL"), Problem.INVALID_REQUEST)
    assert none["detail"].endswith("this call takes none.")


@pytest.mark.parametrize(
    "headers",
    [
        {b"Content-Type": b"text/plain"},
        {b"Content-Type": b"application/x-www-form-urlencoded"},
        {b"Content-Type": b"application/problem+json"},
        {b"Content-Type": b""},
        {b"Content-Type": b"application/json; charset=utf-16"},
        {b"Content-Encoding": b"gzip"},
    ],
)
def test_another_type_of_body_is_refused(client: Client, headers: dict[bytes, bytes]) -> None:
    problem(
        post(client, b'{"word": "w"}', headers=headers),
        Problem.UNSUPPORTED_MEDIA_TYPE,
    )


@pytest.mark.parametrize(
    "media_type", ["application/json; charset=UTF-8", 'Application/JSON;charset="utf-8"']
)
def test_the_type_of_json_in_all_its_forms(client: Client, media_type: str) -> None:
    response = post(client, b'{"word": "w"}', headers={b"Content-Type": media_type.encode()})
    assert response.json() == {"word": "w"}


def test_a_body_has_a_longest_length(client: Client) -> None:
    longest = b'{"word": "' + b"w" * (MAX_BODY_BYTES - 12) + b'"}'
    assert len(longest) == MAX_BODY_BYTES
    assert post(client, longest).status_code == 200
    problem(post(client, longest + b" "), Problem.BODY_TOO_LARGE)


def test_a_body_in_chunks_has_the_same_longest_length(client: Client) -> None:
    response = post(client, iter([b" " * 1024] * 65))
    problem(response, Problem.BODY_TOO_LARGE)
    assert response.headers["connection"] == "close"
    assert post(client, iter([b'{"wo', b'rd": ', b'"w"}'])).status_code == 200


@pytest.mark.parametrize("length", ["65537", "9" * 4_000])
def test_a_length_that_is_announced_is_enough_to_refuse(client: Client, length: str) -> None:
    response = post(client, b"{}", headers={b"Content-Length": length.encode()})
    problem(response, Problem.BODY_TOO_LARGE)


@pytest.mark.parametrize("length", ["-1", "x", "\xb2"])
def test_a_length_that_is_none_is_not_believed(client: Client, length: str) -> None:
    response = post(client, b'{"word": "w"}', headers={b"Content-Length": length.encode("latin-1")})
    assert response.status_code == 200


@pytest.mark.parametrize(
    ("body", "where", "message"),
    [
        (b'{"word": 1}', "/word", "A string is wanted here."),
        (b'{"word": null}', "/word", "A string is wanted here."),
        (b"{}", "/word", "This is required."),
        (b"[]", "", "An object is wanted here."),
        (b"null", "", "An object is wanted here."),
        (b'"word"', "", "An object is wanted here."),
        (b'{"word": "w", "SENTINEL": 1}', "", "There is a key that does not belong here."),
    ],
)
def test_a_body_of_another_form_is_told_where(
    client: Client, body: bytes, where: str, message: str
) -> None:
    response = post(client, body)
    document = problem(response, Problem.INVALID_REQUEST)
    assert document["errors"] == [{"in": "body", "where": where, "message": message}]
    assert "SENTINEL" not in response.text


@pytest.mark.parametrize("body", [b"", b"{", b'{"word": "w", "word": "w"}', b"[" * 60_000])
def test_a_body_that_is_no_json_is_refused(client: Client, body: bytes) -> None:
    problem(post(client, body), Problem.MALFORMED_JSON)


@pytest.mark.parametrize(
    ("asked", "packed"),
    [
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("x-gzip", True),
        ("gzip;q=0.001", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000, br", False),
        ("identity", False),
        ("", False),
        ("gzipped, not-gzip", False),
        ("*", False),
    ],
)
def test_long_answers_are_packed_for_who_takes_that(
    client: Client, asked: str, packed: bool
) -> None:
    headers = {"Accept-Encoding": asked}
    long, short = (
        client.get("/word", params={"more": "y" * n}, headers=headers) for n in (5_000, 10)
    )
    assert long.headers.get("content-encoding") == ("gzip" if packed else None)
    assert (int(long.headers["content-length"]) < 100) is packed
    assert long.text == "a word" + "y" * 5_000
    assert long.headers["etag"].endswith('-gzip"') is packed
    assert "content-encoding" not in short.headers
    assert {long.headers["vary"], short.headers["vary"]} == {"Accept-Encoding"}
    again = client.get(
        "/word",
        params={"more": "y" * 5_000},
        headers={**headers, "If-None-Match": long.headers["etag"]},
    )
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["vary"] == "Accept-Encoding"
