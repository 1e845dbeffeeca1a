"""The engine gives the right answers for every variant."""

from typing import Any

import pytest

from service.game.deal import numbered_deal
from service.game.document import board_rows, document
from service.game.parsing import parse_document
from service.game.play import replay
from tests.vectors import IDS, VECTORS


@pytest.mark.parametrize("vector", VECTORS, ids=IDS)
def test_a_number_deals_the_golden_document(vector: dict[str, Any]) -> None:
    deal = numbered_deal(vector["deal"]["variant"], vector["number"])
    assert document(deal) == vector["deal"]
    assert parse_document(vector["deal"]) == deal


@pytest.mark.parametrize("vector", VECTORS, ids=IDS)
def test_logs_replay_to_the_golden_counts(vector: dict[str, Any]) -> None:
    deal = parse_document(vector["deal"])
    for log in vector["logs"]:
        outcome = replay(deal, log["moves"])
        game = outcome.game
        assert {
            "moves": log["moves"],
            "legal": outcome.legal,
            "won": outcome.won,
            "ordered": game.ordered,
            "slides": game.slides,
            "redeals": game.redeals,
            "undos": game.undos,
            "layout": board_rows(deal.rules, game.board),
        } == log
