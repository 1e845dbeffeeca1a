"""Tokens and cells: one form, and a round trip for every slide of every board."""

import pytest

from service.game.board import Slide
from service.game.notation import TokenError, parse_slide, slide_token
from service.game.variants import VARIANTS, rules


@pytest.mark.parametrize("name", VARIANTS)
def test_every_pair_of_cells_comes_back_from_its_token(name: str) -> None:
    game = rules(name)
    seen = set()
    for source in range(game.cells):
        for target in range(game.cells):
            token = slide_token(game, Slide(source, target))
            assert parse_slide(game, token) == (source, target)
            seen.add(token)
    assert len(seen) == game.cells**2


@pytest.mark.parametrize(
    "token",
    [
        *("", "a1", "A1b2", "a1b2 ", " a1b2", "a1b2\n", "a0b2", "a01b2", "a15b2", "i1a2"),
        *("a1b", "a1b2c3", "a\uff11b2", "a1-b2", "Redeal"),
        *(None, 12, ["a1b2"]),
    ],
)
def test_other_forms_are_malformed(token: object) -> None:
    with pytest.raises(TokenError) as caught:
        parse_slide(rules("big-paganini"), token)
    assert not caught.value.off_board


@pytest.mark.parametrize(
    ("variant", "token"), [("classic", "a14a1"), ("classic", "e1a1"), ("blue-moon", "a1h3")]
)
def test_cells_that_this_board_lacks_are_off_it(variant: str, token: str) -> None:
    with pytest.raises(TokenError) as caught:
        parse_slide(rules(variant), token)
    assert caught.value.off_board


def test_ambiguous_digits_read_as_the_form_says() -> None:
    assert parse_slide(rules("blue-moon"), "a12b1") == (11, 14)
