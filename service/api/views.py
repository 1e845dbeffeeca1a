"""What publishing lets through, as the models that are answered."""

import datetime as dt
import re
from collections.abc import Mapping
from typing import Any, Final, cast

from fastapi import Request

from service.api import links, schemas
from service.game.cards import CardError, parse_card
from service.game.document import FORMAT
from service.publishing.calendar import closes_at, visible_from
from service.publishing.gate import ArchiveEntry, VisibleDeal, VisibleSolution
from service.publishing.record import Record
from service.publishing.statistics import Statistics, Wins
from service.publishing.verdicts import Fault, RedealDue
from service.store.tables import Submission

_KEYS: Final = schemas.DealDocument.__annotations__.keys() | (
    schemas.RedealEntry.__annotations__.keys()
)
_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"')


def document(shown: Mapping[str, Any]) -> schemas.DealDocument:
    """A deal document of our own: it is what the model says, which pydantic checks again."""
    return cast("schemas.DealDocument", dict(shown))


def summary(request: Request, entry: ArchiveEntry) -> schemas.DailySummary:
    """A daily of the archive."""
    dated = _dated(request, entry, entry.date)
    if entry.withdrawn:
        dated["state"] = schemas.State.WITHDRAWN
    return schemas.DailySummary(**dated)


def daily(request: Request, deal: VisibleDeal, date: dt.date) -> schemas.Daily:
    """A daily with its deal."""
    return schemas.Daily(
        **_dated(request, deal, date),
        winnable_without_redeal=deal.winnable_without_redeal,
        deal=document(deal.document),
    )


def _dated(request: Request, shown: ArchiveEntry | VisibleDeal, date: dt.date) -> dict[str, Any]:
    return {
        "date": date,
        "variant": shown.variant,
        "state": schemas.State(shown.state.value),
        "id": shown.id,
        "visible_from": visible_from(date),
        "closes_at": closes_at(date),
        "links": links.of_daily(request, shown.id, date, shown.variant),
    }


def practice(request: Request, deal: VisibleDeal, number: int) -> schemas.Practice:
    """A numbered deal."""
    return schemas.Practice(
        variant=deal.variant,
        number=number,
        id=deal.id,
        links=links.of_practice(request, deal.id, deal.variant, number),
        winnable_without_redeal=deal.winnable_without_redeal,
        deal=document(deal.document),
    )


def solution(shown: VisibleSolution) -> schemas.Solution:
    """A winning line."""
    return schemas.Solution(
        id=shown.id,
        variant=shown.variant,
        date=shown.date,
        moves=list(shown.line),
        verdict=schemas.Verdict(**shown.verdict),
    )


def redeal(due: RedealDue) -> schemas.DueRedeal:
    """The redeal that is due."""
    entry = None if due.entry is None else cast("schemas.RedealEntry", dict(due.entry))
    return schemas.DueRedeal(number=due.number, entry=entry, layout=due.layout)


def submission(stored: Submission) -> schemas.Submission:
    """A stored verdict."""
    return schemas.Submission(
        id=stored.id,
        deal=stored.deal_id,
        state=stored.state.value,
        received_at=stored.received_at,
        verdict=schemas.Verdict(**stored.verdict),
    )


def statistics(deal_id: str, found: Statistics) -> schemas.Statistics:
    """What the submissions of a deal have come to."""
    return schemas.Statistics(
        id=deal_id,
        submissions=found.submissions,
        legal=found.legal,
        won=found.won,
        wins=[_wins(wins) for wins in found.by_redeals],
        best=None if found.best is None else _wins(found.best),
        ordered=[schemas.Ordered(ordered=n, submissions=count) for n, count in found.ordered],
    )


def _wins(wins: Wins) -> schemas.Wins:
    return schemas.Wins(redeals=wins.redeals, wins=wins.wins, fewest_moves=wins.fewest_moves)


def record(found: Record) -> schemas.Record:
    """A player's record."""
    return schemas.Record(
        variant=found.variant,
        played=found.played,
        won=found.won,
        wins=[schemas.WonDailies(redeals=n, dailies=count) for n, count in found.by_redeals],
        best_ordered=found.ordered,
        current_streak=found.current_streak,
        longest_streak=found.longest_streak,
    )


def log_fault(fault: Fault) -> dict[str, Any]:
    """Why a log has not come to a redeal, without what the client has sent."""
    message = fault.message
    if fault.code == "malformed-token":
        message = "This is no token: write a slide such as c12b5, redeal or undo."
    return {"index": fault.index, "code": fault.code, "message": message}


def document_fault(fault: Mapping[str, str]) -> dict[str, str]:
    """Why a document is refused, without what the client has sent.

    The checker quotes: on a doubter's terminal that helps, from a server it does not belong.
    """
    message = _QUOTED.sub(_unquoted, fault["message"])
    steps = fault["where"].split("/")[1:]
    known = [step for step in steps if step in _KEYS or (step.isascii() and step.isdigit())]
    where = "".join(f"/{step}" for step in (steps if known == steps else steps[:-1]))
    return {"where": where, "message": message[:1].upper() + message[1:]}


def _unquoted(quoted: re.Match[str]) -> str:
    """A word of the format stays as it is; anything else is what a client has made up."""
    word = quoted.group()[1:-1]
    try:
        parse_card(word, primed=True)
    except CardError:
        return quoted.group() if word == FORMAT else "what was sent"
    return quoted.group()
