"""Answers that may be cached: strong entity tags, 304, and how long each kind stays fresh."""

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator
from datetime import datetime
from itertools import chain
from typing import Any, Final

from fastapi import Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from service.api.negotiation import wishes

JSON: Final = "application/json"
TEXT: Final = "text/plain; charset=utf-8"

FRESH_SECONDS: Final = 300
"""The longest that anything which may still change is served from a cache."""
FIXED: Final = "public, max-age=31536000, immutable"
"""For what can never change: the deal of a closed date, with everything open."""
CLOSED_DATE: Final = "public, max-age=86400, immutable"
"""For the page of a closed date: its deal is final, the page is read again after a day."""
REVALIDATED: Final = "public, no-cache"
"""For what changes with the program alone: caches may keep it, and ask each time if it is so."""

PACKED_BYTES: Final = 1024
"""From how many bytes on an answer is worth packing."""
PACKING: Final = 6
"""How hard gzip tries, of 9."""
_GZIP: Final = 16
"""What zlib adds to the size of its window to write gzip's header."""


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
    *,
    pack: bool = True,
) -> Response:
    """The answer to a GET: the body with its entity tag, or 304 where the client has it already.

    Packed by gzip where the client takes that and the body is not short, unless `pack` is False.
    """
    vary = "Accept-Encoding"
    extra = dict(headers or {})
    if "Vary" in extra:
        vary = f"{extra.pop('Vary')}, {vary}"
    wished = wishes(request.scope)
    tag = hashlib.sha256(body).hexdigest()[:32]
    packed = pack and wished.gzip and len(body) >= PACKED_BYTES
    # Another sequence of bytes is another representation, with a tag of its own.
    tag = f'"{tag}-gzip"' if packed else f'"{tag}"'
    sent = {"ETag": tag, "Cache-Control": cache, "Vary": vary, **extra}
    if wished.has(tag):
        return Response(status_code=304, headers=sent)
    if packed:
        body = gzip.compress(body, PACKING, mtime=0)
        sent["Content-Encoding"] = "gzip"
    return Response(body, headers=sent, media_type=media_type)


def stream(request: Request, chunks: Iterator[bytes], media_type: str, cache: str) -> Response:
    """The answer to a GET that is too long to be held, a chunk at a time, packed where that suits.

    What making the first chunk raises is raised here, before anything is answered.
    """
    begun = chain([next(chunks, b"")], chunks)
    sent = {"Cache-Control": cache, "Vary": "Accept-Encoding"}
    if not wishes(request.scope).gzip:
        return StreamingResponse(begun, headers=sent, media_type=media_type)
    sent["Content-Encoding"] = "gzip"
    return StreamingResponse(_packed(begun), headers=sent, media_type=media_type)


def _packed(chunks: Iterator[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(PACKING, wbits=zlib.MAX_WBITS | _GZIP)
    for chunk in chunks:
        # A chunk arrives when it is there, not when there is enough to pack it well.
        yield packer.compress(chunk) + packer.flush(zlib.Z_SYNC_FLUSH)
    yield packer.flush()
