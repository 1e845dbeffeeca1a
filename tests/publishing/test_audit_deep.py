"""The deep audit: it finds what a reading that is damaged makes of stored lines and logs."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

import pytest

import checker
from service.game import parsing, play
from service.game.board import Slide, ordered
from service.game.parsing import DocumentError
from service.game.play import Replay, replay
from service.game.redeal import redeal
from service.game.variants import VARIANTS, Aces, Rules
from service.publishing import audit_deep, verdicts
from service.publishing.audit import audit
from service.publishing.audit_deep import PUT_RIGHT, compare
from service.publishing.remembered import PublishedDeals
from service.store.database import Database
from service.store.tables import Daily, Deal
from tests.clock import FakeClock
from tests.deals import WonDeal, publish_deal, put_in_stock, won, won_deals

WIN = won("classic", redeals=2)[0]
LOGS = {
    "wins": WIN.line,
    "ends early": WIN.line[:9],
    "gets stuck": WIN.line[: WIN.line.index("redeal")],
    "takes back": [*WIN.line[:3], "undo"],
    "is not legal": [*WIN.line[:5], "nonsense"],
    "redeals too soon": ["redeal"],
}


@pytest.fixture
def in_use(database: Database, clock: FakeClock) -> Database:
    """A daily with logs of all kinds, and a deal in stock."""
    name = publish_deal(database, WIN, clock.today, clock)
    for log in LOGS.values():
        verdicts.submit(PublishedDeals(database), name, log, clock)
    put_in_stock(database, won("gathered")[0])
    return database


def differences(document: Any, moves: list[Any]) -> list[str]:
    """In what the readings differ over a document and a log."""
    try:
        verdict = checker.verify(document, moves)
    except checker.RefusedDeal:
        verdict = None
    return list(compare(document, moves, verdict).differences)


def test_what_both_readings_agree_on_is_sound(in_use: Database) -> None:
    report = audit(in_use, deep=True)
    assert report.faults == []
    assert report.deep
    assert not audit(in_use).deep


@pytest.mark.parametrize("deal", won_deals(), ids=lambda deal: f"{deal.variant}-{deal.number}")
def test_the_readings_agree_all_along_a_line(deal: WonDeal) -> None:
    """Whatever the board, the checker can be asked whether it is stuck."""
    steps = range(0, len(deal.line), 1 + len(deal.line) // 12)
    for end in (*steps, len(deal.line)):
        for token in ([], ["redeal"], ["undo"], ["a1a2"], [None]):
            assert differences(deal.document, [*deal.line[:end], *token]) == []


@pytest.mark.parametrize("value", [None, 7, [], {}, {**WIN.document, "seed": "0" * 64}])
def test_what_both_refuse_is_no_difference(value: Any) -> None:
    assert differences(value, WIN.line) == []


Damage: TypeAlias = tuple[object, str, Any, str]


def swapped(*given: Any) -> list[int]:
    """What a redeal deals, with its first and last card exchanged."""
    board = list(redeal(*given))
    loose = [cell for cell, card in enumerate(board) if card]
    board[loose[0]], board[loose[-1]] = board[loose[-1]], board[loose[0]]
    return board


def forgets_undos(game: play.Game) -> Slide:
    """Takes a slide back on the board, and goes on counting it."""
    slide = game._round.pop()
    game.board[slide.source], game.board[slide.target] = game.board[slide.target], 0
    return slide


PLAY = play.Game.play


def counts_undos_twice(game: play.Game, token: object) -> None:
    """Plays a token, and counts an undo once more."""
    PLAY(game, token)
    game.undos += token == "undo"


def changed(**fields: Any) -> Callable[..., Rules]:
    """The engine's rules of a variant with something else in the table."""
    return lambda name, ranks=13: Rules(replace(VARIANTS[name], **fields), ranks)


def one_later(*given: Any) -> Replay:
    """A replay whose fault is at the token after."""
    came = replay(*given)
    return came if came.index is None else replace(came, index=came.index + 1)


