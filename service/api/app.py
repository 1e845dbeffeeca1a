"""The application: what uvicorn serves."""

from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from functools import cached_property

from fastapi import FastAPI
from starlette.middleware.errors import ServerErrorMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from service import __version__
from service.api import handlers, openapi
from service.api.border import Border
from service.api.context import Context
from service.api.kept import Kept
from service.api.limiting import Limiter, Limiting
from service.api.routes import ROUTERS
from service.api.watching import Watching
from service.clock import Clock, system_clock
from service.publishing.practice import PracticeDeals, search_processes
from service.publishing.remembered import PublishedDeals
from service.settings import Settings, load_settings
from service.store.database import Database


class _Application(FastAPI):
    """FastAPI with layers of ours around all of its own: what is kept does not come to those."""

    def build_middleware_stack(self) -> ASGIApp:
        """FastAPI's layers but the outermost, which answers an error in a shape of its own."""
        stack = super().build_middleware_stack()
        return stack.app if isinstance(stack, ServerErrorMiddleware) else stack

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection, as ASGI wants it."""
        await self._layers(scope, receive, send)

    @cached_property
    def _layers(self) -> ASGIApp:
        """The layers, innermost first."""
        context: Context = self.state.context
        kept = Kept(super().__call__, context.clock, context.settings.cache_seconds)
        return Watching(
            Border(Limiting(kept, context.limiter)),
            [route for router in ROUTERS for route in router.routes],
        )


def create_app(
    settings: Settings,
    database: Database,
    clock: Clock = system_clock,
    searching: Callable[[Settings], Executor] = search_processes,
) -> FastAPI:
    """The API on a database, by a clock. It disposes of the database when it shuts down.

    `searching` makes what runs the searches for numbered deals; it is called with the first one.
    """
    practice = PracticeDeals(settings, database, clock, searching)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        practice.close()
        database.dispose()

    app = _Application(
        title="Gaps",
        version=__version__,
        description=openapi.DESCRIPTION,
        openapi_tags=openapi.TAGS,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    limiter = Limiter(settings)
    published = PublishedDeals(database, settings.cache_seconds)
    app.state.context = Context(settings, database, clock, limiter, practice, published)
    handlers.install(app)
    for router in ROUTERS:
        app.include_router(router)
    app.openapi = openapi.document_of(app)  # type: ignore[method-assign]
    return app


def factory() -> FastAPI:
    """The application as the environment has it, for ``uvicorn --factory``.

    Raises `service.settings.SettingsError` where a setting cannot be used.
    """
    settings = load_settings()
    return create_app(settings, Database.open(settings.database_url))
