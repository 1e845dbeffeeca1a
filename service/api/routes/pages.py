"""What a browser is shown, and the OpenAPI document."""

import json

from fastapi import APIRouter, FastAPI, Request, Response

from service.api.answers import JSON, answer, fresh
from service.api.page import POLICY, WELCOME, reference

router = APIRouter(include_in_schema=False)

_HTML = "text/html; charset=utf-8"


@router.get("/")
async def welcome(request: Request) -> Response:
    """A welcome with links."""
    return answer(request, WELCOME.encode(), _HTML, fresh(), {"Content-Security-Policy": POLICY})


@router.get("/docs")
async def docs(request: Request) -> Response:
    """The OpenAPI document to read."""
    page = reference(_app(request).openapi())
    return answer(request, page.encode(), _HTML, fresh(), {"Content-Security-Policy": POLICY})


@router.get("/openapi.json")
async def openapi(request: Request) -> Response:
    """The OpenAPI document for programs."""
    return answer(request, json.dumps(_app(request).openapi()).encode(), JSON, fresh())


def _app(request: Request) -> FastAPI:
    app: FastAPI = request.app
    return app
