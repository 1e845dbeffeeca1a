"""The right answers that come with the rules: every variant, six logs each."""

from typing import Any

import pytest

import checker
from checker.variants import VARIANTS

from .build import Document, sealed, vectors, without_seed

VECTORS = vectors()
NAMES = [f"{vector['deal']['variant']}-{vector['number']}" for vector in VECTORS]


def test_every_variant_is_there() -> None:
    assert {vector["deal"]["variant"] for vector in VECTORS} == set(VARIANTS)


@pytest.mark.parametrize("vector", VECTORS, ids=NAMES)
def test_document_is_good(vector: dict[str, Any]) -> None:
    deal: Document = vector["deal"]
    assert checker.check_deal(deal) == []
    assert checker.check_deal(without_seed(deal)) == []
    if "redeals" in deal:
        assert checker.check_deal(sealed(deal)) == []


@pytest.mark.parametrize("vector", VECTORS, ids=NAMES)
def test_logs_come_to_what_is_written(vector: dict[str, Any]) -> None:
    for log in vector["logs"]:
        told = {key: value for key, value in log.items() if key != "moves"}
        found = checker.verify(vector["deal"], log["moves"]).as_json()
        assert found == told | {"moves": told["slides"] + told["redeals"], "fault": None}


@pytest.mark.parametrize("vector", VECTORS, ids=NAMES)
def test_orders_follow_from_the_seed(vector: dict[str, Any]) -> None:
    """With the orders taken out and the seed left in, every log comes to the same."""
    if "redeals" not in vector["deal"]:
        assert VARIANTS[vector["deal"]["variant"]].entries == 0
        return
    closed = sealed(vector["deal"]) | {"seed": vector["deal"]["seed"]}
    for log in vector["logs"]:
        assert checker.verify(closed, log["moves"]) == checker.verify(vector["deal"], log["moves"])


@pytest.mark.parametrize("vector", VECTORS, ids=NAMES)
def test_a_log_needs_its_deal(vector: dict[str, Any]) -> None:
    """Each log is refused by the next deal, so agreement above is no accident."""
    other = VECTORS[(VECTORS.index(vector) + 1) % len(VECTORS)]["deal"]
    for log in vector["logs"]:
        assert not checker.verify(other, log["moves"]).legal
