import datetime as dt

from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Dialect, make_url, text

from service.settings import Redeals
from service.store import dailies, submissions
from service.store.columns import UtcDateTime
from service.store.database import Database
from service.store.tables import Arrival
from tests.clock import NOON
from tests.databases import KINDS
from tests.deals import put_in_stock, won

OFFSETS = st.integers(-15 * 60, 15 * 60).map(lambda m: dt.timezone(dt.timedelta(minutes=m)))
INSTANTS = st.builds(
    lambda seconds, micros, zone: (
        NOON + dt.timedelta(seconds=seconds, microseconds=micros)
    ).astimezone(zone),
    st.integers(-(10**9), 10**9),
    st.integers(0, 10**6),
    OFFSETS,
)
DIALECTS: st.SearchStrategy[Dialect] = st.sampled_from(
    [make_url(f"{name}:///gaps").get_dialect()() for name in KINDS]
)


@given(INSTANTS, DIALECTS)
def test_an_instant_comes_back_in_utc(instant: dt.datetime, dialect: Dialect) -> None:
    column = UtcDateTime()
    bound = column.process_bind_param(instant, dialect)
    assert bound is not None
    # SQLite forgets the zone of what it is given.
    kept = bound.replace(tzinfo=None) if dialect.name == "sqlite" else bound
    back = column.process_result_value(kept, dialect)
    assert back == instant
    assert back is not None
    assert back.utcoffset() == dt.timedelta(0)


def test_what_is_not_there_stays_so() -> None:
    column, dialect = UtcDateTime(), make_url("sqlite://").get_dialect()()
    assert column.process_bind_param(None, dialect) is None
    assert column.process_result_value(None, dialect) is None


def test_enums_are_kept_as_the_words_they_are(database: Database) -> None:
    (deal,) = put_in_stock(database, won()[0])
    with database.writing() as session:
        dailies.claim(
            session,
            variant="classic",
            date=NOON.date(),
            deal_id=deal.id,
            redeals=Redeals.SEALED,
            published_at=NOON,
        )
        submissions.add(
            session,
            [
                submissions.NewSubmission(
                    deal_id=deal.id,
                    moves=[],
                    verdict=won()[0].verdict,
                    state=Arrival.ARCHIVE,
                    received_at=NOON,
                )
            ],
        )
        assert session.execute(text("SELECT redeals FROM dailies")).scalar_one() == "sealed"
        assert session.execute(text("SELECT state FROM submissions")).scalar_one() == "archive"
