import datetime as dt
import json
from typing import Any

import pytest
from sqlalchemy import text

from service.publishing import verdicts
from service.publishing.audit import AuditReport, audit
from service.store import refusals
from service.store.database import Database
from service.store.engine import new_engine
from service.store.tables import Deal, Submission
from tests.clock import NOON, FakeClock
from tests.deals import publish_deal, put_in_stock, won, won_deals

DAY = dt.date(2026, 3, 8)
WIN = won(redeals=2)[0]


@pytest.fixture
def deal_id(database: Database, clock: FakeClock) -> str:
    """A database in use: a daily with two submissions, and a deal in stock."""
    name = publish_deal(database, WIN, DAY, clock)
    verdicts.submit(database, name, WIN.line, clock)
    verdicts.submit(database, name, [*WIN.line[:5], "nonsense"], clock)
    put_in_stock(database, won("gathered")[0])
    return name


def tamper(database: Database, statement: str, **values: Any) -> None:
    with database.writing() as session:
        session.execute(text(statement), values)


def set_deal(database: Database, name: str, **columns: Any) -> None:
    with database.writing() as session:
        deal = session.get_one(Deal, name)
        for column, value in columns.items():
            setattr(deal, column, value)


def told(report: AuditReport) -> str:
    assert all(fault.where and fault.message and fault.remedy for fault in report.faults)
    return "\n".join(f"{fault.where}: {fault.message}" for fault in report.faults)


def test_what_the_service_wrote_is_sound(database: Database, deal_id: str) -> None:
    report = audit(database)
    assert report.faults == []
    assert (report.deals, report.dailies, report.submissions, report.refusals) == (2, 1, 2, 0)


def test_every_variant_is_sound(sqlite_url: str) -> None:
    with Database.open(sqlite_url) as database:
        put_in_stock(database, *won_deals())
        report = audit(database)
    assert told(report) == ""
    assert report.deals == len(won_deals())


def test_an_empty_database_is_sound(database: Database) -> None:
    assert audit(database) == AuditReport(0, 0, 0, 0, [])


def test_progress_counts_every_row(database: Database, deal_id: str) -> None:
    heard: list[tuple[int, int]] = []
    audit(database, lambda done, everything: heard.append((done, everything)))
    assert heard == [(number, 5) for number in range(1, 6)]


def test_a_line_that_does_not_win_is_found(database: Database, deal_id: str) -> None:
    set_deal(database, deal_id, line=WIN.line[:-1])
    assert f"deal {deal_id}: The checker does not find its line a win" in told(audit(database))


def test_a_line_that_is_illegal_is_found(database: Database, deal_id: str) -> None:
    set_deal(database, deal_id, line=[WIN.line[0], *WIN.line])
    assert f"deal {deal_id}: The checker does not find its line a win" in told(audit(database))


@pytest.mark.parametrize("column", ["slides", "redeals"])
def test_a_count_that_is_not_the_line_s_is_found(
    database: Database, deal_id: str, column: str
) -> None:
    set_deal(database, deal_id, **{column: 0})
    assert told(audit(database)) == (
        f"deal {deal_id}: Its column {column} does not follow from its document and line."
    )


@pytest.mark.parametrize(
    ("column", "value"),
    [("seed", "0" * 64), ("layout_digest", "0" * 64), ("variant", "relaxed")],
)
def test_a_column_that_does_not_follow_is_found(
    database: Database, deal_id: str, column: str, value: str
) -> None:
    set_deal(database, deal_id, **{column: value})
    assert f"Its column {column} does not follow" in told(audit(database))


def test_a_changed_document_is_found(database: Database, deal_id: str) -> None:
    layout = [row[::-1] for row in WIN.document["layout"]]
    set_deal(database, deal_id, document={**WIN.document, "layout": layout})
    report = told(audit(database))
    assert f"deal {deal_id}: Its document is refused at /" in report
    assert "submission" in report


@pytest.mark.parametrize("missing", ["seed", "seed_commitment", "orders"])
def test_a_document_that_lost_what_is_to_be_opened_is_found(
    database: Database, deal_id: str, missing: str
) -> None:
    document = {key: value for key, value in WIN.document.items() if key != missing}
    if missing == "orders":
        document["redeals"] = [{"commitment": entry["commitment"]} for entry in document["redeals"]]
    set_deal(database, deal_id, document=document)
    assert "does not hold everything that is to be opened" in told(audit(database))


