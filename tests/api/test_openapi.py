"""The OpenAPI document: all there is, as it is, and the pages made of it."""

import re
from typing import Any

import pytest
from fastapi import FastAPI
from pydantic import TypeAdapter

from service.api import schemas
from service.api.problems import MEDIA_TYPE, Problem
from service.store.database import Database
from tests.api.client import Client
from tests.clock import FakeClock
from tests.deals import publish_deal, won

CALLS = {
    "getToday": ("get", "/v1/daily"),
    "listDailies": ("get", "/v1/dailies"),
    "streamDailies": ("get", "/v1/dailies.ndjson"),
    "getDaily": ("get", "/v1/dailies/{date}"),
    "choosePractice": ("get", "/v1/practice/{variant}"),
    "getPractice": ("get", "/v1/practice/{variant}/{number}"),
    "getDeal": ("get", "/v1/deals/{id}"),
    "getSolution": ("get", "/v1/deals/{id}/solution"),
    "getBundle": ("get", "/v1/deals/{id}/bundle"),
    "getRedeal": ("post", "/v1/deals/{id}/redeals"),
    "submitLog": ("post", "/v1/deals/{id}/submissions"),
    "getStatistics": ("get", "/v1/deals/{id}/stats"),
    "getRecord": ("get", "/v1/record"),
    "getSubmission": ("get", "/v1/submissions/{id}"),
    "verifyLog": ("post", "/v1/verify"),
    "listVariants": ("get", "/v1/variants"),
    "listProblems": ("get", "/problems"),
    "getChecker": ("get", "/checker.pyz"),
    "getCheckerDigest": ("get", "/checker.pyz.sha256"),
    "getProblem": ("get", "/problems/{code}"),
    "getHealth": ("get", "/healthz"),
    "getReadiness": ("get", "/readyz"),
}
PAGES = ["/", "/docs", "/openapi.json"]


@pytest.fixture
def document(strict: Client) -> dict[str, Any]:
    read: dict[str, Any] = strict.get("/openapi.json").json()
    return read


