"""Answers kept for a moment, so that what thousands ask is worked out once a second.

A cache as HTTP means it (RFC 9111), in front of the application: what it keeps says itself for how
long, in its ``Cache-Control``. Only successful answers with an entity tag are kept.
"""

import asyncio
import math
import re
import time
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple, TypeAlias

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.api.negotiation import Wishes, wishes
from service.clock import Clock

MOST_ANSWERS: Final = 512
"""How many answers are kept at most."""
MOST_BYTES: Final = 64 * 1024
"""How long an answer that is kept may be."""

_MAX_AGE: Final = re.compile(rb"public, max-age=([0-9]+)")
_NOT_MODIFIED: Final = frozenset({b"etag", b"cache-control", b"vary", b"link"})

Headers: TypeAlias = list[tuple[bytes, bytes]]


class _Key(NamedTuple):
    """What an answer depends on."""

    root: str
    path: str
    query: bytes
    gzip: bool
    text: bool


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer with the instants, by both clocks, from and until which it holds."""

    headers: Headers
    body: bytes
    tag: str
    since: datetime
    until: datetime
    made_at: float
    ends_at: float

    def holds(self, now: datetime, instant: float) -> bool:
        """Whether it may be given, by the service's clock and by the time that went by."""
        return self.since <= now < self.until and instant < self.ends_at


class Kept:
    """Wraps an application. `seconds` is the longest that an answer is kept; 0 keeps none."""

    def __init__(self, app: ASGIApp, clock: Clock, seconds: float) -> None:
        self.app = app
        self._clock = clock
        self._seconds = seconds
        self._answers: OrderedDict[_Key, _Answer] = OrderedDict()
        self._under_way: dict[_Key, asyncio.Event] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection, as ASGI wants it."""
        if scope["type"] != "http" or scope["method"] != "GET" or not self._seconds:
            await self.app(scope, receive, send)
            return
        wished = wishes(scope)
        key = _Key(
            scope.get("root_path", ""),
            scope["path"],
            scope["query_string"],
            wished.gzip,
            wished.text,
        )
        kept = self._kept(key)
        if kept is None and (others := self._under_way.get(key)) is not None:
            await others.wait()
            kept = self._kept(key)
        if kept is None:
            await self._make(key, scope, receive, send)
        else:
            await _give(kept, self._age(kept), wished, send)

    def _age(self, answer: _Answer) -> int:
        """For how many seconds an answer was kept, by the clock that says more; a part is whole."""
        by_clock = (self._clock() - answer.since).total_seconds()
        return math.ceil(max(by_clock, time.monotonic() - answer.made_at))

    def _kept(self, key: _Key) -> _Answer | None:
        answer = self._answers.get(key)
        holds = answer is not None and answer.holds(self._clock(), time.monotonic())
        return answer if holds else None

    async def _make(self, key: _Key, scope: Scope, receive: Receive, send: Send) -> None:
        """Has the application answer, and keeps the answer if it may be kept."""
        # Before the application looks at its clock: an answer is never taken for younger.
        since, made_at = self._clock(), time.monotonic()
        done = asyncio.Event()
        # Where there was one to keep there will be one again: who asks meanwhile waits for it.
        if key in self._answers:
            self._under_way[key] = done
        status, headers = 0, Headers()

        async def watch(message: Message) -> None:
            nonlocal status, headers
            if message["type"] == "http.response.start":
                # A copy: what is around this adds to the message's own.
                status, headers = message["status"], [*message["headers"]]
            elif message.get("more_body"):
                status = 0
            elif status == 200:
                self._keep(key, headers, message.get("body", b""), since, made_at)
            await send(message)

        try:
            await self.app(scope, receive, watch)
        finally:
            if self._under_way.get(key) is done:
                del self._under_way[key]
            done.set()

    def _keep(
        self, key: _Key, headers: Headers, body: bytes, since: datetime, made_at: float
    ) -> None:
        named = dict(headers)
        fresh = _MAX_AGE.match(named.get(b"cache-control", b""))
        seconds = min(self._seconds, int(fresh[1])) if fresh else 0
        if seconds <= 0 or b"etag" not in named or len(body) > MOST_BYTES:
            return
        self._answers.pop(key, None)
        self._answers[key] = _Answer(
            headers,
            body,
            named[b"etag"].decode("latin-1"),
            since,
            since + timedelta(seconds=seconds),
            made_at,
            made_at + seconds,
        )
        if len(self._answers) > MOST_ANSWERS:
            self._answers.popitem(last=False)


async def _give(kept: _Answer, seconds: int, wished: Wishes, send: Send) -> None:
    # Whoever keeps it longer must count the time that it was kept here.
    age = (b"age", b"%d" % seconds)
    if wished.has(kept.tag):
        headers = [pair for pair in kept.headers if pair[0] in _NOT_MODIFIED]
        await send({"type": "http.response.start", "status": 304, "headers": [*headers, age]})
        await send({"type": "http.response.body", "body": b""})
        return
    await send({"type": "http.response.start", "status": 200, "headers": [*kept.headers, age]})
    await send({"type": "http.response.body", "body": kept.body})
