"""How a command ends: the exit statuses, and the errors that end it with one sentence."""

from enum import IntEnum


class Status(IntEnum):
    """A command's exit status."""

    DONE = 0
    """It did what it was asked, or the answer is yes."""
    NO = 1
    """The answer is no: not won, not current, not in order."""
    USAGE = 2
    """It was called wrongly, or given something that cannot be used."""
    FAULT = 3
    """The service itself cannot do it now: no database, say, or a port that is taken."""


class CommandError(Exception):
    """Ends a command with one sentence on standard error and an exit status."""

    def __init__(self, sentence: str, status: Status = Status.USAGE) -> None:
        super().__init__(sentence)
        self.status = status
