"""What a client may send: parameters and bodies, each with the one form that it has."""

import re
from collections.abc import Callable
from datetime import date
from typing import Annotated, Any, Final
from zoneinfo import ZoneInfo

from fastapi import Header, Path, Query
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    FailFast,
    Field,
    StringConstraints,
    WithJsonSchema,
    WrapValidator,
)
from pydantic_core import PydanticCustomError

from service.api.cursor import parse_cursor
from service.api.problems import Problem, ProblemError
from service.api.schemas import DealDocument
from service.game.variants import VARIANTS
from service.minting.numbered import LARGEST_NUMBER
from service.publishing.calendar import FIRST_DATE, LAST_DATE, parse_date, parse_zone
from service.store.identity import DEAL_ID_LENGTH, SUBMISSION_ID_LENGTH
from service.store.tables import Arrival

MAX_MOVES: Final = 5_000
MAX_PAGE: Final = 100

NO_DEAL: Final = "No deal that may be seen has this id."
NO_SUBMISSION: Final = "No log that was submitted has this id."

_PLAYER: Final = re.compile(r"[A-Za-z0-9._~-]{16,64}")
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,8}")


def _variant(name: str) -> str:
    if name not in VARIANTS:
        raise ValueError(name)
    return name


def _cursor(text: str) -> str:
    # Not the place itself: FastAPI would take a tuple for a list of parameters.
    parse_cursor(text)
    return text


def _player(token: str) -> str:
    if not _PLAYER.fullmatch(token):
        # Not even here the token itself: it is as good as a password.
        raise ValueError("this is no player's token")
    return token


def _page_size(text: str) -> int:
    if not _NUMBER.fullmatch(text) or int(text) > MAX_PAGE:
        raise ValueError(text)
    return int(text)


def _practice_number(text: str) -> int:
    if text != "0" and not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return int(text)


def _read(parse: Callable[[str], Any], wanted: str) -> BeforeValidator:
    """Reads a parameter; where that fails the error says what is wanted, never what was sent."""

    def read(value: Any) -> Any:
        try:
            return parse(value) if isinstance(value, str) else value
        except ValueError:
            raise PydanticCustomError("parameter", "{wanted}", {"wanted": wanted}) from None

    return BeforeValidator(read)


def _known(length: int, problem: Problem, detail: str) -> AfterValidator:
    """An id of another form is that of nothing: the same answer, and no database is asked."""

    def check(name: str) -> str:
        if not re.fullmatch(f"[0-9a-f]{{{length}}}", name):
            raise ProblemError(problem, detail)
        return name

    return AfterValidator(check)


def _text(**schema: Any) -> WithJsonSchema:
    """What the OpenAPI document says of a parameter: left out, it is not there, never null."""
    return WithJsonSchema({"type": "string", **schema})


_Variant = Annotated[
    str, _read(_variant, f"There is no such variant; there are {', '.join(VARIANTS)}.")
]
_Date = Annotated[
    date,
    _read(parse_date, f"A date is written like 2026-03-09, from {FIRST_DATE} to {LAST_DATE}."),
]
_Zone = Annotated[
    ZoneInfo,
    _read(parse_zone, "A time zone has a name of the IANA database, like Pacific/Auckland."),
]
_PageSize = Annotated[int, _read(_page_size, f"A page has from 1 to {MAX_PAGE} dailies.")]
_Cursor = Annotated[
    str, _read(_cursor, "A cursor is taken from the page before, as it stands in its next.")
]

# A year of the calendar; which days its months have is what the format says.
_YEAR: Final = "(19[0-9]{2}|[2-8][0-9]{3}|9[0-8][0-9]{2}|99[0-8][0-9]|999[0-8])"
_DATE_SCHEMA: Final = _text(format="date", pattern=f"^{_YEAR}-[0-9]{{2}}-[0-9]{{2}}$")

