"""The switches of a line that was found with column 1 undecided.

Such a line says where each card goes, and what stands in column 1 when it counts. Here the order
of column 1 is kept as it truly is, and before each slide that wants another one the fewest switches
are put that make it so.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from operator import eq
from typing import TypeAlias

from service.game.board import Layout
from service.game.variants import Rules
from service.solver.kernel import COLUMN_MASK, RANK_MASK, ROW_SHIFT, Position
from service.solver.one_deal.column import cards_of, exchanged
from service.solver.one_deal.found import PackedSlide
from service.solver.one_deal.playing import begin, play
from service.solver.one_deal.slides import other_row, source_of, target_of

_Order: TypeAlias = tuple[int, ...]
"""The cards in column 1 by row, 0 a gap."""

_Want: TypeAlias = tuple[int, int]
"""A row, and the 2 that has to be in its column 1."""


def spelled_out(
    rules: Rules, layout: Layout, slides: Sequence[int], switches: int
) -> list[PackedSlide]:
    """The line that those slides from a board stand for."""
    if switches == 0:
        return [(source_of(slide), target_of(slide)) for slide in slides]
    position = Position(rules, layout)
    order = _cards(cards_of(position.board))
    line: list[PackedSlide] = []
    orders = _orders(position, slides)
    wants = [_wanted(slide, wanted) for slide, wanted in zip(slides, orders, strict=False)]
    for index, slide in enumerate(slides):
        source, target = source_of(slide), target_of(slide)
        if (target & COLUMN_MASK) == 1:
            after = orders[index + 1]
            two = next(card for card in after if card not in orders[index])
            if 0 in after:
                row = _row_for(two, order, wants[index + 1 :])
            else:
                settled = _last_of_its_order(orders[index + 1 :])
                row = settled.index(two)
                order = _switch(order, partial(eq, _with(settled, row, 0)), line)
            target = _cell(row)
            order = _with(order, row, two)
        elif (want := wants[index]) is not None:
            order = _switch(order, partial(_grants, want), line)
        if (source & COLUMN_MASK) == 1:
            order = _with(order, source >> ROW_SHIFT, 0)
        line.append((source, target))
    return line


def _orders(position: Position, slides: Sequence[int]) -> list[_Order]:
    """What stands in column 1 when each of the slides leaves its cell, and in the end."""
    orders = []
    column, _ = begin(position, 1)
    for slide in slides:
        orders.append(_cards(exchanged(column, target_of(slide) >> ROW_SHIFT, other_row(slide))))
        column, _ = play(
            position.board,
            position.places,
            position.gaps,
            position.runs,
            slide,
            column,
            position.rules.base,
            1,
        )
    return [*orders, _cards(column)]


def _last_of_its_order(orders: Sequence[_Order]) -> _Order:
    """The last of the orders from the first on in which column 1 has no gap.

    It has everything that was decided since the first of them.
    """
    last = orders[0]
    for order in orders:
        if 0 in order:
            break
        last = order
    return last


def _wanted(slide: int, order: _Order) -> _Want | None:
    target = target_of(slide)
    row = target >> ROW_SHIFT
    if (target & COLUMN_MASK) == 2 and (order[row] & RANK_MASK) == 2:
        return row, order[row]
    return None


def _grants(want: _Want, order: _Order) -> bool:
    row, two = want
    return order[row] == two


def _row_for(two: int, order: _Order, wants: Iterable[_Want | None]) -> int:
    """A row whose column 1 is a gap: if it can be, the first that will want this 2."""
    row = next((want[0] for want in wants if want is not None and want[1] == two), 0)
    return row if order[row] == 0 else order.index(0)


def _switch(order: _Order, wanted: Callable[[_Order], bool], line: list[PackedSlide]) -> _Order:
    """The nearest order that is wanted; the switches that lead to it are added to the line."""
    ways: dict[_Order, tuple[PackedSlide, ...]] = {order: ()}
    queue = deque([order])
    while queue:
        order = queue.popleft()
        if wanted(order):
            line.extend(ways[order])
            return order
        for source, card in enumerate(order):
            for target in range(len(order)):
                if (card & RANK_MASK) == 2 and order[target] == 0:
                    after = _with(_with(order, target, card), source, 0)
                    if after not in ways:
                        ways[after] = (*ways[order], (_cell(source), _cell(target)))
                        queue.append(after)
    raise AssertionError("column 1 cannot be brought into that order")


def _cards(column: int) -> _Order:
    return tuple(int(column) >> 8 * row & 255 for row in range(4))


def _with(order: _Order, row: int, card: int) -> _Order:
    return (*order[:row], card, *order[row + 1 :])


def _cell(row: int) -> int:
    return row << ROW_SHIFT | 1
