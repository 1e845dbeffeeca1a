"""The checker needs nothing but Python, and says the same however Python is run."""

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import checker
from checker import command

from .build import ROOT, golden, vectors
from .documents import ONE_DEAL

FOLDER = Path(checker.__file__).parent
SOURCES = sorted(FOLDER.rglob("*.py"))

JUDGE_ALL = """
import json, pathlib, sys
sys.path.insert(0, sys.argv[1])
import checker
tests = pathlib.Path(sys.argv[2])
pairs = []
for vector in json.loads((tests / "data" / "vectors.json").read_text()):
    pairs += [(vector["deal"], log["moves"]) for log in vector["logs"]]
for path in sorted((tests / "checker" / "golden").glob("*.json")):
    wrong = json.loads(path.read_text())
    pairs.append((wrong["deal"], wrong["moves"]))
verdicts = [checker.verify(*pair).as_json() for pair in pairs]
refused = [[fault.as_json() for fault in checker.check_deal({**deal, "ranks": True})]
           for deal, moves in pairs]
print(json.dumps([__debug__, verdicts, refused]))
"""


def test_public_names() -> None:
    names = {"DealFault", "Fault", "RefusedDeal", "Verdict", "check_bundle", "check_deal", "verify"}
    assert set(checker.__all__) == names
    assert all(hasattr(checker, name) for name in names)
    assert callable(command.main)


def test_main_can_be_called(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deal.json"
    path.write_text(json.dumps(ONE_DEAL))
    assert command.main([str(path), "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == {"refused": []}
    assert command.main([str(path), str(tmp_path)]) == 3
    assert capfd.readouterr().err.startswith("gaps-check: Cannot read the log")


@pytest.mark.parametrize(
    ("version", "told"),
    [
        ("(3, 9, 18)", "the checker needs Python 3.11 or later"),
        ("(3, 10, 99)", "the checker needs Python 3.11 or later"),
        ("(3, 11, 0)", "None"),
    ],
)
def test_an_older_python_is_told(version: str, told: str) -> None:
    """Before anything is imported that it does not have."""
    program = (
        f"import sys; sys.version_info = {version}\n"
        "try: import checker; print(None)\n"
        "except ImportError as error: print(error, 'checker.board' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, cwd=ROOT
    )
    assert done.stdout.decode() == (f"{told} False\n" if told != "None" else "None\n")


def test_imports_only_the_standard_library_and_itself() -> None:
    assert len(SOURCES) > 5
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                roots = [alias.name.partition(".")[0] for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                roots = [(node.module or "").partition(".")[0]]
            else:
                continue
            assert set(roots) <= sys.stdlib_module_names, path.name


def test_imports_nothing_by_name() -> None:
    for path in SOURCES:
        nodes = ast.walk(ast.parse(path.read_text()))
        names = {node.id for node in nodes if isinstance(node, ast.Name)}
        assert not names & {"__import__", "importlib", "exec", "eval"}, path.name


def test_checks_nothing_by_assert() -> None:
    for path in SOURCES:
        tree = ast.parse(path.read_text())
        assert not [node for node in ast.walk(tree) if isinstance(node, ast.Assert)], path.name
        assert "__debug__" not in path.read_text()


def _judge_all(*flags: str, folder: Path) -> list[object]:
    done = subprocess.run(
        [sys.executable, *flags, "-c", JUDGE_ALL, str(folder), str(ROOT / "tests")],
        capture_output=True,
        check=True,
        cwd=folder,
    )
    told: list[object] = json.loads(done.stdout)
    return told


def test_same_verdicts_optimised_and_isolated(tmp_path: Path) -> None:
    """As written, under -O and -OO, and copied alone to where nothing is installed."""
    shutil.copytree(FOLDER, tmp_path / "checker", ignore=shutil.ignore_patterns("__pycache__"))
    plain = _judge_all(folder=ROOT)
    verdicts = [
        checker.verify(vector["deal"], log["moves"]).as_json()
        for vector in vectors()
        for log in vector["logs"]
    ]
    verdicts += [checker.verify(wrong["deal"], wrong["moves"]).as_json() for _, wrong in golden()]
    assert plain[:2] == [True, verdicts]
    assert _judge_all("-O", folder=ROOT) == [False, *plain[1:]]
    assert _judge_all("-OO", folder=ROOT) == [False, *plain[1:]]
    assert _judge_all("-I", "-S", folder=tmp_path) == plain


def test_a_copy_of_the_folder_runs_by_itself(tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    shutil.copytree(FOLDER, alone / "checker", ignore=shutil.ignore_patterns("__pycache__"))
    deal = tmp_path / "deal.json"
    deal.write_text(json.dumps(ONE_DEAL))
    bare = [sys.executable, "-E", "-s", "-S", "-O"]
    found = subprocess.run(
        [*bare, "-c", "import checker; print(checker.__file__)"],
        capture_output=True,
        check=True,
        cwd=alone,
    )
    assert Path(found.stdout.decode().strip()).resolve().is_relative_to(alone.resolve())
    log = b"d3a3 a4d3 d2c2 c3d2 d3c3 c4d3"
    done = subprocess.run(
        [*bare, "-m", "checker", str(deal), "-"],
        input=log,
        capture_output=True,
        check=False,
        cwd=alone,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.endswith(b"\nWon.\n")
