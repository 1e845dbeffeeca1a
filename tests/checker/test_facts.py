"""What is said to be verified of each kind of document, and what orders and layouts lack."""

from pathlib import Path
from typing import Any

import pytest

import checker
from checker.bundle import Bundle
from checker.command import main
from checker.document import read_deal
from checker.entries import redeals_faults
from checker.facts import Facts, add_log, add_provenance, facts_of_deal
from checker.layout import layout_faults
from checker.shuffle import commitment
from checker.variants import VARIANTS

from .build import bundles, numbered, sealed, without_seed
from .documents import BLUE, NOTHING, ONE_DEAL, OPEN, RED, SMALL, get, put
from .running import file

KEPT = "The commitment to redeal {} was kept: order and salt match it."
FOLLOWS = "The order of redeal {} follows from the seed."
TAKEN = "The order of redeal {} was taken as it stands; there is no seed for it."
NO_COMMITMENT = "There is no commitment to redeal {}; its order may have been made at any time."
OF_THE_SEED = "There is no commitment to redeal {}; its order is as old as the seed."
COVERED = "The commitment to the seed covers redeal {}, which has none of its own."
SEED_KEPT = "The commitment to the seed was kept: the seed matches it."
TO_THE_ORDER = "The commitment to redeal {} is to the order that follows from the seed."
SEALED = "The order of redeal {} is sealed; neither it nor its commitment could be checked."
OPENING = "The layout is an opening of {}."
NO_SEED = "The layout was taken as it stands; the document has no seed that it could follow from."
WHEN = (
    "When the commitments were made is not in the file; "
    "compare them with those that were known before play."
)
SEED_NOT_THERE = "The commitment to the seed could not be checked; the seed is not in the file."
MIXED = put(
    put(OPEN, "/redeals/0", {"order": get(OPEN, "/redeals/0/order")}),
    "/redeals/1",
    {"commitment": get(OPEN, "/redeals/1/commitment")},
)


@pytest.mark.parametrize(
    ("document", "verified", "not_verified"),
    [
        (
            OPEN,
            [
                "The layout follows from the seed.",
                FOLLOWS.format(1),
                KEPT.format(1),
                FOLLOWS.format(2),
                KEPT.format(2),
                SEED_KEPT,
            ],
            [WHEN],
        ),
        (
            MIXED,
            [
                "The layout follows from the seed.",
                FOLLOWS.format(1),
                COVERED.format(1),
                TO_THE_ORDER.format(2),
                SEED_KEPT,
            ],
            [WHEN],
        ),
        (
            without_seed(MIXED),
            [OPENING.format("classic")],
            [NO_SEED, TAKEN.format(1), NO_COMMITMENT.format(1), SEALED.format(2), SEED_NOT_THERE,
             WHEN],
        ),
        (
            put(MIXED, "/seed_commitment", NOTHING),
            ["The layout follows from the seed.", FOLLOWS.format(1), TO_THE_ORDER.format(2)],
            [
                OF_THE_SEED.format(1),
                "There is no commitment to the seed; it may have been chosen at any time.",
                WHEN,
            ],
        ),
        (
            without_seed(OPEN),
            [OPENING.format("classic"), KEPT.format(1), KEPT.format(2)],
            [NO_SEED, TAKEN.format(1), TAKEN.format(2), SEED_NOT_THERE, WHEN],
        ),
        (
            sealed(numbered("scattered", 1)),
            [OPENING.format("scattered")],
            [NO_SEED, SEALED.format(1), SEALED.format(2), SEED_NOT_THERE, WHEN],
        ),
        (
            SMALL,
            [OPENING.format("classic")],
            [NO_SEED, TAKEN.format(1), NO_COMMITMENT.format(1), TAKEN.format(2),
             NO_COMMITMENT.format(2)],
        ),
        (ONE_DEAL, [OPENING.format("one-deal")], [NO_SEED]),
        (
            put(without_seed(numbered("gathered", 1)), "/seed_commitment", "0" * 64),
            [OPENING.format("gathered")],
            [NO_SEED, SEED_NOT_THERE, WHEN],
        ),
    ],
)  # fmt: skip
def test_facts(document: Any, verified: list[str], not_verified: list[str]) -> None:
    assert facts_of_deal(read_deal(document)) == Facts(verified, not_verified)


def test_kinds_of_redeals() -> None:
    assert read_deal(OPEN).kinds() == ["open", "open"]
    assert read_deal(MIXED).kinds() == ["made by hand", "sealed"]


