"""Documents: a round trip for all kinds, and every fault named with its place."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.game.deal import Deal, UnknownRedealError, numbered_deal
from service.game.document import document
from service.game.parsing import DocumentError, parse_document
from tests.game.games import deals

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(deals(), st.sampled_from(["open", "sealed", "without seed"]))
def test_every_kind_of_document_comes_back(deal: Deal, kind: str) -> None:
    deal = {"open": deal, "sealed": deal.sealed(), "without seed": deal.without_seed()}[kind]
    assert parse_document(document(deal)) == deal


def test_a_sealed_deal_tells_no_order() -> None:
    sealed = numbered_deal("classic", 1).sealed()
    assert set(document(sealed)["redeals"][0]) == {"commitment"}
    with pytest.raises(UnknownRedealError):
        sealed.order(1)
    assert "seed" not in document(sealed)


def test_a_seed_never_stands_in_a_repr() -> None:
    deal = numbered_deal("classic", 1)
    assert deal.seed is not None
    assert repr(deal.seed) not in repr(deal)


def test_an_order_made_by_hand_is_enough() -> None:
    written = document(numbered_deal("classic", 1).without_seed())
    written["redeals"][0] = {"order": written["redeals"][0]["order"]}
    deal = parse_document(written)
    assert deal.order(1) == numbered_deal("classic", 1).order(1)
    assert document(deal) == written


def damaged(number: int, *path: Any, value: Any = ..., variant: str = "classic") -> dict[str, Any]:
    """A golden document with the value at a path replaced, or taken away."""
    made = copy.deepcopy(document(numbered_deal(variant, number)))
    place: Any = made
    for step in path[:-1]:
        place = place[step]
    if value is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return made


@pytest.mark.parametrize(
    ("value", "where"),
    [
        (None, ""),
        ([], ""),
        (damaged(1, "format"), "/format"),
        (damaged(1, "format", value="gaps-deal/2"), "/format"),
        (damaged(1, "variant"), "/variant"),
        (damaged(1, "variant", value="solitaire"), "/variant"),
        (damaged(1, "variant", value=["classic"]), "/variant"),
        (damaged(1, "extra/key", value=1), "/extra~1key"),
        (damaged(1, "ranks", value=True), "/ranks"),
        (damaged(1, "ranks", value=13.0), "/ranks"),
        (damaged(1, "ranks", value=2), "/ranks"),
        (damaged(1, "ranks", value=10**30), "/ranks"),
        (damaged(1, "ranks", value=13, variant="big-paganini"), "/ranks"),
        (damaged(1, "layout"), "/layout"),
        (damaged(1, "layout", 3), "/layout"),
        (damaged(1, "layout", 2, value="2C"), "/layout/2"),
        (damaged(1, "layout", 2, 0), "/layout/2"),
        (damaged(1, "layout", 0, 0, value="9s"), "/layout/0/0"),
        (damaged(1, "layout", 0, 0, value="9S'"), "/layout/0/0"),
        (damaged(1, "layout", 0, 0, value=["9S"]), "/layout/0/0"),
        (damaged(1, "layout", 0, 0, value="TC"), "/layout"),
        (damaged(1, "layout", 0, 0, value=None), "/layout"),
        (damaged(1, "layout", 0, 0, value="AS"), "/layout"),
        (damaged(1, "layout", 0, 0, value=None, variant="blue-moon"), "/layout/0/0"),
        (damaged(1, "layout", 0, 1, value="2C", variant="red-moon"), "/layout/0/1"),
        (damaged(1, "redeals"), "/redeals"),
        (damaged(1, "redeals", value={}), "/redeals"),
        (damaged(1, "redeals", 1), "/redeals"),
        (damaged(1, "redeals", value=[], variant="one-deal"), "/redeals"),
        (damaged(1, "redeals", value=[], variant="gathered"), "/redeals"),
        (damaged(1, "redeals", 0, value=None), "/redeals/0"),
        (damaged(1, "redeals", 0, "salt"), "/redeals/0"),
        (damaged(1, "redeals", 0, "order"), "/redeals/0"),
        (damaged(1, "redeals", 0, "extra", value=1), "/redeals/0"),
        (damaged(1, "redeals", 0, "order", 5), "/redeals/0/order"),
        (damaged(1, "redeals", 0, "order", 5, value="2C'"), "/redeals/0/order/5"),
        (damaged(1, "redeals", 0, "order", 0, value="6C"), "/redeals/0/order"),
        (damaged(1, "redeals", 0, "salt", value="A" * 32), "/redeals/0/salt"),
        (damaged(1, "redeals", 0, "salt", value="0" * 32), "/redeals/0/commitment"),
        (damaged(1, "seed", value="0" * 64), "/layout"),
        (damaged(1, "seed", value="0" * 63), "/seed"),
        (damaged(1, "seed", value=5), "/seed"),
        (damaged(1, "seed_commitment", value="0" * 64), "/seed_commitment"),
        (damaged(1, "seed_commitment", value="0" * 64 + "\n"), "/seed_commitment"),
    ],
)  # fmt: skip
def test_a_damaged_document_is_refused_where_it_is_damaged(value: object, where: str) -> None:
    with pytest.raises(DocumentError) as caught:
        parse_document(value)
    assert where in {fault.where for fault in caught.value.faults}
    assert all(fault.message for fault in caught.value.faults)


def test_all_faults_are_told_at_once() -> None:
    written = damaged(1, "layout", 0, 0, value="XX")
    written["format"] = 3
    written["seed"] = "short"
    written["redeals"][1]["order"][3] = None
    with pytest.raises(DocumentError) as caught:
        parse_document(written)
    assert {fault.where for fault in caught.value.faults} >= {
        "/layout/0/0", "/format", "/seed", "/redeals/1/order/3"
    }  # fmt: skip


@given(JSON, st.sampled_from(["format", "variant", "ranks", "layout", "redeals", "seed"]))
def test_any_json_is_refused_and_never_crashes(value: object, key: str) -> None:
    with pytest.raises(DocumentError):
        parse_document(value)
    written = document(numbered_deal("classic", 1))
    same = written.get(key) == value
    written[key] = value
    if not same and not (key == "ranks" and value == 13):
        with pytest.raises(DocumentError):
            parse_document(written)
