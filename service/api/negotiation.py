"""What a client would like: how an answer is packed, of what kind it is, and what it has already.

Read from the raw headers, once a request.
"""

import re
from dataclasses import dataclass
from typing import Final

from starlette.types import Scope

_TAG: Final = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')
_NO_QUALITY: Final = re.compile(r"q=0(\.0{0,3})?")


@dataclass(frozen=True, slots=True)
class Wishes:
    """`gzip`: packed answers are welcome. `text`: plain text is wanted and no JSON.

    `tags` is ``If-None-Match``, all of its lines; None where there is none.
    """

    gzip: bool
    text: bool
    tags: str | None

    def has(self, tag: str) -> bool:
        """Whether the client has what bears this entity tag already (RFC 9110, 13.1.2)."""
        if self.tags is None:
            return False
        return self.tags.strip() == "*" or tag in _TAG.findall(self.tags)


def wishes(scope: Scope) -> Wishes:
    """What the headers of a request wish for."""
    accept = encoding = ""
    tags: str | None = None
    for name, value in scope["headers"]:
        if name == b"if-none-match":
            line = value.decode("latin-1")
            tags = line if tags is None else f"{tags},{line}"
        elif name == b"accept-encoding":
            encoding = f"{encoding},{value.decode('latin-1')}"
        elif name == b"accept":
            accept = f"{accept},{value.decode('latin-1')}"
    return Wishes(takes_gzip(encoding), wants_text(accept), tags)


def takes_gzip(encodings: str) -> bool:
    """Whether an ``Accept-Encoding`` names gzip, and not to say that it is unwelcome."""
    for part in encodings.lower().split(","):
        name, _, quality = part.partition(";")
        if name.strip() in {"gzip", "x-gzip"}:
            return not _NO_QUALITY.fullmatch("".join(quality.split()))
    return False


def wants_text(accept: str) -> bool:
    """Whether an ``Accept`` names plain text, and neither JSON nor anything at all."""
    if "text/plain" not in accept.lower():
        return False
    accepted = {part.partition(";")[0].strip() for part in accept.lower().split(",")}
    return "text/plain" in accepted and not accepted & {"application/json", "*/*", "application/*"}
