"""The one decorator that turns a hot loop into machine code: Numba, cached on disk.

With ``NUMBA_DISABLE_JIT=1`` the same functions run as plain Python and give the same results, so a
kernel keeps to whole numbers that fit 64 bits with their sign.
"""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])

_PACKAGE = Path(__file__).parent


def compiled(function: Function) -> Function:
    """The function as machine code, made at its first call and kept beside its module.

    It runs without Python's global lock, and cannot make arrays (see `allocating`). The cache is
    for exactly these sources: Numba looks at the calling module alone, and would run a stale copy
    of a kernel from another one.
    """
    # Numba counts references to an array wherever one function gives it to another, with atomic
    # additions that halve the speed of small kernels. All arrays here outlive the call.
    return _compiled(function, _nrt=False)


def allocating(function: Function) -> Function:
    """The same for a function that makes arrays for those that it calls."""
    return _compiled(function)


def _compiled(function: Function, **options: bool) -> Function:
    make: Any = njit
    dispatcher = make(cache=True, nogil=True, **options)(function)
    if dispatcher is not function:
        dispatcher._cache._cache_file._source_stamp = _stamp()
    return cast(Function, dispatcher)


@cache
def _stamp() -> str:
    """What all the solver's sources say, as a digest."""
    digest = hashlib.sha256()
    for source in sorted(_PACKAGE.rglob("*.py")):
        name = str(source.relative_to(_PACKAGE))
        digest.update(name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()
