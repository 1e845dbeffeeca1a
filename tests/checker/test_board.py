"""Slides, runs and redeals on boards that can be looked through."""

import re

import pytest

import checker
from checker.board import LEFT_OF, ROWS, Board, brought_into, parse_slide
from checker.document import read_deal
from checker.replay import Replay
from checker.variants import VARIANTS

from .build import board, by_hand, drawn, numbered, rows

SMALL = """
2C 3C -- 4H
2D 3D 4D --
2H -- 3S 4S
2S 3H 4C --
"""
STUCK = """
2C 4D -- --
2D 3D 4C --
2H 3H 4H --
2S 3S 4S 3C
"""
ORDER = "4C 3C 4D 2C 2D 2H 3D 3H 4H 2S 3S 4S"


CELL = "[a-h](?:1[0-4]|[1-9])"
"""A cell's name, as docs/rules.md section 5 writes it."""


def test_slides_are_just_the_tokens_of_the_page() -> None:
    form = re.compile(f"({CELL})({CELL})")
    cells = [f"{letter}{column}" for letter in "`abcdefghiA" for column in range(17)]
    for source in [*cells, "", "a", "a01", "1"]:
        for goal in [*cells, "", "a", "b1 ", "1"]:
            match = form.fullmatch(source + goal)
            assert parse_slide(source + goal) == (match and match.groups())


def test_cells_are_named_row_by_row() -> None:
    assert ROWS[2][11] == "c12"
    assert [len(row) for row in ROWS] == [14] * 8
    assert LEFT_OF["c12"] == "c11"
    assert {cell for row in ROWS for cell in row if cell not in LEFT_OF} == {
        f"{letter}1" for letter in "abcdefgh"
    }


def test_legal_slides() -> None:
    assert board("classic", SMALL, 4).legal_slides() == ["d3a3", "d2c2"]
    assert board("classic", STUCK, 4).legal_slides() == []


def test_any_2_goes_into_column_1_also_from_another_column_1() -> None:
    gap_in_column_1 = "-- 3C 2C 4H\n2D 3D 4D --\n2H -- 3S 4S\n2S 3H 4C --"
    slides = board("classic", gap_in_column_1, 4).legal_slides()
    assert slides == ["a3a1", "b1a1", "c1a1", "d1a1", "d2c2"]


def test_nothing_goes_right_of_the_top_rank() -> None:
    """Of 13 ranks the queen is followed by the king; of 12 she is the king."""
    text = "QC --"
    assert Board(VARIANTS["classic"], rows(text)).accepted("a2") == ("KC",)
    assert Board(VARIANTS["classic"].with_ranks(12), rows(text)).accepted("a2") == ()


def test_a_gap_beside_a_fixed_ace_wants_its_2() -> None:
    assert board("red-moon", "AC -- -- 3D").accepted("a2") == ("2C",)
    assert board("red-moon", "AC -- -- 3D").accepted("a3") == ()


def test_no_2_goes_into_the_aces_column() -> None:
    assert board("blue-moon", "-- 2C").accepted("a1") == ()
    assert board("classic", "-- 2C").accepted("a1") == ("2C", "2D", "2H", "2S")


def test_either_copy_may_slide() -> None:
    two_packs = board("double-montana", "-- 3C\n2D 4D\n2C 4C\n2C --\n4C --\n2S 3S\n2H 3H\n2S 3D")
    assert two_packs.accepted("d2") == ("3C",)
    assert [slide for slide in two_packs.legal_slides() if slide.endswith("a1")] == [
        "c1a1",
        "d1a1",
        "b1a1",
        "g1a1",
        "f1a1",
        "h1a1",
    ]


@pytest.mark.parametrize("name", list(VARIANTS))
def test_legal_slides_are_all_that_a_replay_takes(name: str) -> None:
    document = numbered(name, 5)
    replay = Replay(read_deal(document))
    legal = replay.board.legal_slides()
    assert legal
    assert len(set(legal)) == len(legal)
    every = [source + goal for source in replay.board.cells for goal in replay.board.cells]
    taken = []
    for token in every:
        if replay.play(token) is None:
            taken.append(token)
            assert replay.play("undo") is None
    assert sorted(taken) == sorted(legal)
    assert replay.board.rows == document["layout"]


