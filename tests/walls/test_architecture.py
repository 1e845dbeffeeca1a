"""The walls between the packages, and habits that no type checker sees."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import checker

ROOT = Path(__file__).parents[2]
PACKAGES = ("service", "checker", "migrations")


def modules(*packages: str) -> list[Path]:
    return sorted(path for package in packages for path in (ROOT / package).rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module or ""


def test_arrows_go_one_way() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_checker_uses_the_standard_library_alone() -> None:
    for path in modules("checker"):
        roots = {name.partition(".")[0] for name in imported(path)}
        assert roots <= sys.stdlib_module_names | {"checker"}, path


def taken_from_the_checker(path: Path) -> set[str]:
    return {
        name.name
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "checker"
        for name in node.names
    }


def test_the_service_uses_the_checker_by_its_front_door() -> None:
    # And packs it, which reads its files and nothing of what they say.
    offered = {*checker.__all__, "pyz"}
    for path in modules("service"):
        deeper = {name for name in imported(path) if name.startswith("checker.")}
        deeper |= taken_from_the_checker(path) - offered
        assert not deeper, f"{path} reaches into the checker: {deeper}"


def test_there_is_one_clock() -> None:
    asks = []
    for path in modules(*PACKAGES):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in {"now", "today", "utcnow"}:
                asks.append(path.relative_to(ROOT).as_posix())
            if isinstance(node, ast.Attribute) and ast.unparse(node) == "time.time":
                asks.append(path.relative_to(ROOT).as_posix())
    assert [path for path in asks if path != "service/clock.py"] == []


def test_no_judgement_hangs_on_an_assert() -> None:
    for path in modules(*PACKAGES):
        asserts = [
            node.lineno
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Assert)
        ]
        assert not asserts, f"{path}: python -O drops the asserts of lines {asserts}"


@pytest.mark.parametrize("path", modules(*PACKAGES), ids=lambda path: path.name)
def test_a_module_says_what_it_is_for_and_fits_on_a_few_screens(path: Path) -> None:
    text = path.read_text("utf-8")
    assert ast.get_docstring(ast.parse(text)) or not text.strip(), "the first line says what for"
    assert len(text.splitlines()) <= 400


def test_sql_is_written_in_the_store_alone() -> None:
    for path in modules("service"):
        if path.relative_to(ROOT).parts[1] in {"store", "settings.py"}:
            continue
        roots = {name.partition(".")[0] for name in imported(path)}
        if "sqlalchemy" in roots:
            names = {name for name in imported(path) if name.startswith("sqlalchemy")}
            assert names <= {"sqlalchemy.orm"}, f"{path} imports {names}"


def test_locks_are_pinned_and_name_no_address() -> None:
    for name in ("requirements.lock", "requirements-dev.lock"):
        text = (ROOT / name).read_text("utf-8")
        assert "://" not in text
        assert not any(line.startswith("-") for line in text.splitlines())
        pins = [line for line in text.splitlines() if line and line[0].isalnum()]
        assert pins
        assert all("==" in line and line.endswith("\\") for line in pins)
        assert text.count("--hash=sha256:") >= len(pins)
