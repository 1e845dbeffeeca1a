"""What holds for logs and documents made up at random."""

import copy
import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import checker
from checker.faults import RefusedDeal, pointer
from checker.variants import VARIANTS

from .build import Document, by_hand, drawn, numbered, random_log, rows, without_seed
from .documents import OPEN, SMALL

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=8)
    | st.sampled_from(["2C", "AS", "TH'", "classic", "gaps-deal/1", "0" * 64, "0" * 32]),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(
            st.text(max_size=4) | st.sampled_from([*OPEN, "ranks", "order", "salt", "commitment"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)
deals = st.builds(
    numbered,
    st.sampled_from([name for name, variant in VARIANTS.items() if variant.packs == 1]),
    st.integers(1, 50),
    st.integers(3, 13),
)
seeds = st.integers(0, 2**32)

# No test here is about time, and a busy machine is no fault.
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@patient
@given(json_values)
def test_no_value_upsets_the_checking_of_a_document(value: object) -> None:
    faults = checker.check_deal(value)
    assert faults
    json.dumps([fault.as_json() for fault in faults])


@patient
@given(st.sampled_from([OPEN, SMALL]), json_values, st.data())
def test_a_good_document_with_one_value_changed(
    good: Document, value: object, data: st.DataObject
) -> None:
    """Whatever is put anywhere, the document is checked, and refused unless it is still one."""
    document = copy.deepcopy(good)
    place: Any = document
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(place[key], dict | list) or not place[key] or data.draw(st.booleans()):
            break
        place = place[key]
    place[key] = value
    faults = checker.check_deal(document)
    json.dumps([fault.as_json() for fault in faults])
    if faults:
        assert document != good
        return
    assert checker.verify(document, []).legal


@patient
@given(deals, seeds)
def test_a_log_played_by_the_rules_is_legal(deal: Document, seed: int) -> None:
    log = random_log(deal, seed)
    verdict = checker.verify(deal, log)
    assert verdict.legal
    assert verdict.undos == log.count("undo")
    assert verdict.redeals == log.count("redeal")
    assert verdict.slides == len(log) - verdict.redeals - 2 * verdict.undos
    assert verdict.moves == verdict.slides + verdict.redeals
    assert verdict.won == (verdict.ordered == VARIANTS[deal["variant"]].packs * 4 * _steps(deal))


def _steps(deal: Document) -> int:
    ranks: int = deal["ranks"]
    return ranks - 1


@patient
@given(deals, seeds)
def test_the_cards_on_the_board_stay_the_same(deal: Document, seed: int) -> None:
    verdict = checker.verify(deal, random_log(deal, seed))
    assert _cards(verdict.layout) == _cards(deal["layout"])
    assert [len(row) for row in verdict.layout] == [len(row) for row in deal["layout"]]


def _cards(layout: list[list[str | None]]) -> list[str]:
    return sorted(card or "" for row in layout for card in row)


@patient
@given(deals, seeds)
def test_undoing_every_slide_leads_back_to_the_last_redeal(deal: Document, seed: int) -> None:
    log = random_log(deal, seed)
    start = max((index + 1 for index, token in enumerate(log) if token == "redeal"), default=0)
    left = len(log) - start - 2 * log[start:].count("undo")
    back = checker.verify(deal, [*log, *["undo"] * left])
    assert back.legal
    assert back.layout == checker.verify(deal, log[:start]).layout
    over = checker.verify(deal, [*log, *["undo"] * (left + 1)])
    assert over.fault is not None
    assert (over.fault.index, over.fault.code) == (len(log) + left, "nothing-to-undo")


@patient
@given(deals, seeds, st.data())
def test_a_log_changed_at_random_is_judged(deal: Document, seed: int, data: st.DataObject) -> None:
    log: list[object] = list(random_log(deal, seed))
    cells = st.from_regex(r"[a-h](1[0-4]|[1-9])", fullmatch=True)
    slides = st.tuples(cells, cells).map("".join)
    tokens = slides | st.sampled_from(["undo", "redeal"]) | json_values
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(log)))
        log[start : start + data.draw(st.integers(0, 2))] = data.draw(st.lists(tokens, max_size=2))
    verdict = checker.verify(without_seed(deal), log)
    told = verdict.as_json()
    assert json.loads(json.dumps(told)) == told
    if verdict.fault is None:
        assert verdict.legal
        return
    assert not verdict.legal
    assert not verdict.won
    before = checker.verify(without_seed(deal), log[: verdict.fault.index])
    assert before.legal
    assert before.layout == verdict.layout


@patient
@given(st.lists(st.text() | st.integers(0, 10**6)))
def test_pointers_lead_back_to_their_steps(steps: list[str | int]) -> None:
    read = [step.replace("~1", "/").replace("~0", "~") for step in pointer(*steps).split("/")[1:]]
    assert read == [str(step) for step in steps]


@patient
@given(deals)
def test_drawings_of_boards_are_read_back(deal: Document) -> None:
    assert rows(drawn(deal["layout"])) == deal["layout"]


@patient
@given(st.permutations(SMALL["redeals"][0]["order"]))
def test_every_permutation_is_an_order(order: list[str]) -> None:
    text = drawn(SMALL["layout"])
    assert checker.check_deal(by_hand("classic", 4, text, " ".join(order), " ".join(order))) == []


def test_a_refusal_counts_its_faults() -> None:
    assert str(RefusedDeal(checker.check_deal({}))).endswith("(2 more)")
    assert "more" not in str(RefusedDeal(checker.check_deal(None)))