@pytest.mark.parametrize(
    ("variant", "row", "run"),
    [
        ("classic", "2C 3C 4C -- 5C", "2C 3C 4C"),
        ("classic", "2C 3D 4C", "2C"),
        ("classic", "3C 4C 5C", ""),
        ("classic", "-- 2C 3C", ""),
        ("classic", "2C 4C", "2C"),
        ("blue-moon", "AC 2C 3C -- 4C", "AC 2C 3C"),
        ("blue-moon", "AC 2D 3D", "AC"),
        ("blue-moon", "AC -- 2C", "AC"),
    ],
)
def test_runs(variant: str, row: str, run: str) -> None:
    found = board(variant, row)
    assert found.run(found.names[0]) == run.split()


def test_ordered_counts_no_aces() -> None:
    with_aces = "AC 2C -- 3D\nAD 2D 3D --\nAH -- 2S 3H\nAS 3S 2H --"
    assert board("blue-moon", with_aces, 3).ordered() == 3
    assert board("classic", SMALL, 4).ordered() == 7


def test_won_whichever_row_a_suit_has() -> None:
    assert board("classic", "2S 3S --\n2C 3C --\n2H 3H --\n2D 3D --", 3).is_won()
    assert board("blue-moon", "AS 2S 3S --\nAC 2C 3C --\nAH 2H 3H --\nAD 2D 3D --", 3).is_won()


def test_not_won_with_a_run_short_or_a_gap_elsewhere() -> None:
    assert not board("classic", "2S 3S --\n2C 3C --\n2H 3H --\n-- 2D 3D", 3).is_won()
    assert not board("classic", "2S 3S --\n2C 3C --\n2H -- 3H\n2D 3D --", 3).is_won()
    assert not board("classic", "2S 3S --\n2C 3C --\n2H 3D --\n2D 3H --", 3).is_won()


def test_a_full_run_and_a_card_behind_it_is_not_won() -> None:
    assert not board("classic", "2S 3S 2S\n2C 3C --\n2H 3H --\n2D 3D --", 3).is_won()


def test_redeal_with_gaps_after_the_runs() -> None:
    stuck = board("classic", STUCK, 4)
    stuck.redeal(ORDER.split())
    assert drawn(stuck.rows) == "2C -- 4C 3C\n2D 3D -- 4D\n2H 3H 4H --\n2S 3S 4S --"


def test_an_order_that_lacks_a_loose_card_deals_nothing() -> None:
    with pytest.raises(ValueError, match="zip"):
        board("classic", STUCK, 4).redeal(ORDER.replace("4C ", "").split())


def test_redeal_of_a_row_without_a_run_starts_with_a_gap() -> None:
    loose = board("classic", "3C 2C --\n2D 3D --\n2H 3H --\n2S 3S --", 3)
    loose.redeal(["3C", "3D", "3H", "3S", "2C", "2D", "2H", "2S"])
    assert drawn(loose.rows) == "-- 3C 2C\n2D 3D --\n2H 3H --\n2S 3S --"


def test_redeal_of_gathered_cards_keeps_their_order() -> None:
    stuck = board("gathered", STUCK, 4)
    stuck.redeal(None)
    assert drawn(stuck.rows) == "2C -- 4D 4C\n2D 3D -- 3C\n2H 3H 4H --\n2S 3S 4S --"


def test_redeal_with_gaps_scattered() -> None:
    stuck = board("scattered", "2C 3D --\n2D 3C --\n2H 3H --\n2S 3S --", 3)
    stuck.redeal(["AC", "2C", "3D", "3H", "AD", "3C", "2D", "AH", "2H", "AS", "2S", "3S"])
    assert drawn(stuck.rows) == "2C -- 3D\n2D -- 3C\n2H 3H --\n2S 3S --"


def test_redeal_never_takes_up_a_fixed_ace() -> None:
    stuck = board("red-moon", "AC 3C -- --\nAD 2D 3D --\nAH 2H 3H --\nAS 2S 3S 2C", 3)
    stuck.redeal(["2C", "3C", "2D", "3D", "2H", "3H", "2S", "3S"])
    assert drawn(stuck.rows) == "AC -- 2C 3C\nAD 2D 3D --\nAH 2H 3H --\nAS 2S 3S --"


