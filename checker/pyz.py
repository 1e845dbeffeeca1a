"""Packs the checker into one file, the same to the byte wherever it is packed.

    python -m checker.pyz dist/checker.pyz
    python3 checker.pyz deal.json log.txt

The file is a zip archive that Python runs. The checker does not need this module; it is packed
too, so that whoever has the file can unpack it and pack it again.
"""

import hashlib
import io
import sys
import zipfile
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from .streams import tell, write_all

INTERPRETER = b"#!/usr/bin/env python3\n"

_START = b"""\
import sys

if sys.version_info < (3, 11):
    sys.stderr.write("gaps-check: this needs Python 3.11 or later; nothing was verified.\\n")
    sys.exit(3)

import checker.__main__
"""
# The earliest time that a zip archive can tell, and a plain file that all may read.
_TIME = (1980, 1, 1, 0, 0, 0)
_MODE = 0o100644
_UNIX = 3


def build() -> bytes:
    """Return the archive: made from the package's own files, and from nothing else.

    Neither times, permissions, order or line ends of those files nor the packing system leave a
    trace, and nothing is compressed, since compression is not the same everywhere.
    """
    archive = io.BytesIO()
    archive.write(INTERPRETER)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as packed:
        for name, content in sorted(_contents().items()):
            entry = zipfile.ZipInfo(name, _TIME)
            entry.create_system = _UNIX
            entry.external_attr = _MODE << 16
            packed.writestr(entry, content)
    return archive.getvalue()


def main(argv: Sequence[str] | None = None) -> int:
    """Write the archive to the file that is named, and its SHA-256 to standard output.

    Returns the exit status: 1 where either cannot be written, 2 for wrong arguments.
    """
    arguments = sys.argv[1:] if argv is None else argv
    if len(arguments) != 1 or arguments[0].startswith("-"):
        tell(sys.stderr, "usage: python -m checker.pyz OUT\n")
        return 2
    out = Path(arguments[0])
    try:
        archive = build()
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_bytes(archive)
        out.chmod(0o755)
    except (OSError, ValueError) as error:
        tell(sys.stderr, f"checker.pyz: the archive could not be made ({error}).\n")
        return 1
    try:
        write_all(sys.stdout, f"{hashlib.sha256(archive).hexdigest()}  {out}\n")
    except (OSError, ValueError) as error:
        tell(sys.stderr, f"checker.pyz: the archive's SHA-256 could not be written ({error}).\n")
        return 1
    return 0


def _contents() -> dict[str, bytes]:
    """Return the bytes of each file of the archive by its name there."""
    found = {
        f"checker/{file.name}": file.read_bytes().replace(b"\r\n", b"\n")
        for file in files("checker").iterdir()
        if file.is_file() and (_is_module(file.name) or file.name == "py.typed")
    }
    return {"__main__.py": _START, **found}


def _is_module(name: str) -> bool:
    """Tell whether a file is one that Python can import: systems and editors leave others."""
    return name.endswith(".py") and name.removesuffix(".py").isidentifier()


if __name__ == "__main__":
    sys.exit(main())