def fails(*_: Any) -> Any:
    raise IndexError


def refuses(_: object) -> Any:
    raise DocumentError([])


REFUSED = "is refused: engine True, checker False."
DAMAGES: dict[str, Damage] = {
    "rows": (audit_deep, "board_rows", lambda *_: [], "differ in rows: engine 0, checker 4."),
    "board": (play, "redeal", swapped, "differ in row "),
    "slides": (play.Game, "pop", forgets_undos, "differ in slides: engine 3, checker 2."),
    "undos": (play.Game, "play", counts_undos_twice, "differ in undos: engine 2, checker 1."),
    "redeals": (play, "redeals_left", lambda *_: False, "differ in redeals: engine 0, checker 2."),
    "ordered": (play, "ordered", lambda *at: ordered(*at) + 1, "differ in ordered"),
    "won too late": (play, "is_won", lambda *_: False, "differ in won: engine False"),
    "won too soon": (play, "is_won", lambda *_: True, "differ in won: engine True"),
    "never stuck": (audit_deep, "is_stuck", lambda *_: False, "differ in stuck: engine False"),
    "always stuck": (audit_deep, "is_stuck", lambda *_: True, "differ in stuck: engine True"),
    "legal": (play, "slides", lambda *_: iter(()), "differ in legal: engine True, checker False."),
    "code": (play, "accepts", lambda *_: None, "differ in fault: engine (0, 'dead-gap')"),
    "index": (audit_deep, "replay", one_later, "engine (6, 'malformed-token'), checker (5, '"),
    "failing": (play, "accepts", fails, "The engine fails at it (IndexError)"),
    "refusing": (audit_deep, "parse_document", refuses, REFUSED),
    "packs": (parsing, "rules", changed(packs=2), REFUSED),
    "aces": (parsing, "rules", changed(aces=Aces.LEFT), REFUSED),
    "when stuck": (parsing, "rules", changed(when_stuck=False), "engine None, checker (0, '"),
    "no variant": (parsing, "VARIANTS", {}, REFUSED),
}


@pytest.mark.parametrize(("owner", "name", "damaged", "told"), DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_engine_is_found(
    in_use: Database,
    monkeypatch: pytest.MonkeyPatch,
    owner: object,
    name: str,
    damaged: Any,
    told: str,
) -> None:
    monkeypatch.setattr(owner, name, damaged)
    faults = audit(in_use, deep=True).faults
    assert any(told in fault.message for fault in faults), faults
    assert {fault.remedy for fault in faults} == {PUT_RIGHT}
    assert {fault.where.split()[0] for fault in faults} <= {"deal", "submission"}
    assert audit(in_use).faults == [], "the checker alone sees nothing of it"


def test_it_says_how_many_lines_and_logs_were_replayed(
    in_use: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def replayed(deep: bool = True) -> tuple[int, int, int]:
        report = audit(in_use, deep=deep)
        return report.lines_replayed, report.logs_replayed, report.not_replayed

    assert replayed() == (2, len(LOGS), 0)
    with monkeypatch.context() as patch:
        patch.setattr(audit_deep, "parse_document", refuses)
        assert replayed() == (0, 0, 2 + len(LOGS)), "the checker alone is not both"
        assert replayed(deep=False) == (2, len(LOGS), 0)
    with monkeypatch.context() as patch:
        patch.setattr(play, "accepts", fails)
        assert replayed()[2] > 0
    with in_use.writing() as session:
        (daily,) = session.query(Daily)
        session.get_one(Deal, daily.deal_id).document = {}
    assert replayed() == (1, 0, 1 + len(LOGS))


def test_in_processes_both_readings_replay_too(in_use: Database) -> None:
    with in_use.writing() as session:
        for deal in session.query(Deal):
            deal.line = [*deal.line, "redeal"]
    alone, together = (audit(in_use, processes=n, deep=True) for n in (1, 2))
    assert alone == together
    assert alone.faults
