"""The routes, a module for each kind of thing they are about."""

from typing import Final

from service.api.routes import (
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

ROUTERS: Final = (
    dailies.router,
    deals.router,
    practice.router,
    submissions.router,
    players.router,
    verify.router,
    variants.router,
    problems.router,
    operations.router,
    pages.router,
)
