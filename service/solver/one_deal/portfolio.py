"""Which search has its turn when, and for how long."""

from collections.abc import Callable, Sequence

from service.game.board import Slide
from service.game.variants import Rules
from service.solver.kernel import Position, index_of
from service.solver.one_deal.depth_first import DepthFirst
from service.solver.one_deal.found import Found, Result


def search(
    rules: Rules,
    board: Sequence[int],
    *,
    budget: int,
    memory_mb: int = 512,
    report: Callable[[int, str, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Result:
    """Wins the board with slides alone, or proves that nobody can, or gives up.

    `budget` counts slides made; `memory_mb` bounds what the searches keep. `report` is told the
    positions so far, the phase and the most cards ordered; `cancelled` is asked as often, every
    few milliseconds. The same arguments give the same result on every machine. Raises
    `ValueError` for more than one pack.
    """
    if rules.variant.packs != 1:
        raise ValueError(f"this search is for one pack, not for {rules.variant.name}")
    position = Position(rules, board)
    if position.runs.sum() == rules.rows * rules.full_run:
        return Result((), lost=False, positions=0, levels=0)

    def watch(positions: int, ordered: int) -> bool:
        if report is not None:
            report(positions, "proof", ordered)
        return cancelled is not None and cancelled()

    proof = DepthFirst(position, memory_mb << 20)
    found = proof.run(budget, watch)
    return Result(_line(rules, found), found.exhausted, proof.positions, 1)


def _line(rules: Rules, found: Found) -> tuple[Slide, ...] | None:
    if found.line is None:
        return None
    return tuple(
        Slide(index_of(rules, source), index_of(rules, target)) for source, target in found.line
    )
