"""Reads and writes streams to their end, and waits for those that do not block."""

import io
import os
import time
from contextlib import suppress
from typing import Any, TextIO

# Seconds between two looks at a stream that does not block. Python's select, which would wait for
# it, takes nothing but sockets on Windows.
_PAUSE = 0.01


def read_all(stream: Any, most: int) -> bytes:
    """Return what a binary stream holds, but little more than shows that it is more than `most`."""
    data, part = bytearray(), bytearray(io.DEFAULT_BUFFER_SIZE)
    while len(data) <= most:
        # Of all ways to read, this one tells "nothing yet" from the end, and meets the end once:
        # a terminal would have to be told it twice.
        count = stream.readinto1(part)
        if count is None:
            time.sleep(_PAUSE)
        elif count == 0:
            break
        else:
            data += part[:count]
    return bytes(data)


def tell(stream: TextIO | None, text: str) -> None:
    """Write a text, if anybody is there to read it."""
    with suppress(OSError, ValueError):
        write_all(stream, text)


def write_all(stream: TextIO | None, text: str) -> None:
    """Write a text, what is not ASCII in it escaped; OSError or ValueError where that fails.

    None is what Python has for a standard stream that it was started without.
    """
    if stream is None:
        raise ValueError("the stream is closed")
    text = text.encode("ascii", "backslashreplace").decode("ascii")
    stream.flush()
    if not isinstance(stream, io.TextIOWrapper):  # what a program in Python put there
        stream.write(text)
        stream.flush()
        return
    # Below Python's buffers: they give up on a stream that does not block, and without them
    # (python -u) nobody looks how much of the text was taken.
    raw: Any = getattr(stream.buffer, "raw", stream.buffer)
    rest = memoryview(text.replace("\n", os.linesep).encode(stream.encoding))
    while rest:
        count = raw.write(rest)
        if count is None:
            time.sleep(_PAUSE)
        else:
            rest = rest[count:]