def operations(document: dict[str, Any]) -> dict[str, tuple[str, str]]:
    return {
        operation["operationId"]: (method, path)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


def test_the_calls_have_their_names(document: dict[str, Any]) -> None:
    assert operations(document) == CALLS


def test_every_call_lists_its_problems(document: dict[str, Any]) -> None:
    listed = set()
    for methods in document["paths"].values():
        for operation in methods.values():
            assert {"422", "500"} <= operation["responses"].keys()
            for status, response in operation["responses"].items():
                if int(status) < 400:
                    continue
                (content,) = response["content"].items()
                assert content[0] == MEDIA_TYPE
                assert content[1]["schema"] == {"$ref": "#/components/schemas/Problem"}
                for code, example in content[1]["examples"].items():
                    listed.add(code)
                    assert str(example["value"]["status"]) == status
                    assert code in response["description"]
    # No path of its own has these: they are answers to what is no call.
    of_no_call = {Problem.METHOD_NOT_ALLOWED.code, Problem.MALFORMED_HTTP.code}
    assert listed == {problem.code for problem in Problem} - of_no_call


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    names = document["components"]["schemas"]
    references = re.findall(r"'#/components/schemas/(\w+)'", str(document))
    assert set(references) <= names.keys()
    assert not {"HTTPValidationError", "ValidationError"} & names.keys()


def test_every_part_says_what_it_is(document: dict[str, Any]) -> None:
    tags = {tag["name"] for tag in document["tags"]}
    for methods in document["paths"].values():
        for operation in methods.values():
            assert operation["summary"]
            assert operation["description"].endswith(".")
            assert set(operation["tags"]) <= tags
            for response in operation["responses"].values():
                assert response["description"] != "Successful Response"
            for parameter in operation.get("parameters", []):
                assert "anyOf" not in parameter["schema"], "what is left out is not null"
    for name, schema in document["components"]["schemas"].items():
        assert schema.get("description"), name


def test_answers_are_what_the_document_says(
    client: Client, database: Database, clock: FakeClock
) -> None:
    """Each model, and nothing beside it, reads the answer that it describes."""
    deal_id = publish_deal(database, won("classic", redeals=2)[0], clock.today, clock)
    line = won("classic", redeals=2)[0].line
    log = {"moves": line[: line.index("redeal")]}
    path = f"/v1/deals/{deal_id}"
    submitted = client.post(f"{path}/submissions", json=log)
    live = {
        "/v1/daily": schemas.Daily,
        "/v1/dailies": schemas.Archive,
        path: schemas.DealDocument,
        submitted.headers["location"]: schemas.Submission,
        f"{path}/stats": schemas.Statistics,
        "/v1/variants": schemas.Variants,
        "/v1/practice/classic/50": schemas.Practice,
        "/problems": schemas.ProblemMeanings,
        "/healthz": schemas.Health,
    }
    reads(schemas.Submission, submitted.content)
    reads(schemas.DueRedeal, client.post(f"{path}/redeals", json=log).content)
    record = client.get("/v1/record", headers={"Gaps-Player": "x" * 16})
    reads(schemas.Record, record.content)
    for address, model in live.items():
        reads(model, client.get(address).content)
    clock.advance(days=2)
    for address, model in {
        path: schemas.DealDocument,
        f"{path}/solution": schemas.Solution,
        f"{path}/bundle": schemas.Bundle,
    }.items():
        reads(model, client.get(address).content)


def reads(model: Any, content: bytes) -> None:
    adapter = TypeAdapter(model)
    read = adapter.validate_json(content, strict=True, extra="forbid")
    assert adapter.dump_json(read) == content


def test_head_wherever_get(client: Client, database: Database, clock: FakeClock) -> None:
    deal_id = publish_deal(database, won("classic", redeals=0)[0], clock.today, clock)
    log = client.post(f"/v1/deals/{deal_id}/submissions", json={"moves": []}).json()["id"]
    clock.advance(days=2)
    statuses = {"/readyz": 503, "/v1/daily": 404, "/v1/record": 422, "/v1/practice/{variant}": 404}
    for path in (*PAGES, *(path for method, path in CALLS.values() if method == "get")):
        name = log if "submissions" in path else deal_id
        filled = path.format(
            date="2026-03-08", id=name, code="not-found", variant="classic", number=53
        )
        got, head = client.get(filled), client.head(filled)
        assert got.status_code == statuses.get(path, 200)
        assert (head.status_code, head.content) == (got.status_code, b"")
        for header in ("content-type", "content-length", "etag", "cache-control", "vary", "link"):
            assert head.headers.get(header) == got.headers.get(header)
        assert client.request("OPTIONS", filled).headers["allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize("path", PAGES)
def test_pages_stand_for_themselves(strict: Client, path: str) -> None:
    response = strict.get(path)
    assert response.status_code == 200
    assert "http://" not in response.text
    assert "https://" not in response.text
    assert "<script" not in response.text
    assert response.headers["content-security-policy"].startswith("default-src 'none'")
    again = strict.get(path, headers={"If-None-Match": response.headers["etag"]})
    assert again.status_code == 304


def test_the_reference_shows_every_call_and_schema(
    strict: Client, document: dict[str, Any]
) -> None:
    page = strict.get("/docs").text
    for name, (_, path) in CALLS.items():
        assert f'id="{name}"' in page
        assert f"<code>{path}</code>" in page
    for name in document["components"]["schemas"]:
        assert f'<h3 id="{name}">' in page
    links = set(re.findall(r'href="#([^"]+)"', page))
    assert links <= set(re.findall(r'id="([^"]+)"', page))


def test_the_welcome_links_to_what_there_is(
    client: Client, database: Database, clock: FakeClock, app: FastAPI
) -> None:
    for variant in ("classic", "relaxed"):
        publish_deal(database, won(variant)[0], clock.today, clock)
    links = re.findall(r'href="([^"]+)"', client.get("/").text)
    assert len(links) > 4
    for link in links:
        assert client.get(f"/{link}").status_code == 200
