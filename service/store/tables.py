"""The tables. What they hold is said here once; `migrations` brings a database to this state."""

import datetime as dt
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Double,
    Enum,
    ForeignKey,
    Index,
    MetaData,
    String,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from service.settings import Redeals
from service.store.columns import Tokens, UtcDateTime

NAMES: Final = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
"""How constraints are called: a later migration can drop only what has a name."""


class Arrival(StrEnum):
    """When a submission came in, seen from its daily."""

    LIVE = "live"
    """While the date was today somewhere on earth."""
    ARCHIVE = "archive"
    """Later, when its solution was open to all."""


class LinkKind(StrEnum):
    """What happened to a daily."""

    PUBLISHED = "published"
    WITHDRAWN = "withdrawn"


REASON_LENGTH: Final = 500
"""How many characters the reason of a withdrawal has at most."""


def _written(names: type[StrEnum]) -> Enum:
    """An enum kept as its text: a new member needs no migration."""
    return Enum(
        names,
        native_enum=False,
        length=16,
        values_callable=lambda members: [member.value for member in members],
    )


class Base(DeclarativeBase):
    """What all tables have in common."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = {  # noqa: RUF012 - SQLAlchemy reads it so
        dt.datetime: UtcDateTime(),
        dict[str, Any]: JSON(none_as_null=True),
        list[str]: Tokens(none_as_null=True),
        Redeals: _written(Redeals),
        Arrival: _written(Arrival),
        LinkKind: _written(LinkKind),
    }


class Deal(Base):
    """A verified deal: its document with everything open, and the line that wins it.

    A deal that no daily has and that is not for practice is in stock.
    """

    __tablename__ = "deals"
    __table_args__ = (Index("ix_deals_variant_minted_at", "variant", "minted_at"),)

    id: Mapped[str] = mapped_column(String(20), primary_key=True)
    """The first 20 hex digits of the seed's commitment."""
    variant: Mapped[str] = mapped_column(String(32))
    seed: Mapped[str] = mapped_column(String(64), unique=True)
    """64 hex digits."""
    layout_digest: Mapped[str] = mapped_column(String(64), unique=True)
    """`service.store.identity.layout_digest` of the opening."""
    document: Mapped[dict[str, Any]]
    """The deal document, seed and all."""
    line: Mapped[list[str]]
    """The tokens that win it."""
    verdict: Mapped[dict[str, Any]]
    """What the checker said of the line."""
    slides: Mapped[int]
    """The line's slides."""
    redeals: Mapped[int]
    """The line's redeals."""
    positions: Mapped[int] = mapped_column(BigInteger)
    """How many positions the search visited."""
    budget: Mapped[int] = mapped_column(BigInteger)
    """How many it might have visited."""
    solver_version: Mapped[str] = mapped_column(String(32))
    seconds: Mapped[float] = mapped_column(Double)
    """How long the search took."""
    minted_at: Mapped[dt.datetime]


class Daily(Base):
    """The deal of a variant and a date. It never changes, but it can be withdrawn, once.

    A date has one daily that is not withdrawn, and any number of those that are.
    """

    __tablename__ = "dailies"
    # An index and no constraint: SQLite can drop one without rebuilding the table.
    __table_args__ = (
        Index(
            "uq_dailies_date_variant",
            "date",
            "variant",
            unique=True,
            sqlite_where=text("withdrawn_at IS NULL"),
            postgresql_where=text("withdrawn_at IS NULL"),
        ),
        Index("ix_dailies_date_variant_id", "date", "variant", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    variant: Mapped[str] = mapped_column(String(32))
    date: Mapped[dt.date]
    deal_id: Mapped[str] = mapped_column(ForeignKey(Deal.id), unique=True)
    redeals: Mapped[Redeals]
    """What its document says of the redeals while it is live, fixed when it was published."""
    published_at: Mapped[dt.datetime]
    withdrawn_at: Mapped[dt.datetime | None]
    """When it was withdrawn; None for nearly all."""
    withdrawn_reason: Mapped[str | None] = mapped_column(String(REASON_LENGTH))
    """Why, for all to read; None where it was not."""


class Link(Base):
    """A link of the chain over all that happened to dailies, in the order it happened."""

    __tablename__ = "links"
    __table_args__ = (UniqueConstraint("daily_id", "kind"),)

    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """From 1, without gaps."""
    kind: Mapped[LinkKind]
    daily_id: Mapped[int] = mapped_column(ForeignKey(Daily.id))
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    """`service.store.identity.link_digest`, over this and the link before."""


class Refusal(Base):
    """A deal kept aside because the checker refused the solver's line, with all evidence."""

    __tablename__ = "refusals"

    id: Mapped[int] = mapped_column(primary_key=True)
    deal_id: Mapped[str] = mapped_column(String(20), index=True)
    """What the deal would be called; it is in no other table."""
    variant: Mapped[str] = mapped_column(String(32))
    document: Mapped[dict[str, Any]]
    line: Mapped[list[str]]
    reason: Mapped[dict[str, Any]]
    """The checker's verdict, or its list of faults of the document."""
    solver_version: Mapped[str] = mapped_column(String(32))
    refused_at: Mapped[dt.datetime]


class Submission(Base):
    """A player's log on a deal, with its verdict. Deal and log are its identity."""

    __tablename__ = "submissions"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    """`service.store.identity.submission_id` of deal and log."""
    deal_id: Mapped[str] = mapped_column(ForeignKey(Deal.id), index=True)
    moves: Mapped[list[str]]
    verdict: Mapped[dict[str, Any]]
    """What the checker said of the log; the columns that follow repeat its counts."""
    legal: Mapped[bool]
    won: Mapped[bool]
    ordered: Mapped[int]
    slides: Mapped[int]
    redeals: Mapped[int]
    undos: Mapped[int]
    state: Mapped[Arrival]
    received_at: Mapped[dt.datetime]


class Tally(Base):
    """How many submissions of a deal came to the same: what its statistics are summed up from.

    A deal has a few hundred at most, however many its submissions are.
    """

    __tablename__ = "tallies"

    deal_id: Mapped[str] = mapped_column(ForeignKey(Deal.id), primary_key=True)
    state: Mapped[Arrival] = mapped_column(primary_key=True)
    legal: Mapped[bool] = mapped_column(primary_key=True)
    won: Mapped[bool] = mapped_column(primary_key=True)
    redeals: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    ordered: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    submissions: Mapped[int]
    fewest_moves: Mapped[int]
    """The moves, slides and redeals, of the shortest among them."""


class Play(Base):
    """That a player sent a log. Two players may have sent the same: it is one submission."""

    __tablename__ = "plays"

    player: Mapped[str] = mapped_column(String(64), primary_key=True)
    """`service.store.plays.player_digest` of the player's token, which is not kept."""
    submission_id: Mapped[str] = mapped_column(ForeignKey(Submission.id), primary_key=True)
    state: Mapped[Arrival]
    """When this player sent it first, whoever had sent it before."""
    played_at: Mapped[dt.datetime]


class Practice(Base):
    """A number that somebody asked for: with its deal, or without one if no win was found."""

    __tablename__ = "practices"

    variant: Mapped[str] = mapped_column(String(32), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    deal_id: Mapped[str | None] = mapped_column(ForeignKey(Deal.id), unique=True)
    """Its deal, which is never a daily; None where the search did not find a win."""
    budget: Mapped[int] = mapped_column(BigInteger)
    """How many positions the search might have visited; 0 while it is under way."""
    solver_version: Mapped[str] = mapped_column(String(32))
    searched_at: Mapped[dt.datetime]