def test_primes_count_only_where_both_copies_are_loose() -> None:
    order = ["6H'", "7H", "6H", "7H'", "8H", "8H'"]
    assert brought_into(order, ["6H", "7H"]) == ["7H", "6H"]
    assert brought_into(order, ["6H", "6H", "7H"]) == ["6H", "7H", "6H"]
    assert brought_into(order, ["7H", "7H"]) == ["7H", "7H"]
    assert brought_into(order, []) == []


def test_an_order_beyond_the_twelfth_follows_from_the_seed() -> None:
    document = numbered("unlimited", 3)
    order = read_deal(document).order(13)
    assert order is not None
    assert order != read_deal(document).order(12)
    assert sorted(order) == sorted(VARIANTS["unlimited"].redeal_pack)
    del document["seed"]
    assert read_deal(document).order(12) == document["redeals"][11]["order"]
    assert read_deal(document).order(13) is None


ORDER_3 = "AC 3D AD 3C AH AS 2C 2D 2H 3H 2S 3S"
WIN = ["d3a3", "a4d3", "d2c2", "c3d2", "d3c3", "c4d3"]


def test_won_is_judged_from_the_last_board_alone() -> None:
    deal = by_hand("one-deal", 4, SMALL)
    won = checker.verify(deal, WIN)
    assert (won.legal, won.won, won.ordered, won.slides, won.moves) == (True, True, 12, 6, 6)
    after = checker.verify(deal, [*WIN, "undo"])
    assert (after.legal, after.won, after.slides, after.undos) == (True, False, 5, 1)
    again = checker.verify(deal, [*WIN, "undo", WIN[-1]])
    assert (again.legal, again.won, again.slides, again.undos) == (True, True, 6, 1)


def test_an_opening_may_be_won_already() -> None:
    deal = by_hand("one-deal", 3, "2S 3S --\n2C 3C --\n2H 3H --\n2D 3D --")
    assert checker.verify(deal, []).won


def test_slides_before_a_redeal_keep_counting() -> None:
    text = "2C 4D -- --\n2D 3D 4C --\n2H 3H -- 4H\n2S 3S 4S 3C"
    deal = by_hand("classic", 4, text, ORDER, ORDER)
    log = ["c4c3", "undo", "c4c3", "redeal", "a4a2", "undo", "a4a2", "b4b3"]
    verdict = checker.verify(deal, log)
    assert verdict.as_json() == {
        "legal": True,
        "won": True,
        "ordered": 12,
        "slides": 3,
        "redeals": 1,
        "undos": 2,
        "moves": 4,
        "layout": rows("2C 3C 4C --\n2D 3D 4D --\n2H 3H 4H --\n2S 3S 4S --"),
        "fault": None,
    }


def test_two_redeals_in_a_row_where_the_first_leaves_the_board_stuck() -> None:
    stuck_again = "3D AC 3C AD AH AS 2C 2D 2H 3H 2S 3S"
    deal = by_hand("scattered", 3, "2C 3D --\n2D 3C --\n2H 3H --\n2S 3S --", stuck_again, ORDER_3)
    verdict = checker.verify(deal, ["redeal", "redeal"])
    assert (verdict.legal, verdict.redeals, verdict.moves) == (True, 2, 2)


def test_addiction_redeals_while_slides_are_legal() -> None:
    text = "2C -- 3D\n2D -- 3C\n2H 3H --\n2S 3S --"
    deal = by_hand("addiction", 3, text, ORDER_3, ORDER_3, ORDER_3)
    verdict = checker.verify(deal, ["redeal", "redeal", "b3a2", "redeal"])
    assert (verdict.legal, verdict.slides, verdict.redeals) == (True, 1, 3)
    assert verdict.won


def test_a_verdict_shares_nothing_with_its_document() -> None:
    deal = by_hand("one-deal", 4, SMALL)
    checker.verify(deal, []).layout[0][0] = "XX"
    checker.verify(deal, WIN).as_json()["layout"][0][0] = "XX"
    assert deal == by_hand("one-deal", 4, SMALL)
    assert read_deal(deal).layout == rows(SMALL)
