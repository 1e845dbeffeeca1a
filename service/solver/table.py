"""A set of 64-bit keys in one open-addressing table: which positions a search has seen.

The table is an int64 array whose length is a power of two; 0 marks an empty slot. Who fills it
keeps the load below three quarters: `room`. It starts small, since clearing costs time, and grows.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from service.solver.compiled import compiled

Int64s = npt.NDArray[np.int64]

KEY_BYTES: Final = 8


def make_table(bits: int) -> Int64s:
    """An empty table of ``2 ** bits`` slots."""
    return np.zeros(1 << bits, np.int64)


def room(table: Int64s) -> int:
    """How many keys a table may hold."""
    return len(table) // 4 * 3


@compiled
def add_key(table: Any, key: int) -> bool:
    """Puts a key in; whether it was new."""
    mask = len(table) - 1
    if key == 0:
        key = 1
    slot = key & mask
    while True:
        found = table[slot]
        if found == 0:
            table[slot] = key
            return True
        if found == key:
            return False
        slot = (slot + 1) & mask


@compiled
def touch(table: Any, keys: Any, count: int) -> int:
    """Loads at once what `add_key` will look at for each of the keys.

    What it gives means nothing, but has to be kept somewhere: else the compiler leaves all out.
    """
    mask = len(table) - 1
    touched = 0
    for index in range(count):
        touched ^= table[keys[index] & mask]
    return touched


@compiled
def _move_keys(old: Any, new: Any) -> None:
    for i in range(len(old)):
        if old[i] != 0:
            add_key(new, old[i])


def grown(table: Int64s, memory_bytes: int) -> Int64s | None:
    """The same keys in a table twice as large; None where both together pass the memory."""
    if len(table) * 3 * KEY_BYTES > memory_bytes:
        return None
    new = np.zeros(len(table) * 2, np.int64)
    _move_keys(table, new)
    return new
