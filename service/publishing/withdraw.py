"""Withdrawing: a daily that must be shown no more, with the reason. Its record stays."""

import datetime as dt
from dataclasses import dataclass

from service.clock import Clock
from service.publishing.publish import replaceable
from service.store import dailies
from service.store.database import Database
from service.store.tables import REASON_LENGTH, Daily

__all__ = ["REASON_LENGTH", "NoDailyError", "ReasonError", "Withdrawal", "withdraw"]


class ReasonError(ValueError):
    """A text that is no reason to give to the public."""


class NoDailyError(LookupError):
    """A date that has no daily of a variant."""

    def __init__(self, variant: str, date: dt.date) -> None:
        super().__init__(f"there is no {variant} daily for {date}")


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A daily that is withdrawn.

    `done` says whether it was just now, `replaceable` whether its date, which has begun nowhere,
    may have another.
    """

    variant: str
    date: dt.date
    deal_id: str
    reason: str
    withdrawn_at: dt.datetime
    done: bool
    replaceable: bool


def withdraw(
    database: Database, variant: str, date: dt.date, reason: str, clock: Clock
) -> Withdrawal:
    """Withdraws the daily of a date. One that is withdrawn already keeps its reason.

    Raises `ReasonError` for a reason that is empty, longer than `REASON_LENGTH` characters, or not
    of printable characters, and `NoDailyError`.
    """
    checked = checked_reason(reason)
    now = clock()
    with database.writing() as session:
        daily, done = dailies.withdraw(session, variant, date, reason=checked, withdrawn_at=now)
        if daily is None:
            raise NoDailyError(variant, date)
    return _withdrawal(daily, now, done=done)


def checked_reason(text: str) -> str:
    """A reason without white space around it. Raises `ReasonError`."""
    reason = text.strip()
    if not reason or len(reason) > REASON_LENGTH or not reason.isprintable():
        raise ReasonError(
            f"a reason has 1 to {REASON_LENGTH} printable characters, on one line: it is public"
        )
    return reason


def _withdrawal(daily: Daily, now: dt.datetime, *, done: bool) -> Withdrawal:
    return Withdrawal(
        daily.variant,
        daily.date,
        daily.deal_id,
        daily.withdrawn_reason or "",
        daily.withdrawn_at or now,
        done,
        replaceable(daily, now),
    )
