"""What the service answers: the models behind the OpenAPI document."""

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Any, Literal, NotRequired, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, WithJsonSchema
from typing_extensions import TypedDict  # pydantic wants this one before Python 3.12

from service.game.variants import VARIANTS

Card = Annotated[str, StringConstraints(pattern="^[A23456789TJQK][CDHS]$")]
OrderCard = Annotated[str, StringConstraints(pattern="^[A23456789TJQK][CDHS]'?$")]
Digest = Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]
Salt = Annotated[str, StringConstraints(pattern="^[0-9a-f]{32}$")]
Variant = Annotated[str, WithJsonSchema({"type": "string", "enum": list(VARIANTS)})]
Layout = Annotated[
    list[list[Card | None]],
    Field(description="The board: rows of cells, each a card or null for a gap."),
]

# A field that is called as its type is, and has a value, hides the type from itself.
DateOrNone: TypeAlias = date | None


class RedealEntry(TypedDict):
    """A redeal as a deal document has it: sealed (commitment alone), open, or an order by hand."""

    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]

    commitment: NotRequired[Digest]
    order: NotRequired[list[OrderCard]]
    salt: NotRequired[Salt]


class DealDocument(TypedDict):
    """A deal, in the format gaps-deal/1."""

    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]

    format: Literal["gaps-deal/1"]
    variant: Variant
    ranks: NotRequired[Annotated[int, Field(ge=3, le=13)]]
    layout: Layout
    redeals: NotRequired[list[RedealEntry]]
    seed_commitment: NotRequired[Digest]
    seed: NotRequired[Digest]


class State(StrEnum):
    """Where a daily stands in its life, as far as anybody may see it."""

    LIVE = "live"
    """Its date is today somewhere on earth; seed, sealed orders and line are kept."""
    CLOSED = "closed"
    """Its date is over everywhere; everything is open."""
    WITHDRAWN = "withdrawn"
    """The operator has taken it back: its address answers why, and no more."""


class DealLinks(BaseModel):
    """Where to go from a deal: paths on this service."""

    self: str
    deal: str
    solution: str
    bundle: str
    redeals: str
    submissions: str
    stats: str


class DailySummary(BaseModel):
    """A daily without its deal."""

    date: date
    variant: Variant
    state: State
    id: str = Field(description="The deal's id.")
    visible_from: datetime = Field(description="When the date began first on earth.")
    closes_at: datetime = Field(description="When the date has ended everywhere.")
    links: DealLinks


class Daily(DailySummary):
    """A daily with its deal."""

    winnable_without_redeal: bool = Field(
        description="Whether a win without any redeal is known, which takes skill and no luck."
    )
    deal: DealDocument


class Practice(BaseModel):
    """A numbered deal to practise, with everything open."""

    variant: Variant
    number: int
    id: str = Field(description="The deal's id.")
    links: DealLinks
    winnable_without_redeal: bool = Field(
        description="Whether a win without any redeal is known, which takes skill and no luck."
    )
    deal: DealDocument


class Archive(BaseModel):
    """A page of dailies, newest first."""

    dailies: list[DailySummary]
    next: str | None = Field(description="The path of the next page; null on the last one.")
    head: str | None = Field(
        description="A digest over all that was published and withdrawn: that of the newest link "
        "of the hash chain, among those of dailies that may be seen. Who notes it down can ask the "
        "operator later whether the chain still has it. Null where there is none."
    )


class Fault(BaseModel):
    """Why a log is not legal: the first token that is not, and the reason."""

    index: int = Field(description="The token's index, from 0.")
    token: Any = Field(description="The token.")
    code: str = Field(description="The reason, one of the codes of the rules.")
    message: str = Field(description="The reason in a sentence.")


class Verdict(BaseModel):
    """What a move log comes to, as the checker replayed it."""

    legal: bool
    won: bool
    ordered: int = Field(description="Cards in runs at the end, fixed aces not counted.")
    slides: int = Field(description="Slides, those taken back not counted.")
    redeals: int
    undos: int
    moves: int = Field(description="Slides and redeals.")
    layout: Layout
    fault: Fault | None = Field(description="Null where the log is legal.")


class Solution(BaseModel):
    """The line with which the service won the deal before it published it."""

    id: str = Field(description="The deal's id.")
    variant: Variant
    date: DateOrNone = Field(description="Null for a deal to practise, which has none.")
    moves: list[str] = Field(description="The line's tokens.")
    verdict: Verdict


