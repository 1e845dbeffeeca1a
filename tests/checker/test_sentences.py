"""What a person is told is wrong with a token or a provenance, word by word; values that never
change."""

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

import checker
from checker.board import Board
from checker.bundle import read_bundle
from checker.contradictions import contradictions
from checker.document import read_deal
from checker.facts import Facts
from checker.provenance import provenance_faults
from checker.replay import Objection, Replay
from checker.variants import VARIANTS

from .build import bundles, by_hand, numbered, sealed, without_seed
from .documents import BLUE, ONE_DEAL, OPEN, SMALL

WIN = ["d3a3", "a4d3", "d2c2", "c3d2", "d3c3", "c4d3"]
STUCK = by_hand("one-deal", 4, "2C 4D -- --\n2D 3D 4C --\n2H 3H 4H --\n2S 3S 4S 3C")
OPEN_AT_LEFT = by_hand("one-deal", 4, "-- 3C 2C 4H\n2D 3D 4D --\n2H -- 3S 4S\n2S 3H 4C --")
TWICE = "4C 3C 4D 2C 2D 2H 3D 3H 4H 2S 3S 4S"
ONE_REDEAL_LEFT = by_hand(
    "classic", 4, "2C 4D -- --\n2D 3D 4C --\n2H 3H 4H --\n2S 3S 4S 3C", TWICE, TWICE
)


@pytest.mark.parametrize(
    ("deal", "moves", "sentence"),
    [
        (SMALL, ["d3"], '"d3" is no token: write a slide such as c12b5, redeal or undo.'),
        (
            SMALL,
            [["d3a3"]],
            "a list of 1 is no token: write a slide such as c12b5, redeal or undo.",
        ),
        (SMALL, ["a5a3"], "a5 is not on this board, whose cells are a1 to d4."),
        (SMALL, ["d3e1"], "e1 is not on this board, whose cells are a1 to d4."),
        (SMALL, ["h9e1"], "h9 is not on this board, whose cells are a1 to d4."),
        (BLUE, ["a1b5"], "b5 is not on this board, whose cells are a1 to d4."),
        (SMALL, ["a3d4"], "a3 is a gap; there is no card to slide."),
        (BLUE, ["c1c2"], "AH at c1 is fixed and never moves."),
        (SMALL, ["d3a4"], "a4 holds 4H; a card slides into a gap only."),
        (SMALL, ["a4b4"], "The gap at b4 is right of 4D; nothing may enter it."),
        (STUCK, ["b1a4"], "The gap at a4 is right of a gap; nothing may enter it."),
        (SMALL, ["a4a3"], "The gap at a3 wants 4C and 4H is not that."),
        (OPEN_AT_LEFT, ["b2a1"], "The gap at a1 wants a 2 and 3D is not that."),
        (ONE_DEAL, [*WIN, "redeal"], "The game is won; there is nothing to redeal."),
        (STUCK, ["redeal"], "one-deal has no redeals."),
        (SMALL, ["redeal"], "classic is redealt when no slide is legal; d3a3 still is."),
        (SMALL, ["undo"], "There is no slide since the opening that is not taken back yet."),
        (
            ONE_REDEAL_LEFT,
            ["redeal", "a4a2", "undo", "undo"],
            "There is no slide since the last redeal that is not taken back yet.",
        ),
    ],
)
def test_sentences(deal: Any, moves: list[Any], sentence: str) -> None:
    fault = checker.verify(deal, moves).fault
    assert fault is not None
    assert (fault.index, fault.message) == (len(moves) - 1, sentence)


def test_all_redeals_used_up() -> None:
    replay = Replay(read_deal(numbered("addiction", 1, 5)))
    assert [replay.play("redeal") for _ in range(3)] == [None] * 3
    told = "addiction has 3 redeals and all are used up."
    assert replay.play("redeal") == Objection("no-redeals-left", told)


def test_a_sealed_redeal() -> None:
    replay = Replay(read_deal(sealed(numbered("addiction", 1, 5))))
    assert replay.play("redeal") == Objection(
        "redeal-unknown",
        "The order of redeal 1 is not in the document and there is no seed for it; "
        "get the document with that redeal opened.",
    )


@pytest.mark.parametrize(("k", "needed"), [(12, "that redeal opened"), (13, "its seed")])
def test_a_redeal_that_no_document_can_open(k: int, needed: str) -> None:
    replay = Replay(read_deal(sealed(numbered("unlimited", 1, 4)) | {"layout": STUCK["layout"]}))
    replay.redeals = k - 1
    assert replay.play("redeal") == Objection(
        "redeal-unknown",
        f"The order of redeal {k} is not in the document and there is no seed for it; "
        f"get the document with {needed}.",
    )


