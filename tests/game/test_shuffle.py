"""The shuffle is fair to the eye, and the same for ever; commitments bind what they should."""

from collections import Counter

import pytest

from service.game import shuffle as module
from service.game.cards import sorted_pack
from service.game.deal import numbered_deal, redeal_from_seed
from service.game.shuffle import commitment, numbered_seed, seed_commitment, shuffle
from service.game.variants import rules


def test_golden_values() -> None:
    seed = numbered_seed("classic", 1)
    assert seed.hex() == "f342349a6c3d62e9bef37533023afeed0d57468b6ba5d0d5995cd6756699711e"
    assert seed_commitment(seed) == (
        "272c25573d98f334278d0483a25dbd8cf9228543aa2606721119da4fb6f00265"
    )


def test_every_permutation_comes_up_about_as_often() -> None:
    counts = Counter(
        tuple(shuffle(numbered_seed("classic", number), "fair", [1, 2, 3]))
        for number in range(6000)
    )
    assert len(counts) == 6
    assert all(850 < count < 1150 for count in counts.values())


def test_labels_and_seeds_give_other_orders() -> None:
    pack = sorted_pack(1, 13, aces=True)
    orders = {
        tuple(shuffle(numbered_seed("classic", number), label, pack))
        for number in range(3)
        for label in ("opening", "redeal/1", "redeal/2")
    }
    assert len(orders) == 9


def test_a_commitment_binds_order_and_salt() -> None:
    redeal = redeal_from_seed(rules("classic"), numbered_seed("classic", 5), 1)
    assert redeal.order is not None
    assert redeal.salt is not None
    swapped = (redeal.order[1], redeal.order[0], *redeal.order[2:])
    assert commitment(redeal.salt, redeal.order) == redeal.commitment
    assert commitment(redeal.salt, swapped) != redeal.commitment
    assert commitment(bytes(16), redeal.order) != redeal.commitment


def test_redeals_past_the_twelfth_follow_from_the_seed() -> None:
    deal = numbered_deal("unlimited", 3)
    orders = [deal.order(k) for k in range(1, 30)]
    assert len(set(orders)) == 29
    assert all(sorted(order or ()) == sorted_pack(1, 13, aces=False) for order in orders)


def test_words_that_favour_a_remainder_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 3 the last word of all, 2 ** 32 - 1; of 2 none: the rules' ``below``, section 7."""
    last = 2**32 - 1
    words = iter([last, last - 1, last])
    monkeypatch.setattr(module, "_words", lambda seed, label: words)
    # Below 3: (last - 1) % 3 is 2, nothing moves. Below 2: last % 2 is 1, nothing moves.
    assert shuffle(bytes(32), "any", [7, 8, 9]) == [7, 8, 9]
    assert next(words, None) is None
    words = iter([last, last, 3, 2])
    # 3 % 3 is 0: 9 and 7 change places; 2 % 2 is 0: so do 8 and 9.
    assert shuffle(bytes(32), "any", [7, 8, 9]) == [8, 9, 7]
