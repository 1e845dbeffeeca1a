"""The command gaps-check, run as a person runs it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import checker
from checker.reading import Unreadable, read_document, read_log

from .build import ROOT, golden, numbered, sealed, vectors, without_seed
from .documents import ONE_DEAL
from .running import BUFFERED, COMMAND, file, gaps_check, told

WIN = ["d3a3", "a4d3", "d2c2", "c3d2", "d3c3", "c4d3"]


@pytest.fixture
def deal(tmp_path: Path) -> Path:
    """A board of four ranks that WIN wins."""
    return file(tmp_path, "deal.json", ONE_DEAL)


@pytest.mark.parametrize(
    ("log", "status"), [(WIN, 0), (WIN[:-1], 1), ([], 1), ([*WIN, "redeal"], 2), ([7], 2)]
)
def test_exit_status_and_verdict(deal: Path, tmp_path: Path, log: list[Any], status: int) -> None:
    path = file(tmp_path, "log.json", log)
    done = gaps_check("--json", str(deal), str(path))
    assert done.returncode == status
    assert told(done) == checker.verify(ONE_DEAL, log).as_json()
    assert gaps_check(str(deal), str(path)).returncode == status


def test_a_verdict_for_a_person(deal: Path, tmp_path: Path) -> None:
    done = gaps_check(str(deal), str(file(tmp_path, "log", "d3a3 a1b1")))
    assert done.stdout.decode() == (
        "Deal: one-deal, 4 rows of 4, a miniature of 4 ranks. The document is good.\n"
        "Verified:\n"
        "  The layout is an opening of one-deal.\n"
        "Not verified:\n"
        "  The layout was taken as it stands; the document has no seed that it could follow from.\n"
        "\n"
        "     1  2  3  4\n"
        "  a 2C 3C 4C 4H\n"
        "  b 2D 3D 4D --\n"
        "  c 2H -- 3S 4S\n"
        "  d 2S 3H -- --\n"
        "\n"
        "Ordered 8 of 12; slides 1, redeals 0, moves 1, undos 0.\n"
        "The log is not legal.\n"
        "Fault: occupied at token 1, counted from 0. "
        "b1 holds 2D; a card slides into a gap only.\n"
        "The board and the counts are those just before it. "
        "Correct the log at this token and check it again.\n"
    )
    won = gaps_check(str(deal), str(file(tmp_path, "log", " ".join(WIN)))).stdout
    assert b"  The log is legal: 6 tokens, each legal where it stands.\n" in won
    assert b"  The board is won, in 6 slides and 0 redeals.\n" in won
    assert won.endswith(b"\nWon.\n")
    one = gaps_check(str(deal), str(file(tmp_path, "log", WIN[0]))).stdout
    assert b"  The log is legal: 1 token, each legal where it stands.\n" in one
    assert b"The board is won" not in one
    assert one.endswith(b"\nNot won.\n")


OPEN = numbered("classic", 1)
BY_HAND = {"order": OPEN["redeals"][1]["order"]}
WHEN = (
    "When the commitments were made is not in the file; "
    "compare them with those that were known before play."
)
STANDS = "The layout was taken as it stands; the document has no seed that it could follow from."
FACTS: dict[str, tuple[dict[str, Any], list[str], list[str]]] = {
    "open, with its seed": (
        OPEN,
        [
            "The layout follows from the seed.",
            "The order of redeal 1 follows from the seed.",
            "The commitment to redeal 1 was kept: order and salt match it.",
            "The order of redeal 2 follows from the seed.",
            "The commitment to redeal 2 was kept: order and salt match it.",
            "The commitment to the seed was kept: the seed matches it.",
        ],
        [WHEN],
    ),
    "sealed, with a seed that nobody committed to": (
        {
            key: value
            for key, value in (sealed(OPEN) | {"seed": OPEN["seed"]}).items()
            if key != "seed_commitment"
        },
        [
            "The layout follows from the seed.",
            "The commitment to redeal 1 is to the order that follows from the seed.",
            "The commitment to redeal 2 is to the order that follows from the seed.",
        ],
        ["There is no commitment to the seed; it may have been chosen at any time.", WHEN],
    ),
    "live": (
        sealed(OPEN),
        ["The layout is an opening of classic."],
        [
            STANDS,
            "The order of redeal 1 is sealed; neither it nor its commitment could be checked.",
            "The order of redeal 2 is sealed; neither it nor its commitment could be checked.",
            "The commitment to the seed could not be checked; the seed is not in the file.",
            WHEN,
        ],
    ),
    "one open and one by hand": (
        without_seed(OPEN) | {"redeals": [OPEN["redeals"][0], BY_HAND]},
        [
            "The layout is an opening of classic.",
            "The commitment to redeal 1 was kept: order and salt match it.",
        ],
        [
            STANDS,
            "The order of redeal 1 was taken as it stands; there is no seed for it.",
            "The order of redeal 2 was taken as it stands; there is no seed for it.",
            "There is no commitment to redeal 2; its order may have been made at any time.",
            "The commitment to the seed could not be checked; the seed is not in the file.",
            WHEN,
        ],
    ),
}


@pytest.mark.parametrize(("document", "verified", "not_verified"), FACTS.values(), ids=FACTS)
def test_a_document_for_a_person(
    tmp_path: Path, document: dict[str, Any], verified: list[str], not_verified: list[str]
) -> None:
    done = gaps_check(str(file(tmp_path, "deal.json", document)))
    assert done.returncode == 0
    assert done.stdout.decode().splitlines() == [
        "Deal: classic, 4 rows of 13. The document is good.",
        "Verified:",
        *(f"  {fact}" for fact in verified),
        "Not verified:",
        *(f"  {fact}" for fact in not_verified),
    ]


def test_a_document_alone_as_json(deal: Path) -> None:
    done = gaps_check(str(deal), "--json")
    assert (done.returncode, told(done)) == (0, {"refused": []})


def test_a_refused_document(tmp_path: Path) -> None:
    refused = ONE_DEAL | {"ranks": True, "a\x1b[31m": 1}
    path = str(file(tmp_path, "deal.json", refused))
    log = str(file(tmp_path, "log", "undo"))
    faults = [fault.as_json() for fault in checker.check_deal(refused)]
    unknown, ranks = (fault["message"] for fault in faults)
    for arguments in ([path], [path, log]):
        done = gaps_check("--json", *arguments)
        assert (done.returncode, told(done)) == (3, {"refused": faults})
        person = gaps_check(*arguments)
        assert person.returncode == 3
        assert person.stdout.decode() == (
            "The deal document is refused:\n"
            f"  /a\\u001b[31m: {unknown}\n"
            f"  /ranks: {ranks}\n"
            "Correct these places or get the file anew.\n"
        )
    whole = gaps_check(str(file(tmp_path, "deal.json", "7"))).stdout
    assert whole.decode() == (
        "The deal document is refused:\n"
        "  whole: A deal document must be an object, not 7.\n"
        "Correct these places or get the file anew.\n"
    )


@pytest.mark.parametrize("space", [" ", "\n", "\t", "\r\n", "\f", "\v", " \n\n "])
def test_a_log_as_text(deal: Path, space: str) -> None:
    text = space + space.join(WIN) + space
    assert gaps_check(str(deal), "-", stdin=text.encode()).returncode == 0
    assert gaps_check(str(deal), "-", stdin=space.encode()).returncode == 1


@pytest.mark.parametrize("space", ["\xa0", "\u2028", "\x1c", "\x85", "\u3000"])
def test_other_white_space_separates_nothing(deal: Path, space: str) -> None:
    done = gaps_check("--json", str(deal), "-", stdin=space.join(WIN).encode())
    assert done.returncode == 2
    assert told(done)["fault"]["code"] == "malformed-token"


def test_a_log_as_json_after_white_space(deal: Path) -> None:
    done = gaps_check(str(deal), "-", stdin=b" \n\t" + json.dumps(WIN).encode() + b"\n")
    assert done.returncode == 0


def test_the_document_from_standard_input(tmp_path: Path) -> None:
    log = file(tmp_path, "log", " ".join(WIN))
    done = gaps_check("-", str(log), stdin=json.dumps(ONE_DEAL).encode())
    assert done.returncode == 0
    assert gaps_check("-", stdin=json.dumps(ONE_DEAL).encode()).returncode == 0


UNREADABLE = {
    "empty": (b"", "it is not JSON (Expecting value at line 1, column 1)"),
    "cut off": (b'{"format":', "it is not JSON (Expecting value at line 1, column 11)"),
    "two values": (b"{} {}", "it is not JSON (Extra data at line 1, column 4)"),
    "a tab in a string": (
        b'["a\tb"]',
        "it is not JSON (Invalid control character at line 1, column 4)",
    ),
    "a string without end": (
        b'["a',
        "it is not JSON (Unterminated string starting at line 1, column 2)",
    ),
    "an escape that is none": (
        b'["\\x"]',
        "it is not JSON (Invalid \\escape at line 1, column 3)",
    ),
    "a key twice": (b'{"format": 1, "format": 1}', 'the key "format" is twice in one object'),
    "a key twice within": (
        b'{"redeals": [{"a": 1, "b": 2, "b": 1}]}',
        'the key "b" is twice in one object',
    ),
    "NaN": (b'{"ranks": NaN}', "NaN is not JSON"),
    "Infinity": (b"[Infinity]", "Infinity is not JSON"),
    "-Infinity": (b"[-Infinity]", "-Infinity is not JSON"),
    "deep": (b"[" * 200_000 + b"]" * 200_000, "its lists or objects are nested too deeply"),
    "deep objects": (b'{"a":' * 200_000, "its lists or objects are nested too deeply"),
    "digits": (b"[" + b"1" * 10_000 + b"]", "it has a number of 10000 digits"),
    "not UTF-8": (b'["\xff"]', "it is not UTF-8 (at byte 2)"),
    "UTF-16": ('["a"]'.encode("utf-16"), "it is not UTF-8 (at byte 0)"),
    "byte order mark": (
        b"\xef\xbb\xbf[]",
        "it starts with a byte order mark; save it as UTF-8 without one",
    ),
    "too large": (b"[" + b" " * 2**24 + b"]", "it has more than 16777216 bytes"),
}


@pytest.mark.parametrize(("content", "why"), UNREADABLE.values(), ids=UNREADABLE)
def test_unreadable_documents(tmp_path: Path, content: bytes, why: str) -> None:
    path = str(file(tmp_path, "deal.json", content))
    _unreadable(f'Cannot read the deal document or bundle "{path}": {why}.', path)
    _unreadable(
        f"Cannot read the deal document or bundle from standard input: {why}.", "-", stdin=content
    )


@pytest.mark.parametrize("name", sorted(set(UNREADABLE) - {"empty", "cut off", "two values"}))
def test_unreadable_logs(deal: Path, tmp_path: Path, name: str) -> None:
    content, why = UNREADABLE[name]
    if content.startswith(b"{"):
        content = b"[" + content + b"]"
    log = str(file(tmp_path, "log.json", content))
    _unreadable(f'Cannot read the log "{log}": {why}.', str(deal), log)
    _unreadable(f"Cannot read the log from standard input: {why}.", str(deal), "-", stdin=content)


def _unreadable(sentence: str, *arguments: str, stdin: bytes = b"") -> None:
    person = gaps_check(*arguments, stdin=stdin)
    assert (person.returncode, person.stdout) == (3, b"")
    assert person.stderr.decode() == f"gaps-check: {sentence}\n"
    done = gaps_check("--json", *arguments, stdin=stdin)
    assert (done.returncode, told(done)) == (3, {"refused": [{"where": "", "message": sentence}]})


def test_files_that_cannot_be_opened(deal: Path, tmp_path: Path) -> None:
    missing, folder, below = str(tmp_path / "nowhere.json"), str(tmp_path), f"{deal}/log"
    long = "x" * 5000
    document, log = "Cannot read the deal document or bundle", "Cannot read the log"
    _unreadable(f'{document} "{missing}": No such file or directory.', missing)
    _unreadable(f'{log} "{missing}": No such file or directory.', str(deal), missing)
    _unreadable(f'{document} "{folder}": Is a directory.', folder)
    _unreadable(f'{log} "{folder}": Is a directory.', str(deal), folder)
    _unreadable(f'{log} "": Is a directory.', str(deal), "")
    _unreadable(f'{log} "{below}": Not a directory.', str(deal), below)
    _unreadable(f'{document} "{long}": File name too long.', long)


@pytest.mark.parametrize("name", ["\0", "\ud800"])
def test_what_can_be_no_file_name(name: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read_document(name)
    told = f"Cannot read the deal document or bundle {json.dumps(name)}: it is no file name."
    assert str(caught.value) == told


def test_an_error_of_which_the_system_says_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with (tmp_path / "written").open("w") as written:
        monkeypatch.setattr(sys, "stdin", written)
        with pytest.raises(Unreadable) as caught:
            read_log("-")
    assert str(caught.value) == "Cannot read the log from standard input: it cannot be opened."


def test_a_file_name_that_is_no_text(tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, os.fsencode(tmp_path) + b"/\xff"], capture_output=True, cwd=ROOT, check=False
    )
    assert done.returncode == 3
    assert b"No such file" in done.stderr
    assert done.stderr.isascii()


def test_wrong_arguments() -> None:
    for arguments in (["-", "-"], [], ["a", "b", "c"], ["--what"]):
        done = gaps_check(*arguments)
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr.startswith(b"usage: gaps-check")


def test_help_and_version() -> None:
    text = gaps_check("--help").stdout.decode()
    for words in ("gaps-check", "DEAL", "LOG", "--json", "exit status", "wrong arguments", "130"):
        assert words in text
    assert (
        "except for four keys that must be true where they are there:\n"
        '"variant" is the document\'s; "number", where it is not null, is the one that the\n'
        'document\'s seed is made from; "moves" and "redeals" are how many the line has: moves\n'
        "are the slides that are not taken back, and the redeals.\n"
    ) in text
    assert gaps_check("--version").stdout.startswith(b"gaps-check 1.1 (gaps-deal/1, gaps-bundle/1")


def test_output_that_nobody_reads(deal: Path) -> None:
    for flags in ([], ["--json"]):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(
            [*COMMAND, *flags, str(deal)],
            stdout=writer,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env=BUFFERED,
            check=False,
        )
        os.close(writer)
        assert done.returncode == 3
        assert done.stderr == (
            b"gaps-check: the verdict could not be written ([Errno 32] Broken pipe).\n"
        )


@pytest.mark.parametrize("closed", ["2>/dev/full", "1>/dev/full 2>/dev/full", "2>&-"])
def test_complaints_that_nobody_can_read(deal: Path, closed: str) -> None:
    """The exit status tells all the same, and nothing else goes wrong."""
    name = deal if closed.startswith("1") else deal.with_name("missing.json")
    line = f"'{sys.executable}' -m checker '{name}' {closed}"
    done = subprocess.run(
        ["/bin/sh", "-c", line], capture_output=True, cwd=ROOT, env=BUFFERED, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (3, b"", b"")


@pytest.mark.parametrize(
    ("closed", "status", "told"),
    [
        ("0<&-", 3, "Cannot read the deal document or bundle from standard input: it is closed."),
        ("1>&-", 3, "the verdict could not be written (the stream is closed)."),
        ("2>&-", 0, ""),
        ("1>&- 2>&-", 3, ""),
        (
            "1>/dev/full",
            3,
            "the verdict could not be written ([Errno 28] No space left on device).",
        ),
    ],
)
def test_closed_and_full_streams(deal: Path, closed: str, status: int, told: str) -> None:
    name = "-" if closed == "0<&-" else f"'{deal}'"
    line = f"'{sys.executable}' -m checker {name} {closed}"
    done = subprocess.run(
        ["/bin/sh", "-c", line], capture_output=True, cwd=ROOT, env=BUFFERED, check=False
    )
    assert done.returncode == status
    assert done.stderr.decode() == (f"gaps-check: {told}\n" if told else "")


def test_stopped_from_the_keyboard(deal: Path) -> None:
    waiting = subprocess.Popen(
        [*COMMAND, str(deal), "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    assert waiting.stdin is not None
    # A pipe's capacity twice over: writing it all means that the command is reading.
    waiting.stdin.write(b" " * 2**18)
    waiting.stdin.flush()
    waiting.send_signal(signal.SIGINT)
    stdout, stderr = waiting.communicate()
    assert (waiting.returncode, stdout) == (130, b"")
    assert stderr == b"gaps-check: stopped from the keyboard; nothing was verified.\n"


def test_golden_and_vectors_by_command(tmp_path: Path) -> None:
    """A few of each, whole way through: what is printed is what verify says."""
    chosen = [(wrong["deal"], wrong["moves"]) for _, wrong in list(golden())[::12]]
    chosen += [(vector["deal"], vector["logs"][0]["moves"]) for vector in vectors()[::6]]
    for deal, moves in chosen:
        path = str(file(tmp_path, "deal.json", deal))
        done = gaps_check("--json", path, "-", stdin=json.dumps(moves).encode())
        assert told(done) == checker.verify(deal, moves).as_json()