@pytest.mark.parametrize(
    ("provenance", "sentence"),
    [
        ([], "This must be an object, not a list of 0."),
        ("x", 'This must be an object, not "x".'),
        ({"x": ["\ud800"]}, '"\\ud800" has half of a surrogate pair in it.'),
        ({"x": {"\udfff": 1}}, 'The key "\\udfff" has half of a surrogate pair in it.'),
        ({"x": {7: 1}}, "A key that is no string is not JSON."),
        ({"x": b""}, "This is not JSON."),
        ({"x": float("inf")}, "This number is out of range."),
        ({"x": 2**63}, "This number is too large; 9223372036854775807 is not."),
        ({"x": -(2**63)}, "This number is too large; 9223372036854775807 is not."),
        (
            {"x": [[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]},
            "No more than 16 lists and objects may be nested.",
        ),
    ],
)
def test_sentences_on_a_provenance(provenance: Any, sentence: str) -> None:
    (fault,) = provenance_faults(provenance)
    assert fault.message == sentence


NOT_WHOLE = "This must be a whole number from 0 up to 9223372036854775807, or null, not {}."


@pytest.mark.parametrize(
    ("document", "key", "stated", "sentence"),
    [
        (OPEN, "moves", 3, "This must be 1, the line's number of moves, not 3."),
        (OPEN, "moves", True, "This must be 1, the line's number of moves, not true."),
        (OPEN, "redeals", 2, "This must be 1, the line's number of redeals, not 2."),
        (OPEN, "redeals", 1.0, "This must be 1, the line's number of redeals, not 1.0."),
        (OPEN, "redeals", None, "This must be 1, the line's number of redeals, not null."),
        (OPEN, "variant", "x", 'This must be "classic", the document\'s variant, not "x".'),
        (OPEN, "variant", None, 'This must be "classic", the document\'s variant, not null.'),
        (OPEN, "number", 2, "The document's seed is not that of classic, number 2."),
        (OPEN, "number", True, NOT_WHOLE.format("true")),
        (OPEN, "number", 1.0, NOT_WHOLE.format("1.0")),
        (OPEN, "number", "1", NOT_WHOLE.format('"1"')),
        (OPEN, "number", -1, NOT_WHOLE.format("-1")),
        (OPEN, "number", [], NOT_WHOLE.format("a list of 0")),
        (numbered("classic", 2**63), "number", 2**63, NOT_WHOLE.format("a huge number")),
        (
            without_seed(OPEN),
            "number",
            1,
            "A numbered deal has its seed in the document; this document has none.",
        ),
    ],
)
def test_sentences_on_what_a_provenance_contradicts(
    document: Any, key: str, stated: object, sentence: str
) -> None:
    line = ["d3a3", "redeal", "undo"]
    (fault,) = contradictions({key: stated}, line, read_deal(document))
    assert (fault.where, fault.message) == (f"/provenance/{key}", sentence)


def test_a_number_longer_than_python_writes() -> None:
    (fault,) = contradictions({"number": 10**5000}, None, read_deal(OPEN))
    assert fault.message == NOT_WHOLE.format("a huge number")


@pytest.mark.parametrize(
    ("document", "provenance"),
    [
        (OPEN, {}),
        (OPEN, {"variant": "classic", "number": 1, "moves": 1, "redeals": 1}),
        (numbered("gathered", 0, 5), {"variant": "gathered", "number": 0}),
        (numbered("classic", 2**63 - 1), {"number": 2**63 - 1}),
        (ONE_DEAL, {"variant": "one-deal", "number": None}),
    ],
)
def test_a_provenance_that_contradicts_nothing(document: Any, provenance: dict[str, Any]) -> None:
    line = ["d3a3", "redeal", "undo"]
    assert list(contradictions(provenance, line, read_deal(document))) == []


def test_what_is_refused_itself_contradicts_nothing() -> None:
    provenance = {"variant": "x", "number": -1, "moves": -1, "redeals": -1}
    for line, deal, keys in (
        ("undo", None, []),
        ([], None, ["moves", "redeals"]),
        ("undo", read_deal(OPEN), ["variant", "number"]),
    ):
        found = [fault.where for fault in contradictions(provenance, line, deal)]
        assert found == [f"/provenance/{key}" for key in keys]


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (checker.DealFault("", "x"), "where"),
        (checker.verify(ONE_DEAL, []), "won"),
        (checker.verify(ONE_DEAL, ["x"]).fault, "code"),
        (read_deal(ONE_DEAL), "seed"),
        (read_bundle(dict(bundles())["good"]["bundle"]), "line"),
        (Objection("undo", "x"), "code"),
        (VARIANTS["classic"], "redeals"),
        (Facts(), "verified"),
    ],
)
def test_nobody_changes_a_value(value: Any, name: str) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(value, name, None)


def test_a_board_leaves_its_layout_alone() -> None:
    layout = ONE_DEAL["layout"]
    board = Board(VARIANTS["one-deal"].with_ranks(4), layout)
    board.move("d3", "a3")
    assert board.rows != layout
    assert (
        layout
        == by_hand("one-deal", 4, "2C 3C -- 4H\n2D 3D 4D --\n2H -- 3S 4S\n2S 3H 4C --")["layout"]
    )
