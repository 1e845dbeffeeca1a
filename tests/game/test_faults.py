"""Each fault of a document by itself: most without a seed, which would tell of any change."""

import copy
from typing import Any

import pytest

from service.game.deal import Deal, numbered_deal
from service.game.document import document
from service.game.parsing import DocumentError, parse_document


def faults(value: object) -> list[tuple[str, str]]:
    """The faults of a document, in the order in which they are told."""
    with pytest.raises(DocumentError) as caught:
        parse_document(value)
    return [(fault.where, fault.message) for fault in caught.value.faults]


def without_seed(variant: str, ranks: int = 13) -> dict[str, Any]:
    return document(numbered_deal(variant, 1, ranks).without_seed())


def by_hand(variant: str, ranks: int = 13) -> dict[str, Any]:
    """A document with orders made by hand, and so nothing that commits it to anything."""
    written = without_seed(variant, ranks)
    for entry in written["redeals"]:
        del entry["commitment"], entry["salt"]
    del written["seed_commitment"]
    return written


def test_a_card_twice_and_one_missing() -> None:
    written = without_seed("classic", 4)
    first, second = [
        (y, x)
        for y, row in enumerate(written["layout"])
        for x, cell in enumerate(row)
        if cell in {"2C", "3D"}
    ]
    written["layout"][first[0]][first[1]] = written["layout"][second[0]][second[1]] = "2C"
    assert faults(written) == [
        ("/layout", "2C is there 2 times, not 1"),
        ("/layout", "3D is there 0 times, not 1"),
    ]


def test_a_gap_too_many() -> None:
    written = without_seed("double-montana")
    y, x = next(
        (y, x)
        for y, row in enumerate(written["layout"])
        for x, cell in enumerate(row)
        if cell == "KS"
    )
    written["layout"][y][x] = None
    assert faults(written) == [
        ("/layout", "a gap is there 9 times, not 8"),
        ("/layout", "KS is there 1 times, not 2"),
    ]


def test_an_ace_where_aces_are_out_and_a_card_of_a_rank_too_high() -> None:
    written = without_seed("classic", 4)
    y, x = next(
        (y, x)
        for y, row in enumerate(written["layout"])
        for x, cell in enumerate(row)
        if cell == "2C"
    )
    written["layout"][y][x] = "AC"
    assert [message for _, message in faults(written)] == [
        "AC is there 1 times, not 0",
        "2C is there 0 times, not 1",
    ]
    written["layout"][y][x] = "5C"
    assert ("/layout", "5C is there 1 times, not 0") in faults(written)


def test_places_of_aces_and_gaps_in_every_row() -> None:
    written = without_seed("red-moon", 3)
    rows = written["layout"]
    for row in rows:
        row[0], row[2] = row[2], row[0]
    assert [where for where, _ in faults(written)] == [f"/layout/{y}/0" for y in range(4)]
    for row in rows:
        row[0], row[2] = row[2], row[0]
        row[1], row[3] = row[3], row[1]
    assert [where for where, _ in faults(written)] == [f"/layout/{y}/1" for y in range(4)]
    for row in rows[:3]:
        row[1], row[3] = row[3], row[1]
    assert [where for where, _ in faults(written)] == ["/layout/3/1"]
    blue = without_seed("blue-moon", 3)
    last = blue["layout"][3]
    last[0], last[1] = last[1], last[0]
    assert [where for where, _ in faults(blue)] == ["/layout/3/0"]


def test_rows_after_a_wrong_one_are_read_too() -> None:
    written = without_seed("classic", 4)
    written["layout"][0] = None
    written["layout"][2].append(None)
    written["layout"][3][1] = "??"
    assert [where for where, _ in faults(written)] == ["/layout/0", "/layout/2", "/layout/3/1"]


def test_two_packs_with_ranks_are_read_on() -> None:
    written = without_seed("big-paganini")
    written["ranks"] = 13
    written["layout"][0][0] = "??"
    assert [where for where, _ in faults(written)] == ["/ranks", "/layout/0/0"]


@pytest.mark.parametrize("ranks", [3, 13])
def test_the_fewest_and_most_ranks(ranks: int) -> None:
    assert parse_document(by_hand("classic", ranks)) == parse_document(
        by_hand("classic", ranks) | {"ranks": ranks}
    )


@pytest.mark.parametrize("ranks", [2, 14, -3])
def test_ranks_beyond(ranks: int) -> None:
    written = without_seed("classic") | {"ranks": ranks}
    assert faults(written) == [("/ranks", "a whole number from 3 to 13 is wanted here")]


