"""Deals and boards as plain JSON data: the documents of ``gaps-deal/1``, written.

`service.game.parsing` reads them. Source: docs/rules.md, section 6.
"""

from collections.abc import Sequence
from typing import Any, Final

from service.game.cards import GAP, KING, card_name
from service.game.deal import Deal, Redeal
from service.game.variants import Rules

FORMAT: Final = "gaps-deal/1"


def board_rows(rules: Rules, board: Sequence[int]) -> list[list[str | None]]:
    """A board as a document writes it: rows of card names, None for a gap."""
    return [
        [None if card == GAP else card_name(card) for card in board[start : start + rules.columns]]
        for start in range(0, rules.cells, rules.columns)
    ]


def redeal_entry(redeal: Redeal) -> dict[str, Any]:
    """A redeal as a document's entry, with what is known of it and nothing else."""
    entry: dict[str, Any] = {}
    if redeal.commitment is not None:
        entry["commitment"] = redeal.commitment
    if redeal.order is not None:
        entry["order"] = [card_name(card) for card in redeal.order]
    if redeal.salt is not None:
        entry["salt"] = redeal.salt.hex()
    return entry


def document(deal: Deal) -> dict[str, Any]:
    """The deal as a document. The inverse of `service.game.parsing.parse_document`."""
    written: dict[str, Any] = {"format": FORMAT, "variant": deal.rules.variant.name}
    if deal.rules.ranks != KING:
        written["ranks"] = deal.rules.ranks
    written["layout"] = board_rows(deal.rules, deal.layout)
    if deal.rules.variant.sealed_redeals:
        written["redeals"] = [redeal_entry(redeal) for redeal in deal.redeals]
    if deal.seed_commitment is not None:
        written["seed_commitment"] = deal.seed_commitment
    if deal.seed is not None:
        written["seed"] = deal.seed.hex()
    return written
