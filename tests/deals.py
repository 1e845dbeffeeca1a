"""Deals with winning lines, at once: solved before and kept in ``tests/data/won.json``."""

import datetime as dt
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import checker
from service.game.deal import numbered_deal
from service.game.document import document
from service.publishing.publish import publish
from service.settings import Redeals
from service.store import deals, refusals
from service.store.database import Database
from service.store.tables import Deal
from tests.clock import NOON

DATA = Path(__file__).parent / "data" / "won.json"


@dataclass(frozen=True)
class WonDeal:
    """A numbered deal, its whole document, a line that wins it, and the checker's verdict."""

    variant: str
    number: int
    document: dict[str, Any]
    line: list[str]
    verdict: dict[str, Any]

    @property
    def redeals(self) -> int:
        """The line's redeals."""
        return self.line.count("redeal")


@cache
def won_deals() -> tuple[WonDeal, ...]:
    """All of them, every variant that has some, by redeals within a variant."""
    found = []
    for row in json.loads(DATA.read_text()):
        made = document(numbered_deal(row["variant"], row["number"]))
        line = row["line"].split()
        verdict = checker.verify(made, line)
        assert verdict.legal
        assert verdict.won
        found.append(WonDeal(row["variant"], row["number"], made, line, verdict.as_json()))
    return tuple(found)


def won(variant: str = "classic", redeals: int | None = None) -> list[WonDeal]:
    """Those of a variant, and of so many redeals in the line if a number is given."""
    return [
        deal for deal in won_deals() if deal.variant == variant and redeals in (None, deal.redeals)
    ]


def minted(deal: WonDeal, minted_at: dt.datetime = NOON) -> deals.MintedDeal:
    """A deal as minting hands it to the store."""
    return deals.MintedDeal(
        document=deal.document,
        line=deal.line,
        verdict=deal.verdict,
        positions=1_000,
        budget=1_000_000,
        solver_version="test",
        seconds=0.25,
        minted_at=minted_at,
    )


def put_in_stock(database: Database, *wins: WonDeal) -> list[Deal]:
    """Stores deals, each a minute younger than the one before."""
    stored = []
    with database.writing() as session:
        for minute, deal in enumerate(wins):
            row = deals.add(session, minted(deal, NOON + dt.timedelta(minutes=minute)))
            assert row is not None
            stored.append(row)
    return stored


def publish_deal(
    database: Database,
    deal: WonDeal,
    date: dt.date,
    clock: Callable[[], dt.datetime],
    redeals: Redeals = Redeals.SEALED,
) -> str:
    """Stores a deal and publishes it for a date; answers its id. The stock must be empty."""
    put_in_stock(database, deal)
    (done,) = publish(
        database,
        deal.variant,
        [date],
        clock=clock,
        redeals=redeals,
        max_redeals=deal.redeals,
        mint=lambda variant: False,
    )
    assert done.deal_id is not None
    return done.deal_id


def refuse(database: Database, deal: WonDeal) -> None:
    """Stores a deal as one whose line the checker has refused."""
    with database.writing() as session:
        refusals.add(
            session,
            document=deal.document,
            line=deal.line,
            reason=deal.verdict,
            solver_version="7",
            refused_at=NOON,
        )
