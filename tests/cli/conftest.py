"""Commands that work on a database of their own."""

import pytest

from service.store.database import Database
from tests.cli.command import Gaps, runner


@pytest.fixture
def gaps(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    database: Database,
    database_url: str,
) -> Gaps:
    """Runs ``gaps`` on a fresh, migrated database: once SQLite, once PostgreSQL."""
    monkeypatch.setenv("GAPS_DATABASE_URL", database_url)
    # With the default most of a test's time would go into shorter lines.
    monkeypatch.setenv("GAPS_BUDGET", "300000")
    return runner(monkeypatch, capsys)


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Gaps:
    """Runs ``gaps`` where there is no database at all."""
    monkeypatch.setenv("GAPS_DATABASE_URL", "sqlite:////nowhere/gaps.db")
    return runner(monkeypatch, capsys)