class Provenance(BaseModel):
    """What the service says of how a deal was made.

    The checker can verify the variant, the number, the moves and the redeals, and nothing else.
    """

    solver_version: str = Field(description="The version of the solver that found the line.")
    budget: int = Field(description="How many positions its search might have visited.")
    positions: int = Field(description="How many it visited.")
    moves: int = Field(description="The line's slides and redeals.")
    redeals: int = Field(description="How many of them are redeals.")
    minted_at: datetime = Field(description="When the deal was found and its win replayed.")
    variant: Variant
    number: int | None = Field(
        description="The number of a deal to practise, which its seed is made from; null for a "
        "daily."
    )
    date: DateOrNone = Field(description="Of which date it is the daily; null for practice.")
    published_at: datetime | None = Field(description="When it became that; null for practice.")


class Bundle(BaseModel):
    """A deal with a line that wins it, in the format gaps-bundle/1."""

    format: Literal["gaps-bundle/1"]
    document: DealDocument
    line: list[str] = Field(description="The line's tokens.")
    provenance: Provenance


class DueRedeal(BaseModel):
    """The redeal that is due after a log."""

    number: int = Field(description="Which redeal of the deal it is, from 1.")
    entry: RedealEntry | None = Field(
        description="Order and salt, open, to be checked against the commitment in the deal "
        "document; null where the variant gathers the cards and so shuffles nothing."
    )
    layout: Layout


class Submission(BaseModel):
    """A log that was submitted to a deal, with its verdict."""

    id: str
    deal: str = Field(description="The deal's id.")
    state: Literal["live", "archive"] = Field(
        description="Whether the deal was a daily and still live when the log arrived."
    )
    received_at: datetime
    verdict: Verdict


class Wins(BaseModel):
    """The wins that took the same number of redeals."""

    redeals: int
    wins: int
    fewest_moves: int = Field(description="Slides and redeals of the shortest of them.")


class Ordered(BaseModel):
    """How many legal submissions ended with so many cards in order."""

    ordered: int
    submissions: int


class Statistics(BaseModel):
    """What the submissions of a deal have come to."""

    id: str = Field(description="The deal's id.")
    submissions: int = Field(description="Different logs, those that are not legal too.")
    legal: int
    won: int
    wins: list[Wins] = Field(description="The wins by the redeals they took, fewest first.")
    best: Wins | None = Field(
        description="The wins with the fewest moves; null where nobody has won."
    )
    ordered: list[Ordered] = Field(description="How far legal logs came, fewest cards first.")


class WonDailies(BaseModel):
    """How many dailies a player won with so many redeals."""

    redeals: int
    dailies: int


class Record(BaseModel):
    """What a player's logs have come to, on the dailies of one variant."""

    variant: Variant
    played: int = Field(description="Dailies to which the player sent a legal log.")
    won: int = Field(description="Dailies won, live or later.")
    wins: list[WonDailies] = Field(
        description="The dailies won, by the fewest redeals of a win, fewest first."
    )
    best_ordered: int | None = Field(
        description="Most cards in order at the end of a legal log; null where there is none."
    )
    current_streak: int = Field(
        description="Dates won one after another while they were live, up to now. A daily that is "
        "still live does not end it."
    )
    longest_streak: int


class VariantRules(BaseModel):
    """One variant of the game."""

    name: str
    packs: int
    rows: int
    columns: int
    aces: str
    redeals: int | None = Field(description="The most there may be; null for no limit.")
    redeal_allowed: Literal["when stuck", "at any time"] | None
    order: str | None = Field(description="How a redeal orders the loose cards.")
    gaps: str | None = Field(description="Where a redeal leaves the gaps.")
    also_known_as: list[str]
    daily: bool = Field(description="Whether this service publishes a daily in it.")


class Variants(BaseModel):
    """The table of variants."""

    variants: list[VariantRules]


class Health(BaseModel):
    """That the process answers."""

    status: Literal["ok"] = "ok"


class ProblemMeaning(BaseModel):
    """What a problem means."""

    type: str
    code: str
    status: int
    title: str
    meaning: str


class ProblemMeanings(BaseModel):
    """All problems that the service answers."""

    problems: list[ProblemMeaning]
