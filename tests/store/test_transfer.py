"""Everything exported from one kind of database and imported into another, or nothing at all."""

import datetime as dt
import hashlib
import io
import json
import math
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import select, text

from service.publishing import verdicts
from service.publishing.audit import audit
from service.publishing.remembered import PublishedDeals
from service.publishing.withdraw import withdraw
from service.settings import Redeals
from service.store import dailies, exporting, importing, refusals
from service.store.database import Database
from service.store.exporting import UnreadableError, export, tables
from service.store.importing import BadExportError, NotEmptyError, load
from service.store.tables import Arrival, Base, Deal, Play, Practice, Submission
from tests.clock import NOON, FakeClock
from tests.databases import KINDS
from tests.deals import publish_deal, put_in_stock, won

DAY = NOON.date()


def fill(database: Database, clock: FakeClock) -> None:
    """Some of everything that is kept."""
    deal_id = publish_deal(database, won()[0], DAY, clock)
    publish_deal(database, won("relaxed")[0], DAY, clock, Redeals.OPEN)
    far = DAY + dt.timedelta(9)
    publish_deal(database, won()[1], far, clock)
    withdraw(database, "classic", far, "Zwölf \N{BLACK HEART SUIT} zu viel.", clock)
    publish_deal(database, won()[2], far, clock)
    put_in_stock(database, won("gathered")[0], won("scattered")[0])
    clock.advance(microseconds=1)
    for moves in ([], won()[0].line, ["nonsense"]):
        verdicts.submit(PublishedDeals(database), deal_id, moves, clock)
    with database.writing() as session:
        refusals.add(
            session,
            document=won()[3].document,
            line=["redeal"],
            reason={"refused": []},
            solver_version="7",
            refused_at=NOON,
        )
        (submission, *_) = session.scalars(select(Submission)).all()
        session.add(
            Play(player="f" * 64, submission_id=submission.id, state=Arrival.LIVE, played_at=NOON)
        )
        practised = session.scalars(select(Deal).where(Deal.variant == "scattered")).one()
        for number, name in ((won("scattered")[0].number, practised.id), (2, None)):
            session.add(
                Practice(
                    variant="scattered",
                    number=number,
                    deal_id=name,
                    budget=2**40,
                    solver_version="7",
                    searched_at=NOON,
                )
            )


def exported(database: Database) -> bytes:
    sink = io.BytesIO()
    export(database, sink)
    return sink.getvalue()


@pytest.fixture(params=KINDS)
def other(request: pytest.FixtureRequest) -> Iterator[Database]:
    """A second database, of either kind."""
    name = {"sqlite": "sqlite_files", "postgresql": "postgres_server"}[request.param]
    server = request.getfixturevalue(name)
    with server.fresh(migrated=True) as url, Database.open(url) as opened:
        yield opened


def rows(database: Database) -> dict[str, list[Any]]:
    with database.reading() as session:
        return {
            table.name: [
                tuple(row)
                for row in session.execute(select(table).order_by(*table.primary_key.columns))
            ]
            for table in tables()
        }


def test_everything_arrives_in_a_database_of_any_kind(
    database: Database, other: Database, clock: FakeClock
) -> None:
    fill(database, clock)
    assert all(rows(database).values()), "there is some of everything"
    heard: list[tuple[int, int]] = []
    counts = load(other, io.BytesIO(exported(database)), lambda *all_: heard.append(all_))
    assert counts == {name: len(found) for name, found in rows(database).items()}
    assert heard[-1] == (sum(counts.values()),) * 2
    assert rows(other) == rows(database)
    before, after = audit(database), audit(other)
    assert before == after
    assert [fault.where for fault in after.faults] == ["refusal 1"]
    assert exported(other) == exported(database)


def test_new_rows_come_after_those_that_were_imported(
    database: Database, other: Database, clock: FakeClock
) -> None:
    fill(database, clock)
    load(other, io.BytesIO(exported(database)))
    for opened in (database, other):
        publish_deal(opened, won()[4], DAY + dt.timedelta(1), clock)
        with opened.writing() as session:
            refusals.add(
                session,
                document=won()[3].document,
                line=[],
                reason={},
                solver_version="8",
                refused_at=NOON,
            )
    assert rows(other)["links"] == rows(database)["links"]
    with other.reading() as session:
        assert dailies.ids(session) == [1, 2, 3, 4, 5]
    assert [fault.where for fault in audit(other).faults] == ["refusal 1", "refusal 2"]


