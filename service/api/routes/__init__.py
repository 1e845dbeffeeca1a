"""The routes, a module for each kind of thing they are about."""

from typing import Final

from service.api.routes import (
    dailies,
    deals,
    operations,
    pages,
    problems,
    submissions,
    variants,
    verify,
)

ROUTERS: Final = (
    dailies.router,
    deals.router,
    submissions.router,
    verify.router,
    variants.router,
    problems.router,
    operations.router,
    pages.router,
)
