"""gaps-shuffle/1 beside what the vectors show: the parts that no vector reaches."""

import hashlib
import hmac
import itertools
import struct
from collections.abc import Iterator

import pytest

from checker import shuffle
from checker.variants import VARIANTS

from .build import numbered, vectors

SEED = shuffle.Seed(bytes(range(32)))


def _hmac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")


@pytest.mark.parametrize("length", [0, 1, 32, 63, 64])
def test_hmac_is_that_of_the_standard_library(length: int) -> None:
    key = bytes(range(255, 255 - length, -1))
    of_key = shuffle.hmac_sha256(key)
    for message in (b"", b"redeal/1\0\0\0\0\0", bytes(range(256)), b""):
        assert of_key(message) == _hmac(key, message)


def test_words_are_cut_from_blocks() -> None:
    blocks = b"".join(_hmac(SEED, b"redeal/12\0" + struct.pack(">I", i)) for i in range(3))
    words = [int.from_bytes(blocks[start : start + 4], "big") for start in range(0, 96, 4)]
    assert list(itertools.islice(shuffle.words(SEED, "redeal/12"), 24)) == words


def _shuffled(words: Iterator[int], count: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Cards that are named by where they lay, shuffled by words that follow from no seed."""
    monkeypatch.setattr(shuffle, "words", lambda _seed, _label: words)
    return shuffle.shuffle(SEED, "opening", map(str, range(count)))


def test_below_passes_over_words_that_favour_some(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = 2**32 // 52 * 52
    leave_the_rest = range(49, 0, -1)
    stream = iter([2**32 - 1, limit, limit - 1, 7, *leave_the_rest])
    cards = [str(place) for place in range(52)]
    cards[50], cards[7] = cards[7], cards[50]
    assert _shuffled(stream, 52, monkeypatch) == cards


def test_below_is_ready_for_the_largest_pack() -> None:
    assert len(shuffle.LIMITS) == len(VARIANTS["double-montana"].pack) + 1
    assert shuffle.LIMITS[:4] == [0, 2**32, 2**32, 2**32 - 1]


def test_below_keeps_every_word_of_a_power_of_two(monkeypatch: pytest.MonkeyPatch) -> None:
    leave_the_rest = range(14, 0, -1)
    stream = iter([2**32 - 1, *leave_the_rest])
    assert _shuffled(stream, 16, monkeypatch) == [str(place) for place in range(16)]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_shuffle_ends_when_one_card_is_left(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = iter([1, 0, 0, 0])
    assert _shuffled(stream, count, monkeypatch) == ["0", "1"][:count]
    # It may look at one word more than it needs, at no other.
    assert len(list(stream)) >= 2


def test_a_shuffle_draws_from_one_run_of_words() -> None:
    cards = ["a", "b", "c", "d"]
    stream = shuffle.words(SEED, "opening")
    for i in (3, 2, 1):
        j = next(stream) % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    assert shuffle.shuffle(SEED, "opening", "abcd") == cards


def test_salt_and_commitments() -> None:
    salt = _hmac(SEED, b"salt/12")[:16]
    assert shuffle.salt(SEED, 12) == salt
    committed = hashlib.sha256(salt + b"6H' 7D KC").hexdigest()
    assert shuffle.commitment(salt, ["6H'", "7D", "KC"]) == committed
    assert shuffle.seed_commitment(SEED) == hashlib.sha256(b"gaps-seed/1\0" + SEED).hexdigest()


@pytest.mark.parametrize("vector", vectors(), ids=lambda v: f"{v['deal']['variant']}-{v['number']}")
def test_numbered_deals(vector: dict[str, object]) -> None:
    deal = vector["deal"]
    assert isinstance(deal, dict)
    assert isinstance(vector["number"], int)
    assert numbered(deal["variant"], vector["number"]) == deal
    assert shuffle.numbered_seed(deal["variant"], vector["number"]).hex() == deal["seed"]


def test_openings_of_miniatures() -> None:
    for name, rows, aces_left, gaps_beside in (
        ("classic", 4, False, False),
        ("scattered", 4, False, False),
        ("blue-moon", 4, True, False),
        ("red-moon", 4, True, True),
    ):
        for ranks in range(3, 14):
            variant = VARIANTS[name].with_ranks(ranks)
            layout = shuffle.opening(SEED, variant)
            assert [len(row) for row in layout] == [variant.columns] * rows
            cards = [card for row in layout for card in row if card]
            assert sorted(cards) == sorted(variant.board_cards)
            assert aces_left == all(row[0] in ("AC", "AD", "AH", "AS") for row in layout)
            assert gaps_beside == all(row[1] is None for row in layout)


def test_aces_go_left_in_the_order_in_which_they_were_dealt() -> None:
    dealt = shuffle.shuffle(SEED, "opening", VARIANTS["classic"].pack)
    aces = [card for card in dealt if card[0] == "A"]
    for name in ("blue-moon", "red-moon"):
        assert [row[0] for row in shuffle.opening(SEED, VARIANTS[name])] == aces
    blue = shuffle.opening(SEED, VARIANTS["blue-moon"])
    assert [row[1:] for row in blue] == shuffle.opening(SEED, VARIANTS["classic"])
    red = [card for row in shuffle.opening(SEED, VARIANTS["red-moon"]) for card in row[2:]]
    assert red == [card for card in dealt if card[0] != "A"]
