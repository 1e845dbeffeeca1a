"""Good documents, and that no value whatever upsets their checking."""

import copy
import json
from typing import Any

import pytest

import checker

from .build import Document, numbered, vectors, without_seed
from .documents import (
    BLUE,
    NO_SEED,
    NOTHING,
    ONE_DEAL,
    OPEN,
    OTHER_HEX,
    RED,
    SEALED,
    SMALL,
    TWO_PACKS,
    put,
    swap,
)

GOOD = {
    "open, with its seed": OPEN,
    "open": NO_SEED,
    "sealed": SEALED,
    "sealed, with its seed": SEALED | {"seed": OPEN["seed"]},
    "without its seed's commitment": put(OPEN, "/seed_commitment", NOTHING),
    "one open, one sealed": put(NO_SEED, "/redeals/1", SEALED["redeals"][1]),
    "one by hand, one sealed": put(
        SEALED, "/redeals/0", {"order": list(reversed(OPEN["redeals"][0]["order"]))}
    ),
    "by hand as the seed has it": put(OPEN, "/redeals/0", {"order": OPEN["redeals"][0]["order"]}),
    "by hand": SMALL,
    "ranks 13": OPEN | {"ranks": 13},
    "fixed aces": BLUE,
    "fixed aces in another order": swap(BLUE, "/layout/0/0", "/layout/2/0"),
    "gaps beside them": RED,
    "two packs": TWO_PACKS,
    "no redeals": ONE_DEAL,
    "gathered": ONE_DEAL | {"variant": "gathered"},
    "a commitment alone": ONE_DEAL | {"seed_commitment": OTHER_HEX},
}


@pytest.mark.parametrize("document", GOOD.values(), ids=GOOD)
def test_good(document: Document) -> None:
    before = copy.deepcopy(document)
    assert checker.check_deal(document) == []
    assert checker.verify(document, []).legal
    assert document == before


@pytest.mark.parametrize("ranks", range(3, 14))
@pytest.mark.parametrize(
    "name", sorted({v["deal"]["variant"] for v in vectors() if len(v["deal"]["layout"]) == 4})
)
def test_miniatures_are_good(name: str, ranks: int) -> None:
    assert checker.check_deal(numbered(name, 7, ranks)) == []
    assert checker.check_deal(without_seed(numbered(name, 7, ranks))) == []


def _nested(depth: int) -> object:
    value: object = None
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [_nested(50_000), "x" * 10**6, [None] * 10**5, {str(i): i for i in range(1000)}, -(2**70000)],
    ids=["deep", "long", "wide", "many", "huge"],
)
@pytest.mark.parametrize(
    "place",
    [
        "/format",
        "/variant",
        "/ranks",
        "/layout",
        "/layout/0",
        "/layout/0/0",
        "/redeals",
        "/redeals/0",
        "/redeals/0/commitment",
        "/redeals/0/order",
        "/redeals/0/order/0",
        "/redeals/0/salt",
        "/seed",
        "/seed_commitment",
    ],
)
def test_enormous_values_are_not_repeated(place: str, value: object) -> None:
    enormous = {**OPEN, "layout": [*OPEN["layout"]], "redeals": [*OPEN["redeals"]]}
    enormous["layout"][0] = [*OPEN["layout"][0]]
    enormous["redeals"][0] = {**OPEN["redeals"][0], "order": [*OPEN["redeals"][0]["order"]]}
    *steps, last = place[1:].split("/")
    inside: Any = enormous
    for step in steps:
        inside = inside[int(step) if isinstance(inside, list) else step]
    inside[int(last) if isinstance(inside, list) else last] = value
    faults = checker.check_deal(enormous)
    named = [fault.where for fault in faults]
    assert any(where == place or where.startswith(place.rsplit("/", 1)[0]) for where in named)
    assert max(len(fault.message) for fault in faults) < 600
    told_once = 1000 + 30
    assert len(faults) < told_once


def test_faults_are_good_as_json_also_with_lone_surrogates() -> None:
    document = OPEN | {"\ud800": "\udfff", "variant": "\ud800", "seed": "\ud800" * 64}
    faults = checker.check_deal(document)
    assert {fault.where for fault in faults} >= {"/\ud800", "/variant", "/seed"}
    told = [fault.as_json() for fault in faults]
    assert json.loads(json.dumps(told)) == told
