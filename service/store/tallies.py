"""Tallies: a deal's submissions summed up as they come in, so that statistics cost little."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, cast

from sqlalchemy import Insert, Table, case, except_, func, select
from sqlalchemy.orm import Session

from service.store.once import insert_into
from service.store.tables import Submission, Tally

_KEY = (Tally.deal_id, Tally.state, Tally.legal, Tally.won, Tally.redeals, Tally.ordered)


def count(session: Session, new: Iterable[Submission]) -> None:
    """Counts submissions that are new, in the transaction that stores them."""
    counted: dict[tuple[Any, ...], list[int]] = {}
    for submission in new:
        key = tuple(getattr(submission, column.key) for column in _KEY)
        counted.setdefault(key, []).append(submission.slides + submission.redeals)
    if counted:
        names = [column.key for column in _KEY]
        session.connection().execute(
            _counting(session.get_bind().dialect.name),
            [
                dict(zip(names, key, strict=True))
                | {"submissions": len(moves), "fewest_moves": min(moves)}
                for key, moves in sorted(counted.items())
            ],
        )


@cache
def _counting(dialect: str) -> Insert:
    """The statement, which is made once: that takes longer than running it."""
    tallies = cast("Table", Tally.__table__)
    insert = insert_into(dialect, tallies)
    before, now = tallies.c.fewest_moves, insert.excluded.fewest_moves
    return insert.on_conflict_do_update(
        index_elements=[column.key for column in _KEY],
        set_={
            "submissions": tallies.c.submissions + insert.excluded.submissions,
            "fewest_moves": case((before < now, before), else_=now),
        },
    )


def of_deal(session: Session, deal_id: str) -> Sequence[Tally]:
    """All tallies of a deal."""
    return session.scalars(select(Tally).where(Tally.deal_id == deal_id)).all()


def wrong(session: Session) -> Sequence[str]:
    """The ids of the deals whose tallies are not what their submissions come to."""
    columns = [getattr(Submission, column.key) for column in _KEY]
    fresh = select(
        *columns, func.count(), func.min(Submission.slides + Submission.redeals)
    ).group_by(*columns)
    kept = select(*_KEY, Tally.submissions, Tally.fewest_moves)
    missing = except_(fresh, kept).subquery()
    needless = except_(kept, fresh).subquery()
    found = select(missing.c.deal_id).union(select(needless.c.deal_id)).order_by("deal_id")
    return session.scalars(found).all()
