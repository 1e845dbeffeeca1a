"""Tallies: a deal's submissions summed up as they come in, so that statistics cost little."""

from collections.abc import Sequence

from sqlalchemy import case, select
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