VariantParam = Annotated[
    _Variant | None,
    _text(enum=list(VARIANTS)),
    Query(description="Which variant. Without it, the first that this service publishes."),
]
VariantPath = Annotated[_Variant, _text(enum=list(VARIANTS)), Path(description="A variant.")]
NumberPath = Annotated[
    int,
    _read(_practice_number, f"A number is written like 7, from 0 to {LARGEST_NUMBER}."),
    WithJsonSchema({"type": "integer", "minimum": 0, "maximum": LARGEST_NUMBER}),
    Path(description="A deal's number: of each variant there are as many as there are numbers."),
]
VariantFilter = Annotated[
    _Variant | None, _text(enum=list(VARIANTS)), Query(description="Only this variant.")
]
ZoneParam = Annotated[
    _Zone,
    _text(examples=["Pacific/Auckland"]),
    Query(description="The time zone whose today is meant, by its name in the IANA database."),
]
DatePath = Annotated[_Date, _DATE_SCHEMA, Path(description="A date, like 2026-03-09.")]
FromParam = Annotated[
    _Date | None,
    _DATE_SCHEMA,
    Query(alias="from", description="No earlier dates than this."),
]
ToParam = Annotated[
    _Date | None,
    _DATE_SCHEMA,
    Query(alias="to", description="No later dates than this."),
]
LimitParam = Annotated[
    _PageSize,
    WithJsonSchema({"type": "integer", "minimum": 1, "maximum": MAX_PAGE}),
    Query(description="How many dailies a page has at most."),
]
CursorParam = Annotated[
    _Cursor | None,
    _text(),
    Query(alias="cursor", description="Where the page begins, from the page before."),
]
DealId = Annotated[
    str,
    _known(DEAL_ID_LENGTH, Problem.DEAL_NOT_FOUND, NO_DEAL),
    _text(pattern=f"^[0-9a-f]{{{DEAL_ID_LENGTH}}}$"),
    Path(alias="id", description=f"A deal's id: {DEAL_ID_LENGTH} hex digits."),
]
SubmissionId = Annotated[
    str,
    _known(SUBMISSION_ID_LENGTH, Problem.SUBMISSION_NOT_FOUND, NO_SUBMISSION),
    _text(pattern=f"^[0-9a-f]{{{SUBMISSION_ID_LENGTH}}}$"),
    Path(alias="id", description=f"A submission's id: {SUBMISSION_ID_LENGTH} hex digits."),
]

_Player = Annotated[
    str,
    _read(_player, "A player's token has 16 to 64 characters, letters, digits and any of . _ ~ -"),
]
_PLAYER_SCHEMA: Final = _text(pattern="^[A-Za-z0-9._~-]{16,64}$")
PlayerHeader = Annotated[
    _Player,
    _PLAYER_SCHEMA,
    Header(
        alias="Gaps-Player",
        description="The token that the player's client has made up. Who has it sees the record.",
    ),
]
OptionalPlayerHeader = Annotated[
    _Player | None,
    _PLAYER_SCHEMA,
    Header(
        alias="Gaps-Player",
        description="A token that the client makes up for its player, and keeps: 16 to 64 letters, "
        "digits and . _ ~ -, hard to guess. Only a hash of it is stored. The log goes on the "
        "player's record, see /v1/record.",
    ),
]
ArrivalFilter = Annotated[
    Arrival | None,
    _text(enum=[arrival.value for arrival in Arrival]),
    Query(
        alias="state",
        description="Only submissions that came in while the daily was live, or only those after.",
    ),
]

Token = Annotated[str, StringConstraints(pattern="^[A-Za-z0-9]{1,8}$")]
Moves = Annotated[
    list[Token],
    FailFast(),
    Field(
        max_length=MAX_MOVES,
        description="A move log: slides like c12b5, redeal, undo.",
        examples=[["c12b5", "a4d13", "redeal"]],
    ),
]


class Log(BaseModel):
    """A move log."""

    model_config = ConfigDict(strict=True, extra="forbid")

    moves: Moves


class Claim(BaseModel):
    """A deal document and a move log to be judged on it."""

    model_config = ConfigDict(strict=True, extra="forbid")

    # The checker reads the document, so that all of its faults are named, and once.
    deal: Annotated[DealDocument, WrapValidator(lambda value, _: value)]
    moves: Moves
