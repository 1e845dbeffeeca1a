"""The mutation run itself: what it changes, when a mutant counts as killed, what it reports."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation.__main__ import report
from tests.mutation.judging import JUDGES, ROOT, modules
from tests.mutation.mutants import Mutant, mutants
from tests.mutation.survivors import FILE, explained


def changes(text: str) -> list[str]:
    return [mutant.name.partition(": ")[2] for mutant in mutants("x.py", text)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x = a < b <= c", ["x = a <= b <= c", "x = a < b < c"]),
        ("x = a is b in c", ["x = a is not b in c", "x = a is b not in c"]),
        ("x = a and b or c", ["x = (a and b) and c", "x = (a or b) or c"]),
        ("x = not a", ["x = a"]),
        ("x = a + b % c", ["x = a - b % c", "x = a + b // c"]),
        ("x = 7", ["x = 8"]),
        ("x = True", ["x = False"]),
        ("x = 'a b'", ["x = 'XXa bXX'"]),
        ("x = b'a'", ["x = b'XXaXX'"]),
        ("x += y", ["x -= y", "x = y"]),
        ("x = all(y)", ["x = any(y)"]),
        ("f(x)", ["pass"]),
        ("raise x", ["pass"]),
        ("x.a = b", ["pass"]),
        ("x[a] = b", ["pass"]),
        ("x = b", []),
        ("x = a if b else c", ["x = a if not b else c"]),
        ("x = [a for a in b if a]", ["x = [a for a in b if not a]"]),
        ("x = a[1:]", ["x = a[2:]"]),
        ("x = f'{a + b}!'", ["x = f'{a - b}!'", "x = f'{a + b}XX!XX'"]),
        ("x = f'there is no {a + b} here'", ["x = f'there is no {a - b} here'"]),
        ("x = 'a sentence of five words'", []),
        ("'a docstring'", []),
        ("x: Literal['a'] = y", []),
        ("x: TypeAlias = a | 'b'", []),
    ],
)
def test_what_a_line_is_changed_to(line: str, expected: list[str]) -> None:
    assert changes(line) == [f"`{line}` -> `{changed}`" for changed in expected]


def test_statements_with_a_body() -> None:
    text = """
def f(a: 'int' = 1) -> 'int':
    while a:
        if g(a):
            break
    return a
"""
    assert changes(text) == [
        "`def f(a: 'int'=1) -> 'int':` -> `def f(a: 'int'=2) -> 'int':`",
        "`while a:` -> `while not a:`",
        "`if g(a):` -> `if not g(a):`",
        "`break` -> `continue`",
        "`return a` -> `return None`",
    ]
    assert [list(mutant.lines) for mutant in mutants("x.py", text)] == [[2], [3], [4], [5], [6]]
    assert [mutant.everywhere for mutant in mutants("x.py", text)] == [True, *[False] * 4]


def test_where_results_are_kept_all_tests_reach_everything() -> None:
    kept = mutants("x.py", "@cached_property\ndef f(self):\n    return g()\ndef g():\n    return 1")
    assert [mutant.everywhere for mutant in kept] == [True] * 3


@pytest.mark.parametrize("folder", JUDGES)
def test_every_mutant_of_the_repository_is_another_program(folder: str) -> None:
    assert modules(folder)
    for path in modules(folder):
        name, text = str(path.relative_to(ROOT)), path.read_text("utf-8")
        found = mutants(name, text)
        assert len({mutant.name for mutant in found}) == len(found)
        assert len({mutant.source for mutant in found}) == len(found)
        for mutant in found:
            compile(mutant.source, name, "exec")


JUDGE = """
import sys
from pathlib import Path
from tests.mutation import judging
from tests.mutation.mutants import mutants
judging.LEAST = 0.3
copy = Path(sys.argv[1])
every = mutants("x.py", (copy / "x.py").read_text())
def judge(*lines):
    test = judging.Reached("tests/test_x.py::test_f", 0.0, frozenset(("x.py", i) for i in lines))
    return [f"{judging.is_killed(copy, mutant, [test])} {mutant.name}" for mutant in every]
