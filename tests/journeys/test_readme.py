"""The README's commands, run as a reader would paste them, against a running service."""

import json
import re
import subprocess
from pathlib import Path

from tests.journeys.processes import GAPS, running

README = Path(__file__).parents[2] / "README.md"


def blocks(heading: str) -> str:
    """The shell commands under a heading of the README, in order."""
    section = README.read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return "\n".join(re.findall(r"```sh\n(.*?)```", section, re.DOTALL))


def test_a_day_with_the_api_and_checking_without_trust(tmp_path: Path, sqlite_url: str) -> None:
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "bin").symlink_to(GAPS.parent)
    script = "\n".join(["set -euo pipefail", blocks("A day with the API")])
    with running(tmp_path, sqlite_url, "serve", stock="0", horizon_days="1") as service:
        service.wait_until_serving()
        script = script.replace("http://127.0.0.1:8000", service.url)
        env = {"GAPS_DATABASE_URL": sqlite_url, "PATH": "/usr/bin:/bin"}
        ran = subprocess.run(
            ["bash", "-c", script], cwd=tmp_path, env=env, capture_output=True, text=True
        )
    assert ran.returncode == 0, ran.stderr
    answers = [json.loads(answer) for answer in re.split(r"(?<=\})(?=\{)", ran.stdout.strip())]
    daily, illegal, won, verified = answers
    assert daily["state"] == "live"
    assert json.loads((tmp_path / "deal.json").read_text())["format"] == "gaps-deal/1"
    assert illegal["verdict"]["legal"] is False
    assert won["verdict"]["won"] is True
    assert verified["won"] is True

    checking = "\n".join(["set -euo pipefail", blocks("Checking without trust")])
    ran = subprocess.run(
        ["bash", "-c", checking], cwd=tmp_path, env=env, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.endswith("\nWon.\n")
