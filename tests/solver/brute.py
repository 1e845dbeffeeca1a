"""Brute force on miniatures, written on the engine's rules alone: no pruning, no hashing."""

from collections.abc import Iterator

from service.game.board import Layout, is_stuck, is_won, slides
from service.game.deal import Deal
from service.game.redeal import redeal
from service.game.variants import Rules


def _children(rules: Rules, board: Layout) -> Iterator[Layout]:
    for source, target in slides(rules, board):
        child = list(board)
        child[target], child[source] = child[source], 0
        yield tuple(child)


def fewest_redeals(deal: Deal, limit: int | None = None) -> int | None:
    """The fewest redeals with which a deal can be won, or None where it is lost."""
    rules = deal.rules
    allowed = rules.variant.redeals if limit is None else limit
    assert allowed is not None
    openings = {deal.layout}
    for done in range(allowed + 1):
        seen = set(openings)
        todo = list(openings)
        while todo:
            board = todo.pop()
            if is_won(rules, board):
                return done
            for after in _children(rules, board):
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
        if done < allowed:
            openings = {
                redeal(rules, board, deal.order(done + 1))
                for board in seen
                if not rules.variant.when_stuck or is_stuck(rules, board)
            }
    return None


def fewest_slides(deal: Deal) -> int | None:
    """The fewest slides that win a deal without a redeal, or None where none do."""
    rules = deal.rules
    seen = {deal.layout}
    level = [deal.layout]
    count = 0
    while level:
        following = []
        for board in level:
            if is_won(rules, board):
                return count
            for after in _children(rules, board):
                if after not in seen:
                    seen.add(after)
                    following.append(after)
        level = following
        count += 1
    return None
