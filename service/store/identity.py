"""What deals, layouts and submissions are called, and links: digests over their content."""

import datetime as dt
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

DEAL_ID_LENGTH: Final = 20
SUBMISSION_ID_LENGTH: Final = 32
NO_LINK: Final = "0" * 64
"""What stands for the digest of the link before the first."""


def deal_id(document: Mapping[str, Any]) -> str:
    """A deal's id: the first 20 hex digits of its document's ``seed_commitment``."""
    commitment: str = document["seed_commitment"]
    return commitment[:DEAL_ID_LENGTH]


def layout_digest(layout: Sequence[Sequence[str | None]]) -> str:
    """SHA-256, in hex, over a layout's rows as JSON without white space."""
    return hashlib.sha256(json.dumps(layout, separators=(",", ":")).encode("ascii")).hexdigest()


def submission_id(deal: str, moves: Sequence[str]) -> str:
    """A submission's id: 32 hex digits that deal and log fix.

    SHA-256 over the deal's id, a zero byte and the tokens joined by single spaces. Two logs share
    it only if they are the same, as long as tokens are neither empty nor hold white space.
    """
    text = f"{deal}\0{' '.join(moves)}"
    return hashlib.sha256(text.encode()).hexdigest()[:SUBMISSION_ID_LENGTH]


def deal_digest(document: Mapping[str, Any], line: Sequence[str]) -> str:
    """SHA-256, in hex, over a whole document and the line that wins it."""
    return _digest({"document": document, "line": line})


def published_link(
    previous: str,
    *,
    variant: str,
    date: dt.date,
    deal: str,
    redeals: str,
    published_at: dt.datetime,
    content: str,
) -> str:
    """The digest of a link that says a daily was published; 64 hex digits.

    `previous` is the digest of the link before, `deal` the deal's id, `content` its `deal_digest`.
    Whoever does not have the seed can make nothing of it.
    """
    return _digest(
        {
            "previous": previous,
            "published": {
                "variant": variant,
                "date": date.isoformat(),
                "deal": deal,
                "redeals": redeals,
                "at": _instant(published_at),
                "content": content,
            },
        }
    )


def withdrawn_link(
    previous: str,
    *,
    variant: str,
    date: dt.date,
    deal: str,
    withdrawn_at: dt.datetime,
    reason: str,
    content: str,
) -> str:
    """The digest of a link that says a daily was withdrawn, like `published_link`."""
    return _digest(
        {
            "previous": previous,
            "withdrawn": {
                "variant": variant,
                "date": date.isoformat(),
                "deal": deal,
                "at": _instant(withdrawn_at),
                "reason": reason,
                "content": content,
            },
        }
    )


def _digest(value: Any) -> str:
    """SHA-256, in hex, over JSON in ASCII with sorted keys and no white space."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _instant(moment: dt.datetime) -> str:
    return moment.astimezone(dt.UTC).isoformat(timespec="microseconds")
