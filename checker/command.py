"""The command gaps-check: verifies a deal document, and a move log of it."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import TextIO

from . import telling
from .document import FORMAT, read_deal
from .faults import DealFault, RefusedDeal
from .reading import Unreadable, read_document, read_log
from .replay import judge

GOOD = 0
NOT_WON = 1
ILLEGAL = 2
REFUSED = 3
STOPPED = 130

_EXIT_STATUSES = """\
exit status:
  0    the log is legal and the game won; without a log: the document is good
  1    the log is legal and the game not won
  2    the log is not legal; also: the command was given wrong arguments
  3    the document is refused, or something cannot be read, or the verdict not written
  130  stopped from the keyboard

Python users: checker.verify(deal, moves) and checker.check_deal(deal) say the same.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status; wrong arguments raise SystemExit(2)."""
    try:
        arguments = _arguments(argv)
        status, text = _check(arguments.deal, arguments.log, arguments.json)
        if status == REFUSED and not text:
            return REFUSED
        return status if _write(text + "\n") else REFUSED
    except KeyboardInterrupt:
        _complain("stopped from the keyboard; nothing was verified.")
        return STOPPED


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="gaps-check",
        description="Verify a deal document of Gaps (Montana) patience, and a move log of it.",
        epilog=_EXIT_STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("deal", metavar="DEAL", help=f"a {FORMAT} document; - is standard input")
    parser.add_argument(
        "log",
        metavar="LOG",
        nargs="?",
        help="a move log, as a JSON list or as text separated by white space; "
        "- is standard input. Without it the document alone is verified",
    )
    parser.add_argument("--json", action="store_true", help="write the verdict as JSON")
    parser.add_argument(
        "--version", action="version", version=f"gaps-check 1.0 ({FORMAT}, gaps-shuffle/1)"
    )
    arguments = parser.parse_args(argv)
    if arguments.deal == "-" and arguments.log == "-":
        parser.error("DEAL and LOG cannot both be standard input; give one of them as a file")
    return arguments


def _check(deal_name: str, log_name: str | None, as_json: bool) -> tuple[int, str]:
    """Return the exit status and the text for standard output."""
    try:
        document = read_document(deal_name)
        moves = None if log_name is None else read_log(log_name)
    except Unreadable as unreadable:
        if as_json:
            return REFUSED, _refused_json([DealFault("", str(unreadable))])
        _complain(str(unreadable))
        return REFUSED, ""
    try:
        deal = read_deal(document)
    except RefusedDeal as refused:
        faults = refused.faults
        return REFUSED, _refused_json(faults) if as_json else telling.refusal(faults)
    if moves is None:
        return GOOD, _refused_json([]) if as_json else telling.good_document(deal)
    verdict = judge(deal, moves)
    status = ILLEGAL if not verdict.legal else GOOD if verdict.won else NOT_WON
    if as_json:
        return status, json.dumps(verdict.as_json())
    outcome = telling.outcome(verdict, deal.variant, len(moves))
    return status, f"{telling.good_document(deal)}\n{outcome}"


def _refused_json(faults: Sequence[DealFault]) -> str:
    return json.dumps({"refused": [fault.as_json() for fault in faults]})


def _write(text: str) -> bool:
    """Write to standard output, all at once; complain and return False where that fails."""
    if sys.stdout is None:
        _complain("standard output is closed; the verdict was not written.")
        return False
    try:
        sys.stdout.write(text.encode("ascii", "backslashreplace").decode("ascii"))
        sys.stdout.flush()
    except (OSError, ValueError) as error:
        _discard(sys.stdout)
        _complain(f"the verdict could not be written ({error}).")
        return False
    return True


def _complain(sentence: str) -> None:
    """Write a sentence to standard error, if anybody is there to read it."""
    if sys.stderr is None:
        return
    try:
        text = f"gaps-check: {sentence}\n"
        sys.stderr.write(text.encode("ascii", "backslashreplace").decode("ascii"))
        sys.stderr.flush()
    except (OSError, ValueError):
        _discard(sys.stderr)


def _discard(stream: TextIO) -> None:
    """Let what is left in a stream that takes no more go nowhere when Python exits."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        return
