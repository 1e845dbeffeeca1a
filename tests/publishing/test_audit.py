import datetime as dt
import json
import sqlite3
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

import checker
from service.publishing import verdicts
from service.publishing.audit import AuditReport, audit
from service.publishing.calendar import closes_at
from service.publishing.practice import PracticeDeals
from service.publishing.remembered import PublishedDeals
from service.publishing.withdraw import withdraw
from service.settings import Settings
from service.store import chain, dailies, stored
from service.store.database import Database
from service.store.engine import new_engine
from service.store.tables import Deal, LinkKind, Submission
from tests.clock import FakeClock
from tests.deals import publish_deal, put_in_stock, refuse, won, won_deals
from tests.searches import CannedSearches

DAY = dt.date(2026, 3, 8)
WIN = won(redeals=2)[0]
PRACTISED = won("gathered")[1]


@pytest.fixture
def deal_id(database: Database, clock: FakeClock) -> str:
    """A database in use: a daily with two submissions, and a deal in stock."""
    name = publish_deal(database, WIN, DAY, clock)
    verdicts.submit(PublishedDeals(database), name, WIN.line, clock)
    verdicts.submit(PublishedDeals(database), name, [*WIN.line[:5], "nonsense"], clock)
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
    with database.reading() as session:
        assert (report.links, report.head) == (1, chain.head(session))


def test_every_variant_is_sound(sqlite_url: str) -> None:
    with Database.open(sqlite_url) as database:
        put_in_stock(database, *won_deals())
        report = audit(database)
    assert told(report) == ""
    assert report.deals == len(won_deals())


def test_an_empty_database_is_sound(database: Database) -> None:
    report = asdict(audit(database))
    assert report.pop("faults") == []
    assert not any(report.values())


def test_in_processes_it_finds_the_same(sqlite_url: str, clock: FakeClock) -> None:
    with Database.open(sqlite_url) as database:
        name = publish_deal(database, WIN, DAY, clock)
        put_in_stock(database, *(deal for deal in won_deals() if deal is not WIN))
        verdicts.submit(PublishedDeals(database), name, WIN.line, clock)
        verdicts.submit(PublishedDeals(database), name, [], clock)
        tamper(database, "UPDATE submissions SET ordered = ordered + 1 WHERE won")
        set_deal(database, name, slides=0)
        alone, together = audit(database, processes=1), audit(database, processes=2)
    assert alone == together
    assert len(alone.faults) == 3


