"""Strategies and small helpers for tests that play: any deal of any variant, random play."""

from random import Random

from hypothesis import strategies as st

from service.game.board import is_stuck, slides
from service.game.cards import KING
from service.game.deal import Deal, numbered_deal
from service.game.notation import REDEAL, UNDO, slide_token
from service.game.play import Game
from service.game.redeal import may_redeal
from service.game.variants import VARIANTS


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """A numbered deal of any variant, with one pack also a miniature."""
    variant = VARIANTS[draw(st.sampled_from(sorted(VARIANTS)))]
    ranks = draw(st.integers(variant.min_ranks, KING))
    return numbered_deal(variant.name, draw(st.integers(0, 10**9)), ranks)


def random_tokens(deal: Deal, random: Random, most: int) -> list[str]:
    """A legal log of at most so many tokens, undos and redeals in it, by the engine's rules."""
    game = Game(deal)
    tokens: list[str] = []
    while len(tokens) < most:
        legal = [slide_token(deal.rules, slide) for slide in slides(deal.rules, game.board)]
        if may_redeal(deal.rules, game.board, game.redeals):
            legal.append(REDEAL)
        if tokens and tokens[-1] not in {REDEAL, UNDO} and random.random() < 0.1:
            legal = [UNDO]
        if not legal or (game.won and is_stuck(deal.rules, game.board)):
            break
        token = random.choice(legal)
        game.play(token)
        tokens.append(token)
    return tokens
