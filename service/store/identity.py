"""What deals, layouts and submissions are called: digests over their content."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

DEAL_ID_LENGTH: Final = 20
SUBMISSION_ID_LENGTH: Final = 32


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
