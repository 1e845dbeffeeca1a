"""Every request watched: one line in the log, one more in the numbers.

The line says who asked for what kind of thing and how it went. Paths, queries and bodies are not in
it: a route's template takes the place of what a client wrote.
"""

import logging
import time
from collections.abc import Sequence
from typing import Final

import structlog
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service import metrics
from service.logs import quick_line

QUIET: Final = frozenset({"/healthz", "/readyz", "/metrics"})
"""Routes that machines ask all day: their lines are for debugging."""

CLIENT_GONE: Final = 499
"""The status, as nginx writes it, of a request that nobody waited for any more."""

MOST_KNOWN: Final = 4096
"""Of how many paths the route is remembered."""

NO_ROUTE: Final = "none"
"""The route of a path that leads nowhere."""

_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

_log = structlog.get_logger(__name__)


class Watching:
    """Wraps an application, outside of all that may answer in its place."""

    def __init__(self, app: ASGIApp, routes: Sequence[BaseRoute]) -> None:
        self.app = app
        self._routes = routes
        self._known: dict[str, str] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection, as ASGI wants it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = time.perf_counter()
        status, request_id = CLIENT_GONE, None

        async def watch(message: Message) -> None:
            nonlocal status, request_id
            if message["type"] == "http.response.start":
                status = message["status"]
                request_id = _request_id(message)
            await send(message)

        try:
            await self.app(scope, receive, watch)
        finally:
            seconds = time.perf_counter() - started
            # What else a client calls a method would be a new label each time.
            method = scope["method"] if scope["method"] in _METHODS else "other"
            route = self._route(scope)
            metrics.request_answered(method, route, status, seconds)
            line = {
                "request_id": request_id,
                "method": method,
                "route": route,
                "status": status,
                "ms": round(seconds * 1000, 1),
            }
            level = logging.DEBUG if route in QUIET else logging.INFO
            if not quick_line(level, __name__, "request", **line):
                (_log.debug if route in QUIET else _log.info)("request", **line)

    def _route(self, scope: Scope) -> str:
        """The template of the route that a request is for, also if it never came there."""
        path = scope["path"]
        if path in self._known:
            return self._known[path]
        template = next(
            (
                str(getattr(route, "path", NO_ROUTE))
                for route in self._routes
                if route.matches(scope)[0] is not Match.NONE
            ),
            NO_ROUTE,
        )
        if template != NO_ROUTE and len(self._known) < MOST_KNOWN:
            self._known[path] = template
        return template


def _request_id(start: Message) -> str | None:
    for name, value in start["headers"]:
        if name == b"x-request-id":
            named: bytes = value
            return named.decode("latin-1")
    return None
