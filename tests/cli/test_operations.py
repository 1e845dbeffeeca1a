"""The operator's commands on both databases: mint, publish, dailies, audit, db."""

import datetime as dt

import alembic.command
import pytest
from sqlalchemy import text

from service.publishing.calendar import today
from service.store import dailies, deals
from service.store.database import Database
from service.store.engine import new_engine
from service.store.schema import alembic_config
from tests.cli.command import Gaps
from tests.clock import FakeClock
from tests.deals import publish_deal, put_in_stock, won


@pytest.fixture(autouse=True)
def _redeals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAPS_DAILY_MAX_REDEALS", "2")


def test_mint_fills_the_stock(gaps: Gaps, database: Database) -> None:
    minted = gaps("mint", "--variant", "red-moon", "--count", 2, "--json")
    assert minted.status == 0
    assert (len(minted.json["deals"]), minted.json["stock"]) == (2, 2)
    with database.reading() as session:
        assert deals.stock(session, "red-moon") == 2


def test_mint_that_gives_up_says_no(gaps: Gaps, monkeypatch: pytest.MonkeyPatch) -> None:
    # Seeds are random, so any search might win.
    monkeypatch.setattr("service.minting.minter.MOST_CANDIDATES", 0)
    ended = gaps("mint", "--variant", "big-paganini")
    assert ended.status == 1
    assert "Minted 0 of 1" in ended.out


def test_publish_gives_each_date_the_oldest_deal_once(gaps: Gaps, database: Database) -> None:
    stored = put_in_stock(database, *won("classic")[:3])
    first = gaps("publish", "--from", "2026-03-01", "--days", 3, "--json")
    assert first.status == 0
    assert [row["outcome"] for row in first.json] == ["published"] * 3
    assert [row["deal"] for row in first.json] == [deal.id for deal in stored]
    again = gaps("publish", "--from", "2026-03-01", "--days", 3, "--json")
    assert [row["outcome"] for row in again.json] == ["already there"] * 3
    assert [row["deal"] for row in again.json] == [deal.id for deal in stored]


def test_publish_mints_where_the_stock_is_empty(gaps: Gaps, database: Database) -> None:
    published = gaps("publish")
    assert published.status == 0
    assert "classic: published" in published.out
    with database.reading() as session:
        (daily,) = dailies.every(session)
    assert abs(daily.date - today(dt.datetime.now(dt.UTC))) <= dt.timedelta(days=1)


def test_dailies_are_listed_newest_first(gaps: Gaps, database: Database, clock: FakeClock) -> None:
    assert "no such dailies" in gaps("dailies").out
    deal = won("classic")[0]
    deal_id = publish_deal(database, deal, clock.today, clock)
    (row,) = gaps("dailies", "--json").json
    assert (row["date"], row["deal"], row["variant"]) == ("2026-03-08", deal_id, "classic")
    assert deal_id in gaps("dailies", "--from", "2026-03-08", "--to", "2026-03-08").out
    assert gaps("dailies", "--to", "2026-03-07", "--json").json == []


def test_a_daily_is_withdrawn_once_with_its_reason(
    gaps: Gaps, database: Database, clock: FakeClock
) -> None:
    deal_id = publish_deal(database, won("classic")[0], dt.date(2020, 1, 1), clock)
    command = ("dailies", "withdraw", "2020-01-01", "--reason", "[bold]Two cards[/] alike.")
    done = gaps(*command)
    assert done.status == 0
    assert f"The classic daily of 2020-01-01 ({deal_id}) is withdrawn." in done.out
    again = gaps(*command, "--variant", "classic", "--json")
    assert again.status == 1
    assert (again.json["withdrawn_now"], again.json["reason"]) == (
        False,
        "[bold]Two cards[/] alike.",
    )
    assert "[bold]Two cards[/] alike." in gaps(*command).out
    (row,) = gaps("dailies", "--json").json
    assert (row["state"], row["withdrawn"]) == ("withdrawn", "[bold]Two cards[/] alike.")
    assert "[bold]Two cards[/] alike." in gaps("dailies").out
    assert gaps("dailies", "withdraw", "2020-01-02", "--reason", "none").status == 1
    published = gaps("publish", "--from", "2020-01-01")
    assert published.status == 1
    assert "2020-01-01 classic: withdrawn" in published.out
    assert gaps("audit").status == 0


