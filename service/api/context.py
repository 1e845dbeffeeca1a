"""What every route needs: the settings, the database, the clock."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from service.api.limiting import Limiter
from service.clock import Clock
from service.publishing.practice import PracticeDeals
from service.publishing.remembered import PublishedDeals
from service.settings import Settings
from service.store.database import Database


@dataclass(frozen=True, slots=True)
class Context:
    """What an application was made with."""

    settings: Settings
    database: Database
    clock: Clock
    limiter: Limiter
    practice: PracticeDeals
    published: PublishedDeals


# Not async, it would cost each request a thread.
async def _context(request: Request) -> Context:
    context: Context = request.app.state.context
    return context


Service = Annotated[Context, Depends(_context)]
