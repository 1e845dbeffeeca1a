"""The border between the server and the application: what every answer has in common.

One ASGI layer, so that it costs little: a request id, CORS, the security headers, HEAD wherever
there is GET, and a problem document where all else has failed.
"""

import asyncio
import re
import secrets
from collections.abc import Iterable
from typing import Final

import structlog
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.api.problems import Problem, problem_response

METHODS: Final = "GET, HEAD, OPTIONS, POST"

_REQUEST_ID: Final = re.compile(r"[0-9A-Za-z._-]{8,64}")
_HEADERS: Final = (
    (b"access-control-allow-origin", b"*"),
    (
        b"access-control-expose-headers",
        b"ETag, Link, Location, Repr-Digest, Retry-After, X-Request-ID",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"cross-origin"),
)
_UNLESS_SET: Final = (
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)
_PREFLIGHT: Final = (
    (b"access-control-allow-methods", METHODS.encode()),
    (
        b"access-control-allow-headers",
        b"Accept, Content-Type, Gaps-Player, If-None-Match, X-Request-ID",
    ),
    (b"access-control-max-age", b"86400"),
)

_log = structlog.get_logger(__name__)


class Border:
    """Wraps an application. A HEAD arrives there as a GET, and its answer's body is dropped."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection, as ASGI wants it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        request_id = decent_id(headers.get("x-request-id"))
        head = scope["method"] == "HEAD"
        inner = {**scope, "method": "GET"} if head else scope
        started = False

        async def answer(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message["headers"] = [
                    *message["headers"],
                    *common_headers(message["headers"], request_id),
                ]
            elif head and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        if scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            await answer({"type": "http.response.start", "status": 204, "headers": [*_PREFLIGHT]})
            await answer({"type": "http.response.body", "body": b""})
            return
        # What `bound_contextvars` does, without looking through all that is bound.
        bound = structlog.contextvars.bind_contextvars(request_id=request_id)
        try:
            await self.app(inner, receive, answer)
        except ClientDisconnect:
            return
        except asyncio.CancelledError:
            # The server ends, and has given the request the time that it gives.
            if started:
                raise
            ended = problem_response(
                Problem.SHUTTING_DOWN, "The service was ended before there was an answer."
            )
            await ended(scope, receive, answer)
        except Exception:
            _log.exception("request failed", method=scope["method"])
            if started:
                raise
            failed = problem_response(
                Problem.INTERNAL_ERROR, "The service failed; its log has the reason."
            )
            await failed(scope, receive, answer)
        finally:
            structlog.contextvars.reset_contextvars(**bound)


def decent_id(asked: str | None = None) -> str:
    """The id that a proxy has given the request, if it is a decent one; otherwise a new one."""
    if asked is not None and _REQUEST_ID.fullmatch(asked):
        return asked
    return secrets.token_hex(8)


def common_headers(
    there: Iterable[tuple[bytes, bytes]], request_id: str
) -> Iterable[tuple[bytes, bytes]]:
    """What an answer that has some headers gets besides: those that all answers have."""
    names = {name for name, _ in there}
    yield b"x-request-id", request_id.encode()
    yield from _HEADERS
    for name, value in _UNLESS_SET:
        if name not in names:
            yield name, value
