"""The table of variants, pinned against a second writing of it."""

import pytest

from checker.variants import RANKS, VARIANTS, Variant

from .build import numbered

TABLE = """
classic               | 1 | 4 x 13 | out  | 2        | when stuck  | shuffled | after the run
relaxed               | 1 | 4 x 13 | out  | 4        | when stuck  | shuffled | after the run
one-deal              | 1 | 4 x 13 | out  | 0        | never       | none     | none
four-rounds           | 1 | 4 x 13 | out  | 3        | when stuck  | shuffled | after the run
unlimited             | 1 | 4 x 13 | out  | no limit | when stuck  | shuffled | after the run
gathered              | 1 | 4 x 13 | out  | 2        | when stuck  | gathered | after the run
scattered             | 1 | 4 x 13 | out  | 2        | when stuck  | shuffled | scattered
addiction             | 1 | 4 x 13 | out  | 3        | at any time | shuffled | scattered
blue-moon             | 1 | 4 x 14 | left | 2        | when stuck  | shuffled | after the run
red-moon | 1 | 4 x 14 | left, gaps beside them | 2 | when stuck | shuffled | after the run
double-montana        | 2 | 8 x 13 | out  | 2        | when stuck  | shuffled | after the run
big-paganini          | 2 | 8 x 14 | left | 2        | when stuck  | shuffled | after the run
big-paganini-one-deal | 2 | 8 x 14 | left | 0        | never       | none     | none
"""


def _line(variant: Variant) -> list[str]:
    redeals = "no limit" if variant.redeals is None else str(variant.redeals)
    size = f"{variant.rows} x {variant.columns}"
    allowed, order, gaps = variant.redeal_allowed, variant.order, variant.gaps
    return [variant.name, str(variant.packs), size, variant.aces, redeals, allowed, order, gaps]


def test_table() -> None:
    table = [[cell.strip() for cell in line.split("|")] for line in TABLE.strip().splitlines()]
    assert [_line(variant) for variant in VARIANTS.values()] == table
    assert [line[0] for line in table] == list(VARIANTS)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_every_board_has_four_gaps_a_pack(variant: Variant) -> None:
    sizes = range(3, 14) if variant.packs == 1 else [13]
    for ranks in sizes:
        size = variant.with_ranks(ranks)
        cells = size.rows * size.columns
        assert cells - len(size.board_cards) == 4 * size.packs
        gaps = sum(row.count(None) for row in numbered(size.name, 1)["layout"])
        assert gaps == 4 * size.packs


def test_a_miniature_has_fewer_ranks_and_its_own_king() -> None:
    four = VARIANTS["blue-moon"].with_ranks(4)
    assert (four.rows, four.columns, four.base, four.king) == (4, 5, "A", "4")
    assert four.most_ordered == 12
    assert four.next_card["3D"] == "4D"
    assert "4D" not in four.next_card
    assert VARIANTS["classic"].with_ranks(10).king == "T"


def test_the_sorted_pack() -> None:
    pack = VARIANTS["double-montana"].pack
    assert pack[:14] == [*(rank + "C" for rank in RANKS), "AD"]
    assert [card[1:] for card in pack[::13]] == ["C", "D", "H", "S", "C'", "D'", "H'", "S'"]
    assert len(VARIANTS["classic"].redeal_pack) == 48
    assert len(VARIANTS["scattered"].redeal_pack) == 52
    assert len(VARIANTS["big-paganini"].redeal_pack) == 96


def test_how_many_entries() -> None:
    entries = {name: variant.entries for name, variant in VARIANTS.items()}
    assert entries.pop("unlimited") == 12
    assert VARIANTS["unlimited"].with_ranks(5).entries == 12
    assert {name for name, number in entries.items() if number == 0} == {
        "one-deal",
        "gathered",
        "big-paganini-one-deal",
    }
    assert all(number in (0, VARIANTS[name].redeals) for name, number in entries.items())


def test_a_won_board_has_48_cards_in_order_for_each_pack() -> None:
    for variant in VARIANTS.values():
        assert variant.most_ordered == 48 * variant.packs
        assert variant.with_ranks(3).most_ordered == 8 * variant.packs
