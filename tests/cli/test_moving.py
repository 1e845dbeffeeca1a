"""``gaps db backup``, ``export`` and ``import``, as an operator uses them."""

import io
import sys
from pathlib import Path

import pytest

from service.store import dailies
from service.store.database import Database
from tests.cli.command import Gaps
from tests.clock import FakeClock
from tests.databases import SqliteFiles
from tests.deals import publish_deal, won


@pytest.fixture
def other(sqlite_files: SqliteFiles, tmp_path: Path) -> str:
    """The URL of an empty SQLite database beside that of the commands."""
    path = tmp_path / "other.db"
    with sqlite_files.fresh(migrated=True) as url:
        path.write_bytes(Path(url.removeprefix("sqlite:///")).read_bytes())
    return f"sqlite:///{path}"


def test_a_backup_is_a_database_to_go_on_with(
    gaps: Gaps,
    database: Database,
    clock: FakeClock,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deal_id = publish_deal(database, won()[0], clock.today, clock)
    path = tmp_path / "copy.db"
    ended = gaps("db", "backup", path)
    if database.engine.dialect.name == "postgresql":
        assert ended.status == 2
        assert f"pg_dump --format=custom --file={path} postgresql://" in ended.err.replace("'", "")
        assert not path.exists()
        return
    assert ended.status == 0
    assert "checked copy" in ended.out
    again = gaps("db", "backup", path)
    assert (again.status, "is there already" in again.err) == (2, True)
    monkeypatch.setenv("GAPS_DATABASE_URL", f"sqlite:///{path}")
    assert gaps("audit").status == 0
    assert gaps("dailies", "--json").json[0]["deal"] == deal_id


def test_what_is_exported_is_imported_and_audited_with_the_same_head(
    gaps: Gaps,
    database: Database,
    clock: FakeClock,
    other: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    publish_deal(database, won()[0], clock.today, clock)
    path = tmp_path / "all.ndjson"
    ended = gaps("db", "export", path)
    assert (ended.status, ended.out) == (0, "")
    assert "1 deals, " in ended.err
    assert gaps("db", "export", path).status == 2
    assert gaps("db", "import", path).status == 2, "it is not empty"
    head = gaps("audit", "--json").json["head"]
    monkeypatch.setenv("GAPS_DATABASE_URL", other)
    assert gaps("db", "import", path).status == 0
    moved = gaps("audit", "--head", head, "--json")
    assert (moved.status, moved.json["head"], moved.json["deals"]) == (0, head, 1)


def test_a_pipe_moves_everything_as_well(
    gaps: Gaps,
    database: Database,
    clock: FakeClock,
    other: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    publish_deal(database, won()[0], clock.today, clock)
    piped = gaps("db", "export", "-")
    assert piped.status == 0
    monkeypatch.setenv("GAPS_DATABASE_URL", other)
    for text, status in ((piped.out[:-9], 2), (piped.out, 0), (piped.out, 2)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        ended = gaps("db", "import", "-")
        assert (ended.status, "Traceback" in ended.err) == (status, False)
    with Database.open(other) as moved, moved.reading() as session:
        assert len(dailies.ids(session)) == 1


def test_files_that_cannot_be_are_told_in_a_sentence(gaps: Gaps, tmp_path: Path) -> None:
    bad = tmp_path / "bad.ndjson"
    bad.write_text("{}\n")
    for command, file in (
        ("export", tmp_path / "missing" / "all.ndjson"),
        ("import", tmp_path / "missing.ndjson"),
        ("import", tmp_path),
        ("import", bad),
    ):
        ended = gaps("db", command, file)
        assert ended.status == 2, (command, file)
        assert ended.err.count("\n") == 1
        assert str(file) in ended.err


def test_without_a_database_there_is_nothing_to_move(bare: Gaps, tmp_path: Path) -> None:
    for command in ("backup", "export", "import"):
        ended = bare("db", command, tmp_path / "file")
        assert ended.status == 3
        assert ended.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
