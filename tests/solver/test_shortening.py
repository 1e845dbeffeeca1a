"""Each way to shorten a line: still a line that wins, never a longer one."""

import random

import numpy as np
import pytest

from service.game.board import slides
from service.game.deal import Deal, numbered_deal
from service.solver.depth_first import pad
from service.solver.kernel import KEYS, pack_slide
from service.solver.leaps import leap
from service.solver.meter import Meter
from service.solver.rounds import Redeals, Rounds, search_rounds
from service.solver.shorten import Stretch, shorten
from service.solver.solving import solve
from service.solver.variation import Variation
from service.solver.windows import cut_windows
from tests.solver.replays import judge


def line_of(deal: Deal, redeals: Redeals) -> Rounds:
    found = None
    width = 0
    while found is None:
        found = search_rounds(deal, redeals, Meter(10_000_000), width)
        width += 1
    return found


def moves(line: Rounds) -> int:
    return sum(map(len, line)) + len(line) - 1


@pytest.mark.parametrize(
    "variant", ["classic", "gathered", "scattered", "blue-moon", "big-paganini"]
)
def test_lines_get_no_longer_and_cost_what_they_may(variant: str) -> None:
    gained = 0
    for number in range(20, 26):
        deal = numbered_deal(variant, number)
        redeals = Redeals(deal, None)
        line = line_of(deal, redeals)
        meter = Meter(10_000_000)
        shorter = shorten(deal, redeals, line, meter, 60_000)
        assert len(shorter) == len(line)
        assert moves(shorter) <= moves(line)
        assert meter.positions <= 60_000 * 1.3
        varied = Variation(deal, redeals, shorter, meter)
        varied.vary(60_000)
        assert moves(varied.line) <= moves(shorter)
        gained += moves(line) - moves(varied.line)
    assert gained > 0


def test_improved_lines_replay() -> None:
    for variant in ("scattered", "addiction", "double-montana", "red-moon"):
        for number in range(30, 34):
            deal = numbered_deal(variant, number)
            judge(deal, solve(deal, 300_000))


def wander(deal: Deal, seed: int, steps: int) -> list[int]:
    """A random walk, loops and all, as packed slides."""
    rng = random.Random(seed)
    board = list(deal.layout)
    walked = []
    for _ in range(steps):
        legal = list(slides(deal.rules, board))
        if not legal:
            break
        slide = rng.choice(legal)
        board[slide.target], board[slide.source] = board[slide.source], 0
        walked.append(pack_slide(slide, deal.rules))
    return walked


def final(deal: Deal, walked: list[int]) -> list[int]:
    board = pad(deal.rules, deal.layout)
    for slide in walked:
        assert board[slide >> 7] not in (0, 127)
        assert board[slide & 127] == 0
        board[slide & 127], board[slide >> 7] = board[slide >> 7], 0
    return [int(card) for card in board]


def walks() -> list[tuple[Deal, list[int]]]:
    found = []
    for number in range(400):
        deal = numbered_deal("classic", number)
        walked = wander(deal, number, 60)
        if len(walked) >= 16:
            found.append((deal, walked))
    assert len(found) > 20
    return found


def test_leaps_keep_the_end_and_cut_loops() -> None:
    gained = 0
    for deal, walked in walks():
        line = np.array(walked, np.int64)
        count, _ = leap(pad(deal.rules, deal.layout), 2, 13, 1, KEYS, line, len(line))
        kept = line[:count].tolist()
        assert final(deal, kept) == final(deal, walked)
        boards = [tuple(final(deal, kept[:n])) for n in range(count + 1)]
        assert len(set(boards)) == count + 1
        gained += len(walked) - count
    assert gained > 0


def test_windows_keep_the_end() -> None:
    gained = 0
    for deal, walked in walks():
        line = np.array(walked, np.int64)
        count, positions = cut_windows(
            pad(deal.rules, deal.layout), 2, 13, 1, KEYS, line, len(line), 12, 4, 500, 10_000
        )
        assert count <= len(walked)
        assert positions <= 10_500
        assert final(deal, line[:count].tolist()) == final(deal, walked)
        gained += len(walked) - count
    assert gained > 0


def test_a_stretch_ends_alike() -> None:
    deal = numbered_deal("classic", 40)
    redeals = Redeals(deal, None)
    line = line_of(deal, redeals)
    assert len(line) > 1
    board = pad(deal.rules, deal.layout)
    stretch = Stretch(deal, board, line[0], last=False)
    before = redeals.after(stretch.final(), 0).tolist()
    stretch.shorten(Meter(1_000_000), 100_000)
    assert redeals.after(stretch.final(), 0).tolist() == before


def test_a_beam_finds_shorter_last_rounds() -> None:
    gained = 0
    for number in range(1, 12):
        deal = numbered_deal("classic", number)
        redeals = Redeals(deal, None)
        line = line_of(deal, redeals)
        meter = Meter(10_000_000)
        variation = Variation(deal, redeals, line, meter)
        variation.beam(150_000)
        assert variation.line[:-1] == line[:-1]
        assert moves(variation.line) <= moves(line)
        assert meter.positions <= 150_000 * 1.5
        gained += moves(line) - moves(variation.line)
    assert gained > 0
