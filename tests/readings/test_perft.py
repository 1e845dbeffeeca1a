"""Both readings meet the frozen perft table; here as far as plain counting soon gets."""

from collections.abc import Callable, Iterator
from itertools import groupby, islice, takewhile

import pytest

from service.game.variants import VARIANTS
from tests.readings.perft import (
    Position,
    checker_counts,
    checker_layers,
    engine_counts,
    engine_layers,
    table,
)

MOST = 1_000
ROWS = {variant: list(rows) for variant, rows in groupby(table(), lambda row: row[0].variant)}


def test_the_table_has_every_variant_openings_and_redeals() -> None:
    assert list(ROWS) == list(VARIANTS)
    for variant, rows in ROWS.items():
        redealt = {bool(position.line) for position, _ in rows}
        assert redealt == ({True, False} if VARIANTS[variant].redeals != 0 else {False})


@pytest.mark.parametrize(
    "counts_of", [engine_counts, checker_counts, engine_layers, checker_layers]
)
@pytest.mark.parametrize("variant", VARIANTS)
def test_perft(variant: str, counts_of: Callable[[Position], Iterator[int]]) -> None:
    for position, whole in ROWS[variant]:
        counts = list(takewhile(lambda count: count <= MOST, whole))
        assert list(islice(counts_of(position), len(counts))) == counts, position