def test_nothing_can_be_moved_as_well(database: Database, other: Database) -> None:
    data = exported(database)
    assert len(data.splitlines()) == 2
    assert set(load(other, io.BytesIO(data)).values()) == {0}
    assert exported(other) == data


def test_an_export_is_of_one_moment(
    database: Database, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(database, clock)
    whole = exported(database)
    monkeypatch.setattr(exporting, "ROWS", 1)
    sink = io.BytesIO()

    def meanwhile(done: int, of: int) -> None:
        if done == 1:
            publish_deal(database, won()[4], DAY + dt.timedelta(1), clock)

    export(database, sink, meanwhile)
    assert sink.getvalue() == whole
    assert exported(database) != whole


def test_rows_are_read_and_written_in_pieces(
    database: Database, other: Database, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(database, clock)
    whole = exported(database)
    monkeypatch.setattr(exporting, "ROWS", 2)
    monkeypatch.setattr(importing, "ROWS", 2)
    assert exported(database) == whole
    load(other, io.BytesIO(whole))
    assert exported(other) == whole


@pytest.mark.parametrize(
    "change", ["document = '{'", "seed = cast(x'fffe41' AS text)", "positions = 'x'"]
)
def test_a_row_that_cannot_be_read_is_told(sqlite_url: str, change: str) -> None:
    """No file is made that could not be imported again."""
    with Database.open(sqlite_url) as database:
        put_in_stock(database, won()[0])
        with database.writing() as session:
            session.execute(text(f"UPDATE deals SET {change}"))
        with pytest.raises(UnreadableError, match="A row of deals cannot be read"):
            exported(database)


def test_a_database_with_rows_takes_no_import(database: Database, clock: FakeClock) -> None:
    fill(database, clock)
    data, before = exported(database), rows(database)
    with pytest.raises(NotEmptyError, match="not empty"):
        load(database, io.BytesIO(data))
    assert rows(database) == before


def line(data: bytes, number: int, change: Callable[[dict[str, Any]], object]) -> bytes:
    """The file with one line changed, and its digest made good."""
    lines = data.splitlines(keepends=True)
    value = json.loads(lines[number])
    change(value)
    lines[number] = json.dumps(value, separators=(",", ":")).encode() + b"\n"
    return sealed(lines[:-1])


def sealed(lines: list[bytes]) -> bytes:
    body = b"".join(lines)
    trailer = {"end": exporting.FORMAT, "sha256": hashlib.sha256(body).hexdigest()}
    return body + json.dumps(trailer, separators=(",", ":")).encode() + b"\n"


def deal_line(data: bytes) -> int:
    return next(n for n, row in enumerate(data.splitlines()) if b'"table":"deals"' in row)


def row_of(**columns: Any) -> Callable[[dict[str, Any]], None]:
    return lambda value: value["row"].update(columns)


BAD: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda data: b"",
    "another file": lambda data: b"SQLite format 3\0" * 100,
    "not JSON": lambda data: b"{\n" + data,
    "a list": lambda data: b"[]\n" + data,
    "nested": lambda data: b"[" * 100_000 + b"\n" + data,
    "no header": lambda data: b"".join(data.splitlines(keepends=True)[1:]),
    "cut": lambda data: data[:-40],
    "cut at a line": lambda data: b"".join(data.splitlines(keepends=True)[:-1]),
    "cut after a row": lambda data: b"".join(data.splitlines(keepends=True)[:3]),
    "longer": lambda data: data + b"{}\n",
    "twice": lambda data: data + data,
    "a changed byte": lambda data: data.replace(b'"seconds":0.25', b'"seconds":0.75', 1),
    "a row less": lambda data: sealed(
        [row for n, row in enumerate(data.splitlines(keepends=True)[:-1]) if n != 2]
    ),
    "a row twice": lambda data: line(
        sealed(
            [
                row * (1 + (n == deal_line(data)))
                for n, row in enumerate(data.splitlines(keepends=True)[:-1])
            ]
        ),
        0,
        lambda value: value["rows"].update(deals=value["rows"]["deals"] + 1),
    ),
    "other rows first": lambda data: sealed(
        [data.splitlines(keepends=True)[n] for n in (0, *range(len(data.splitlines()) - 2, 0, -1))]
    ),
    "of another schema": lambda data: line(data, 0, lambda value: value.update(revision="0001")),
    "of another format": lambda data: line(data, 0, lambda value: value.update(format="x/2")),
    "no counts": lambda data: line(data, 0, lambda value: value.pop("rows")),
    "counts of nothing": lambda data: line(data, 0, lambda value: value["rows"].update(deals="x")),
    "negative": lambda data: line(data, 0, lambda value: value["rows"].update(deals=-1)),
    "a key too many": lambda data: line(data, 1, lambda value: value.update(more=1)),
    "a column too many": lambda data: line(data, deal_line(data), row_of(more=1)),
    "a column less": lambda data: line(
        data, deal_line(data), lambda value: value["row"].pop("seed")
    ),
    "null": lambda data: line(data, deal_line(data), row_of(seed=None)),
    "a number as text": lambda data: line(data, deal_line(data), row_of(slides="7")),
    "true as number": lambda data: line(data, deal_line(data), row_of(slides=True)),
    "too big": lambda data: line(data, deal_line(data), row_of(positions=2**63)),
    "too long": lambda data: line(data, deal_line(data), row_of(variant="x" * 33)),
    "no zone": lambda data: line(data, deal_line(data), row_of(minted_at="2026-03-08T12:00:00")),
    "no time": lambda data: line(data, deal_line(data), row_of(minted_at="soon")),
    "no float": lambda data: line(data, deal_line(data), row_of(seconds="1")),
    "half a pair": lambda data: line(data, deal_line(data), row_of(variant="\ud800")),
    "half a pair in a line": lambda data: line(data, deal_line(data), row_of(line=["\ud800"])),
    "no tokens": lambda data: line(data, deal_line(data), row_of(line=[7])),
    "no line": lambda data: line(data, deal_line(data), row_of(line={})),
    "a list as document": lambda data: line(data, deal_line(data), row_of(document=[])),
    "no end": lambda data: line(data, deal_line(data), row_of(seconds=math.inf)),
    "no document": lambda data: line(data, deal_line(data), row_of(document=7)),
    "a parent gone": lambda data: line(data, deal_line(data), row_of(id="f" * 20)),
    "no date": lambda data: line(
        data,
        next(n for n, row in enumerate(data.splitlines()) if b'"table":"dailies"' in row),
        row_of(date="20260308"),
    ),
    "no such word": lambda data: line(
        data,
        next(n for n, row in enumerate(data.splitlines()) if b'"table":"dailies"' in row),
        row_of(redeals="ajar"),
    ),
}


@pytest.fixture(scope="module")
def whole() -> dict[str, bytes]:
    return {}


@pytest.mark.parametrize("bad", BAD)
def test_a_file_that_is_no_good_leaves_nothing(
    sqlite_url: str, database: Database, clock: FakeClock, whole: dict[str, bytes], bad: str
) -> None:
    if not whole:
        with Database.open(sqlite_url) as source:
            fill(source, clock)
            whole["data"] = exported(source)
    data = BAD[bad](whole["data"])
    with pytest.raises(BadExportError, match="Nothing was imported") as raised:
        load(database, io.BytesIO(data))
    assert len(str(raised.value)) < 1000
    assert not any(rows(database).values())
    load(database, io.BytesIO(whole["data"]))


def test_a_line_without_end_is_not_read_to_its_end(sqlite_url: str) -> None:
    class Endless:
        def readline(self, limit: int, /) -> bytes:
            return b"x" * limit

    with (
        Database.open(sqlite_url) as database,
        pytest.raises(BadExportError, match="too long"),
    ):
        load(database, Endless())


def test_two_imports_at_once_make_one(
    database_url: str, database: Database, other: Database, clock: FakeClock
) -> None:
    fill(other, clock)
    data = exported(other)
    together = threading.Barrier(3)
    ends: list[str] = []

    def work() -> None:
        with Database.open(database_url) as own:
            together.wait()
            try:
                load(own, io.BytesIO(data))
                ends.append("imported")
            except NotEmptyError:
                ends.append("not empty")

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(ends) == ["imported", "not empty", "not empty"]
    assert exported(database) == data


def test_every_table_is_moved() -> None:
    assert {table.name for table in tables()} == set(Base.metadata.tables)
    parents: set[str] = set()
    for table in tables():
        assert {key.column.table.name for key in table.foreign_keys} <= parents
        parents.add(table.name)
