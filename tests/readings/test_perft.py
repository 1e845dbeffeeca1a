"""Both readings meet the frozen perft table; here as far as plain counting soon gets."""

from collections.abc import Callable, Iterator
from itertools import groupby, islice, takewhile

import pytest

from service.game.variants import VARIANTS
from tests.readings.perft import (
    DEEPEST,
    ENOUGH,
    Position,
    checker_counts,
    checker_layers,
    engine_counts,
    engine_layers,
    is_whole,
    positions,
    table,
)

MOST = 1_000
ROWS = {variant: list(rows) for variant, rows in groupby(table(), lambda row: row[0].variant)}


def test_the_table_has_every_position_and_counts_far_enough() -> None:
    rows = table()
    assert [position for position, _ in rows] == list(positions())
    assert [position for position, counts in rows if not is_whole(counts)] == []


@pytest.mark.parametrize(
    ("counts", "whole"),
    [
        ([3, 0], True),
        ([3, ENOUGH + 1], True),
        ([3] * DEEPEST, True),
        ([], False),
        ([3], False),
        ([3, ENOUGH], False),
        ([3, 0, 0], False),
        ([3, ENOUGH + 1, 5], False),
        ([3] * (DEEPEST - 1), False),
        ([3] * (DEEPEST + 1), False),
    ],
)
def test_where_a_row_should_end(counts: list[int], whole: bool) -> None:
    assert is_whole(counts) is whole


@pytest.mark.parametrize(
    "counts_of", [engine_counts, checker_counts, engine_layers, checker_layers]
)
@pytest.mark.parametrize("variant", VARIANTS)
def test_perft(variant: str, counts_of: Callable[[Position], Iterator[int]]) -> None:
    for position, whole in ROWS[variant]:
        counts = list(takewhile(lambda count: count <= MOST, whole))
        assert list(islice(counts_of(position), len(counts))) == counts, position
