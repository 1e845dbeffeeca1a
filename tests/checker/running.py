"""Runs the command gaps-check as a person runs it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, TypeAlias

from .build import ROOT

COMMAND = [sys.executable, "-m", "checker"]
# Unbuffered, all that is written fails at once; what a person writes to is buffered.
BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
Done: TypeAlias = "subprocess.CompletedProcess[bytes]"


def gaps_check(*arguments: str, stdin: bytes = b"", **more: Any) -> Done:
    done = subprocess.run(
        [*COMMAND, *arguments],
        input=stdin,
        capture_output=True,
        cwd=ROOT,
        check=False,
        **{"env": BUFFERED, **more},
    )
    assert b"Traceback" not in done.stderr
    return done


def file(folder: Path, name: str, content: object) -> Path:
    """Return a new file that holds bytes or a text as they are, anything else as JSON."""
    path = folder / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def told(done: Done) -> Any:
    """Return what a run with --json says."""
    assert done.stderr == b""
    return json.loads(done.stdout)
