"""What is learned: the file in the tree, the features behind it, and how it is made again."""

import json
from importlib import resources
from pathlib import Path

import numpy as np

from service.game.board import is_won, slides
from service.game.deal import numbered_deal
from service.solver.kernel import WALL, Position
from service.solver.one_deal import train
from service.solver.one_deal.best_first import BestFirst
from service.solver.one_deal.controls import MOST_CONTROLS, WITH_CONTROLS, controls_of
from service.solver.one_deal.evaluation import (
    FEATURES,
    MOST_FEATURES,
    features_of,
    sum_of,
    weights,
)
from service.solver.one_deal.found import unwatched
from service.solver.one_deal.samples import Pairs, add_pairs


def test_the_file_is_small_and_holds_a_whole_number_for_each_feature() -> None:
    file = resources.files("service.solver.one_deal").joinpath("weights.json")
    text = file.read_text("ascii")
    assert len(text) < 100_000
    read = json.loads(text)["weights"]
    assert len(read) == FEATURES
    assert all(type(weight) is int and abs(weight) < 10_000 for weight in read)
    assert weights().tolist() == read


def test_the_file_was_made_from_all_deals_and_none_of_those_that_are_measured() -> None:
    file = resources.files("service.solver.one_deal").joinpath("weights.json")
    assert json.loads(file.read_text("ascii"))["deals"] == len(train.DEALS) == len(set(train.DEALS))
    assert min(train.DEALS) >= 1_000_000


def test_what_a_slide_changes_adds_up_to_the_value_of_the_whole_board() -> None:
    deal = numbered_deal("one-deal", 5)
    search = BestFirst(Position(deal.rules, deal.layout), 1 << 26, weights())
    search.run(5_000, unwatched)
    out = np.zeros(MOST_FEATURES, np.int64)
    opened = search.opened()
    assert len(opened) > 1_000
    for board, local in opened[::50]:
        assert sum_of(weights(), out, features_of(board, out)) == local


def test_no_position_has_more_features_and_controls_than_there_is_room_for() -> None:
    features, controls = set(), set()
    out = np.zeros(2 * (MOST_FEATURES + MOST_CONTROLS), np.int64)
    for variant in ("one-deal", "blue-moon", "red-moon"):
        for number in range(20):
            deal = numbered_deal(variant, number)
            position = Position(deal.rules, deal.layout)
            arrays = (position.board, position.places, position.gaps, position.runs)
            of_cells = features_of(position.board, out)
            of_all = of_cells + controls_of(*arrays, deal.rules.ranks, out, of_cells)
            features |= {of_cells}
            controls |= {of_all - of_cells}
            assert 0 <= out[:of_cells].min() <= out[:of_cells].max() < FEATURES
            assert FEATURES <= out[of_cells:of_all].min() <= out[:of_all].max() < WITH_CONTROLS
    assert max(features) == MOST_FEATURES
    assert 16 < max(controls) <= MOST_CONTROLS


def test_pairs_are_two_slides_of_one_board_and_the_dead_one_is_dead() -> None:
    pairs = Pairs()
    number = next(n for n in range(1_000_000, 1_000_100) if add_pairs(pairs, n, budget=20_000))
    rules = numbered_deal("one-deal", number).rules
    assert pairs.deals == [number] * len(pairs.alive)
    small = 0
    for alive, dead in zip(pairs.alive, pairs.dead, strict=True):
        assert 2 <= np.count_nonzero(alive != dead) <= 4
        seen = {tuple(int(card) for card in dead if card != WALL)}
        todo = list(seen)
        while todo and len(seen) < 2_000:
            board = todo.pop()
            assert not is_won(rules, board)
            for source, target in slides(rules, board):
                switch = source % rules.columns == 0 and target % rules.columns == 0
                child = list(board)
                child[target], child[source] = child[source], 0
                if not switch and (after := tuple(child)) not in seen:
                    seen.add(after)
                    todo.append(after)
        small += not todo
    assert small > 0


def test_training_makes_the_same_file_every_time(tmp_path: Path) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    for out in (first, second):
        assert train.main(["--deals", "40", "--out", str(out)]) == 0
    made = json.loads(first.read_text("ascii"))
    assert made["deals"] == 40
    assert len(made["weights"]) == FEATURES
    assert any(made["weights"])
    assert first.read_bytes() == second.read_bytes()
