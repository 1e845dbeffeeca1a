"""``gaps-shuffle/1``: shuffles and commitments from a 32-byte seed, with SHA-256 alone.

Source: docs/rules.md, section 7.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import Final

from service.game.cards import card_name

SEED_BYTES: Final = 32
SALT_BYTES: Final = 16


def numbered_seed(variant: str, number: int) -> bytes:
    """The seed of a numbered deal. All sizes of one number share it."""
    return hashlib.sha256(f"gaps-deal/1/{variant}/{number}".encode("ascii")).digest()


def _words(seed: bytes, label: str) -> Iterator[int]:
    index = 0
    while True:
        message = label.encode("ascii") + b"\0" + index.to_bytes(4, "big")
        block = hmac.digest(seed, message, "sha256")
        for start in range(0, len(block), 4):
            yield int.from_bytes(block[start : start + 4], "big")
        index += 1


def shuffle(seed: bytes, label: str, cards: Sequence[int]) -> list[int]:
    """The cards in an order that the seed and the label fix: every permutation equally likely."""
    shuffled = list(cards)
    words = _words(seed, label)
    for i in range(len(shuffled) - 1, 0, -1):
        n = i + 1
        # Words past the last whole multiple of n would favour the small remainders.
        limit = 2**32 // n * n
        j = next(word for word in words if word < limit) % n
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return shuffled


def salt(seed: bytes, k: int) -> bytes:
    """The 16 bytes that blind the k-th redeal's commitment, k from 1."""
    return hmac.digest(seed, f"salt/{k}".encode("ascii"), "sha256")[:SALT_BYTES]


def commitment(salt: bytes, order: Sequence[int]) -> str:
    """The hex digest that binds a redeal order before it is shown."""
    cards = " ".join(card_name(card) for card in order)
    return hashlib.sha256(salt + cards.encode("ascii")).hexdigest()


def seed_commitment(seed: bytes) -> str:
    """The hex digest that binds a seed before it is shown."""
    return hashlib.sha256(b"gaps-seed/1\0" + seed).hexdigest()
