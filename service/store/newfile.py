"""New files that are whole or not there: written beside their place, then put into it."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class FileThereError(Exception):
    """A file that is there already, and stays as it is."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is there already: name a new file.")


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """The path of an empty file for its owner's eyes, which becomes `path` at the end.

    If anything is raised meanwhile, nothing is left behind. Raises `FileThereError`, also for one
    that has come since, and `OSError` where the folder cannot be written to.
    """
    if os.path.lexists(path):
        raise FileThereError(path)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    os.close(descriptor)
    written = Path(name)
    try:
        yield written
        _sync(written)
        _place(written, path)
        _sync(path.parent)
    finally:
        written.unlink(missing_ok=True)


def _place(written: Path, path: Path) -> None:
    try:
        # Unlike a renaming, a link never takes the place of another file.
        os.link(written, path)
    except FileExistsError:
        raise FileThereError(path) from None
    except OSError:
        # Some file systems have no links.
        if os.path.lexists(path):
            raise FileThereError(path) from None
        written.rename(path)


def _sync(path: Path) -> None:
    """Has what is written reach the disk: a backup that a power cut takes away is none."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
