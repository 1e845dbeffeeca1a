"""Statistics: what all submissions of a deal have come to."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from service.publishing import gate
from service.store import tallies
from service.store.tables import Arrival, Tally


@dataclass(frozen=True, slots=True)
class Wins:
    """The wins that took so many redeals, and the moves of the shortest of them."""

    redeals: int
    wins: int
    fewest_moves: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """Submissions in numbers: all, the legal ones, those that won; moves are slides and redeals.

    `by_redeals` has the wins, fewest redeals first. `best` is the win with the fewest moves, of
    several the one with the fewest redeals. `ordered` says how many legal submissions ended with
    so many cards in order, fewest cards first.
    """

    submissions: int
    legal: int
    won: int
    by_redeals: Sequence[Wins]
    best: Wins | None
    ordered: Sequence[tuple[int, int]]


def statistics(
    session: Session, deal_id: str, now: datetime, arrival: Arrival | None = None
) -> Statistics:
    """The statistics of a published deal, of all submissions or of those of one kind.

    Raises `gate.NotVisibleError` and `gate.WithdrawnError`.
    """
    gate.published(session, deal_id, now)
    counted = [
        tally for tally in tallies.of_deal(session, deal_id) if arrival in (None, tally.state)
    ]
    legal = [tally for tally in counted if tally.legal]
    wins = _by_redeals([tally for tally in legal if tally.won])
    ordered: Counter[int] = Counter()
    for tally in legal:
        ordered[tally.ordered] += tally.submissions
    return Statistics(
        sum(tally.submissions for tally in counted),
        ordered.total(),
        sum(each.wins for each in wins),
        wins,
        min(wins, key=lambda each: each.fewest_moves, default=None),
        sorted(ordered.items()),
    )


def _by_redeals(won: Sequence[Tally]) -> list[Wins]:
    return [
        Wins(
            redeals,
            sum(tally.submissions for tally in won if tally.redeals == redeals),
            min(tally.fewest_moves for tally in won if tally.redeals == redeals),
        )
        for redeals in sorted({tally.redeals for tally in won})
    ]
