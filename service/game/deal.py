"""A deal: an opening with its redeal orders, and how one follows from a seed.

Source: docs/rules.md, sections 4 (the opening), 6 and 7.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from service.game import shuffle
from service.game.board import Layout
from service.game.cards import ACE, GAP, PRIME, rank_of, sorted_pack
from service.game.variants import Aces, Gaps, Order, Rules, rules


@dataclass(frozen=True, slots=True)
class Redeal:
    """What a deal says of one redeal.

    Sealed: the commitment alone. Open: commitment, order and salt. By hand: the order alone.
    """

    commitment: str | None = None
    order: tuple[int, ...] | None = None
    salt: bytes | None = None

    @property
    def sealed(self) -> bool:
        """Whether the order is still a secret."""
        return self.order is None

    def seal(self) -> Self:
        """The same redeal with nothing but its commitment."""
        return type(self)(self.commitment)


class UnknownRedealError(LookupError):
    """A redeal order that the deal does not carry and that follows from no seed."""


@dataclass(frozen=True, slots=True)
class Deal:
    """An opening layout, what is known of the redeals, and the seed where it is known."""

    rules: Rules
    layout: Layout
    redeals: tuple[Redeal, ...] = ()
    seed: bytes | None = field(default=None, repr=False)
    seed_commitment: str | None = None

    def order(self, k: int) -> tuple[int, ...] | None:
        """The k-th redeal's order, k from 1; None where the loose cards are gathered.

        Raises `UnknownRedealError` where the order is neither carried nor follows from a seed.
        """
        if self.rules.variant.order is Order.GATHERED:
            return None
        if k <= len(self.redeals) and (order := self.redeals[k - 1].order) is not None:
            return order
        if self.seed is None:
            raise UnknownRedealError(f"the order of redeal {k} is sealed")
        return redeal_from_seed(self.rules, self.seed, k).order

    def sealed(self) -> "Deal":
        """The same deal with its seed and all redeal orders kept secret."""
        return Deal(
            self.rules,
            self.layout,
            tuple(redeal.seal() for redeal in self.redeals),
            seed_commitment=self.seed_commitment,
        )

    def without_seed(self) -> "Deal":
        """The same deal with its redeals as they are and the seed kept secret."""
        return Deal(self.rules, self.layout, self.redeals, seed_commitment=self.seed_commitment)


def redeal_pack(rules: Rules) -> list[int]:
    """What a redeal order permutes: the sorted pack, with aces only where gaps are scattered."""
    return sorted_pack(rules.variant.packs, rules.ranks, aces=rules.variant.gaps is Gaps.SCATTERED)


def redeal_from_seed(rules: Rules, seed: bytes, k: int) -> Redeal:
    """The k-th redeal of a seed, open, k from 1."""
    order = tuple(shuffle.shuffle(seed, f"redeal/{k}", redeal_pack(rules)))
    salt = shuffle.salt(seed, k)
    return Redeal(shuffle.commitment(salt, order), order, salt)


def deal_from_seed(rules: Rules, seed: bytes) -> Deal:
    """The deal that a 32-byte seed stands for, with everything open."""
    if len(seed) != shuffle.SEED_BYTES:
        raise ValueError(f"a seed has {shuffle.SEED_BYTES} bytes, not {len(seed)}")
    pack = sorted_pack(rules.variant.packs, rules.ranks, aces=True)
    return Deal(
        rules,
        opening(rules, shuffle.shuffle(seed, "opening", pack)),
        tuple(redeal_from_seed(rules, seed, k + 1) for k in range(rules.variant.sealed_redeals)),
        seed,
        shuffle.seed_commitment(seed),
    )


def numbered_deal(variant: str, number: int, ranks: int = 13) -> Deal:
    """The deal of a variant by its number, from 0.

    Raises `service.game.variants.VariantError` for a variant or ranks that do not exist, and
    `ValueError` for a negative number.
    """
    if number < 0:
        raise ValueError(f"deals are numbered from 0, not {number}")
    return deal_from_seed(rules(variant, ranks), shuffle.numbered_seed(variant, number))


def opening(rules: Rules, pack: Sequence[int]) -> Layout:
    """The opening layout that a shuffled pack, aces in it, is dealt to. Primes are dropped."""
    cards = [card % PRIME for card in pack]
    aces = [card for card in cards if rank_of(card) == ACE]
    if rules.variant.aces is Aces.LEFT_GAPS_BESIDE:
        rest = [card for card in cards if rank_of(card) != ACE]
        wide = rules.ranks - 1
        return tuple(
            card
            for row, ace in enumerate(aces)
            for card in (ace, GAP, *rest[row * wide : (row + 1) * wide])
        )
    dealt = [GAP if rank_of(card) == ACE else card for card in cards]
    if rules.variant.aces is Aces.OUT:
        return tuple(dealt)
    return tuple(
        card
        for row, ace in enumerate(aces)
        for card in (ace, *dealt[row * rules.ranks : (row + 1) * rules.ranks])
    )
