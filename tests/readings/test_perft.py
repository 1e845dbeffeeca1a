"""Both readings meet the frozen perft table."""

from collections.abc import Callable, Iterator
from itertools import groupby, islice

import pytest

from service.game.variants import VARIANTS
from tests.readings.perft import Position, checker_counts, engine_counts, table

ROWS = {variant: list(rows) for variant, rows in groupby(table(), lambda row: row[0].variant)}


def test_the_table_has_every_variant_openings_and_redeals() -> None:
    assert list(ROWS) == list(VARIANTS)
    for variant, rows in ROWS.items():
        redealt = {bool(position.line) for position, _ in rows}
        assert redealt == ({True, False} if VARIANTS[variant].redeals != 0 else {False})


@pytest.mark.parametrize("counts_of", [engine_counts, checker_counts])
@pytest.mark.parametrize("variant", VARIANTS)
def test_perft(variant: str, counts_of: Callable[[Position], Iterator[int]]) -> None:
    for position, counts in ROWS[variant]:
        assert list(islice(counts_of(position), len(counts))) == counts, position
