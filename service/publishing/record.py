"""A player's record: what the logs that came with one token have come to."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from service.publishing.calendar import State, last_visible, state
from service.store import dailies, plays


@dataclass(frozen=True, slots=True)
class Record:
    """Dailies of one variant: how many were played and won, and how.

    `by_redeals` counts the dailies won by the fewest redeals that a win of theirs took. `ordered`
    is the most cards that were ever in order; None for who has played none. Streaks count dailies
    that were won while they were live, date after date.
    """

    variant: str
    played: int
    won: int
    by_redeals: Sequence[tuple[int, int]]
    ordered: int | None
    current_streak: int
    longest_streak: int


def record(session: Session, token: str, variant: str, now: dt.datetime) -> Record:
    """The record of the player with a token, of dailies of a variant that are visible now.

    A token that no log came with has a record like any other, with nothing in it.
    """
    last = last_visible(now)
    played = plays.played(session, plays.player_digest(token), variant, last)
    redeals = [daily.redeals for daily in played if daily.redeals is not None]
    won_live = {daily.date for daily in played if daily.won_live}
    dates = dailies.dates(session, variant, min(won_live), last) if won_live else []
    current, longest = streaks(sorted({*dates, *won_live}), won_live, now)
    return Record(
        variant,
        len(played),
        len(redeals),
        [(number, redeals.count(number)) for number in sorted(set(redeals))],
        max((daily.ordered for daily in played), default=None),
        current,
        longest,
    )


def streaks(dates: Iterable[dt.date], won_live: set[dt.date], now: dt.datetime) -> tuple[int, int]:
    """The current and the longest streak among dates in order, each of which has its daily.

    A daily that is still live and not won does not end a streak: there is time to win it. So there
    may be one before it and one after it, of which the longer is the current one.
    """
    unended = longest = run = 0
    for date in dates:
        if date in won_live:
            run += 1
            longest = max(longest, run)
            continue
        unended = 0 if state(date, now) is State.CLOSED else max(unended, run)
        run = 0
    return max(unended, run), longest
