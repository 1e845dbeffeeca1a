"""Wrong logs, a file each: the token that is not legal, its code and what the sentence names."""

import re
from typing import Any

import pytest

import checker

from .build import golden

CODES = [
    "malformed-token",
    "off-board",
    "no-card",
    "occupied",
    "dead-gap",
    "wrong-card",
    "already-won",
    "no-redeals-left",
    "redeal-not-stuck",
    "redeal-unknown",
    "nothing-to-undo",
]
"""Section 5 of docs/rules.md, in its order."""

GOLDEN = dict(golden())
each_golden = pytest.mark.parametrize("wrong", GOLDEN.values(), ids=GOLDEN)


def test_every_code_has_its_files() -> None:
    assert {wrong["code"] for wrong in GOLDEN.values()} == set(CODES)
    for name, wrong in GOLDEN.items():
        assert name.startswith(wrong["code"])


@each_golden
def test_fault(wrong: dict[str, Any]) -> None:
    verdict = checker.verify(wrong["deal"], wrong["moves"])
    assert verdict.fault is not None
    assert (verdict.fault.index, verdict.fault.code) == (wrong["index"], wrong["code"])
    for words in wrong["sentence"]:
        assert words in verdict.fault.message
    assert len(verdict.fault.message) < 200
    assert verdict.fault.message.isascii()


@each_golden
def test_counts_are_those_just_before(wrong: dict[str, Any]) -> None:
    verdict = checker.verify(wrong["deal"], wrong["moves"]).as_json()
    before = checker.verify(wrong["deal"], wrong["moves"][: wrong["index"]]).as_json()
    assert before["legal"]
    assert before["fault"] is None
    after = {"legal": False, "won": False, "fault": verdict["fault"]}
    assert verdict == before | after


@each_golden
def test_what_follows_the_fault_changes_nothing(wrong: dict[str, Any]) -> None:
    verdict = checker.verify(wrong["deal"], wrong["moves"])
    continuations: list[list[object]] = [["undo"], ["redeal"], ["a1b1"], [None, {}]]
    for more in continuations:
        assert checker.verify(wrong["deal"], wrong["moves"] + more) == verdict


def test_not_stuck_names_a_legal_slide() -> None:
    for wrong in GOLDEN.values():
        if wrong["code"] == "redeal-not-stuck":
            fault = checker.verify(wrong["deal"], wrong["moves"]).fault
            assert fault is not None
            named = re.findall(r"\b[a-h]\d+[a-h]\d+\b", fault.message)
            assert len(named) == 1
            before = wrong["moves"][: wrong["index"]]
            assert checker.verify(wrong["deal"], [*before, *named]).legal


@pytest.mark.parametrize(
    ("token", "told"),
    [
        ("D3a3", "D3a3"),
        (7, 7),
        (None, None),
        (True, True),
        (2.5, 2.5),
        (["d3a3"], "a list of 1"),
        ({"from": "d3"}, "an object of 1"),
        ("x" * 41, "x" * 40 + "…"),
        (2**63, "a huge number"),
        (float("nan"), "a number out of range"),
    ],
)
def test_how_a_token_is_told(token: object, told: object) -> None:
    wrong = GOLDEN["malformed-token-empty"]
    fault = checker.verify(wrong["deal"], [token]).fault
    assert fault is not None
    assert fault.code == "malformed-token"
    assert fault.token == told
    assert type(fault.token) is type(told)


def test_a_legal_token_is_told_whole() -> None:
    fault = checker.verify(GOLDEN["occupied"]["deal"], ["a1b1"]).fault
    assert fault is not None
    assert fault.as_json() == {
        "index": 0,
        "token": "a1b1",
        "code": "occupied",
        "message": "b1 holds 2D; a card slides into a gap only.",
    }


@pytest.mark.parametrize("moves", ["redeal", None, 3, {"a1b1": 0}, b"undo"])
def test_moves_must_be_a_list(moves: Any) -> None:
    with pytest.raises(TypeError, match="moves must be a list of tokens"):
        checker.verify(GOLDEN["occupied"]["deal"], moves)


@each_golden
def test_refused_before_any_token(wrong: dict[str, Any]) -> None:
    refused = wrong["deal"] | {"format": "gaps-deal/2"}
    with pytest.raises(checker.RefusedDeal) as caught:
        checker.verify(refused, wrong["moves"])
    assert [fault.where for fault in caught.value.faults] == ["/format"]
