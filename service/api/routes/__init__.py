"""The routes, a module for each kind of thing they are about."""

from typing import Final

from service.api.routes import (
    checking,
    dailies,
    deals,
    operations,
    pages,
    players,
    practice,
    problems,
    submissions,
    variants,
    verify,
)

# Routes are tried in this order: first what is not answered from memory, and asked for most.
ROUTERS: Final = (
    submissions.router,
    deals.router,
    dailies.router,
    practice.router,
    players.router,
    verify.router,
    variants.router,
    problems.router,
    checking.router,
    operations.router,
    pages.router,
)
