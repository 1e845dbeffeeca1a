"""The checker in one file, as whoever doubts the service fetches it."""

import hashlib
from dataclasses import dataclass
from functools import cache
from typing import Final

from checker import pyz

NAME: Final = "checker.pyz"


@dataclass(frozen=True, slots=True)
class PackedChecker:
    """The archive that Python runs, and its SHA-256 (32 bytes)."""

    archive: bytes
    sha256: bytes

    @property
    def sums(self) -> str:
        """The line that ``sha256sum -c`` reads: 64 hex digits, two spaces, the file's name."""
        return f"{self.sha256.hex()}  {NAME}\n"


@cache
def packed_checker() -> PackedChecker:
    """The checker that this process replays with, packed when it is first asked for."""
    archive = pyz.build()
    return PackedChecker(archive, hashlib.sha256(archive).digest())