@pytest.mark.parametrize(
    ("log", "verified"),
    [
        ([], ["The log is legal: 0 tokens, each legal where it stands."]),
        (["d3a3"], ["The log is legal: 1 token, each legal where it stands."]),
        (
            ["d3a3", "a4d3", "d2c2", "c3d2", "d3c3", "c4d3"],
            [
                "The log is legal: 6 tokens, each legal where it stands.",
                "The board is won, in 6 slides and 0 redeals.",
            ],
        ),
        (["d3a4"], []),
    ],
)
def test_facts_of_a_log(log: list[str], verified: list[str]) -> None:
    facts = Facts()
    add_log(facts, checker.verify(ONE_DEAL, log), len(log), "log")
    assert facts == Facts(verified, [])


CLAIM = "Everything else in the provenance is its publisher's claim."
MOVES = '"moves" in the provenance is the line\'s number of moves.'
VARIANT = '"variant" in the provenance is the document\'s.'
NUMBERED = "The seed is that of {}, number {}."
REDEALS = '"redeals" in the provenance is the line\'s number of redeals.'


@pytest.mark.parametrize(
    ("document", "line", "provenance", "verified"),
    [
        (ONE_DEAL, [], {}, []),
        (ONE_DEAL, [], {"redeals": 0, "more": 2}, [REDEALS]),
        (ONE_DEAL, ["d3a3"], {"moves": 1}, [MOVES]),
        (ONE_DEAL, ["d3a4"], {"moves": 1, "redeals": 0}, []),
        (ONE_DEAL, ["d3a4"], {"variant": "one-deal", "number": None}, [VARIANT]),
        (OPEN, ["x"], {"number": 1}, [NUMBERED.format("classic", 1)]),
        (
            numbered("gathered", 0, 4),
            [],
            {"redeals": 0, "moves": 0, "number": 0, "variant": "gathered"},
            [VARIANT, NUMBERED.format("gathered", 0), MOVES, REDEALS],
        ),
    ],
)
def test_facts_of_a_provenance(
    document: Any, line: list[object], provenance: dict[str, Any], verified: list[str]
) -> None:
    facts = Facts()
    bundle = Bundle(read_deal(document), line, provenance)
    add_provenance(facts, bundle, checker.verify(document, line))
    assert facts == Facts(verified, [CLAIM])


# In its order: 4C 3C 4D 2C 2D 2H 3D 3H 4H 2S 3S 4S.
@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({0: "3C"}, '"3C" at index 1 is there a second time; these are missing: 4C'),
        ({11: "5S"}, '"5S" at index 11 is none of them; these are missing: 4S'),
        ({0: "AC", 3: None}, '"AC" at index 0 is none of them; these are missing: 2C 4C'),
        ({5: 7}, "7 at index 5 is none of them; these are missing: 2H"),
        ({11: NOTHING}, "this one has 11; these are missing: 4S"),
        ({12: "4S"}, 'this one has 13; "4S" at index 12 is there a second time'),
    ],
)  # fmt: skip
def test_what_an_order_lacks(changes: dict[int, object], wrong: str) -> None:
    document = SMALL
    for index, card in changes.items():
        document = put(document, f"/redeals/1/order/{index}", card)
    (fault,) = checker.check_deal(document)
    assert fault.where == "/redeals/1/order"
    assert fault.message == f"An order must be a permutation of its 12 cards; {wrong}."


def test_orders_of_no_variant_are_cards() -> None:
    told = "An order must be a list of cards, such as TH or TH'."
    for order, message in ((["TH'", "AC"], None), (["TH''"], told), ([7], told), ([None], told)):
        found = redeals_faults([{"order": order}], None, None, None)
        assert [fault.message for fault in found] == ([message] if message else [])


def test_entries_of_no_variant_are_looked_at_up_to_the_twelfth() -> None:
    found = redeals_faults([None] * 13, None, None, None)
    assert [fault.where for fault in found] == [f"/redeals/{k}" for k in range(12)]


def test_an_entry_that_breaks_its_commitment() -> None:
    other = put(without_seed(OPEN), "/redeals/0/salt", "0" * 32)
    (fault,) = checker.check_deal(other)
    assert (fault.where, fault.message) == (
        "/redeals/0",
        "The order and salt do not match the commitment.",
    )
    order = get(OPEN, "/redeals/0/order")
    kept = put(other, "/redeals/0/commitment", commitment(bytes(16), order))
    assert checker.check_deal(kept) == []


def test_a_layout_of_no_variant_is_read_to_the_last_cell_of_the_largest_board() -> None:
    layout = [["??"] * 15 for _ in range(9)]
    where = [fault.where for fault in layout_faults(layout, None, None)]
    assert where == [f"/layout/{row}/{column}" for row in range(8) for column in range(14)]
    rows = [fault.where for fault in layout_faults([7] * 9, None, None)]
    assert rows == [f"/layout/{row}" for row in range(8)]


