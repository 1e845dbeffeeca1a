"""A route that reads strictly: the query, the body's type, its size and its JSON.

FastAPI would take the last of two equal parameters, ignore unknown ones, read a body of any size
and whatever Python's parser reads. This route refuses all of that before a handler runs.
"""

from collections.abc import Callable, Coroutine
from contextlib import aclosing
from email.message import Message
from typing import Any, Final

from fastapi import Request, Response
from fastapi.routing import APIRoute

from service.api.problems import Problem, ProblemError
from service.api.strict_json import StrictJsonError, parse_json

MAX_BODY_BYTES: Final = 64 * 1024


class StrictRequest(Request):
    """A request whose body is bounded, chunked or not, and read as strict JSON."""

    async def body(self) -> bytes:
        """The whole body; a problem as soon as it is known to be longer than `MAX_BODY_BYTES`."""
        if not hasattr(self, "_body"):
            announced = self.headers.get("content-length", "")
            if announced.isdecimal() and int(announced[:20]) > MAX_BODY_BYTES:
                raise _too_large()
            whole = bytearray()
            async with aclosing(self.stream()) as chunks:
                async for chunk in chunks:
                    whole += chunk
                    if len(whole) > MAX_BODY_BYTES:
                        raise _too_large()
            if not whole:
                raise ProblemError(Problem.MALFORMED_JSON, "The body is empty; send a JSON object.")
            self._body = bytes(whole)
        return self._body

    async def json(self) -> Any:
        """The body's value."""
        try:
            return parse_json(await self.body())
        except StrictJsonError as error:
            raise ProblemError(Problem.MALFORMED_JSON, str(error)) from None


class StrictRoute(APIRoute):
    """An API route that refuses what it does not know."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """FastAPI's handler, behind the checks of the query and the body's type."""
        handle = super().get_route_handler()
        known = tuple(param.alias for param in self.dependant.query_params)
        headers = tuple(param.alias for param in self.dependant.header_params)
        has_body = self.body_field is not None

        async def handle_strictly(request: Request) -> Response:
            if request.scope["query_string"]:
                _check_query(request, known)
            for name in headers:
                if len(request.headers.getlist(name)) > 1:
                    raise _twice(name)
            if has_body:
                check_media_type(request)
            return await handle(StrictRequest(request.scope, request.receive))

        return handle_strictly


def _check_query(request: Request, known: tuple[str, ...]) -> None:
    names = [name for name, _ in request.query_params.multi_items()]
    wanted = f"this call takes {', '.join(known)}" if known else "this call takes none"
    errors = []
    if any(name not in known for name in names):
        message = f"There is a parameter that this call does not know; {wanted}."
        errors.append({"in": "query", "where": "", "message": message})
    errors += [
        {"in": "query", "where": name, "message": "This parameter is there more than once."}
        for name in known
        if names.count(name) > 1
    ]
    if errors:
        raise ProblemError(Problem.INVALID_REQUEST, errors[0]["message"], errors=errors)


def _twice(name: str) -> ProblemError:
    message = "This header is there more than once."
    return ProblemError(
        Problem.INVALID_REQUEST,
        message,
        errors=[{"in": "header", "where": name, "message": message}],
    )


def check_media_type(request: Request) -> None:
    """Refuses a body that is not sent as JSON in UTF-8, uncompressed."""
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise ProblemError(Problem.UNSUPPORTED_MEDIA_TYPE, "Send the body uncompressed.")
    announced = request.headers.get("content-type", "")
    if announced == "application/json":
        return
    message = Message()
    message["content-type"] = announced
    if message.get_content_type() != "application/json":
        raise ProblemError(
            Problem.UNSUPPORTED_MEDIA_TYPE, "Send the body with Content-Type: application/json."
        )
    charset = message.get_content_charset("utf-8")
    if charset != "utf-8":
        raise ProblemError(Problem.UNSUPPORTED_MEDIA_TYPE, "Send the body in UTF-8.")


def _too_large() -> ProblemError:
    # What is left of the body is not read, so the connection cannot carry another request.
    return ProblemError(
        Problem.BODY_TOO_LARGE,
        f"The body has more than {MAX_BODY_BYTES} bytes.",
        headers={"Connection": "close"},
    )
