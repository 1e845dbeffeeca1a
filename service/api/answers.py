"""Answers that may be cached: strong entity tags, 304, and how long each kind stays fresh."""

import hashlib
import json
import re
from datetime import datetime
from typing import Any, Final

from fastapi import Request, Response
from pydantic import BaseModel

JSON: Final = "application/json"
TEXT: Final = "text/plain; charset=utf-8"

FRESH_SECONDS: Final = 300
"""The longest that anything which may still change is served from a cache."""
FIXED: Final = "public, max-age=31536000, immutable"
"""For what can never change: the deal of a closed date, with everything open."""
CLOSED_DATE: Final = "public, max-age=86400, immutable"
"""For the page of a closed date: its deal is final, the page is read again after a day."""

_TAG: Final = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')


def fresh(seconds: float = FRESH_SECONDS) -> str:
    """The ``Cache-Control`` of what stays true for that many seconds, at most `FRESH_SECONDS`."""
    return f"public, max-age={max(0, min(int(seconds), FRESH_SECONDS))}"


def fresh_until(instant: datetime, now: datetime) -> str:
    """The ``Cache-Control`` of what stays true until an instant."""
    return fresh((instant - now).total_seconds())


def compact(value: Any) -> bytes:
    """A JSON value in as few bytes as it takes."""
    return json.dumps(value, separators=(",", ":")).encode()


def json_answer(
    request: Request, content: BaseModel, cache: str, headers: dict[str, str] | None = None
) -> Response:
    """A model as JSON, to be cached like that."""
    return answer(request, content.model_dump_json().encode(), JSON, cache, headers)


def answer(
    request: Request,
    body: bytes,
    media_type: str,
    cache: str,
    headers: dict[str, str] | None = None,
) -> Response:
    """The answer to a GET: the body with its entity tag, or 304 where the client has it already."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    sent = {"ETag": tag, "Cache-Control": cache, **(headers or {})}
    if _has_already(request, tag):
        return Response(status_code=304, headers=sent)
    return Response(body, headers=sent, media_type=media_type)


def _has_already(request: Request, tag: str) -> bool:
    """Whether ``If-None-Match``, in however many lines, names this tag (RFC 9110, 13.1.2)."""
    asked = ",".join(request.headers.getlist("if-none-match"))
    return asked.strip() == "*" or tag in _TAG.findall(asked)


def wants_text(request: Request) -> bool:
    """Whether a client names plain text as what it takes, and neither JSON nor anything at all."""
    accept = request.headers.get("accept", "").lower()
    accepted = {part.partition(";")[0].strip() for part in accept.split(",")}
    return "text/plain" in accepted and not accepted & {"application/json", "*/*", "application/*"}
