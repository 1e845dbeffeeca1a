"""Judges a solution: its counts, and its line by the engine and by the checker."""

from checker import verify
from service.game.board import Layout
from service.game.deal import Deal
from service.game.document import document
from service.game.play import Game, replay
from service.solver import Outcome, Solution


def judge(deal: Deal, solution: Solution) -> None:
    """Fails unless a solution that says `won` holds a line that wins and counts it rightly."""
    if solution.outcome is not Outcome.WON:
        assert solution.line is None
        assert solution.slides is None
        assert solution.redeals is None
        assert solution.first_moves is None
        return
    assert solution.line is not None
    assert solution.slides is not None
    assert solution.redeals is not None
    replayed = replay(deal, solution.line)
    assert replayed.won, replayed
    verdict = verify(document(deal), list(solution.line))
    assert verdict.won, verdict
    assert (verdict.slides, verdict.redeals) == (solution.slides, solution.redeals)
    assert solution.slides + solution.redeals == len(solution.line)
    assert solution.first_moves is not None
    assert_no_position_twice(deal, solution.line)


def assert_no_position_twice(deal: Deal, line: tuple[str, ...]) -> None:
    """Fails where a line comes back to a position: a board with so many redeals done."""
    game = Game(deal)
    seen: set[tuple[int, Layout]] = {(0, tuple(game.board))}
    for token in line:
        game.play(token)
        seen.add((game.redeals, tuple(game.board)))
    assert len(seen) == len(line) + 1
