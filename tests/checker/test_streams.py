"""Standard streams that do not block, that Python does not buffer, or that a program put there."""

import contextlib
import fcntl
import io
import json
import os
import pty
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from checker.command import main
from checker.reading import Unreadable, read_document, read_log
from checker.streams import read_all, write_all

from .build import ROOT, bundles
from .documents import ONE_DEAL
from .running import BUFFERED, COMMAND, file

WIN = b"d3a3 a4d3 d2c2 c3d2 d3c3 c4d3"
UNBUFFERED = BUFFERED | {"PYTHONUNBUFFERED": "1"}


@pytest.fixture
def deal(tmp_path: Path) -> Path:
    return file(tmp_path, "deal.json", ONE_DEAL)


def _start(*arguments: str | Path, **more: Any) -> "subprocess.Popen[bytes]":
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": BUFFERED}
    return subprocess.Popen([*COMMAND, *map(str, arguments)], cwd=ROOT, **{**streams, **more})


def _waits(command: "subprocess.Popen[bytes]") -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        command.wait(0.5)


@contextlib.contextmanager
def _slow_input(*arguments: str | Path) -> Iterator[tuple["subprocess.Popen[bytes]", int]]:
    """Start the command on a pipe that does not block; yield it and the pipe's other end."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    try:
        yield _start(*arguments, stdin=reader), writer
    finally:
        os.close(reader)


def _taken(terminal_or_pipe: int) -> None:
    """Wait until all is read that was written."""
    while any(fcntl.ioctl(terminal_or_pipe, termios.FIONREAD, bytes(4))):
        time.sleep(0.01)


def test_a_log_that_comes_in_parts_is_judged_as_a_whole(deal: Path) -> None:
    with _slow_input(deal, "-") as (command, writer):
        _waits(command)
        for part in (WIN[:10], WIN[10:15]):  # two moves that are legal, and one more
            os.write(writer, part)
            _taken(writer)
            _waits(command)
        os.write(writer, WIN[15:])
        os.close(writer)
        stdout, stderr = command.communicate()
    assert (command.returncode, stderr) == (0, b"")
    assert stdout.endswith(b"\nWon.\n")


def test_a_document_that_comes_late(deal: Path) -> None:
    with _slow_input("-", file(deal.parent, "log", WIN)) as (command, writer):
        _waits(command)
        os.write(writer, deal.read_bytes())
        _taken(writer)
        _waits(command)
        os.close(writer)
        assert command.communicate()[1] == b""
    assert command.returncode == 0


@pytest.mark.parametrize("size", [2**24, 2**24 + 1])
def test_input_that_does_not_block_is_read_up_to_16_megabytes(deal: Path, size: int) -> None:
    with _slow_input("--json", deal, "-") as (command, writer):
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(WIN + b" " * (size - len(WIN)))
        told = json.loads(command.communicate()[0])
    if size == 2**24:
        assert (command.returncode, told["won"]) == (0, True)
    else:
        assert command.returncode == 3
        assert told["refused"][0]["message"].endswith("it has more than 16777216 bytes.")


@pytest.mark.parametrize("blocking", [True, False])
def test_a_terminal_is_told_the_end_once(deal: Path, blocking: bool) -> None:
    keyboard, terminal = pty.openpty()
    os.set_blocking(terminal, blocking)
    command = _start(deal, "-", stdin=terminal)
    os.write(keyboard, WIN[:14] + b"\n")
    _waits(command)
    os.write(keyboard, WIN[15:] + b"\n\x04")
    assert command.wait(60) == 0
    command.communicate()
    os.close(keyboard)
    os.close(terminal)


class _InParts(io.BytesIO):
    """A stream without a descriptor, which has nothing yet before each part."""

    ready = True

    def readinto1(self, buffer: Any) -> Any:
        self.ready = not self.ready
        return super().readinto1(memoryview(buffer)[:1]) if self.ready else None


class _Raw(io.RawIOBase):
    """Takes at most two bytes at a time, and nothing before that."""

    def __init__(self) -> None:
        self.taken, self.ready = b"", True

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int | None:
        self.ready = not self.ready
        self.taken += bytes(data[:2]) if self.ready else b""
        return len(data[:2]) if self.ready else None


def test_who_waits_sleeps(monkeypatch: pytest.MonkeyPatch) -> None:
    naps: list[float] = []
    monkeypatch.setattr(time, "sleep", naps.append)
    assert read_all(_InParts(b"abc"), 10) == b"abc"
    assert len(naps) == 4
    raw = _Raw()
    write_all(io.TextIOWrapper(raw), "abcde")  # type: ignore[type-var]
    assert raw.taken == b"abcde"
    assert len(naps) == 4 + 3
    assert all(0 < nap < 0.1 for nap in naps)


def _long() -> dict[str, Any]:
    """Return a bundle whose verdict as JSON is more than a pipe holds."""
    bundle: dict[str, Any] = dict(bundles())["good"]["bundle"]
    return bundle | {"provenance": {str(number): "x" * 1000 for number in range(200)}}


@pytest.mark.parametrize("environment", [BUFFERED, UNBUFFERED], ids=["buffered", "unbuffered"])
def test_a_slow_reader_gets_the_whole_verdict(tmp_path: Path, environment: dict[str, str]) -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    path = file(tmp_path, "bundle.json", _long())
    command = _start("--json", path, stdout=writer, env=environment)
    os.close(writer)
    _waits(command)
    with os.fdopen(reader, "rb") as pipe:
        told = json.load(pipe)
    assert told["provenance"] == _long()["provenance"]
    assert command.communicate()[1] == b""
    assert command.returncode == (0 if told["won"] else 1)


@pytest.mark.parametrize("environment", [BUFFERED, UNBUFFERED], ids=["buffered", "unbuffered"])
def test_a_verdict_of_which_a_part_was_written(tmp_path: Path, environment: dict[str, str]) -> None:
    """The file may have a block, and the verdict has more."""
    path, out = file(tmp_path, "bundle.json", _long()), tmp_path / "out"
    line = f"ulimit -f 1; exec '{sys.executable}' -m checker --json '{path}' >'{out}'"
    done = subprocess.run(
        ["/bin/sh", "-c", line], stderr=subprocess.PIPE, cwd=ROOT, env=environment, check=False
    )
    assert done.returncode == 3
    assert b"the verdict could not be written" in done.stderr
    assert out.stat().st_size > 0


@pytest.mark.parametrize("environment", [BUFFERED, UNBUFFERED], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("closed", ["2>/dev/full", "2>&-"])
def test_wrong_arguments_that_nobody_can_be_told(closed: str, environment: dict[str, str]) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f"'{sys.executable}' -m checker - - {closed}"],
        capture_output=True,
        cwd=ROOT,
        env=environment,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, b"")


def test_wrong_arguments_are_told_in_ascii() -> None:
    command = _start("a", "b", "--\xfc")
    assert command.communicate()[1].endswith(b"unrecognized arguments: --\\xfc\n")
    assert command.returncode == 2


def test_standard_input_that_a_program_put_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(_InParts(b"d3a3 a4d3")))
    assert read_log("-") == ["d3a3", "a4d3"]


def test_standard_input_that_a_program_closed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    closed = io.TextIOWrapper(io.BytesIO())
    closed.close()
    monkeypatch.setattr(sys, "stdin", closed)
    for read, what in ((read_document, "deal document or bundle"), (read_log, "log")):
        with pytest.raises(Unreadable) as caught:
            read("-")
        assert str(caught.value) == f"Cannot read the {what} from standard input: it is closed."
    assert main(["-"]) == 3
    assert "from standard input: it is closed.\n" in capsys.readouterr().err


def test_standard_output_that_a_program_put_there(deal: Path) -> None:
    class Watched(io.StringIO):
        flushed = ""

        def flush(self) -> None:
            self.flushed = self.getvalue()

    with contextlib.redirect_stdout(Watched()) as out:
        assert main([str(deal), "--json"]) == 0
    assert out.flushed == '{"refused": []}\n'


def test_standard_output_that_a_program_closed(
    deal: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    closed = io.TextIOWrapper(io.BytesIO())
    closed.close()
    monkeypatch.setattr(sys, "stdout", closed)
    assert main([str(deal)]) == 3
    assert "the verdict could not be written" in capsys.readouterr().err


def test_text_is_written_after_what_was_written_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the encoding that the stream has, and with the line ends that the system has."""
    monkeypatch.setattr(os, "linesep", "\r\n")
    written = io.BytesIO()
    stream = io.TextIOWrapper(io.BufferedWriter(written), "utf-16-le", newline="")
    stream.write("before\n")
    write_all(stream, "a\n\xfcb\n")
    assert written.getvalue().decode("utf-16-le") == "before\na\r\n\\xfcb\r\n"


def test_a_stream_that_python_was_started_without() -> None:
    with pytest.raises(ValueError, match=r"^the stream is closed$"):
        write_all(None, "won")