def test_few_rows_in_memory_at_a_time_are_all_rows(
    database: Database, deal_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tamper(database, "UPDATE deals SET slides = slides + 1")
    whole = audit(database)
    monkeypatch.setattr(stored, "PAGE", 1)
    assert audit(database) == whole
    assert len(whole.faults) == 2


def test_progress_counts_every_row(database: Database, deal_id: str) -> None:
    heard: list[tuple[int, int]] = []
    audit(database, lambda done, everything: heard.append((done, everything)))
    assert [of for _, of in heard] == [6] * len(heard)
    assert heard[-1] == (6, 6)
    assert heard == sorted(heard)


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
        verdicts.submit(PublishedDeals(database), name, WIN.line, clock)
        tamper(database, "UPDATE deals SET document = '{\"format\":'")
        report = audit(database)
    assert f"deal {name}: Its column document holds no value of its kind." in told(report)
    assert {fault.where.split()[0] for fault in report.faults} == {
        "deal",
        "daily",
        "submission",
        "link",
    }


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
        verdicts.submit(PublishedDeals(database), name, WIN.line, clock)
        engine = new_engine(sqlite_url, migrating=True)
        with engine.begin() as connection:
            connection.execute(text("DELETE FROM deals"))
        report = told(audit(database))
    assert f"has the deal {name}, which is not stored." in report
    assert f"Its deal {name} is not stored." in report


def test_a_refusal_is_a_fault_in_itself(database: Database, deal_id: str) -> None:
    refuse(database, WIN)
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


def test_dailies_that_were_withdrawn_and_replaced_are_sound(
    database: Database, clock: FakeClock
) -> None:
    far = DAY + dt.timedelta(9)
    publish_deal(database, WIN, far, clock)
    withdraw(database, "classic", far, "A slip.", clock)
    publish_deal(database, won(redeals=1)[0], far, clock)
    report = audit(database)
    assert told(report) == ""
    assert report.links == 3


CHANGES = {
    "published_at": "UPDATE dailies SET published_at = '2026-01-01 00:00:00+00:00' WHERE id = 1",
    "date": "UPDATE dailies SET date = '2026-03-01' WHERE id = 1",
    "redeals": "UPDATE dailies SET redeals = 'open' WHERE id = 1",
    "digest": "UPDATE links SET digest = 'f' WHERE position = 1",
    "reason": "UPDATE dailies SET withdrawn_reason = 'Nothing.' WHERE id = 2",
    "not withdrawn": "UPDATE dailies SET withdrawn_at = NULL, withdrawn_reason = NULL",
    "link gone": "DELETE FROM links WHERE position = 2",
    "first link gone": "DELETE FROM links WHERE position = 1",
    "withdrawn without a reason": "UPDATE dailies SET withdrawn_reason = NULL",
    "a reason without a withdrawal": "UPDATE dailies SET withdrawn_reason = 'A slip.' WHERE id = 1",
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_silent_change_of_history_shows(
    database: Database, clock: FakeClock, change: str
) -> None:
    publish_deal(database, WIN, DAY, clock)
    publish_deal(database, won(redeals=1)[0], DAY + dt.timedelta(1), clock)
    withdraw(database, "classic", DAY + dt.timedelta(1), "A slip.", clock)
    assert audit(database).faults == []
    tamper(database, CHANGES[change])
    found = audit(database).faults
    assert found
    assert {fault.where.split()[0] for fault in found} <= {"link", "daily"}


def test_a_line_that_wins_as_well_is_not_the_one_that_was_published(
    database: Database, deal_id: str
) -> None:
    """Everything about the deal is in order, and still it is not what was."""
    line = [*WIN.line[:1], "undo", *WIN.line]
    verdict = checker.verify(WIN.document, line)
    assert verdict.won
    set_deal(database, deal_id, line=line, verdict=verdict.as_json())
    (fault,) = audit(database).faults
    assert fault.where == "link 1"
    assert "is not what was published" in fault.message
    assert "backup" in fault.remedy


def test_a_daily_that_no_link_tells_of_is_found(database: Database, clock: FakeClock) -> None:
    publish_deal(database, WIN, DAY, clock)
    withdraw(database, "classic", DAY, "A slip.", clock)
    tamper(database, "DELETE FROM links")
    assert told(audit(database)) == (
        "daily 1: The daily of classic on 2026-03-08 is not in the chain as published.\n"
        "daily 1: The daily of classic on 2026-03-08 is not in the chain as withdrawn."
    )


def test_a_chain_that_was_computed_anew_lacks_the_heads_that_were_noted(
    database: Database, clock: FakeClock
) -> None:
    publish_deal(database, WIN, DAY, clock)
    noted = audit(database).head
    assert noted is not None
    publish_deal(database, won(redeals=1)[0], DAY + dt.timedelta(1), clock)
    assert audit(database, heads=[noted]).faults == []
    with database.writing() as session:
        first, second = dailies.every(session)
        first.published_at -= dt.timedelta(1)
        session.execute(text("DELETE FROM links"))
        for daily in (first, second):
            chain.append(session, LinkKind.PUBLISHED, daily)
    assert audit(database).faults == []
    assert told(audit(database, heads=[noted])) == (
        f"head {noted}: No link of the chain has this digest."
    )


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tallies SET submissions = submissions + 1 WHERE won",
        "UPDATE tallies SET fewest_moves = 1 WHERE won",
        "UPDATE tallies SET state = 'archive' WHERE won",
        "DELETE FROM tallies WHERE won",
        "INSERT INTO tallies SELECT deal_id, 'archive', legal, won, redeals, ordered, 1, 1 "
        "FROM tallies WHERE won",
    ],
)
def test_statistics_that_are_not_those_of_the_submissions_are_found(
    database: Database, deal_id: str, statement: str
) -> None:
    tamper(database, statement)
    assert told(audit(database)) == (
        f"deal {deal_id}: Its statistics are not what the submissions to it come to."
    )


LINKS = {
    "the first digest": ("UPDATE links SET digest = 'f' WHERE position = 1", {1}),
    "the second digest": ("UPDATE links SET digest = 'f' WHERE position = 2", {2}),
    "two digests": ("UPDATE links SET digest = 'f' || position WHERE position < 3", {1, 2}),
    "the last digest": ("UPDATE links SET digest = 'f' WHERE position = 3", {3}),
    "a daily": ("UPDATE dailies SET redeals = 'open' WHERE id = 1", {1}),
    "the deal of a daily with two links": (
        "UPDATE deals SET line = '[]' WHERE id = (SELECT deal_id FROM dailies WHERE id = 2)",
        {2, 3},
    ),
}
"""What is changed, and the links that tell of it."""


