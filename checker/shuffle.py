"""What a seed follows from, and what follows from it (docs/rules.md section 7)."""

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import chain, count

from .variants import Variant, is_ace

_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))


def hmac_sha256(key: bytes) -> Callable[[bytes], bytes]:
    """Return HMAC-SHA256 (RFC 2104) with a key of up to 64 bytes, as a function of the message.

    The key is hashed once. That of the standard library takes longer, whether it is copied or set
    up anew for each message.
    """
    padded = key.ljust(64, b"\0")
    inner, outer = sha256(padded.translate(_INNER)), sha256(padded.translate(_OUTER))

    def digest(message: bytes) -> bytes:
        within, whole = inner.copy(), outer.copy()
        within.update(message)
        whole.update(within.digest())
        return whole.digest()

    return digest


class Seed(bytes):
    """The 32 bytes that all else follows from."""

    def __init__(self, _: bytes) -> None:
        self.hmac = hmac_sha256(self)
        """HMAC-SHA256 with the seed as its key."""


def numbered_seed(name: str, number: int) -> Seed:
    """Return the seed of a numbered deal of a variant, which all sizes of the deal share."""
    return Seed(sha256(f"gaps-deal/1/{name}/{number}".encode("ascii")).digest())


_ONE_NUMBER = struct.Struct(">I")
_EIGHT_NUMBERS = struct.Struct(">8I")


def words(seed: Seed, label: str) -> Iterator[int]:
    """Return the words of a label: 4-byte big-endian numbers, eight from each block, no end."""
    start = label.encode("ascii") + b"\0"
    messages = map(start.__add__, map(_ONE_NUMBER.pack, count()))
    blocks = map(seed.hmac, messages)
    return chain.from_iterable(map(_EIGHT_NUMBERS.unpack, blocks))


LIMITS = [0, *(2**32 // n * n for n in range(1, 105))]
"""Of `below(n)`, at index n: words less than this favour no number from 0 to n - 1. Two packs have
104 cards."""


def shuffle(seed: Seed, label: str, cards: Iterable[str]) -> list[str]:
    """Return the cards in the order that this seed and label give them."""
    shuffled = list(cards)
    n = len(shuffled)
    for word in words(seed, label):
        if n < 2:
            break
        # j = below(n), where n is i + 1. It is no function: shuffles are most of the work that a
        # document makes, and the calls would be a good part of a shuffle.
        if word < LIMITS[n]:
            j = word % n
            n -= 1
            shuffled[n], shuffled[j] = shuffled[j], shuffled[n]
    return shuffled


def opening(seed: Seed, variant: Variant) -> list[list[str | None]]:
    """Return the layout that a seed deals (section 4, *Opening*): rows of cards and gaps."""
    dealt = [card[:2] for card in shuffle(seed, "opening", variant.pack)]
    without_aces = [None if is_ace(card) else card for card in dealt]
    if variant.aces == "out":
        return _cut(without_aces, variant.ranks)
    aces = [card for card in dealt if is_ace(card)]
    if variant.aces == "left":
        rows = _cut(without_aces, variant.ranks)
        return [[ace, *row] for ace, row in zip(aces, rows, strict=True)]
    others = [card for card in dealt if not is_ace(card)]
    rows = _cut(others, variant.ranks - 1)
    return [[ace, None, *row] for ace, row in zip(aces, rows, strict=True)]


def redeal_order(seed: Seed, variant: Variant, k: int) -> list[str]:
    """Return the order of the k-th redeal (k from 1), primes and all."""
    return shuffle(seed, f"redeal/{k}", variant.redeal_pack)


def salt(seed: Seed, k: int) -> bytes:
    """Return the 16 bytes that the k-th redeal's commitment is salted with."""
    return seed.hmac(f"salt/{k}".encode("ascii"))[:16]


def commitment(salt_bytes: bytes, order: Sequence[str]) -> str:
    """Return the commitment to a redeal order, given its 16 bytes of salt, in hex."""
    return sha256(salt_bytes + " ".join(order).encode("ascii")).hexdigest()


def seed_commitment(seed: bytes) -> str:
    """Return the commitment to a seed, in hex."""
    return sha256(b"gaps-seed/1" + b"\0" + seed).hexdigest()


def _cut(cards: Sequence[str | None], length: int) -> list[list[str | None]]:
    return [list(cards[start : start + length]) for start in range(0, len(cards), length)]
