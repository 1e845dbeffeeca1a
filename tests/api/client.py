"""A client that talks to an application without a network, one request after another."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from fastapi import FastAPI

from service.api.problems import MEDIA_TYPE, Problem


class Client:
    """httpx on an application, from code that is not asynchronous."""

    def __init__(self, runner: asyncio.Runner, client: httpx.AsyncClient) -> None:
        self._runner = runner
        self._client = client

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        if isinstance(options.get("content"), Iterator):
            options["content"] = _chunks(options["content"])
        return self._runner.run(self._client.request(method, path, **options))

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.request("GET", path, **options)

    def head(self, path: str, **options: Any) -> httpx.Response:
        return self.request("HEAD", path, **options)

    def post(self, path: str, **options: Any) -> httpx.Response:
        return self.request("POST", path, **options)


async def _chunks(chunks: Iterator[bytes]) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


@contextmanager
def client_of(app: FastAPI, root_path: str = "") -> Iterator[Client]:
    """A client of an application. What the application raises, it does not see."""
    transport = httpx.ASGITransport(app, raise_app_exceptions=False, root_path=root_path)
    with asyncio.Runner() as runner:
        client = httpx.AsyncClient(transport=transport, base_url="http://gaps.test")
        try:
            yield Client(runner, client)
        finally:
            runner.run(client.aclose())


def problem(response: httpx.Response, expected: Problem) -> dict[str, Any]:
    """The problem that a response is, of the one shape that all of them have."""
    assert response.status_code == expected.status, response.text
    assert response.headers["content-type"] == MEDIA_TYPE
    assert response.headers["cache-control"] == "no-store"
    document: dict[str, Any] = response.json()
    assert list(document)[:5] == ["type", "title", "status", "detail", "code"]
    assert document["type"] == f"/problems/{expected.code}"
    assert (document["status"], document["code"]) == (expected.status, expected.code)
    return document
