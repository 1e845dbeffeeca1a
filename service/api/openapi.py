"""The OpenAPI document: FastAPI's, with every problem that a call can answer in it."""

from collections.abc import Callable
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from service.api import examples
from service.api.problems import MEDIA_TYPE, Problem, problem_document

DESCRIPTION: Final = """\
A Gaps (Montana) deal a day, which a solver has won and a separately written checker has replayed.

Fetch today's deal, play it, ask for the next redeal when the board is stuck, submit the move log,
and get a verdict. While a daily is live its redeals are commitments; once its date is over
everywhere, seed, orders, salts and the winning line are open, and anybody can check them.

Every failure is a problem document (RFC 9457). Wherever there is GET there is HEAD; answers that
may be cached have a strong entity tag and know If-None-Match. Unknown keys and parameters are
refused.
"""
TAGS: Final = [
    {"name": "dailies", "description": "Today's deal, and all before it."},
    {"name": "deals", "description": "Deal documents, their redeals and solutions."},
    {"name": "practice", "description": "Endless verified deals besides the daily, by number."},
    {"name": "verdicts", "description": "Move logs, judged by the checker."},
    {"name": "players", "description": "What a player's logs have come to."},
    {"name": "reference", "description": "What there is to know."},
    {"name": "operation", "description": "For those who run the service."},
]

_ALWAYS: Final = (Problem.INVALID_REQUEST, Problem.INTERNAL_ERROR, Problem.SHUTTING_DOWN)
_STORED: Final = (Problem.DATABASE_UNAVAILABLE,)
_BODY: Final = (
    Problem.MALFORMED_JSON,
    Problem.BODY_TOO_LARGE,
    Problem.UNSUPPORTED_MEDIA_TYPE,
    Problem.TOO_MANY_REQUESTS,
)
_PUBLISHED: Final = {Problem.DAILY_NOT_FOUND, Problem.DEAL_NOT_FOUND}
"""Who can answer one of these shows a daily, which may have been withdrawn."""
_PLACES: Final = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["where", "message"],
        "properties": {
            "where": {"type": "string", "description": "A JSON Pointer into the deal document."},
            "message": {"type": "string"},
        },
    },
}
_SCHEMA: Final[dict[str, Any]] = {
    "title": "Problem",
    "description": "Why a request failed (RFC 9457).",
    "type": "object",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {
            "type": "string",
            "format": "uri-reference",
            "description": "What kind of problem it is; what explains it is found there.",
        },
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What happened this time."},
        "code": {"type": "string", "enum": [problem.code for problem in Problem]},
        "available_at": {
            "type": "string",
            "format": "date-time",
            "description": "With daily-not-found and solution-sealed: when to ask again.",
        },
        "errors": {
            "type": "array",
            "description": "With invalid-request: what does not fit.",
            "items": {
                "type": "object",
                "required": ["in", "where", "message"],
                "properties": {
                    "in": {"type": "string", "enum": ["path", "query", "header", "body"]},
                    "where": {
                        "type": "string",
                        "description": "The parameter's name, or a JSON Pointer into the body.",
                    },
                    "message": {"type": "string"},
                },
            },
        },
        "faults": {**_PLACES, "description": "With deal-refused: every fault of the document."},
        "fault": {
            "type": "object",
            "description": "With redeal-not-due: the token that is not legal, and why.",
            "required": ["index", "code", "message"],
            "properties": {
                "index": {"type": "integer"},
                "code": {"type": "string"},
                "message": {"type": "string"},
            },
        },
        "reason": {
            "type": "string",
            "description": "With daily-withdrawn: why, in the operator's words.",
        },
        "withdrawn_at": {
            "type": "string",
            "format": "date-time",
            "description": "With daily-withdrawn: when that was.",
        },
        "next": {
            "type": "string",
            "format": "uri-reference",
            "description": "With practice-not-won: the path of the next number that was won.",
        },
        "reasons": {
            "type": "array",
            "description": "With not-ready: what is missing.",
            "items": {"type": "string"},
        },
    },
}


def answers(
    *problems: Problem, stored: bool = True, body: bool = False
) -> dict[int | str, dict[str, Any]]:
    """The ``responses`` of a route that can answer these problems besides those all share.

    `stored` says whether the route asks the database, `body` whether it reads a body.
    """
    kinds = {*problems, *_ALWAYS, *(_STORED if stored else ()), *(_BODY if body else ())}
    if kinds & _PUBLISHED:
        kinds.add(Problem.DAILY_WITHDRAWN)
    described: dict[int | str, dict[str, Any]] = {}
    for problem in Problem:
        if problem in kinds:
            _describe(described.setdefault(problem.status, {}), problem)
    return described


def cached(responses: dict[int | str, dict[str, Any]]) -> dict[int | str, dict[str, Any]]:
    """The same responses, and the one that a client gets who has the answer already."""
    return {
        304: {"description": "The client has this answer already (If-None-Match)."},
        **responses,
    }


def _describe(response: dict[str, Any], problem: Problem) -> None:
    description = f"{problem.title} (`{problem.code}`)."
    before = response.get("description")
    response["description"] = f"{before} {description}" if before else description
    content = response.setdefault(
        "content",
        {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}, "examples": {}}},
    )
    content[MEDIA_TYPE]["examples"][problem.code] = {
        "summary": problem.title,
        "value": problem_document(problem, problem.meaning),
    }


def _describe_success(operation: dict[str, Any]) -> None:
    """Puts the call's own words in the place of FastAPI's."""
    for status in ("200", "201"):
        response = operation["responses"].get(status, {})
        if response.get("description") == "Successful Response":
            response["description"] = f"{operation['summary']}."


def document_of(app: FastAPI) -> Callable[[], dict[str, Any]]:
    """What makes the application's OpenAPI document, once."""

    def make() -> dict[str, Any]:
        if app.openapi_schema is None:
            made = get_openapi(
                title=app.title,
                version=app.version,
                openapi_version=app.openapi_version,
                description=app.description,
                routes=app.routes,
                tags=app.openapi_tags,
            )
            made["components"]["schemas"]["Problem"] = _SCHEMA
            for methods in made["paths"].values():
                for operation in methods.values():
                    _describe_success(operation)
                    examples.put_into(operation)
            app.openapi_schema = made
        return app.openapi_schema

    return make
