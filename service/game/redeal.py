"""The redeal: a pure function of the rules, the board and, where it shuffles, an order.

Source: docs/rules.md, section 3.
"""

from collections.abc import Iterable, Iterator, Sequence

from service.game.board import Layout, is_stuck, is_won, run_lengths
from service.game.cards import ACE, GAP, PRIME, rank_of
from service.game.variants import Gaps, Order, Rules


def redeal(rules: Rules, board: Sequence[int], order: Sequence[int] | None) -> Layout:
    """The board after a redeal; whether one is legal there is not looked at.

    `order` is the redeal order: a permutation of the pack, the second pack primed, with the aces
    where gaps are scattered. It is None where the loose cards are gathered, and only there.
    """
    if (order is None) != (rules.variant.order is Order.GATHERED):
        raise ValueError("a redeal order is for variants that shuffle, and they need one")
    runs = run_lengths(rules, board)
    free = [
        row * rules.columns + column
        for row, run in enumerate(runs)
        for column in range(run, rules.columns)
    ]
    loose = [board[cell] for cell in free if board[cell] != GAP]
    dealt = loose if order is None else _shuffled(rules, loose, order)

    after = list(board)
    if rules.variant.gaps is Gaps.AFTER_RUN:
        for row, run in enumerate(runs):
            first = row * rules.columns + run
            after[first] = GAP
            free.remove(first)
    for cell, card in zip(free, dealt, strict=True):
        after[cell] = card
    return tuple(after)


def _shuffled(rules: Rules, loose: Iterable[int], order: Sequence[int]) -> Iterator[int]:
    """The loose cards as they stand in the order; a scattered gap for each of its aces."""
    copies: dict[int, int] = {}
    for card in loose:
        copies[card] = copies.get(card, 0) + 1
    scattered = rules.variant.gaps is Gaps.SCATTERED
    for entry in order:
        card, copy = entry % PRIME, entry // PRIME
        if scattered and rank_of(card) == ACE:
            yield GAP
        elif copies.get(card, 0) > copy:
            yield card


def redeals_left(rules: Rules, redeals: int) -> bool:
    """Whether the variant allows one more redeal after so many."""
    return rules.variant.redeals is None or redeals < rules.variant.redeals


def may_redeal(rules: Rules, board: Sequence[int], redeals: int) -> bool:
    """Whether a redeal is legal on this board after so many redeals."""
    return (
        not is_won(rules, board)
        and redeals_left(rules, redeals)
        and (not rules.variant.when_stuck or is_stuck(rules, board))
    )
