"""Tallies: a deal's submissions summed up as they come in, so that statistics cost little."""

from collections.abc import Sequence

from sqlalchemy import case, except_, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from service.store.tables import Submission, Tally

_KEY = (Tally.deal_id, Tally.state, Tally.legal, Tally.won, Tally.redeals, Tally.ordered)


def count(session: Session, submission: Submission) -> None:
    """Counts a submission that is new, in the transaction that stores it."""
    moves = submission.slides + submission.redeals
    insert = (
        sqlite.insert(Tally)
        if session.get_bind().dialect.name == "sqlite"
        else postgresql.insert(Tally)
    ).values(
        **{column.key: getattr(submission, column.key) for column in _KEY},
        submissions=1,
        fewest_moves=moves,
    )
    session.execute(
        insert.on_conflict_do_update(
            index_elements=_KEY,
            set_={
                "submissions": Tally.submissions + 1,
                "fewest_moves": case((Tally.fewest_moves < moves, Tally.fewest_moves), else_=moves),
            },
        )
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
