"""A load from one process: HTTP/1.1 over many connections, as fast as they answer or at a pace.

Plain sockets, so that asking costs much less than answering: what is measured is the server.
"""

import selectors
import socket
import time
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field

_END = b"\r\n\r\n"


@dataclass(slots=True)
class Result:
    """What came of a load: answers by status, seconds it took, and how long each answer took."""

    seconds: float
    statuses: Counter[int] = field(default_factory=Counter)
    latencies: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Answers a second."""
        return len(self.latencies) / self.seconds

    def milliseconds(self, share: float) -> float:
        """How long the fastest so many (0 to 1) took at most, in ms."""
        ordered = sorted(self.latencies)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000


class _Connection:
    """One connection: one request at a time."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.asked_at = 0.0
        self._read = b""

    def ask(self, request: bytes, at: float) -> None:
        """Sends a request that was due at an instant."""
        self.asked_at = at
        self._read = b""
        self.socket.sendall(request)

    def answer(self) -> int | None:
        """Reads what is there; the status once the answer is whole."""
        self._read += self.socket.recv(65536)
        head, end, body = self._read.partition(_END)
        if not end:
            return None
        at = head.lower().find(b"content-length:")
        length = int(head[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
        return int(head[9:12]) if len(body) >= length else None


def load(
    port: int,
    requests: Iterator[bytes],
    *,
    seconds: float,
    connections: int = 16,
    rate: float | None = None,
) -> Result:
    """Asks for so many seconds, or until the requests are used up.

    Without a `rate` each connection asks again as soon as it is answered. With one, requests are
    due at even distances, and what they take counts from when they were due, whether a connection
    was free then or not.
    """
    # epoll counts in whole milliseconds, which is too coarse for thousands of requests a second.
    selector = selectors.SelectSelector()
    # In turns, so that none is idle for so long that the server closes it.
    free = deque(_Connection(port) for _ in range(connections))
    for connection in free:
        selector.register(connection.socket, selectors.EVENT_READ, connection)
    started = time.perf_counter()
    result, sent, busy, over = Result(seconds), 0, 0, False
    while not over or busy:
        now = time.perf_counter()
        over = over or now - started >= seconds
        while free and not over:
            due = now if rate is None else started + sent / rate
            if due > now:
                break
            request = next(requests, None)
            if request is None:
                over = True
                break
            free.popleft().ask(request, due)
            sent, busy = sent + 1, busy + 1
        patience = 0.5
        # While all connections are busy only an answer can bring anything on.
        if rate is not None and free:
            patience = min(patience, max(0.0, started + sent / rate - time.perf_counter()))
        for key, _ in selector.select(patience):
            connection = key.data
            status = connection.answer()
            if status is not None:
                result.statuses[status] += 1
                result.latencies.append(time.perf_counter() - connection.asked_at)
                busy -= 1
                free.append(connection)
    result.seconds = time.perf_counter() - started
    for connection in free:
        connection.socket.close()
    selector.close()
    return result