def test_an_unknown_variant_is_told_with_the_known_ones() -> None:
    written = without_seed("classic") | {"variant": "patience"}
    (fault,) = faults(written)
    assert fault[0] == "/variant"
    assert fault[1].endswith("there are classic, relaxed, one-deal, four-rounds, unlimited, "
        "gathered, scattered, addiction, blue-moon, red-moon, double-montana, big-paganini, "
        "big-paganini-one-deal")  # fmt: skip


def test_orders_that_are_no_permutation() -> None:
    written = by_hand("classic", 4)
    order = written["redeals"][0]["order"]
    order[0] = order[1]
    written["redeals"][1]["order"].pop()
    assert [where for where, _ in faults(written)] == ["/redeals/0/order", "/redeals/1/order"]
    written["redeals"][0]["order"] = "".join(order)
    written["redeals"][1]["order"] = dict.fromkeys(range(12), "2C")
    assert [where for where, _ in faults(written)] == ["/redeals/0/order", "/redeals/1/order"]


def test_as_many_redeals_as_the_variant_has() -> None:
    fewer, more = by_hand("relaxed", 3), by_hand("relaxed", 3)
    fewer["redeals"].pop()
    assert faults(fewer) == [("/redeals", "3 redeals, where 4 are wanted")]
    # What is too much is counted and not read.
    more["redeals"].append(None)
    assert faults(more) == [("/redeals", "5 redeals, where 4 are wanted")]
    more["redeals"][3:] = [None]
    assert [where for where, _ in faults(more)] == ["/redeals/3"]


def test_a_missing_key_is_told_once_and_nothing_else() -> None:
    for key in ("format", "variant", "layout", "redeals"):
        written = by_hand("classic", 5)
        del written[key]
        assert [where for where, _ in faults(written)] == [f"/{key}"]


def seeded(variant: str = "classic", ranks: int = 4) -> dict[str, Any]:
    return copy.deepcopy(document(numbered_deal(variant, 1, ranks)))


def test_what_does_not_follow_from_the_seed() -> None:
    other = document(numbered_deal("classic", 2, 4))
    does_not = "this does not follow from the seed"
    written = seeded() | {"redeals": other["redeals"]}
    parts = ("commitment", "order", "salt")
    assert faults(written) == [
        (f"/redeals/{i}/{part}", does_not) for i in range(2) for part in parts
    ]
    sealed = seeded()
    sealed["redeals"][1] = {"commitment": other["redeals"][1]["commitment"]}
    assert faults(sealed) == [("/redeals/1/commitment", does_not)]
    of_hand = seeded()
    of_hand["redeals"][0] = {"order": other["redeals"][0]["order"]}
    assert faults(of_hand) == [("/redeals/0/order", does_not)]
    layout = seeded() | {"layout": other["layout"]}
    assert faults(layout) == [("/layout", "this is not the opening that the seed deals")]
    committed = seeded() | {"seed_commitment": other["seed_commitment"]}
    assert [where for where, _ in faults(committed)] == ["/seed_commitment"]


def test_a_redeal_that_cannot_be_read_hides_no_other() -> None:
    written = seeded()
    written["redeals"] = [None, document(numbered_deal("classic", 2, 4))["redeals"][1]]
    assert [where for where, _ in faults(written)] == [
        "/redeals/0",
        "/redeals/1/commitment",
        "/redeals/1/order",
        "/redeals/1/salt",
    ]


def test_sealed_and_by_hand_with_a_seed() -> None:
    deal = numbered_deal("classic", 1, 4)
    written = seeded()
    del written["redeals"][0]["salt"], written["redeals"][0]["order"]
    written["redeals"][1] = {"order": written["redeals"][1]["order"]}
    read: Deal = parse_document(written)
    assert [read.order(k) for k in (1, 2)] == [deal.order(k) for k in (1, 2)]


@pytest.mark.parametrize(
    ("key", "where"),
    [
        ("a/b~c", "/a~1b~0c"),
        ("~1", "/~01"),
        ("x" * 40, "/" + "x" * 40),
        ("x" * 41, "/" + "x" * 40),
    ],
)
def test_an_unknown_key_is_pointed_to_and_cut(key: str, where: str) -> None:
    assert faults(by_hand("classic", 3) | {key: 1}) == [(where, "no such key in a deal document")]


def test_the_error_says_it_all_in_one_text() -> None:
    with pytest.raises(DocumentError) as caught:
        parse_document(by_hand("classic", 3) | {"format": 1, "ranks": 2})
    assert str(caught.value) == (
        "/format: the format must be 'gaps-deal/1'; "
        "/ranks: a whole number from 3 to 13 is wanted here"
    )
    with pytest.raises(DocumentError, match=r"^document: a deal document is a JSON object$"):
        parse_document(None)
