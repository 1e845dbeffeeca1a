"""Pages of ``docs/`` that tests do as a reader would."""

import os
import re
import subprocess
import sys
from pathlib import Path


def run(text: str, folder: Path) -> str:
    """What the commands of a part of the page print; its programs are saved as they are called."""
    script = ["set -euo pipefail"]
    for kind, block in re.findall(r"```(\w+)\n(.*?)```", text, re.DOTALL):
        if kind == "python":
            name = re.match(r"# (\w+\.py):", block)
            assert name is not None
            (folder / name[1]).write_text(block)
        elif kind == "sh":
            script.append(block)
        else:
            assert kind == "text"
    ran = subprocess.run(
        ["bash", "-c", "\n".join(script)],
        cwd=folder,
        env={"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout
