"""Documents that are refused, and the places that their faults name."""

import pytest

import checker

from .build import numbered
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

REFUSED: dict[str, tuple[object, list[str]]] = {
    "null": (None, [""]),
    "a number": (7, [""]),
    "a list": ([OPEN], [""]),
    "an empty object": ({}, ["/format", "/variant", "/layout"]),
    "format missing": (put(OPEN, "/format", NOTHING), ["/format"]),
    "format unknown": (put(OPEN, "/format", "gaps-deal/2"), ["/format"]),
    "format of the wrong type": (put(OPEN, "/format", ["gaps-deal/1"]), ["/format"]),
    "variant missing": (put(OPEN, "/variant", NOTHING), ["/variant"]),
    "variant unknown": (put(OPEN, "/variant", "montana"), ["/variant"]),
    "variant of the wrong type": (put(OPEN, "/variant", {}), ["/variant"]),
    "layout missing": (put(OPEN, "/layout", NOTHING), ["/layout"]),
    "unknown key": (OPEN | {"title": ""}, ["/title"]),
    "unknown key to escape": (OPEN | {"a/b~c": 1}, ["/a~1b~0c"]),
    "empty unknown key": (OPEN | {"": 1}, ["/"]),
    "key too long to repeat": (OPEN | {"x" * 41: 1}, [""]),
    "ranks null": (SMALL | {"ranks": None}, ["/ranks"]),
    "ranks true": (SMALL | {"ranks": True}, ["/ranks"]),
    "ranks 4.0": (SMALL | {"ranks": 4.0}, ["/ranks"]),
    "ranks a string": (SMALL | {"ranks": "4"}, ["/ranks"]),
    "ranks 2": (SMALL | {"ranks": 2}, ["/ranks"]),
    "ranks 14": (SMALL | {"ranks": 14}, ["/ranks"]),
    "ranks huge": (SMALL | {"ranks": 10**5000}, ["/ranks"]),
    "ranks with two packs": (TWO_PACKS | {"ranks": 13}, ["/ranks"]),
    "layout no list": (NO_SEED | {"layout": "9S TC"}, ["/layout"]),
    "a row no list": (put(ONE_DEAL, "/layout/1", "2D 3D 4D"), ["/layout/1", "/layout", "/layout"]),
    "a row too few": (put(ONE_DEAL, "/layout/3", NOTHING), ["/layout", "/layout", "/layout"]),
    "a row too many": (put(ONE_DEAL, "/layout/4", []), ["/layout"]),
    "a cell too few": (put(ONE_DEAL, "/layout/0/3", NOTHING), ["/layout/0", "/layout"]),
    "a cell too many": (put(ONE_DEAL, "/layout/0/4", None), ["/layout/0", "/layout"]),
    "a cell moved over": (
        put(put(ONE_DEAL, "/layout/0/3", NOTHING), "/layout/1/4", "4H"),
        ["/layout/0", "/layout/1"],
    ),
    "ten written 10": (put(NO_SEED, "/layout/0/1", "10C"), ["/layout/0/1", "/layout"]),
    "lower case": (put(NO_SEED, "/layout/0/1", "tc"), ["/layout/0/1", "/layout"]),
    "suit first": (put(NO_SEED, "/layout/0/1", "CT"), ["/layout/0/1", "/layout"]),
    "a primed card": (put(NO_SEED, "/layout/0/1", "TC'"), ["/layout/0/1", "/layout"]),
    "a number for a card": (put(NO_SEED, "/layout/0/1", 10), ["/layout/0/1", "/layout"]),
    "a gap written out": (put(ONE_DEAL, "/layout/0/2", ""), ["/layout/0/2", "/layout"]),
    "a gap that is false": (put(ONE_DEAL, "/layout/0/2", False), ["/layout/0/2", "/layout"]),
    "a rank of no miniature": (put(ONE_DEAL, "/layout/0/3", "5H"), ["/layout/0/3", "/layout"]),
    "a card twice": (put(ONE_DEAL, "/layout/0/3", "2D"), ["/layout/1/0", "/layout"]),
    "a card for a gap": (put(ONE_DEAL, "/layout/0/2", "4C"), ["/layout/3/2", "/layout"]),
    "a gap for a card": (put(ONE_DEAL, "/layout/0/0", None), ["/layout", "/layout"]),
    "an ace left in": (put(ONE_DEAL, "/layout/0/2", "AS"), ["/layout/0/2", "/layout"]),
    "a card a third time": (
        put(TWO_PACKS, "/layout/7/13", TWO_PACKS["layout"][0][1]),
        ["/layout/7/13", "/layout"],
    ),
    "a fixed ace twice": (put(BLUE, "/layout/3/0", "AC"), ["/layout/3/0", "/layout"]),
    "a fixed ace out of place": (
        swap(BLUE, "/layout/0/0", "/layout/0/1"),
        ["/layout/0/0", "/layout/0/1"],
    ),
    "a gap in the aces' column": (
        swap(BLUE, "/layout/0/0", "/layout/0/2"),
        ["/layout/0/0", "/layout/0/2"],
    ),
    "a card in the gaps' column": (swap(RED, "/layout/0/1", "/layout/0/2"), ["/layout/0/1"]),
    "redeals missing": (put(OPEN, "/redeals", NOTHING), ["/redeals"]),
    "redeals null": (OPEN | {"redeals": None}, ["/redeals"]),
    "redeals without redeals": (ONE_DEAL | {"redeals": []}, ["/redeals"]),
    "redeals of gathered cards": (
        ONE_DEAL | {"variant": "gathered", "redeals": SMALL["redeals"]},
        ["/redeals"],
    ),
    "an entry too few": (put(OPEN, "/redeals/1", NOTHING), ["/redeals"]),
    "an entry too many": (put(OPEN, "/redeals/2", OPEN["redeals"][1]), ["/redeals"]),
    "an entry too few without limit": (
        put(numbered("unlimited", 1), "/redeals/11", NOTHING),
        ["/redeals"],
    ),
    "an entry no object": (put(OPEN, "/redeals/1", "sealed"), ["/redeals/1"]),
    "an entry empty": (put(OPEN, "/redeals/1", {}), ["/redeals/1"]),
    "an unknown key in an entry": (put(SEALED, "/redeals/1/k", 2), ["/redeals/1/k"]),
    "an order without salt": (put(NO_SEED, "/redeals/1/salt", NOTHING), ["/redeals/1"]),
    "a salt without order": (put(NO_SEED, "/redeals/0/order", NOTHING), ["/redeals/0"]),
    "a salt by hand": (put(NO_SEED, "/redeals/0/commitment", NOTHING), ["/redeals/0"]),
    "a salt alone": (put(NO_SEED, "/redeals/0", {"salt": "0" * 32}), ["/redeals/0"]),
    "a commitment in capitals": (
        put(SEALED, "/redeals/0/commitment", OTHER_HEX.upper()),
        ["/redeals/0/commitment"],
    ),
    "a commitment too long": (
        put(SEALED, "/redeals/0/commitment", OTHER_HEX + "0"),
        ["/redeals/0/commitment"],
    ),
    "a commitment and a line's end": (
        put(SEALED, "/redeals/0/commitment", OTHER_HEX + "\n"),
        ["/redeals/0/commitment"],
    ),
    "a commitment in wide digits": (
        put(SEALED, "/redeals/0/commitment", "\uff10" * 64),
        ["/redeals/0/commitment"],
    ),
    "a commitment null": (put(SEALED, "/redeals/0/commitment", None), ["/redeals/0/commitment"]),
    "a salt too long": (put(NO_SEED, "/redeals/0/salt", OTHER_HEX), ["/redeals/0/salt"]),
    "another salt": (put(NO_SEED, "/redeals/0/salt", "0" * 32), ["/redeals/0"]),
    "another commitment": (put(NO_SEED, "/redeals/0/commitment", OTHER_HEX), ["/redeals/0"]),
    "an order with two exchanged": (
        swap(NO_SEED, "/redeals/1/order/3", "/redeals/1/order/4"),
        ["/redeals/1"],
    ),
    "orders exchanged": (
        swap(NO_SEED, "/redeals/0/order", "/redeals/1/order"),
        ["/redeals/0", "/redeals/1"],
    ),
    "an order no list": (put(SMALL, "/redeals/1/order", "4C"), ["/redeals/1/order"]),
    "a card too few": (put(SMALL, "/redeals/1/order/0", NOTHING), ["/redeals/1/order"]),
    "a card too many": (put(SMALL, "/redeals/1/order/12", "5C"), ["/redeals/1/order"]),
    "a card again in an order": (put(SMALL, "/redeals/1/order/12", "4C"), ["/redeals/1/order"]),
    "a card twice in an order": (put(SMALL, "/redeals/1/order/0", "3C"), ["/redeals/1/order"]),
    "an ace in an order": (put(SMALL, "/redeals/1/order/0", "AC"), ["/redeals/1/order"]),
    "a gap in an order": (put(SMALL, "/redeals/1/order/0", None), ["/redeals/1/order"]),
    "a prime in one pack's order": (put(SMALL, "/redeals/1/order/0", "4C'"), ["/redeals/1/order"]),
    "no aces where gaps are scattered": (
        SMALL | {"variant": "scattered"},
        ["/redeals/0/order", "/redeals/1/order"],
    ),
    "seed null": (OPEN | {"seed": None}, ["/seed"]),
    "seed too short": (put(OPEN, "/seed", OPEN["seed"][:-2]), ["/seed"]),
    "seed's commitment null": (OPEN | {"seed_commitment": None}, ["/seed_commitment"]),
    "another seed's commitment": (OPEN | {"seed_commitment": OTHER_HEX}, ["/seed_commitment"]),
    "another layout than the seed's": (swap(OPEN, "/layout/0", "/layout/1"), ["/layout"]),
    "fixed aces in another order than the seed's": (
        swap(numbered("blue-moon", 1), "/layout/0/0", "/layout/1/0"),
        ["/layout"],
    ),
    "another commitment than the seed's": (
        put(SEALED | {"seed": OPEN["seed"]}, "/redeals/1/commitment", OTHER_HEX),
        ["/redeals/1/commitment"],
    ),
    "another order than the seed's, by hand": (
        put(OPEN, "/redeals/0", {"order": OPEN["redeals"][1]["order"]}),
        ["/redeals/0/order"],
    ),
    "entries of other redeals": (
        swap(OPEN, "/redeals/0", "/redeals/1"),
        [f"/redeals/{k}/{key}" for k in (0, 1) for key in ("commitment", "order", "salt")],
    ),
    "another seed, of an unknown variant": (
        put(
            put(SEALED | {"variant": "montana"}, "/seed", OTHER_HEX),
            "/redeals/1",
            OPEN["redeals"][1],
        ),
        ["/variant", "/redeals/1/salt", "/seed_commitment"],
    ),
    "another seed, without its ranks": (
        OPEN | {"ranks": 2, "seed": OTHER_HEX},
        ["/ranks", "/redeals/0/salt", "/redeals/1/salt", "/seed_commitment"],
    ),
    "its own seed, without its ranks": (OPEN | {"ranks": 2}, ["/ranks"]),
    "another seed": (
        put(put(OPEN, "/seed", OTHER_HEX), "/redeals/1", SEALED["redeals"][1]),
        [
            "/layout",
            *(f"/redeals/0/{key}" for key in ("commitment", "order", "salt")),
            "/redeals/1/commitment",
            "/seed_commitment",
        ],
    ),
    "all at once": (
        {
            "format": 1,
            "variant": "classic",
            "ranks": 3,
            "layout": [["2C", "9C", None], ["3C", "3C", "2D"], ["3D", 7], 8],
            "redeals": [{"salt": "x"}, {"order": []}, 5],
            "seed": "x",
            "seed_commitment": "x",
            "title": "x",
        },
        [
            "/title",
            "/format",
            "/layout/2",
            "/layout/3",
            "/layout/0/1",
            "/layout/2/1",
            "/layout/1/1",
            "/layout",
            "/layout",
            "/redeals",
            "/redeals/0",
            "/redeals/0/salt",
            "/redeals/1/order",
            "/seed",
            "/seed_commitment",
        ],
    ),
    "of an unknown variant": (
        {
            "format": "gaps-deal/1",
            "variant": "montana",
            "ranks": 99,
            "layout": [["2C", None, "tc"]],
            "redeals": [{"commitment": "x"}, {"order": ["2C", "ZZ"]}, {"order": ["2C'"]}],
            "seed": OTHER_HEX,
            "seed_commitment": OTHER_HEX,
        },
        [
            "/variant",
            "/ranks",
            "/layout/0/2",
            "/redeals/0/commitment",
            "/redeals/1/order",
            "/seed_commitment",
        ],
    ),
}


@pytest.mark.parametrize(("document", "places"), REFUSED.values(), ids=REFUSED)
def test_refused(document: object, places: list[str]) -> None:
    faults = checker.check_deal(document)
    assert [fault.where for fault in faults] == places
    for fault in faults:
        assert fault.message.endswith(".")
        assert fault.message.isascii()
        assert len(fault.message) < 600
        assert fault.as_json() == {"where": fault.where, "message": fault.message}
    with pytest.raises(checker.RefusedDeal) as caught:
        checker.verify(document, [])
    assert caught.value.faults == faults
    assert (places[0] or "the document") in str(caught.value)