def test_a_changed_verdict_is_found(database: Database, deal_id: str) -> None:
    set_deal(database, deal_id, verdict={**WIN.verdict, "slides": 3})
    assert told(audit(database)) == (
        f"deal {deal_id}: Its stored verdict is not what the checker says now."
    )


def test_a_submission_that_was_made_a_win_is_found(database: Database, deal_id: str) -> None:
    with database.writing() as session:
        lost = session.query(Submission).filter_by(won=False).one()
        lost.won = True
        lost.verdict = {**lost.verdict, "won": True}
        name = lost.id
    report = told(audit(database))
    assert f"submission {name}: Its stored verdict is not what the checker says now." in report
    assert f"submission {name}: Its column won is not what its log comes to." in report


def test_a_changed_log_is_found(database: Database, deal_id: str) -> None:
    tamper(
        database,
        "UPDATE submissions SET moves = :moves WHERE legal = :legal",
        moves=json.dumps(WIN.line[:7]),
        legal=False,
    )
    assert "Its id does not follow from its deal and log." in told(audit(database))


def test_a_daily_with_a_deal_of_another_variant_is_found(database: Database, deal_id: str) -> None:
    tamper(database, "UPDATE dailies SET variant = 'gathered'")
    assert "The daily of gathered on 2026-03-08 has a deal of classic." in told(audit(database))


def test_two_dailies_of_one_layout_are_found(
    database: Database, deal_id: str, clock: FakeClock
) -> None:
    other = publish_deal(database, won(redeals=1)[0], DAY + dt.timedelta(1), clock)
    set_deal(database, other, document={**WIN.document, "seed_commitment": "0" * 64})
    report = told(audit(database))
    assert "has the same layout as classic on 2026-03-08" in report


def test_a_row_that_cannot_be_read_is_a_finding_like_others(
    sqlite_url: str, clock: FakeClock
) -> None:
    with Database.open(sqlite_url) as database:
        name = publish_deal(database, WIN, DAY, clock)
        verdicts.submit(database, name, WIN.line, clock)
        tamper(database, "UPDATE deals SET document = '{\"format\":'")
        report = audit(database)
    assert f"deal {name}: The row cannot be read" in told(report)
    assert len({fault.where for fault in report.faults}) == 3


@pytest.mark.parametrize("document", [None, 7, [], {}, {"redeals": 3}, {"redeals": [None]}])
def test_a_document_of_any_kind_is_a_finding(
    sqlite_url: str, clock: FakeClock, document: object
) -> None:
    with Database.open(sqlite_url) as database:
        name = publish_deal(database, WIN, DAY, clock)
        tamper(database, "UPDATE deals SET document = :document", document=json.dumps(document))
        assert f"deal {name}: " in told(audit(database))


def test_a_deal_that_is_gone_is_found(sqlite_url: str, clock: FakeClock) -> None:
    with Database.open(sqlite_url) as database:
        name = publish_deal(database, WIN, DAY, clock)
        verdicts.submit(database, name, WIN.line, clock)
        engine = new_engine(sqlite_url, migrating=True)
        with engine.begin() as connection:
            connection.execute(text("DELETE FROM deals"))
        report = told(audit(database))
    assert f"has the deal {name}, which is not stored." in report
    assert f"Its deal {name} is not stored." in report


def test_a_refusal_is_a_fault_in_itself(database: Database, deal_id: str) -> None:
    with database.writing() as session:
        refusals.add(
            session,
            document=WIN.document,
            line=WIN.line,
            reason=WIN.verdict,
            solver_version="7",
            refused_at=NOON,
        )
    (fault,) = audit(database).faults
    assert "refused the solver's line" in fault.message
    assert "solver 7" in fault.message
    assert "gaps-check" in fault.remedy


def test_auditing_changes_nothing(database: Database, deal_id: str) -> None:
    def rows() -> list[Any]:
        with database.reading() as session:
            return [
                session.execute(text(f"SELECT * FROM {table} ORDER BY id")).all()
                for table in ("deals", "dailies", "submissions")
            ]

    before = rows()
    audit(database)
    assert rows() == before
