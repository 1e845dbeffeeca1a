"""What an audit finds: faults, each with where it is, what it is and what to do about it."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

RESTORE: Final = "The row was changed after it was written: restore it from a backup."
WITHHOLD: Final = (
    "Compare the row with a backup. If it differs it was changed after it was written: restore it. "
    "Only if it was written like this, do not publish it; and if it is published already, withdraw "
    "it, which is for good, and mint another."
)
UNREADABLE: Final = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)
"""What a row raises that holds something else than it should."""

Row: TypeAlias = Mapping[str, Any]
Finding: TypeAlias = tuple[str, str]
"""What is wrong, and what to do about it."""


@dataclass(frozen=True, slots=True)
class AuditFault:
    """Something stored that is not as it should be: where, what, and what to do about it.

    The texts may repeat what is stored, whatever characters that has.
    """

    where: str
    message: str
    remedy: str


def found(where: str, findings: Iterable[Finding]) -> list[AuditFault]:
    """The faults of one row. One that cannot even be looked at is a fault like any other."""
    faults: list[AuditFault] = []
    try:
        for message, remedy in findings:
            faults.append(AuditFault(where, message, remedy))
    # Whatever somebody wrote into a row by hand: it is a finding, and the audit goes on.
    except UNREADABLE:
        message = "Something in it is of a kind that cannot be checked."
        faults.append(AuditFault(where, message, RESTORE))
    return faults


def unreadable(where: str, columns: Sequence[str]) -> AuditFault:
    """The fault of a row of which some columns hold what they cannot."""
    *others, last = columns
    message = (
        f"Its columns {', '.join(others)} and {last} hold no values of their kinds."
        if others
        else f"Its column {last} holds no value of its kind."
    )
    return AuditFault(where, message, RESTORE)


def unprintable(row: Row) -> Iterator[Finding]:
    """The columns of a row whose text nothing of ours has written: empty, or not printable."""
    for column, value in row.items():
        if isinstance(value, str) and not (value and value.isprintable()):
            yield f"Its column {column} holds no printable text.", RESTORE


def same_json(stored: Any, fresh: Any) -> bool:
    """Whether two values are the same as JSON, where 1 is neither true nor 1.0."""
    return _canonical(stored) == _canonical(fresh)


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
