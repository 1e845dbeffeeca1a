"""Judges mutants: which tests reach a line, and whether some test fails with a mutant.

Everything runs in copies of the repository. A test run is a forked child of a process that has
loaded pytest and all else but the repository's own modules.
"""

import importlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import hypothesis
import pytest

from tests.mutation.mutants import Mutant

ROOT = Path(__file__).parents[2]
SIDE_BY_SIDE = "tests/readings/test_side_by_side.py"
JUDGES = {
    "checker": ("tests/checker", SIDE_BY_SIDE),
    "service/game": ("tests/game", SIDE_BY_SIDE),
}
"""The folders whose modules are changed, and the tests that judge each."""
BY_COMMAND = frozenset(
    f"checker/{name}.py"
    for name in (
        "__init__",
        "__main__",
        "command",
        "facts",
        "provenance",
        "pyz",
        "reading",
        "telling",
    )
)
"""Modules that tests which start a process judge as well; for others there are enough without."""
OWN = ("checker", "service", "tests")
"""The packages that a child imports anew."""
COPIED = (*OWN, "docs", "migrations", "pyproject.toml", "Makefile", "README.md", "CHANGELOG.md")
EXAMPLES = 30
"""Of each Hypothesis test, always the same ones."""
SAID = "said.txt"
LEAST = 3.0
"""A test has failed where it takes so many seconds more than it took while its lines were noted,
which slows it down several times."""
WAITING = 180
"""Or where it takes so many by the clock: what only waits takes nothing of the processor."""


class Reached(NamedTuple):
    """What one test of the unchanged code took and reached."""

    test: str
    seconds: float
    lines: frozenset[tuple[str, int]]
    """Modules' files and lines; line 0 of every file where the test starts a process of its own."""


def copy_of_the_repository(folder: Path) -> Path:
    """Copies what tests need into an empty folder."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, folder / name, ignore=ignored)
        elif (ROOT / name).exists():
            shutil.copy(ROOT / name, folder / name)
    return folder


def modules(folder: str) -> list[Path]:
    """The modules of a folder of `JUDGES`."""
    return sorted((ROOT / folder).glob("*.py"))


def warm_up(copy: Path, folder: str) -> None:
    """Imports everything but the repository that the judges of a folder import."""
    collected = copy / "imported.json"

    def collect() -> int:
        status = _pytest(JUDGES[folder], [], "--collect-only")
        names = [name for name in sys.modules if name.partition(".")[0] not in OWN]
        collected.write_text(json.dumps(names), "utf-8")
        return status

    if _in_a_child(copy, collect) != 0:
        sys.exit(f"{_said(copy)}\nthe tests in {JUDGES[folder]} cannot be collected")
    for name in json.loads(collected.read_text("utf-8")):
        with suppress(ImportError, AttributeError):
            importlib.import_module(name)


def reach(copy: Path, folder: str) -> list[Reached]:
    """Runs all judges of a folder on the unchanged code and tells what each test reaches."""
    told = copy / "reached.json"

    def run() -> int:
        tracer = _Tracer(copy, folder)
        status = _pytest(JUDGES[folder], [tracer])
        told.write_text(json.dumps(tracer.found), "utf-8")
        return status

    if _in_a_child(copy, run) != 0:
        sys.exit(f"{_said(copy)}\nthe tests in {JUDGES[folder]} fail on the code as it is")
    return [
        Reached(test, seconds, frozenset((path, line) for path, line in lines))
        for test, seconds, lines in json.loads(told.read_text("utf-8"))
    ]


def is_killed(copy: Path, mutant: Mutant, reached: Iterable[Reached]) -> bool:
    """Whether a test fails with a mutant, of those that reach it; see also `BY_COMMAND`."""
    tests = sorted(reached, key=lambda test: test.seconds)
    inside = [test for test in tests if (mutant.path, 0) not in test.lines]
    near = [test for test in inside if _reaches(test, mutant)]
    others = [test for test in tests if test not in inside and mutant.path in BY_COMMAND]
    path = copy / mutant.path
    whole = path.read_text("utf-8")
    path.write_text(mutant.source, "utf-8")
    try:
        return any(_fails(copy, some) for some in (near, others) if some)
    finally:
        path.write_text(whole, "utf-8")


def _said(copy: Path) -> str:
    return (copy / SAID).read_text("utf-8", "replace")


def _reaches(test: Reached, mutant: Mutant) -> bool:
    return mutant.everywhere or any((mutant.path, line) in test.lines for line in mutant.lines)


def _fails(copy: Path, tests: list[Reached]) -> bool:
    files = sorted({test.test.partition("::")[0] for test in tests})
    status = _in_a_child(copy, lambda: _pytest(files, [_Chosen(tests)], "--exitfirst"))
    if status in {pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED}:
        raise RuntimeError(f"pytest ended with {status} on {files}")
    return status != 0


def _pytest(paths: Iterable[str], plugins: list[Any], *options: str) -> int:
    hypothesis.settings.register_profile(
        "mutation", deadline=None, derandomize=True, database=None, max_examples=EXAMPLES
    )
    hypothesis.settings.load_profile("mutation")
    common = [
        "--quiet",
        "--assert=plain",
        "--noconftest",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
    ]
    return int(pytest.main([*common, *options, *paths], plugins=plugins))


def _in_a_child(copy: Path, run: Callable[[], int]) -> int:
    """The exit status of a function that runs in a forked child, in the copy, writing to `SAID`."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status)
    try:
        os.setsid()
        # As tests/conftest.py does, which is left out here.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        said = os.open(copy / SAID, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream in (1, 2):
            os.dup2(said, stream)
        os.chdir(copy)
        os.environ["PYTHONPATH"] = str(copy)
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        sys.dont_write_bytecode = True
        sys.path.insert(0, str(copy))
        for name in [name for name in sys.modules if name.partition(".")[0] in OWN]:
            del sys.modules[name]
        importlib.invalidate_caches()
        status = run()
    except BaseException:
        status = 70
    os._exit(status)


