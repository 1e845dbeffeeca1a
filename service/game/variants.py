"""The table of variants, and the rules of one game: a variant at a number of ranks.

Source: docs/rules.md, section 4.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Final

from service.game.cards import ACE, KING, TWO

MIN_RANKS: Final = 3
SEALED_REDEALS: Final = 12
"""How many redeals a document of a variant without a limit carries."""


class Aces(StrEnum):
    """Where the aces go at the opening."""

    OUT = "out"
    """Taken off where they lie; their cells are the gaps."""
    LEFT = "left"
    """Into a column of their own at the left; their old cells are the gaps."""
    LEFT_GAPS_BESIDE = "left, gaps beside them"
    """Into column 1; column 2 holds the gaps."""


class Order(StrEnum):
    """In which order a redeal deals the loose cards."""

    SHUFFLED = "shuffled"
    """As they stand in the redeal order that the deal carries."""
    GATHERED = "gathered"
    """As they lie on the board, row by row."""


class Gaps(StrEnum):
    """Where a redeal leaves the gaps."""

    AFTER_RUN = "after the run"
    """In each row's first free cell."""
    SCATTERED = "scattered"
    """Where the four aces of the redeal order fall."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One row of the table of variants.

    `redeals` is the most there may be, None for no limit; `when_stuck` tells whether a redeal
    waits until no slide is legal.
    """

    name: str
    packs: int = 1
    aces: Aces = Aces.OUT
    redeals: int | None = 2
    when_stuck: bool = True
    order: Order = Order.SHUFFLED
    gaps: Gaps = Gaps.AFTER_RUN
    also_known_as: tuple[str, ...] = ()

    @property
    def sealed_redeals(self) -> int:
        """How many redeal entries a deal document of this variant carries."""
        if self.order is Order.GATHERED:
            return 0
        return SEALED_REDEALS if self.redeals is None else self.redeals

    @property
    def min_ranks(self) -> int:
        """The fewest ranks this variant can be played with: two packs have no miniatures."""
        return MIN_RANKS if self.packs == 1 else KING


VARIANTS: Final = MappingProxyType(
    {
        variant.name: variant
        for variant in (
            Variant("classic", also_known_as=("Montana", "Gaps", "Spaces", "Vacancies")),
            Variant("relaxed", redeals=4),
            Variant("one-deal", redeals=0),
            Variant("four-rounds", redeals=3),
            Variant("unlimited", redeals=None),
            Variant(
                "gathered",
                order=Order.GATHERED,
                also_known_as=("Gaps, where the cards are not shuffled",),
            ),
            Variant("scattered", gaps=Gaps.SCATTERED, also_known_as=("Spaces, in some programs",)),
            Variant("addiction", redeals=3, when_stuck=False, gaps=Gaps.SCATTERED),
            Variant("blue-moon", aces=Aces.LEFT, also_known_as=("Rangoon",)),
            Variant("red-moon", aces=Aces.LEFT_GAPS_BESIDE),
            Variant("double-montana", packs=2),
            Variant("big-paganini", packs=2, aces=Aces.LEFT),
            Variant("big-paganini-one-deal", packs=2, aces=Aces.LEFT, redeals=0),
        )
    }
)


class VariantError(ValueError):
    """A variant that does not exist, or does not exist at that number of ranks."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one game: a variant at a number of ranks; make it with `rules`.

    `ranks` is also the top card's rank; `base` the rank a row starts from; `rows` and `columns`
    the board's size, `cells` their product.
    """

    variant: Variant
    ranks: int
    rows: int = field(init=False)
    columns: int = field(init=False)
    base: int = field(init=False)
    cells: int = field(init=False)

    def __post_init__(self) -> None:
        left = self.variant.aces is not Aces.OUT
        rows = 4 * self.variant.packs
        columns = self.ranks + left
        for name, value in (
            ("rows", rows),
            ("columns", columns),
            ("base", ACE if left else TWO),
            ("cells", rows * columns),
        ):
            object.__setattr__(self, name, value)

    @property
    def fixed_aces(self) -> bool:
        """Whether the aces stand at the left, and so never move."""
        return self.base == ACE

    @property
    def full_run(self) -> int:
        """How many cells a full run takes: all of its row but the last."""
        return self.columns - 1


@cache
def rules(variant: str, ranks: int = KING) -> Rules:
    """The rules of a variant, by its name, at a number of ranks.

    Raises `VariantError` for an unknown name, or for ranks that the variant does not have
    (3 to 13 with one pack, 13 with two).
    """
    found = VARIANTS.get(variant)
    if found is None:
        raise VariantError(f"there is no variant {variant!r}; there are: {', '.join(VARIANTS)}")
    if not found.min_ranks <= ranks <= KING:
        wanted = f"{MIN_RANKS} to {KING}" if found.packs == 1 else f"{KING} only"
        raise VariantError(f"{variant} has no miniature of {ranks} ranks; it takes {wanted}")
    return Rules(found, ranks)
