"""Exceptions to problems: whatever ends a request ends it with a document of one shape."""

from collections.abc import Iterable
from typing import Any, Final

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from service.api.problems import Problem, ProblemError, problem_response
from service.clock import written
from service.publishing.gate import WithdrawnError
from service.store.database import DatabaseUnavailableError

_log = structlog.get_logger(__name__)

MAX_ERRORS: Final = 20
"""How many errors of one request are listed."""

_BY_STATUS: Final = {
    400: Problem.MALFORMED_JSON,
    404: Problem.NOT_FOUND,
    405: Problem.METHOD_NOT_ALLOWED,
}
_DETAILS: Final = {
    Problem.MALFORMED_JSON: "The body could not be read to its end.",
    Problem.NOT_FOUND: "There is nothing here; /docs lists the calls.",
    Problem.METHOD_NOT_ALLOWED: "This address does not take that method; see the Allow header.",
}
_MESSAGES: Final = {
    "extra_forbidden": "There is a key that does not belong here.",
    "missing": "This is required.",
    "model_attributes_type": "An object is wanted here.",
    "model_type": "An object is wanted here.",
    "list_type": "A list is wanted here.",
    "string_type": "A string is wanted here.",
}


def install(app: FastAPI) -> None:
    """Makes an application answer all its failures with problems."""
    app.exception_handler(ProblemError)(_problem)
    app.exception_handler(HTTPException)(_http)
    app.exception_handler(RequestValidationError)(_validation)
    app.exception_handler(WithdrawnError)(_withdrawn)
    app.exception_handler(DatabaseUnavailableError)(_database)


async def _problem(_: Request, error: ProblemError) -> Response:
    return problem_response(error.problem, error.detail, headers=error.headers, **error.members)


async def _http(request: Request, error: HTTPException) -> Response:
    """What the framework raises: an unknown path, a method that a path does not have."""
    headers = dict(error.headers or {})
    if "Allow" in headers:
        allowed = {method.strip() for method in headers["Allow"].split(",")} | {"OPTIONS"}
        if "GET" in allowed:
            allowed.add("HEAD")
        headers["Allow"] = ", ".join(sorted(allowed))
        if request.method == "OPTIONS":
            return Response(status_code=204, headers=headers)
    problem = _BY_STATUS.get(error.status_code, Problem.INTERNAL_ERROR)
    return problem_response(problem, _DETAILS.get(problem, "The service failed."), headers=headers)


async def _validation(_: Request, error: RequestValidationError) -> Response:
    errors = [_error(each) for each in error.errors()[:MAX_ERRORS]]
    detail = "The request does not fit its description; errors says where."
    return problem_response(Problem.INVALID_REQUEST, detail, errors=errors)


def _error(error: dict[str, Any]) -> dict[str, str]:
    """One of pydantic's errors, without the input that it would repeat."""
    place, *steps = error["loc"]
    if error["type"] == "extra_forbidden":
        steps.pop()
    where = _pointer(steps) if place == "body" else "".join(str(step) for step in steps[:1])
    return {"in": place, "where": where, "message": _message(error)}


def _message(error: dict[str, Any]) -> str:
    message: str = _MESSAGES.get(error["type"]) or error["msg"]
    return message if message.endswith(".") else message + "."


def _pointer(steps: Iterable[str | int]) -> str:
    return "".join(f"/{step}" for step in steps)


async def _withdrawn(_: Request, error: WithdrawnError) -> Response:
    return problem_response(
        Problem.DAILY_WITHDRAWN,
        "The daily was withdrawn; reason says why.",
        reason=error.reason,
        withdrawn_at=written(error.withdrawn_at),
    )


async def _database(_: Request, error: DatabaseUnavailableError) -> Response:
    # Where the database is and what its driver says is for the operator alone.
    _log.warning("database unavailable", reason=str(error))
    return problem_response(
        Problem.DATABASE_UNAVAILABLE, "The database does not answer; try again in a while."
    )