def test_the_replacement_of_a_date_to_come_is_listed_beside_it(
    gaps: Gaps, database: Database, clock: FakeClock
) -> None:
    first = publish_deal(database, won("classic")[0], dt.date(9998, 1, 1), clock)
    (second,) = put_in_stock(database, won("classic")[1])
    done = gaps("dailies", "withdraw", "9998-01-01", "--reason", "A slip.", "--json")
    assert (done.status, done.json["replaceable"]) == (0, True)
    assert gaps("publish", "--from", "9998-01-01").status == 0
    listed = gaps("dailies", "--json").json
    assert [(row["deal"], row["state"]) for row in listed] == [
        (second.id, "hidden"),
        (first, "withdrawn"),
    ]


def test_which_of_several_variants_must_be_said(
    gaps: Gaps, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAPS_VARIANTS", "classic,relaxed")
    ended = gaps("dailies", "withdraw", "2026-03-08", "--reason", "a slip")
    assert ended.status == 2
    assert "one of classic, relaxed" in ended.err


def test_audit_passes_and_then_finds_what_was_changed(
    gaps: Gaps, database: Database, clock: FakeClock
) -> None:
    publish_deal(database, won("classic")[0], clock.today, clock)
    good = gaps("audit")
    assert good.status == 0
    assert "no faults" in good.out
    with database.writing() as session:
        session.execute(text("UPDATE deals SET slides = slides + 1"))
    bad = gaps("audit", "--json")
    assert bad.status == 1
    (fault,) = bad.json["faults"]
    assert "slides" in fault["message"]
    assert fault["remedy"]


def test_what_an_audit_repeats_reaches_no_terminal_as_it_is(
    gaps: Gaps, database: Database, clock: FakeClock
) -> None:
    publish_deal(database, won("classic")[0], clock.today, clock)
    with database.writing() as session:
        (daily,) = dailies.every(session)
        daily.variant = "\x1b[31m[bold]\x7f\x9b\u202e:bomb:"
        deal = deals.get(session, daily.deal_id)
        assert deal is not None
        deal.document = {**deal.document, "\ud800\x1b": 1}
    for audited in (gaps("audit"), gaps("audit", "--json")):
        assert audited.status == 1
        assert audited.out.isascii()
        assert audited.out.replace("\n", "").isprintable()
    told = gaps("audit").out
    assert r"\u001b[31m[bold]\u007f\u009b\u202e:bomb:" in told
    assert r"refused at /\ud800\u001b" in told
    assert any("\x1b[31m" in fault["message"] for fault in gaps("audit", "--json").json["faults"])


def test_an_audit_tells_what_could_not_be_replayed(
    gaps: Gaps, database: Database, clock: FakeClock
) -> None:
    publish_deal(database, won("classic")[0], clock.today, clock)
    put_in_stock(database, won("gathered")[0])
    with database.writing() as session:
        session.execute(text("UPDATE deals SET line = '7' WHERE variant = 'gathered'"))
    told = gaps("audit", "--deep")
    assert told.status == 1
    assert "engine and checker: lines 1, logs 0; not replayed: 1." in told.out
    counted = gaps("audit", "--deep", "--json").json
    assert (counted["lines_replayed"], counted["not_replayed"]) == (1, 1)


def test_a_deep_audit_compares_the_readings(
    gaps: Gaps, database: Database, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish_deal(database, won("classic")[0], clock.today, clock)
    good = gaps("audit", "--deep")
    assert good.status == 0
    assert "no faults" in good.out
    replayed = "Replayed by both readings, engine and checker: lines 1, logs 0; not replayed: 0."
    assert replayed in good.out
    assert (gaps("audit", "--deep", "--json").json["deep"], gaps("audit").status) == (True, 0)
    monkeypatch.setattr("service.game.play.accepts", lambda *_: None)
    bad = gaps("audit", "--deep")
    assert bad.status == 1
    assert "The readings differ in legal: engine False, checker True." in bad.out
    assert "Replay its document and log with gaps-check" in bad.out
    assert gaps("audit").status == 0


def test_audit_looks_for_the_heads_that_were_noted(
    gaps: Gaps, database: Database, clock: FakeClock
) -> None:
    publish_deal(database, won("classic")[0], clock.today, clock)
    head = gaps("audit", "--json").json["head"]
    assert gaps("audit", "--head", head).status == 0
    lost = gaps("audit", "--head", head, "--head", "0" * 64)
    assert lost.status == 1
    assert "No link of the chain has this digest." in lost.out
    assert gaps("audit", "--head", "latest").status == 2


def test_db_check_and_upgrade(gaps: Gaps, database: Database) -> None:
    assert gaps("db", "check", "--json").json["schema"] == "current"
    assert "up to date already" in gaps("db", "upgrade").out
    with database.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = 'from-the-future'"))
    ahead = gaps("db", "check")
    assert ahead.status == 1
    assert "ahead" in ahead.out
    refused = gaps("db", "upgrade")
    assert refused.status == 3
    assert "newer than this program" in refused.err
    assert gaps("mint").status == 3


def test_db_check_tells_what_is_behind(gaps: Gaps, database_url: str) -> None:
    with new_engine(database_url, migrating=True).begin() as connection:
        config = alembic_config()
        config.attributes["connection"] = connection
        alembic.command.downgrade(config, "0001")
    behind = gaps("db", "check")
    assert behind.status == 1
    assert "behind. Run gaps db upgrade." in behind.out
    refused = gaps("dailies")
    assert (refused.status, "run gaps db upgrade" in refused.err) == (3, True)
    assert gaps("db", "upgrade").status == 0
    assert gaps("db", "check").status == 0


def test_an_empty_database_is_made_ready(
    monkeypatch: pytest.MonkeyPatch, empty_url: str, bare: Gaps
) -> None:
    monkeypatch.setenv("GAPS_DATABASE_URL", empty_url)
    for command in ("mint", "publish", "dailies", "audit"):
        ended = bare(command)
        assert ended.status == 3, command
        assert ended.err.count("\n") == 1
    assert bare("db", "upgrade").status == 0
    assert bare("dailies").status == 0


@pytest.mark.parametrize(
    "url",
    [
        "sqlite:////nowhere/gaps.db",
        "postgresql://nobody@127.0.0.1:1/gaps?connect_timeout=1",
    ],
)
def test_no_database_is_a_fault_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, bare: Gaps, url: str
) -> None:
    monkeypatch.setenv("GAPS_DATABASE_URL", url)
    for command in (("audit",), ("db", "check"), ("db", "upgrade"), ("show", "0" * 20)):
        ended = bare(*command)
        assert ended.status == 3, command
        assert "database" in ended.err
        assert ended.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("mint", "--count", 0),
        ("mint", "--variant", "klondike"),
        ("mint", "--dask", "tcp://127.0.0.1:1"),
        ("publish", "--from", "tomorrow"),
        ("publish", "--from", "9998-12-30", "--days", 30),
        ("publish", "--days", 0),
        ("dailies", "--from", "2026-3-8"),
        ("dailies", "--limit", 0),
        ("dailies", "burn"),
        ("dailies", "withdraw", "2026-03-08"),
        ("dailies", "withdraw", "8 March", "--reason", "a slip"),
        ("dailies", "withdraw", "2026-03-08", "--reason", " "),
        ("dailies", "withdraw", "2026-03-08", "--reason", "x", "--variant", "klondike"),
        ("frobnicate",),
    ],
)
def test_bad_arguments_are_told(gaps: Gaps, arguments: tuple[object, ...]) -> None:
    ended = gaps(*arguments)
    assert ended.status == 2
    assert ended.err.strip()
    assert "Traceback" not in ended.err


def test_a_wrong_setting_is_told(monkeypatch: pytest.MonkeyPatch, bare: Gaps) -> None:
    monkeypatch.setenv("GAPS_STOCK", "many")
    ended = bare("dailies")
    assert ended.status == 2
    assert ended.err.startswith("gaps: GAPS_STOCK: ")
