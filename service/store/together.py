"""Work of several threads put into one transaction: a commit waits for the disk, and one wait does.

Whoever comes first does the work of all who are waiting by then; the others find it done.
"""

import threading
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

from service.store.engine import DatabaseUnavailableError

Item = TypeVar("Item")
Answer = TypeVar("Answer")

MOST_TOGETHER: Final = 64
"""How many items a transaction has at most."""


class _Entry(Generic[Item, Answer]):
    """An item that waits, and then what came of it."""

    def __init__(self, item: Item) -> None:
        self.item = item
        self.done = False
        self.answer: Answer | None = None
        self.error: BaseException | None = None


class Together(Generic[Item, Answer]):
    """Puts items together for `work`, which answers one thing for each of them, in their order.

    `work` does all of its items or none. Where it fails with several, each is tried by itself, so
    that none fails for another.
    """

    def __init__(self, work: Callable[[Sequence[Item]], Sequence[Answer]]) -> None:
        self._work = work
        self._lock = threading.Lock()
        self._turn = threading.Lock()
        self._waiting: list[_Entry[Item, Answer]] = []

    def do(self, item: Item) -> Answer:
        """Has an item worked on; answers, or raises, what came of it."""
        entry: _Entry[Item, Answer] = _Entry(item)
        with self._lock:
            self._waiting.append(entry)
        with self._turn:
            while not entry.done:
                with self._lock:
                    batch = self._waiting[:MOST_TOGETHER]
                    del self._waiting[:MOST_TOGETHER]
                self._do(batch)
        if entry.error is not None:
            raise entry.error
        return entry.answer  # type: ignore[return-value]

    def _do(self, batch: Sequence[_Entry[Item, Answer]]) -> None:
        try:
            answers = self._work([entry.item for entry in batch])
        except BaseException as error:
            # A database that is away for all of them is so for each.
            if len(batch) > 1 and not isinstance(error, DatabaseUnavailableError):
                for entry in batch:
                    self._do([entry])
                return
            for entry in batch:
                entry.error, entry.done = error, True
        else:
            for entry, answer in zip(batch, answers, strict=True):
                entry.answer, entry.done = answer, True
