"""An application served over a real port, by a thread."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI

from tests.journeys.processes import free_port


@contextmanager
def served(app: FastAPI) -> Iterator[str]:
    """The URL of an application, which serves until the end."""
    port = free_port()
    server = uvicorn.Server(
        uvicorn.Config(app, port=port, log_config=None, access_log=False, proxy_headers=False)
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()