def test_a_layout_without_its_ranks_is_read_to_the_last_cell_of_13() -> None:
    named = VARIANTS["one-deal"]
    where = [fault.where for fault in layout_faults([["??"] * 15] * 9, named, None)]
    cells = [f"/layout/{row}/{column}" for row in range(4) for column in range(13)]
    assert where == ["/layout", *cells, "/layout"]  # the rows before, the gaps after
    rows = [fault.where for fault in layout_faults([7] * 9, named, None)]
    assert rows == ["/layout", *(f"/layout/{row}" for row in range(4)), "/layout"]


ONE_LENGTH = ("/layout", "The rows of a board are of one length; these are not.")


@pytest.mark.parametrize(
    ("good", "changes", "told"),
    [
        (ONE_DEAL, {}, []),
        (BLUE, {}, []),
        (RED, {}, []),
        (
            ONE_DEAL,
            {"4": [None], "3/3": NOTHING},
            [("/layout", "The board has 4 rows, this layout 5."), ONE_LENGTH],
        ),
        (ONE_DEAL, {"0": 7, "1/3": "4H"}, [
            ("/layout/0", "A row must be a list of cells, not 7."),
            ("/layout", "The board has 4 gaps, this layout 2."),
        ]),
        (ONE_DEAL, {"0/0": "4H"}, [("/layout/0/3", "4H is here too often; a board has it once.")]),
        (ONE_DEAL, {"0/2": "AC"}, [
            ("/layout/0/2", "AC must be taken off: in one-deal the aces' cells are gaps (null)."),
            ("/layout", "The board has 4 gaps, this layout 3."),
        ]),
        (BLUE, {"0/0": "4C"}, [
            ("/layout/0/0", 'Column 1 holds a fixed ace in blue-moon, not "4C".'),
        ]),
        (RED, {"0/1": "KC", "0/2": None}, [
            ("/layout/0/1", "Column 2 holds nothing but gaps (null) in red-moon, not KC."),
        ]),
    ],
)  # fmt: skip
def test_what_can_be_told_of_a_layout_without_its_ranks(
    good: Any, changes: dict[str, object], told: list[tuple[str, str]]
) -> None:
    document = good | {"ranks": 2}
    for where, value in changes.items():
        document = put(document, f"/layout/{where}", value)
    ranks, *faults = checker.check_deal(document)
    assert ranks.where == "/ranks"
    assert [(fault.where, fault.message) for fault in faults] == told


def test_rows_of_any_board_are_of_one_length() -> None:
    for rows, told in (([[None], [None]], []), ([[None], []], [ONE_LENGTH])):
        faults = layout_faults(rows, None, None)
        assert [(fault.where, fault.message) for fault in faults] == told


def test_cards_too_often_and_cards_that_are_missing() -> None:
    told = checker.check_deal(put(put(ONE_DEAL, "/layout/0/0", "4H"), "/layout/0/1", "4H"))
    assert [(fault.where, fault.message) for fault in told] == [
        ("/layout/0/1", "4H is here too often; a board has it once."),
        ("/layout", "These cards are missing: 2C 3C."),
    ]
    two = without_seed(numbered("double-montana", 1))
    cells = [
        f"/layout/{row}/{column}"
        for row in range(8)
        for column in range(13)
        if two["layout"][row][column]
    ]
    for cell in cells[-4:]:
        two = put(two, cell, "KS")
    told = checker.check_deal(two)
    assert told[0].message == "KS is here too often; a board has it twice."
    assert len([fault for fault in told if "too often" in fault.message]) == 1


@pytest.mark.parametrize(("variant", "gaps"), [("one-deal", 4), ("big-paganini-one-deal", 8)])
def test_gaps_are_counted(variant: str, gaps: int) -> None:
    document = without_seed(numbered(variant, 1))
    row, column = next(
        (row, column) for row in range(4) for column in range(1, 13)
        if document["layout"][row][column] == "7D"
    )  # fmt: skip
    told = checker.check_deal(put(document, f"/layout/{row}/{column}", None))
    assert [(fault.where, fault.message) for fault in told] == [
        ("/layout", "These cards are missing: 7D."),
        ("/layout", f"The board has {gaps} gaps, this layout {gaps + 1}."),
    ]


def test_a_line_that_is_not_legal_for_a_person(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle = put(dict(bundles())["good"]["bundle"], "/line", ["redeal"])
    path = file(tmp_path, "bundle.json", bundle | {"provenance": {}})
    assert main([str(path)]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert "The line is not legal." in lines
    assert lines[-1] == (
        "The board and the counts are those just before it. "
        "Correct the line at this token and check it again."
    )
