"""The rate limit: how much a client may ask of what costs something.

What was asked is kept in this process, or in Redis for all processes together. While Redis does not
answer each process counts for itself: better a limit that is lax than a service that is down.
"""

import math
import time
from collections.abc import Sequence
from typing import Final

import structlog
from fastapi import Request
from limits import parse
from limits.errors import StorageError
from limits.storage import MemoryStorage, storage_from_string
from limits.strategies import MovingWindowRateLimiter
from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Receive, Scope, Send

from service.api.clients import client_address
from service.api.problems import Problem, ProblemError, problem_response
from service.clock import system_clock
from service.settings import IN_MEMORY, NO_LIMIT, Network, Settings

REDIS_SECONDS: Final = 0.5
"""How long Redis may take to answer."""
REDIS_PAUSE_SECONDS: Final = 10.0
"""How long Redis is not asked after it failed to answer."""

_DETAIL: Final = "There were too many requests from this address; wait for Retry-After seconds."

_log = structlog.get_logger(__name__)


class Limiter:
    """Counts what each client asks. Its methods may be called from any thread."""

    def __init__(self, settings: Settings) -> None:
        self.trusted: Sequence[Network] = settings.trusted_proxies
        limited = settings.rate_limit != NO_LIMIT
        self._limit = parse(settings.rate_limit) if limited else None
        self._here = MovingWindowRateLimiter(MemoryStorage())
        self._shared = None
        if limited and settings.rate_limit_store != IN_MEMORY:
            store = storage_from_string(
                settings.rate_limit_store,
                wrap_exceptions=True,
                socket_timeout=REDIS_SECONDS,
                socket_connect_timeout=REDIS_SECONDS,
            )
            self._shared = MovingWindowRateLimiter(store)
        self._shared_from = 0.0

    def wait(self, client: str) -> int:
        """Counts one request of a client; answers 0, or in how many seconds it may ask again."""
        if self._limit is None:
            return 0
        if self._shared is not None and time.monotonic() >= self._shared_from:
            try:
                return self._asked(self._shared, client)
            except StorageError as error:
                # Its own words may have the address in them, never the password.
                _log.warning("the rate limit's store does not answer", reason=str(error))
                self._shared_from = time.monotonic() + REDIS_PAUSE_SECONDS
        return self._asked(self._here, client)

    async def wait_for(self, scope: Scope) -> int:
        """`wait` for the client of a request, without keeping others waiting."""
        if self._limit is None:
            return 0
        client = client_address(scope, self.trusted)
        if self._shared is None:
            return self.wait(client)
        return await run_in_threadpool(self.wait, client)

    def spend(self, request: Request) -> None:
        """Counts what a request costs beyond itself. Raises the problem ``too-many-requests``."""
        seconds = self.wait(client_address(request.scope, self.trusted))
        if seconds:
            raise ProblemError(Problem.TOO_MANY_REQUESTS, _DETAIL, headers=_headers(seconds))

    def _asked(self, strategy: MovingWindowRateLimiter, client: str) -> int:
        limit = self._limit
        if limit is None or strategy.hit(limit, client):
            return 0
        free_at = strategy.get_window_stats(limit, client).reset_time
        return max(1, math.ceil(free_at - system_clock().timestamp()))


class Limiting:
    """Wraps an application: a POST too many does not get there, nor is its body read."""

    def __init__(self, app: ASGIApp, limiter: Limiter) -> None:
        self.app = app
        self._limiter = limiter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection, as ASGI wants it."""
        if scope["type"] == "http" and scope["method"] == "POST":
            seconds = await self._limiter.wait_for(scope)
            if seconds:
                answer = problem_response(
                    Problem.TOO_MANY_REQUESTS, _DETAIL, headers=_headers(seconds)
                )
                await answer(scope, receive, send)
                return
        await self.app(scope, receive, send)


def _headers(seconds: int) -> dict[str, str]:
    return {"Retry-After": str(seconds)}
