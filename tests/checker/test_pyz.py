"""The checker in one file: the same bytes wherever it is packed, and it needs Python alone."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from checker import pyz

from .build import ROOT, bundles
from .documents import ONE_DEAL
from .running import BUFFERED, Done, file
from .test_standing_alone import FOLDER, SOURCES

WIN = "d3a3 a4d3 d2c2 c3d2 d3c3 c4d3"
BARE = [sys.executable, "-I", "-S"]


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """The file, in a folder of its own."""
    folder = tmp_path / "packed"
    folder.mkdir()
    path = folder / "checker.pyz"
    path.write_bytes(pyz.build())
    return path


def _pack(tree: Path, out: Path, umask: int, **environment: str) -> bytes:
    """Pack a tree's checker in a process of its own, and return what it wrote."""
    command = [sys.executable, "-B", "-m", "checker.pyz", str(out)]
    done = subprocess.run(
        command, cwd=tree, env=environment, umask=umask, capture_output=True, check=True
    )
    archive = out.read_bytes()
    digest = hashlib.sha256(archive).hexdigest()
    assert done.stdout.decode() == f"{digest}  {out}\n"
    assert done.stderr == b""
    return archive


def test_two_copies_of_the_tree_are_packed_alike(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "another tree"
    shutil.copytree(FOLDER, one / "checker", ignore=shutil.ignore_patterns("__pycache__"))
    (other / "checker" / "__pycache__").mkdir(parents=True)
    (other / "checker" / "__pycache__" / "board.cpython-311.pyc").write_bytes(b"stale")
    for stray in ("board.py.orig", "._board.py", "board 2.py", "2.py", ".py", "board"):
        (other / "checker" / stray).write_text("left by an editor")
    (other / "checker" / "old.py").mkdir()
    (other / "checker" / ".#board.py").symlink_to("somebody@somewhere.1234")
    (other / "checker" / "lock.py").symlink_to("somebody@somewhere.1234")
    os.mkfifo(other / "checker" / "pipe.py")
    # Made in another order, at another time, with other permissions and line ends.
    for path in sorted([*SOURCES, FOLDER / "py.typed"], reverse=True):
        copy = other / "checker" / path.name
        copy.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        copy.chmod(0o700)
        os.utime(copy, (10**9, 10**9))
    first = _pack(one, tmp_path / "first.pyz", 0o022, LC_ALL="C", TZ="UTC")
    second = _pack(
        other, other / "new" / "second.pyz", 0o077, LC_ALL="C.UTF-8", TZ="Asia/Tokyo", HOME="/"
    )
    assert first == second
    assert first == pyz.build()


def test_packed_on_windows_it_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    here = pyz.build()
    monkeypatch.setattr(sys, "platform", "win32")
    assert zipfile.ZipInfo("there").create_system == 0, "an archive tells where it was made"
    assert pyz.build() == here


def test_it_holds_the_checker_and_nothing_else(packed: Path) -> None:
    with zipfile.ZipFile(packed) as archive:
        assert archive.testzip() is None
        entries = archive.infolist()
        held = {entry.filename: archive.read(entry) for entry in entries}
    assert packed.read_bytes().startswith(b"#!/usr/bin/env python3\nPK")
    assert list(held) == sorted(held)
    sources = {f"checker/{path.relative_to(FOLDER).as_posix()}": path for path in SOURCES}
    assert set(held) == {"__main__.py", "checker/py.typed", *sources}
    for name, path in sources.items():
        assert held[name] == path.read_bytes()
    for entry in entries:
        assert entry.date_time == (1980, 1, 1, 0, 0, 0)
        assert entry.compress_type == zipfile.ZIP_STORED
        assert entry.external_attr == 0o100644 << 16
        assert (entry.create_system, entry.extra, entry.comment) == (3, b"", b"")


def _run(packed: Path, folder: Path, *arguments: str) -> Done:
    """Run the file with bare Python, where there is nothing else: no environment, no files."""
    folder.mkdir(exist_ok=True)
    assert list(folder.iterdir()) == []
    done = subprocess.run(
        [*BARE, str(packed), *arguments], cwd=folder, env={}, capture_output=True, check=False
    )
    assert b"Traceback" not in done.stderr
    assert list(folder.iterdir()) == []
    assert [path.name for path in packed.parent.iterdir()] == [packed.name]
    return done


def test_it_runs_with_bare_python(packed: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    deal = str(file(tmp_path, "deal.json", ONE_DEAL))
    won = _run(packed, empty, deal, str(file(tmp_path, "log.txt", WIN)))
    assert (won.returncode, won.stderr) == (0, b"")
    assert won.stdout.endswith(b"\nWon.\n")
    assert _run(packed, empty, deal, str(file(tmp_path, "log.txt", "d3a3"))).returncode == 1
    assert _run(packed, empty, deal, str(file(tmp_path, "log.txt", "a1b1"))).returncode == 2
    assert _run(packed, empty, str(tmp_path / "nowhere")).returncode == 3
    assert _run(packed, empty, "--help").stdout.startswith(b"usage: gaps-check")


def test_it_says_of_bundles_what_the_folder_says(packed: Path, tmp_path: Path) -> None:
    for name, case in list(bundles())[::5]:
        path = str(file(tmp_path, "bundle.json", case["bundle"]))
        done = _run(packed, tmp_path / "empty", path, "--json")
        told = subprocess.run(
            [sys.executable, "-m", "checker", path, "--json"], cwd=ROOT, capture_output=True
        )
        assert (done.returncode, done.stdout) == (told.returncode, told.stdout), name
        json.loads(done.stdout)


def test_it_can_pack_itself_again(packed: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.pyz"
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); from checker import pyz; "
        "assert sys.argv[1] in pyz.__file__; sys.exit(pyz.main([sys.argv[2]]))"
    )
    subprocess.run([*BARE, "-c", program, str(packed), str(again)], cwd=tmp_path, check=True)
    assert again.read_bytes() == packed.read_bytes()


def test_an_older_python_is_told_and_verifies_nothing(packed: Path, tmp_path: Path) -> None:
    """Not by a traceback, whose exit status would say: legal and not won."""
    program = (
        "import runpy, sys; sys.version_info = (3, 10, 9); "
        "runpy.run_path(sys.argv[1], run_name='__main__')"
    )
    done = subprocess.run([*BARE, "-c", program, str(packed)], cwd=tmp_path, capture_output=True)
    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr.startswith(b"gaps-check: this needs Python 3.11 or later")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("arguments", [[], ["--help"], ["a", "b"]])
def test_wrong_usage(arguments: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert pyz.main(arguments) == 2
    assert capfd.readouterr().err == "usage: python -m checker.pyz OUT\n"


UNWRITABLE = {
    "": "[Errno 21] Is a directory: '.'",
    "/": "[Errno 21] Is a directory: '/'",
    "/dev/full": "[Errno 28] No space left on device",
    "/dev/null/out": "[Errno 17] File exists: '/dev/null'",
    "/dev/null/o/ut": "[Errno 20] Not a directory: '/dev/null/o'",
    "\0": "embedded null byte",
}


@pytest.mark.parametrize(("out", "why"), UNWRITABLE.items())
def test_a_file_that_cannot_be_written(
    out: str, why: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert pyz.main([out]) == 1
    told = f"checker.pyz: the archive could not be made ({why}).\n"
    assert capfd.readouterr() == ("", told)


@pytest.mark.parametrize(
    ("streams", "status", "told"),
    [
        ("1>&-", 1, "the archive's SHA-256 could not be written (the stream is closed)."),
        (
            "1>/dev/full",
            1,
            "the archive's SHA-256 could not be written ([Errno 28] No space left on device).",
        ),
        ("1>&- 2>&-", 1, ""),
        ("--help 2>&-", 2, ""),
    ],
)
def test_streams_that_nobody_reads(tmp_path: Path, streams: str, status: int, told: str) -> None:
    line = f"'{sys.executable}' -B -m checker.pyz "
    line += streams if status == 2 else f"'{tmp_path / 'out'}' {streams}"
    done = subprocess.run(
        ["/bin/sh", "-c", line], cwd=ROOT, env=BUFFERED, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (status, b"")
    assert done.stderr.decode() == (f"checker.pyz: {told}\n" if told else "")


def test_make_checker_writes_it(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "checker", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "Makefile", tmp_path)
    done = subprocess.run(
        ["make", "--no-print-directory", "checker", f"PYTHON={sys.executable}"],
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    archive = (tmp_path / "dist" / "checker.pyz").read_bytes()
    assert archive == pyz.build()
    assert done.stdout.decode() == f"{hashlib.sha256(archive).hexdigest()}  dist/checker.pyz\n"
    assert {path.name for path in tmp_path.iterdir()} == {"Makefile", "checker", "dist"}


def test_its_folder_is_made_and_everybody_may_run_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "some" / "where" / "checker.pyz"
    for _ in range(2):
        assert pyz.main([str(out)]) == 0
        assert out.read_bytes() == pyz.build()
        assert out.stat().st_mode & 0o777 == 0o755
        digest = hashlib.sha256(out.read_bytes()).hexdigest()
        assert capsys.readouterr().out == f"{digest}  {out}\n"
    for wrong in ([], ["-h"], [str(out), str(out)]):
        assert pyz.main(wrong) == 2
        assert capsys.readouterr().err == "usage: python -m checker.pyz OUT\n"