@pytest.mark.parametrize(("statement", "blamed"), LINKS.values(), ids=LINKS.keys())
def test_the_link_that_broke_is_blamed_and_no_other(
    database: Database, clock: FakeClock, statement: str, blamed: set[int]
) -> None:
    publish_deal(database, WIN, DAY, clock)
    publish_deal(database, won(redeals=1)[0], DAY + dt.timedelta(1), clock)
    withdraw(database, "classic", DAY + dt.timedelta(1), "A slip.", clock)
    tamper(database, statement)
    assert {
        int(fault.where.removeprefix("link "))
        for fault in audit(database).faults
        if fault.where.startswith("link") and "is not what was" in fault.message
    } == blamed


@pytest.mark.parametrize("gone", [1, 2])
def test_where_a_link_is_gone_the_next_is_not_blamed(
    database: Database, clock: FakeClock, gone: int
) -> None:
    for number, win in enumerate(won(redeals=0)[:3]):
        publish_deal(database, win, DAY + dt.timedelta(number), clock)
    tamper(database, f"DELETE FROM links WHERE position = {gone}")
    report = told(audit(database)).splitlines()
    assert [line for line in report if line.startswith("link")] == [
        f"link {gone + 1}: The link before it, {gone}, is not there."
    ]
    assert f"daily {gone}: " in "".join(report)


def test_the_link_after_one_that_cannot_be_read_is_still_checked(
    sqlite_url: str, clock: FakeClock
) -> None:
    with Database.open(sqlite_url) as database:
        publish_deal(database, WIN, DAY, clock)
        publish_deal(database, won(redeals=1)[0], DAY + dt.timedelta(1), clock)
        tamper(database, "UPDATE links SET digest = x'00' WHERE position = 1")
        assert told(audit(database)) == "link 1: Its column digest holds no value of its kind."
        tamper(database, "UPDATE dailies SET redeals = 'open' WHERE id = 2")
        assert "link 2: The daily of classic on 2026-03-09 is not what" in told(audit(database))


@pytest.fixture
def played(database: Database, clock: FakeClock) -> str:
    """A daily and a number to practise, with a player's logs on both; answers the daily's deal."""
    name = publish_deal(database, WIN, DAY, clock)
    practice = PracticeDeals(Settings(), database, clock, CannedSearches())
    practised = practice.deal_id(PRACTISED.variant, PRACTISED.number)
    for deal in (name, practised):
        verdicts.submit(PublishedDeals(database), deal, ["nonsense"], clock, "a-player-of-theirs")
    clock.set(closes_at(DAY))
    verdicts.submit(PublishedDeals(database), name, [], clock, "a-player-of-theirs")
    return name


def test_what_players_send_and_practise_is_looked_at(database: Database, played: str) -> None:
    report = audit(database)
    assert told(report) == ""
    assert (report.submissions, report.plays, report.practices) == (3, 3, 1)


PLAYED = {
    "UPDATE practices SET deal_id = :daily": "practice: Its deal {daily} is a daily's",
    "UPDATE practices SET number = number + 1": "practice: Its deal {practised} is not the deal of",
    "UPDATE practices SET variant = 'relaxed'": "practice: Its deal {practised} is one of",
    "UPDATE practices SET variant = 'klondike'": "practice: There is no variant of this name.",
    "UPDATE practices SET number = -1": "practice: There is no such number.",
    "UPDATE practices SET budget = -1": "practice: Its column budget is below 0.",
    "UPDATE plays SET state = 'archive' WHERE state = 'live'": "play: Its state is archive, but",
    "UPDATE plays SET state = 'live'": "play: Its state is live, but it came in at",
    "UPDATE plays SET played_at = '2026-01-01 00:00:00+00:00'": "play: It came in at 2026-01-01",
    "UPDATE plays SET played_at = '2026-04-01 00:00:00+00:00'": "play: Its state is live, but",
    "UPDATE plays SET player = 'somebody'": "play: Its player is no digest of a token.",
    "UPDATE submissions SET state = 'live'": "submission: Its state is live, but it came in at",
    "UPDATE submissions SET received_at = '2026-01-01 00:00:00+00:00'": (
        "submission: It came in at 2026-01-01 00:00:00+00:00, when its deal, of 2026-03-08, could"
    ),
    "UPDATE submissions SET received_at = '2026-04-01 00:00:00+00:00'": (
        "submission: Its state is live, but it came in at 2026-04-01 00:00:00+00:00, to the daily"
    ),
    "UPDATE dailies SET date = '0001-01-01'": "submission: Something in it is of a kind",
}


