"""What the image does when it is built and started, done here: nothing is compiled twice."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.files import DEPLOY

IMAGE = DEPLOY / "image"


def run(cache: Path, *command: str, **variables: str) -> str:
    """What a command prints, run with the image's settings and Numba's cache in a folder."""
    environment = {
        "PATH": f"{Path(sys.executable).parent}:{os.defpath}",
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CACHE_DIR": str(cache),
        "GAPS_SEARCH_SECONDS": "200",
        **variables,
    }
    ran = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert ran.returncode in (0, 1), ran.stderr
    return ran.stdout


def contents(folder: Path) -> dict[str, str]:
    """All files in a folder, each with a digest."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture(scope="module")
def baked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled solver, as the Dockerfile has it made."""
    folder = tmp_path_factory.mktemp("image") / "baked"
    run(folder, sys.executable, str(IMAGE / "bake.py"))
    return folder


def test_a_container_compiles_nothing(baked: Path, tmp_path: Path, sqlite_url: str) -> None:
    before = contents(baked)
    assert any(name.endswith(".nbc") for name in before)
    cache = tmp_path / "cache"
    variables = {"NUMBA_BAKED_DIR": str(baked), "GAPS_DATABASE_URL": sqlite_url}

    def gaps(*arguments: str) -> str:
        return run(cache, "sh", str(IMAGE / "gaps-entry"), *arguments, **variables)

    minted = json.loads(gaps("mint", "--variant", "classic", "--count", "2", "--json"))
    assert len(minted["deals"]) == 2
    for variant, redeals in (("classic", "0"), ("relaxed", "1"), ("gathered", "2")):
        arguments = ["--variant", variant, "--number", "17", "--max-redeals", redeals]
        gaps("solve", *arguments, "--budget", "300000", "--json")
    assert contents(cache) == before, "neither a new file nor a changed one"
    assert contents(baked) == before


def test_signals_reach_gaps_itself(tmp_path: Path) -> None:
    """The shell gives its place to gaps, so that there is no process between it and the engine."""
    (tmp_path / "baked").mkdir()
    (tmp_path / "gaps").write_text('#!/bin/sh\necho "$$ $*"\n')
    (tmp_path / "gaps").chmod(0o755)
    process = subprocess.Popen(
        ["sh", str(IMAGE / "gaps-entry"), "db", "check", "--json"],
        env={
            "PATH": f"{tmp_path}:{os.defpath}",
            "NUMBA_BAKED_DIR": str(tmp_path / "baked"),
            "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        },
        stdout=subprocess.PIPE,
        text=True,
    )
    told, _ = process.communicate()
    assert told == f"{process.pid} db check --json\n"
    assert (tmp_path / "cache").is_dir()
