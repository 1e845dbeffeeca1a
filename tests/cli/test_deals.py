"""``gaps show`` and ``gaps solve``: every way to name a deal, and what comes out."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

import checker
from service.game.deal import numbered_deal
from service.game.document import document
from service.solver import Outcome, Progress, Solution
from service.store.database import Database
from tests.cli.command import Gaps
from tests.clock import FakeClock
from tests.deals import publish_deal, won


def test_a_numbered_deal_is_shown(bare: Gaps) -> None:
    shown = bare("show", "--variant", "classic", "--number", 1)
    assert shown.status == 0
    assert "a  9S TC QD" in shown.out
    assert shown.out.count("--") == 4
    assert shown.err == ""


def test_a_miniature_is_shown(bare: Gaps) -> None:
    shown = bare("show", "--variant", "classic", "--number", 1, "--ranks", 4, "--json")
    assert shown.json == document(numbered_deal("classic", 1, 4))


def test_a_published_deal_is_shown_by_date_and_id(
    gaps: Gaps, database: Database, clock: FakeClock
) -> None:
    deal = won("classic")[0]
    deal_id = publish_deal(database, deal, clock.today, clock)
    for name in (clock.today.isoformat(), deal_id):
        assert gaps("show", name, "--json").json == deal.document


def test_a_file_is_shown(bare: Gaps, tmp_path: Path) -> None:
    file = tmp_path / "deal.json"
    made = document(numbered_deal("red-moon", 5).sealed())
    file.write_text(json.dumps(made))
    assert bare("show", file, "--json").json == made


def test_what_solve_finds_is_a_win(bare: Gaps) -> None:
    solved = bare("solve", "--variant", "classic", "--number", 1, "--json")
    assert solved.status == 0
    found = solved.json
    assert list(found) == [
        "outcome", "line", "slides", "redeals", "positions", "seconds", "deal"
    ]  # fmt: skip
    verdict = checker.verify(found["deal"], found["line"])
    assert verdict.won
    assert (found["outcome"], found["slides"]) == ("won", verdict.slides)
    assert found["redeals"] == verdict.redeals


def test_a_win_is_told_round_by_round_with_boards(bare: Gaps) -> None:
    solved = bare("solve", "--variant", "classic", "--number", 1, "--replay")
    assert solved.status == 0
    assert "Won with " in solved.out
    boards = solved.out.count("    1  2  3")
    assert boards == 2 + 2 * solved.out.count("\nredeal ")


def test_what_is_lost_is_told_and_the_answer_is_no(bare: Gaps) -> None:
    lost = next(
        number
        for number in range(1, 50)
        if bare("solve", "--variant", "one-deal", "--number", number, "--ranks", 4, "--json").json[
            "outcome"
        ]
        == "lost"
    )
    told = bare("solve", "--variant", "one-deal", "--number", lost, "--ranks", 4)
    assert told.status == 1
    assert "Lost" in told.out


def test_a_small_budget_leaves_it_undecided(bare: Gaps) -> None:
    ended = bare("solve", "--variant", "classic", "--number", 1, "--budget", 5, "--json")
    assert ended.status == 1
    assert (ended.json["outcome"], ended.json["line"]) == ("undecided", None)


def test_interrupting_a_search_tells_what_was_found(
    bare: Gaps, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: Any, report: Any, cancelled: Any, **options: Any) -> Solution:
        report(Progress(1_000, 2_000, "opening"))
        assert not cancelled()
        os.kill(os.getpid(), signal.SIGINT)
        assert cancelled()
        return Solution(Outcome.UNDECIDED, 1_000, 0)

    monkeypatch.setattr("service.cli.solving.solve", interrupted)
    before = signal.getsignal(signal.SIGINT)
    ended = bare("solve", "--variant", "classic", "--number", 1)
    assert ended.status == 1
    assert "Stopped before it was decided (1,000 positions" in ended.out
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize(
    ("arguments", "tells"),
    [
        ((), "Name a deal"),
        (("--variant", "classic"), "Name a deal"),
        (("--variant", "klondike", "--number", 1), "no variant 'klondike'"),
        (("--variant", "classic", "--number", -1), "numbered from 0"),
        (("--variant", "classic", "--number", 1, "--ranks", 2), "no miniature of 2 ranks"),
        (("--variant", "big-paganini", "--number", 1, "--ranks", 5), "no miniature"),
        (("2026-02-30",), "no date"),
        (("26-1-1",), "no date"),
        (("nowhere.json",), "cannot be read"),
        (("deal.json", "--number", 3), "once"),
        (("--number", "x"), "a valid integer"),
        (("--colour",), "No such option"),
    ],
)
@pytest.mark.parametrize("command", ["show", "solve"])
def test_bad_names_are_told_in_a_sentence(
    bare: Gaps, command: str, arguments: tuple[object, ...], tells: str
) -> None:
    ended = bare(command, *arguments)
    assert ended.status == 2
    assert tells in ended.err
    assert "Traceback" not in ended.err
    assert ended.out == ""


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"[1, 2]", b"\xff\xfe", b'{"format": 1, "format": 2}', b"[" * 200_000, b"{}",
        b'{"ranks": ' + b"9" * 6000 + b"}",
    ],
)  # fmt: skip
def test_a_file_that_is_no_deal_is_told_in_a_sentence(
    bare: Gaps, tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "deal.json"
    file.write_bytes(content)
    for command in ("show", "solve"):
        ended = bare(command, file)
        assert ended.status == 2
        assert "deal.json is no" in ended.err
        assert len(ended.err) < 2000


def test_what_is_not_there_is_told(gaps: Gaps) -> None:
    assert gaps("show", "0" * 20).status == 1
    ended = gaps("show", "2026-03-08")
    assert ended.status == 1
    assert "no classic daily for 2026-03-08" in ended.err
