"""What a replay comes to."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Fault:
    """The first token of a log that is not legal where it stands."""

    index: int
    """Counted from 0."""
    token: str | int | float | bool | None
    """The token; a string too long to repeat is cut, a list or an object is described."""
    code: str
    """A code of docs/rules.md section 5."""
    message: str
    """A sentence for a person."""

    def as_json(self) -> dict[str, Any]:
        """Return the fault as a JSON object."""
        return {
            "index": self.index,
            "token": self.token,
            "code": self.code,
            "message": self.message,
        }


@dataclass(frozen=True)
class Verdict:
    """The outcome of a log; of an illegal one, up to the board before its fault."""

    legal: bool
    won: bool
    ordered: int
    """Cards in runs, fixed aces not counted."""
    slides: int
    """Slides that were not taken back."""
    redeals: int
    undos: int
    layout: list[list[str | None]]
    """The last board: rows of cards and gaps (None)."""
    fault: Fault | None
    """None where the log is legal."""

    @property
    def moves(self) -> int:
        """Slides and redeals together."""
        return self.slides + self.redeals

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as a JSON object."""
        return {
            "legal": self.legal,
            "won": self.won,
            "ordered": self.ordered,
            "slides": self.slides,
            "redeals": self.redeals,
            "undos": self.undos,
            "moves": self.moves,
            "layout": [list(row) for row in self.layout],
            "fault": self.fault.as_json() if self.fault else None,
        }