class _Chosen:
    """Runs some tests alone, in their order, and ends a test that takes far too long."""

    def __init__(self, tests: list[Reached]) -> None:
        self.rank = {test.test: rank for rank, test in enumerate(tests)}
        self.seconds = {test.test: test.seconds for test in tests}
        # Time of the processor, so that a busy machine kills no mutant. It ends the process.
        signal.setitimer(signal.ITIMER_PROF, 60)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self.rank),
            key=lambda item: self.rank[item.nodeid],
        )

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        signal.setitimer(signal.ITIMER_PROF, LEAST + self.seconds[item.nodeid])
        signal.setitimer(signal.ITIMER_REAL, WAITING)
        return (yield)


class _Tracer:
    """Notes the lines of a folder that each test runs."""

    def __init__(self, copy: Path, folder: str) -> None:
        self.files = {
            str(copy / path.relative_to(ROOT)): str(path.relative_to(ROOT))
            for path in modules(folder)
        }
        self.found: list[tuple[str, float, list[tuple[str, int]]]] = []
        self.lines: set[tuple[str, int]] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.lines = set()
        start = time.process_time()
        with _processes_counted(self._other_process):
            sys.settrace(self._call)
            try:
                result = yield
            finally:
                sys.settrace(None)
        seconds = time.process_time() - start
        self.found.append((item.nodeid, seconds, sorted(self.lines)))
        return result

    def _call(self, frame: FrameType, event: str, argument: object) -> Any:
        path = self.files.get(frame.f_code.co_filename)
        if path is None:
            return None

        def line(frame: FrameType, event: str, argument: object) -> Any:
            self.lines.add((path, frame.f_lineno))
            return line

        self.lines.add((path, frame.f_lineno))
        return line

    def _other_process(self) -> None:
        self.lines.update((path, 0) for path in self.files.values())


@contextmanager
def _processes_counted(report: Callable[[], None]) -> Iterator[None]:
    """Reports each process that is started."""
    plain = subprocess.Popen.__init__

    def counted(self: Any, *arguments: Any, **more: Any) -> None:
        report()
        plain(self, *arguments, **more)

    subprocess.Popen.__init__ = counted  # type: ignore[method-assign]
    try:
        yield
    finally:
        subprocess.Popen.__init__ = plain  # type: ignore[method-assign]
