"""Engine and checker play the same tokens and documents side by side, and always agree."""

import copy
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import checker
from checker.document import read_deal
from checker.replay import Replay
from service.game.board import is_stuck, slides
from service.game.deal import Deal
from service.game.document import board_rows, document
from service.game.notation import REDEAL, UNDO, slide_token
from service.game.parsing import DocumentError, parse_document
from service.game.play import Game, IllegalTokenError
from service.game.redeal import may_redeal
from tests.game.games import deals

CELLS = [f"{row}{column}" for row in "abcdefgh" for column in range(1, 15)]
ODD: list[Any] = ["", "a1", "A1b2", "undo ", "REDEAL", "a0b1", "a15b1", "i1a1", None, 7, ["a1b2"]]


def any_token(random: Random, game: Game) -> Any:
    """A token, more often than not a legal one."""
    kind = random.random()
    legal = [slide_token(game.rules, slide) for slide in slides(game.rules, game.board)]
    if kind < 0.6 and legal:
        return random.choice(legal)
    if kind < 0.7:
        return UNDO
    if kind < 0.8 or (not legal and kind < 0.95):
        return REDEAL
    if kind < 0.98:
        return random.choice(CELLS) + random.choice(CELLS)
    return random.choice(ODD)


@given(deals(), st.sampled_from(["open", "sealed"]), st.randoms(use_true_random=False))
def test_every_token_comes_to_the_same(deal: Deal, kind: str, random: Random) -> None:
    if kind == "sealed":
        deal = deal.sealed()
    game = Game(deal)
    replay = Replay(read_deal(document(deal)))
    for _ in range(150):
        token = any_token(random, game)
        try:
            game.play(token)
            fault = None
        except IllegalTokenError as error:
            fault = error.fault.value
        objection = replay.play(token)
        assert (objection.code if objection else None) == fault, token
        verdict = replay.verdict(None)
        assert verdict.layout == board_rows(game.rules, game.board)
        assert (verdict.slides, verdict.redeals, verdict.undos, verdict.ordered, verdict.won) == (
            game.slides, game.redeals, game.undos, game.ordered, game.won
        )  # fmt: skip
        assert replay.board.legal_slides() == [] or not is_stuck(game.rules, game.board)
        assert set(replay.board.legal_slides()) == {
            slide_token(game.rules, slide) for slide in slides(game.rules, game.board)
        }
        redealt = copy.deepcopy(replay).play(REDEAL)
        due = redealt is None or redealt.code == "redeal-unknown"
        assert due == may_redeal(game.rules, game.board, game.redeals)


VALUES: list[Any] = [
    None, True, 0, 3, 13, 3.0, "", "2C", "2C'", "AS", "0" * 32, "0" * 64, "classic", "gathered",
    "big-paganini", "gaps-deal/1", [], {}, [[]], [None] * 13, {"order": []},
    {"commitment": "0" * 64},
]  # fmt: skip


def damage(value: Any, random: Random) -> Any:
    """A document with one place of it changed, left out, doubled or swapped with another."""
    if not isinstance(value, (dict, list)) or not value or random.random() < 0.15:
        return random.choice(VALUES)
    keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = random.choice(keys)
    kind = random.random()
    if kind < 0.6:
        value[key] = damage(value[key], random)
    elif kind < 0.7:
        del value[key]
    elif kind < 0.8 and isinstance(value, list):
        value.insert(key, value[random.choice(keys)])
    elif kind < 0.8 and isinstance(value, dict):
        value["more"] = value[key]
    else:
        other = random.choice(keys)
        value[key], value[other] = value[other], value[key]
    return value


@given(deals(), st.randoms(use_true_random=False), st.integers(1, 3), st.booleans())
def test_damaged_documents_are_refused_by_both_or_by_neither(
    deal: Deal, random: Random, times: int, seeded: bool
) -> None:
    value: Any = document(deal if seeded else deal.without_seed())
    for _ in range(times):
        value = damage(value, random)
    try:
        parse_document(value)
        refused = False
    except DocumentError:
        refused = True
    assert bool(checker.check_deal(value)) == refused, checker.check_deal(value)