@pytest.mark.parametrize("statement", PLAYED)
def test_what_is_wrong_with_practice_and_players_is_found(
    database: Database, played: str, statement: str
) -> None:
    practised = PRACTISED.document["seed_commitment"][:20]
    tamper(database, statement, **({"daily": played} if ":daily" in statement else {}))
    what, _, message = PLAYED[statement].partition(": ")
    message = message.format(daily=played, practised=practised)
    found = audit(database).faults
    assert [
        fault
        for fault in found
        if fault.where.startswith(f"{what} ") and fault.message.startswith(message)
    ], found


def test_what_practice_and_players_name_must_be_stored(
    sqlite_url: str, sqlite_path: Path, clock: FakeClock
) -> None:
    with Database.open(sqlite_url) as database:
        publish_deal(database, WIN, DAY, clock)
        practice = PracticeDeals(Settings(), database, clock, CannedSearches())
        practised = practice.deal_id(PRACTISED.variant, PRACTISED.number)
        verdicts.submit(PublishedDeals(database), practised, [], clock, "a-player-of-theirs")
        with closing(sqlite3.connect(sqlite_path)) as connection, connection:
            connection.execute("UPDATE practices SET deal_id = 'zz'")
            connection.execute("UPDATE plays SET submission_id = 'zz'")
        report = told(audit(database))
    assert f"practice {PRACTISED.variant} {PRACTISED.number}: Its deal zz is not stored." in report
    assert "Its submission is not stored." in report


def test_of_a_submission_to_no_deal_that_is_stored_nothing_more_is_said(
    sqlite_url: str, sqlite_path: Path, clock: FakeClock
) -> None:
    with Database.open(sqlite_url) as database:
        name = publish_deal(database, WIN, DAY, clock)
        verdicts.submit(PublishedDeals(database), name, [], clock)
        with closing(sqlite3.connect(sqlite_path)) as connection, connection:
            connection.execute("UPDATE submissions SET deal_id = 'zz'")
        messages = [
            fault.message for fault in audit(database).faults if "submission" in fault.where
        ]
    assert messages == [
        "Its id does not follow from its deal and log.",
        "Its deal zz is not stored.",
    ]


def test_a_daily_that_cannot_be_read_makes_no_fault_of_the_logs_to_it(
    sqlite_url: str, sqlite_path: Path, clock: FakeClock
) -> None:
    with Database.open(sqlite_url) as database:
        name = publish_deal(database, WIN, DAY, clock)
        verdicts.submit(PublishedDeals(database), name, [], clock, "a-player-of-theirs")
        for column in ("deal_id", "date"):
            with closing(sqlite3.connect(sqlite_path)) as connection, connection:
                connection.execute(f"UPDATE dailies SET {column} = x'00'")
            kinds = {fault.where.split()[0] for fault in audit(database).faults}
            assert kinds == {"daily", "link"}


@pytest.mark.parametrize("column", ["positions", "budget", "seconds"])
def test_what_a_search_cannot_have_taken_is_found(
    database: Database, deal_id: str, column: str
) -> None:
    set_deal(database, deal_id, **{column: -1})
    assert told(audit(database)) == f"deal {deal_id}: Its column {column} is below 0."


def test_true_is_not_1_in_a_verdict(database: Database, deal_id: str) -> None:
    # As text: to Python it is no change.
    verdict = {**WIN.verdict, "won": 1}
    tamper(
        database,
        "UPDATE deals SET verdict = :to WHERE id = :id",
        to=json.dumps(verdict),
        id=deal_id,
    )
    verdict = {**WIN.verdict, "slides": float(WIN.verdict["slides"])}
    tamper(database, "UPDATE submissions SET verdict = :to WHERE won", to=json.dumps(verdict))
    report = told(audit(database))
    assert report.count("Its stored verdict is not what the checker says now.") == 2


def test_a_line_that_was_changed_is_to_be_restored_before_it_is_withdrawn(
    database: Database, deal_id: str
) -> None:
    set_deal(database, deal_id, line=WIN.line[:-1])
    fault = audit(database).faults[0]
    first, _, then = fault.remedy.partition("Only if it was written like this")
    assert "backup" in first
    assert "restore" in first
    assert "withdraw" in then


@pytest.mark.parametrize("column", ["line", "verdict"])
def test_logs_are_replayed_as_long_as_the_document_can_be_read(
    sqlite_url: str, clock: FakeClock, column: str
) -> None:
    with Database.open(sqlite_url) as database:
        name = publish_deal(database, WIN, DAY, clock)
        verdicts.submit(PublishedDeals(database), name, WIN.line, clock)
        tamper(database, f"UPDATE deals SET {column} = '['")
        report = audit(database)
    assert not [fault for fault in report.faults if fault.where.startswith("submission")]
    assert (report.lines_replayed, report.logs_replayed, report.not_replayed) == (0, 1, 1)
    assert f"Its column {column} holds no value of its kind." in told(report)
