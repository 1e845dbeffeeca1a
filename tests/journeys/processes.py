"""Real ``gaps`` processes: started, waited for, asked over HTTP, ended."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

GAPS = Path(sys.executable).with_name("gaps")
PATIENCE_SECONDS = 120.0


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


class Service:
    """A ``gaps`` process under test, its output in a file."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path, port: int) -> None:
        self.process = process
        self.url = f"http://127.0.0.1:{port}"
        self._log = log

    @property
    def log(self) -> str:
        """All it has printed so far, to either output."""
        return self._log.read_text("utf-8")

    def wait_until_serving(self) -> None:
        """Returns once it answers; fails the test if it ends, or takes far too long."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            assert self.process.poll() is None, self.log
            try:
                if httpx.get(self.url + "/healthz", timeout=1).status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.1)
        raise AssertionError(f"it does not answer:\n{self.log}")

    def wait_for(self, text: str) -> None:
        """Returns once it has printed a text."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while text not in self.log:
            assert time.monotonic() < deadline, self.log
            assert self.process.poll() is None, self.log
            time.sleep(0.05)

    def end(self, number: int = signal.SIGTERM) -> int:
        """Sends it a signal and answers its exit status; fails the test if it does not end."""
        self.process.send_signal(number)
        try:
            return self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            # It shows what each of its threads is at.
            self.process.send_signal(signal.SIGABRT)
            self.process.wait(timeout=30)
            raise AssertionError(f"it does not end:\n{self.log}") from None


@contextmanager
def running(
    folder: Path, database_url: str, *arguments: str, port: int | None = None, **settings: Any
) -> Iterator[Service]:
    """``gaps`` with arguments, in a folder; killed at the end if it still runs."""
    port = port or free_port()
    log = folder / f"{arguments[0]}-{time.monotonic_ns()}.log"
    environment = {name: value for name, value in os.environ.items() if name[:5] != "GAPS_"} | {
        "GAPS_DATABASE_URL": database_url,
        "GAPS_PORT": str(port),
        "GAPS_DAILY_MAX_REDEALS": "2",
        # With the default most of a test's time would go into shorter lines.
        "GAPS_BUDGET": "300000",
        "PYTHONFAULTHANDLER": "1",
        **{f"GAPS_{name.upper()}": str(value) for name, value in settings.items()},
    }
    with log.open("wb") as output:
        process = subprocess.Popen(
            [GAPS, *arguments], cwd=folder, env=environment, stdout=output, stderr=output
        )
    try:
        yield Service(process, log, port)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
