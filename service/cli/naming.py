"""The ways to name a deal on the command line: variant and number, a file, an id, a date."""

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from service.cli.context import current_database
from service.cli.failures import CommandError, Status
from service.game.cards import KING
from service.game.deal import Deal, numbered_deal
from service.game.parsing import DocumentError, parse_document
from service.game.variants import VARIANTS, VariantError
from service.publishing.calendar import parse_date
from service.store import dailies, deals

DealArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="DEAL",
        help="A deal's id, the date of a daily (YYYY-MM-DD), a file with a document, or - for "
        "standard input.",
        show_default=False,
    ),
]
VariantOption = Annotated[
    str | None, typer.Option("--variant", metavar="NAME", help="A variant.", show_default=False)
]
NumberOption = Annotated[
    int | None,
    typer.Option("--number", metavar="N", help="A numbered deal's number.", show_default=False),
]
RanksOption = Annotated[
    int, typer.Option("--ranks", metavar="N", help="With --number: play a miniature.")
]

_ID = re.compile(r"[0-9a-f]{20}")
_DATE_LIKE = re.compile(r"[0-9]+-[0-9]+-[0-9]+")


def checked_variant(name: str) -> str:
    """The name of a variant; raises `CommandError` for one that does not exist."""
    if name not in VARIANTS:
        raise CommandError(f"There is no variant {name!r}; there are: {', '.join(VARIANTS)}.")
    return name


@dataclass(frozen=True, slots=True)
class NamedDeal:
    """A deal that a command was asked for, and what to call it."""

    deal: Deal
    title: str


def named_deal(
    name: str | None, variant: str | None, number: int | None, ranks: int = KING
) -> NamedDeal:
    """The deal that a command's arguments name. Raises `CommandError` where they name none."""
    if variant is not None:
        checked_variant(variant)
    if name is None:
        if variant is None or number is None:
            raise CommandError("Name a deal: an id, a date, a file, or --variant NAME --number N.")
        return _numbered(variant, number, ranks)
    if number is not None or ranks != KING:
        raise CommandError("Name the deal once: by --variant and --number, or by an argument.")
    if _DATE_LIKE.fullmatch(name):
        return _daily(name, variant or "classic")
    if _ID.fullmatch(name):
        return _stored(name)
    if variant is not None:
        raise CommandError("--variant goes with --number or with a date.")
    return NamedDeal(_read(name), "the deal on standard input" if name == "-" else name)


def _numbered(variant: str, number: int, ranks: int) -> NamedDeal:
    try:
        deal = numbered_deal(variant, number, ranks)
    except (VariantError, ValueError) as error:
        raise CommandError(f"{str(error)[:1].upper()}{str(error)[1:]}.") from None
    miniature = "" if ranks == KING else f" with {ranks} ranks"
    return NamedDeal(deal, f"{variant} number {number}{miniature}")


def _daily(text: str, variant: str) -> NamedDeal:
    try:
        date = parse_date(text)
    except ValueError as error:
        raise CommandError(f"{text} is no date of the calendar: {error}.") from None
    with current_database() as database, database.reading() as session:
        found = dailies.deal_on(session, variant, date)
    if found is None:
        raise CommandError(f"There is no {variant} daily for {date}.", Status.NO)
    return NamedDeal(parse_document(found.deal.document), f"the {variant} daily of {date}")


def _stored(deal_id: str) -> NamedDeal:
    with current_database() as database, database.reading() as session:
        found = deals.get(session, deal_id)
    if found is None:
        raise CommandError(f"There is no deal {deal_id} in the database.", Status.NO)
    return NamedDeal(parse_document(found.document), f"{found.variant} deal {deal_id}")


def _read(name: str) -> Deal:
    source = "standard input" if name == "-" else name
    try:
        text = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        value = json.loads(text.decode("utf-8"), object_pairs_hook=_unique)
    except OSError as error:
        raise CommandError(f"{name} cannot be read: {error.strerror or error}.") from None
    except (ValueError, RecursionError):
        raise CommandError(f"{source} is no JSON document of a deal.") from None
    try:
        return parse_document(value)
    except DocumentError as error:
        raise CommandError(f"{source} is no good deal document: {error}.") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return value
