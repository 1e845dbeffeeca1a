"""Engine and checker play the same tokens and documents side by side, and always agree.

``make soak`` does the same for as long as is wanted.
"""

from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

import checker
from checker.replay import Replay
from service.game.deal import Deal, numbered_deal
from service.game.document import document
from service.game.play import Fault
from tests.game.games import deals
from tests.readings import side_by_side
from tests.readings.documents import damage, of_any_kind
from tests.readings.side_by_side import (
    KINDS,
    DifferenceError,
    Pair,
    is_refused,
    play_both,
    regression,
)
from tests.readings.soak import Soak

randoms = st.randoms(use_true_random=False)


class Sides(RuleBasedStateMachine):
    """A game by both readings; a `Pair` compares them after each token."""

    pair: Pair

    @initialize(deal=deals(), random=randoms)
    def open(self, deal: Deal, random: Random) -> None:
        self.pair = Pair(of_any_kind(deal, random))

    @rule(data=st.data(), times=st.integers(1, 10))
    def legal_slides(self, data: st.DataObject, times: int) -> None:
        for _ in range(times):
            self.play("legal", data)

    @rule(kind=st.sampled_from(sorted(KINDS)), data=st.data())
    def play(self, kind: str, data: st.DataObject) -> None:
        token = self.pair.token(kind, lambda tokens: data.draw(st.sampled_from(tokens)))
        self.pair.play(token)

    @precondition(lambda self: not self.pair.legal())
    @rule()
    def redeal(self) -> None:
        self.pair.play("redeal")

    @rule(random=randoms, times=st.integers(1, 3))
    def damaged(self, random: Random, times: int) -> None:
        value: Any = document(self.pair.game.deal)
        for _ in range(times):
            value = damage(value, random)
        is_refused(value)


TestSides = Sides.TestCase
TestSides.settings = settings(max_examples=60, stateful_step_count=40)


@given(deals(), randoms, st.integers(1, 3), st.booleans())
def test_damaged_documents_are_refused_by_both_or_by_neither(
    deal: Deal, random: Random, times: int, seeded: bool
) -> None:
    value: Any = document(deal if seeded else deal.without_seed())
    for _ in range(times):
        value = damage(value, random)
    is_refused(value)


def test_unlimited_is_played_through_its_twelve_redeals() -> None:
    """Chance does not come so far: here each round ends after one slide in each row."""
    written = {
        "format": "gaps-deal/1",
        "variant": "unlimited",
        "layout": [[king, None, *others] for king, *others in _behind_kings("2")],
        "redeals": [
            {"order": [card for row in _behind_kings(rank) for card in row]}
            for rank in "23456789TJQQ"  # the twelfth redeal deals kings alone
        ],
    }
    pair = Pair(written)
    for k in range(1, 12):
        # A row is now a run of k - 1 cards, the gap, a king, and the card that the gap wants.
        played = ["redeal", *(f"{row}{k + 2}{row}{k}" for row in "abcd")]
        assert [pair.play(token) for token in played] == [None] * 5
    assert not pair.game.won
    # Only kings are left, each in the row above its own.
    played = ["redeal", "d13a12", "a13b12", "b13c12", "c13d12"]
    assert [pair.play(token) for token in played] == [None] * 5
    assert pair.game.won
    assert pair.play("redeal") == Fault.ALREADY_WON


def _behind_kings(rank: str) -> list[list[str]]:
    """For each suit: the king of the next suit, the suit's card of that rank, all its others."""
    return [
        ["K" + next_suit, *(rank + suit for rank in dict.fromkeys(rank + "23456789TJQ"))]
        for suit, next_suit in pairwise("CDHSC")
    ]


def test_a_soak_meets_every_fault() -> None:
    soak = Soak()
    for number in range(60):
        soak.game(f"test/{number}")
    assert set(soak.codes) == {"legal", *Fault}
    assert set(soak.documents) == {"good", "refused"}
    assert soak.won


def test_a_difference_is_told_with_a_regression(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a checker that loses count of undos, from the deal to the shortest log that shows it."""
    monkeypatch.setattr(side_by_side, "Replay", lambda deal: _without_undos(Replay(deal)))
    written = document(numbered_deal("classic", 1, 5))
    pair = Pair(written)
    first, *_ = pair.legal()
    tokens = [first, "undo", first, "redeal", "undo", "undo"]
    with pytest.raises(DifferenceError, match="counts after 'undo'"):
        play_both(written, tokens)
    assert f"play_both(written, [{first!r}, 'undo'])" in regression(written, tokens)
    with pytest.raises(SystemExit):
        Soak().game("test/0")
    printed = capsys.readouterr().out
    assert "DIFFERENCE with --game test/0\n" in printed
    with pytest.raises(DifferenceError, match="counts after 'undo'"):
        _run_regression(printed)
    monkeypatch.undo()
    _run_regression(printed)


def test_a_reading_that_fails_is_told_with_a_regression(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(_: Replay) -> None:
        raise KeyError("undo")

    monkeypatch.setattr(Replay, "_undo", fails)
    with pytest.raises(SystemExit):
        Soak().game("test/0")
    printed = capsys.readouterr().out
    assert "DIFFERENCE with --game test/0\nKeyError('undo')\n" in printed
    with pytest.raises(KeyError):
        _run_regression(printed)


def test_a_document_that_one_reading_takes_is_told_with_a_regression(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(checker, "check_deal", lambda _: [])
    with pytest.raises(SystemExit):
        Soak().game("test/0")
    with pytest.raises(DifferenceError, match="engine refuses: True"):
        _run_regression(capsys.readouterr().out)


def _run_regression(printed: str) -> None:
    """Runs the test that was printed, among the names of this module."""
    names = dict(globals())
    exec(printed[printed.index("def test_regression") :], names)
    names["test_regression"]()


def _without_undos(replay: Replay) -> Replay:
    plain = replay.verdict
    replay.verdict = lambda fault: replace(plain(fault), undos=0)  # type: ignore[method-assign]
    return replay
