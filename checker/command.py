"""The command gaps-check: verifies a deal document, a move log of it, or a bundle of both."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from . import bundle, formats, telling
from .bundle import is_bundle
from .document import read_deal
from .facts import add_log, add_provenance, facts_of_deal
from .faults import DealFault, RefusedDeal
from .reading import Unreadable, read_document, read_log
from .replay import judge
from .streams import tell, write_all
from .verdict import Verdict

GOOD = 0
NOT_WON = 1
ILLEGAL = 2
REFUSED = 3
STOPPED = 130

_EXIT_STATUSES = """\
exit status:
  0    the log, or the bundle's line, is legal and the game won;
       a document without a log: it is good
  1    the log or line is legal and the game not won
  2    the log or line is not legal; also: the command was given wrong arguments,
       such as a LOG beside a bundle
  3    the document or bundle is refused, or something cannot be read, or the verdict
       not written
  130  stopped from the keyboard

What a bundle says of how its deal was made (provenance) is shown as its publisher's
claim and not verified, except for four keys that must be true where they are there:
"variant" is the document's; "number", where it is not null, is the one that the
document's seed is made from; "moves" and "redeals" are how many the line has: moves
are the slides that are not taken back, and the redeals.

Python users: checker.verify(deal, moves), checker.check_deal(deal) and
checker.check_bundle(bundle) say the same.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status.

    Raises SystemExit(2) for wrong arguments, and SystemExit(0) after --help and --version.
    """
    parser = _parser()
    try:
        arguments = parser.parse_args(argv)
        if arguments.deal == "-" and arguments.log == "-":
            parser.error("DEAL and LOG cannot both be standard input; give one of them as a file")
        try:
            given = read_document(arguments.deal)
            if is_bundle(given) and arguments.log is not None:
                parser.error("DEAL is a bundle, which has its own line; leave LOG out")
            moves = None if arguments.log is None else read_log(arguments.log)
        except Unreadable as unreadable:
            return _unreadable(str(unreadable), arguments.json)
        answer = _bundle(given) if is_bundle(given) else _document(given, moves)
        text = json.dumps(answer.as_json) if arguments.json else answer.text
        return answer.status if _write(text + "\n") else REFUSED
    except KeyboardInterrupt:
        _complain("stopped from the keyboard; nothing was verified.")
        return STOPPED


class _Parser(argparse.ArgumentParser):
    """Exits with the same status where nobody can read what it says, on every Python."""

    def _print_message(self, message: str, file: Any = None) -> None:
        tell(file or sys.stderr, message)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="gaps-check",
        description="Verify a deal document of Gaps (Montana) patience, a move log of it, "
        "or a bundle of a document and a line.",
        epilog=_EXIT_STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "deal",
        metavar="DEAL",
        help=f"a {formats.DEAL} document or a {formats.BUNDLE} file, told apart by their format; "
        "- is standard input",
    )
    parser.add_argument(
        "log",
        metavar="LOG",
        nargs="?",
        help="a move log, as a JSON list or as text separated by white space; "
        "- is standard input. Without it the document alone is verified. "
        "A bundle has its line in it and takes no LOG",
    )
    parser.add_argument("--json", action="store_true", help="write the verdict as JSON")
    parser.add_argument(
        "--version",
        action="version",
        version=f"gaps-check 1.1 ({formats.DEAL}, {formats.BUNDLE}, gaps-shuffle/1)",
    )
    return parser


@dataclass(frozen=True)
class _Answer:
    """What the command has to say, once for a person and once for a program."""

    status: int
    text: str
    as_json: dict[str, Any]


def _document(document: object, moves: list[object] | None) -> _Answer:
    try:
        deal = read_deal(document)
    except RefusedDeal as refused:
        return _refused(refused, "deal document")
    facts = facts_of_deal(deal)
    if moves is None:
        return _Answer(GOOD, telling.good_document(deal.variant, facts), {"refused": []})
    verdict = judge(deal, moves)
    add_log(facts, verdict, len(moves), "log")
    parts = [
        telling.good_document(deal.variant, facts),
        telling.outcome(verdict, deal.variant, "log"),
    ]
    return _Answer(_status(verdict), "\n\n".join(parts), verdict.as_json())


def _bundle(value: object) -> _Answer:
    try:
        found = bundle.read_bundle(value)
    except RefusedDeal as refused:
        return _refused(refused, "bundle")
    verdict = judge(found.deal, found.line)
    facts = facts_of_deal(found.deal)
    add_log(facts, verdict, len(found.line), "line")
    add_provenance(facts, found, verdict)
    parts = [
        telling.good_document(found.deal.variant, facts),
        telling.claims(found.provenance),
        telling.outcome(verdict, found.deal.variant, "line"),
    ]
    more = {
        "verified": facts.verified,
        "not_verified": facts.not_verified,
        "provenance": found.provenance,
    }
    return _Answer(_status(verdict), "\n\n".join(parts), verdict.as_json() | more)


def _status(verdict: Verdict) -> int:
    if not verdict.legal:
        return ILLEGAL
    return GOOD if verdict.won else NOT_WON


def _refused(refused: RefusedDeal, what: str) -> _Answer:
    faults = refused.faults
    as_json = {"refused": [fault.as_json() for fault in faults]}
    return _Answer(REFUSED, telling.refusal(faults, what), as_json)


def _unreadable(sentence: str, as_json: bool) -> int:
    if as_json:
        _write(json.dumps({"refused": [DealFault("", sentence).as_json()]}) + "\n")
    else:
        _complain(sentence)
    return REFUSED


def _write(text: str) -> bool:
    """Write to standard output; complain and return False where that fails."""
    try:
        write_all(sys.stdout, text)
    except (OSError, ValueError) as error:
        _complain(f"the verdict could not be written ({error}).")
        return False
    return True


def _complain(sentence: str) -> None:
    tell(sys.stderr, f"gaps-check: {sentence}\n")
