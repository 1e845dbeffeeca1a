"""Plays: which player has sent which log, and what a player's logs have come to."""

import datetime as dt
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from service.store.once import insert_new
from service.store.tables import Arrival, Daily, Play, Submission


class PlayedDaily(NamedTuple):
    """What the legal logs of a player have come to on the daily of a date."""

    date: dt.date
    ordered: int
    """The most cards in runs at the end of a log."""
    redeals: int | None
    """The fewest redeals of a log that won; None if none did."""
    won_live: bool
    """Whether the player sent one that won while the daily was live."""


def player_digest(token: str) -> str:
    """What is kept of a player's token: 64 hex digits, from which nobody gets it back."""
    return hashlib.sha256(b"gaps-player/1\0" + token.encode()).hexdigest()


def add(session: Session, sent: Sequence[Mapping[str, Any]]) -> None:
    """Notes which players sent which logs, by the columns of `Play`. The first time counts."""
    first: dict[tuple[str, str], Mapping[str, Any]] = {}
    for play in sent:
        first.setdefault((play["player"], play["submission_id"]), play)
    if first:
        insert_new(session, Play, [first[key] for key in sorted(first)])


def played(session: Session, player: str, variant: str, last: dt.date) -> Sequence[PlayedDaily]:
    """The dailies of a variant, of dates up to `last`, to which a player sent a legal log."""
    live_win = case((Submission.won & (Play.state == Arrival.LIVE), 1), else_=0)
    rows = session.execute(
        select(
            Daily.date,
            func.max(Submission.ordered),
            func.min(case((Submission.won, Submission.redeals))),
            func.max(live_win),
        )
        .select_from(Play)
        .join(Submission, Submission.id == Play.submission_id)
        .join(Daily, Daily.deal_id == Submission.deal_id)
        .where(Play.player == player, Daily.variant == variant, Daily.date <= last)
        .where(Submission.legal)
        .group_by(Daily.date)
        .order_by(Daily.date)
    )
    return [
        PlayedDaily(date, ordered, redeals, bool(won_live))
        for date, ordered, redeals, won_live in rows
    ]