reached = judge(2, 3, 4)
print(*reached, sep="\\n")
# A test that starts a process may reach anything, and is run where such tests are.
assert not any(told.startswith("True") for told in judge(0))
judging.BY_COMMAND = {"x.py"}
assert judge(0) == reached
"""


def test_killed_by_a_failure_or_by_no_end_and_not_otherwise(tmp_path: Path) -> None:
    text = "def f(a):\n    while a > 0:\n        a -= 1\n    return a\n"
    (tmp_path / "tests").mkdir()
    (tmp_path / "x.py").write_text(text)
    test = "from x import f\n\ndef test_f() -> None:\n    assert f(3) in (0, 1)\n"
    (tmp_path / "tests" / "test_x.py").write_text(test)
    command = [sys.executable, "-c", JUDGE, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "True f: `while a > 0:` -> `while a >= 0:`",
        "False f: `while a > 0:` -> `while a > 1:`",
        "True f: `a -= 1` -> `a += 1`",
        "True f: `a -= 1` -> `a = 1`",
        "True f: `a -= 1` -> `a -= 2`",
        "True f: `return a` -> `return None`",
    ]
    assert (tmp_path / "x.py").read_text() == text


WAITER = """
import sys
from pathlib import Path
from tests.mutation import judging
from tests.mutation.mutants import mutants
judging.WAITING = 2
copy = Path(sys.argv[1])
test = judging.Reached("tests/test_x.py::test_f", 0.0, frozenset({("x.py", 4)}))
for mutant in mutants("x.py", (copy / "x.py").read_text()):
    if "+=" in mutant.name:
        print(mutant.name, judging.is_killed(copy, mutant, [test]))
"""


def test_a_test_that_only_waits_has_failed(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "x.py").write_text(
        "def f(a, wait):\n    while a:\n        wait()\n        a -= 1\n"
    )
    test = "import time\nfrom x import f\n\ndef test_f():\n    f(3, lambda: time.sleep(0.01))\n"
    (tmp_path / "tests" / "test_x.py").write_text(test)
    command = [sys.executable, "-c", WAITER, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "f: `a -= 1` -> `a += 1` True\n"


REASON = "Nothing anywhere looks at this."


def test_explanations() -> None:
    group = f'[[survivors]]\nwhy = "{REASON}"\nmutants."x.py" = ["f: a", "f: b"]\n'
    assert explained(group) == {("x.py", "f: a"): REASON, ("x.py", "f: b"): REASON}
    with pytest.raises(ValueError, match=r"^explained twice: x.py f: a$"):
        explained(group + group)
    with pytest.raises(ValueError, match=r"^this explains nothing: 'equivalent'$"):
        explained(group.replace(REASON, "equivalent"))


def test_what_is_explained_has_a_form_that_can_be_read() -> None:
    assert explained(FILE.read_text("utf-8"))


def judged(
    capsys: pytest.CaptureFixture[str], dead: int, left: int, reasons: dict[tuple[str, str], str]
) -> tuple[int, str]:
    every = [Mutant("x.py", f"f: {i}", range(1), False, "") for i in range(dead + left)]
    killed = {mutant[:2]: i < dead for i, mutant in enumerate(every)}
    return report(every, killed, reasons, 60.0), capsys.readouterr().out


def test_a_survivor_has_to_be_explained(capsys: pytest.CaptureFixture[str]) -> None:
    status, told = judged(capsys, 99, 1, {})
    assert status == 1
    assert "survived, and not explained: x.py f: 99" in told
    status, told = judged(capsys, 99, 1, {("x.py", "f: 99"): REASON})
    assert status == 0
    assert "100 mutants: 99 killed (99.0%), 1 survived, 1 of them explained" in told


def test_explanations_do_not_make_up_for_too_few_killed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    reasons = {("x.py", f"f: {i}"): REASON for i in range(94, 100)}
    assert judged(capsys, 94, 6, reasons)[0] == 1
    assert judged(capsys, 95, 5, reasons)[0] == 0


def test_explanations_that_no_longer_hold_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    reasons = {("x.py", "f: 0"): REASON, ("x.py", "g: gone"): REASON}
    status, told = judged(capsys, 1, 0, reasons)
    assert status == 0
    assert "explained, but killed now: x.py f: 0" in told
    assert "explained, but there is no such mutant now: x.py g: gone" in told
