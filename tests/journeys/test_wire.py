"""What comes over a connection before there is a request: bytes of any kind."""

import json
import socket
from pathlib import Path

from service.api.problems import MEDIA_TYPE
from tests.journeys.processes import running

CLOSE = b"Host: gaps\r\nConnection: close\r\n\r\n"
POST = b"POST /v1/verify HTTP/1.1\r\nContent-Type: application/json\r\n"
NO_HTTP = [
    b"SENTINEL\r\n\r\n",
    b"SENTINEL /v1/daily HTTP/1.1\r\n" + CLOSE,
    b"GET /v1/deals/SENTINEL\xff\xfe HTTP/1.1\r\n" + CLOSE,
    b"GET /v1/daily?tz=SENTINEL\xff HTTP/1.1\r\n" + CLOSE,
    b"GET /v1/" + b"SENTINEL" * 9_000 + b" HTTP/1.1\r\n" + CLOSE,
    POST + b"Content-Length: -5\r\n" + CLOSE + b"{}",
    POST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n" + CLOSE + b"0\r\n\r\n",
    b"\x16\x03\x01\x02\x00SENTINEL",
]
UPGRADE = (
    b"GET /v1/variants?SENTINEL HTTP/1.1\r\nHost: gaps\r\nConnection: Upgrade\r\n"
    b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


def test_bytes_of_any_kind_are_answered_with_problems(tmp_path: Path, sqlite_url: str) -> None:
    with running(tmp_path, sqlite_url, "serve", "--no-scheduler") as service:
        service.wait_until_serving()
        host, port = service.url.removeprefix("http://").split(":")

        def answer(request: bytes, *, whole: bool = True) -> tuple[bytes, bytes]:
            with socket.create_connection((host, int(port)), timeout=60) as connection:
                connection.sendall(request)
                parts = iter(lambda: connection.recv(65_536), b"")
                told = b"".join(parts) if whole else next(parts)
            head, _, body = told.partition(b"\r\n\r\n")
            return head.lower(), body

        for request in NO_HTTP:
            head, body = answer(request)
            assert head.startswith(b"http/1.1 400 "), request[:60]
            assert b"content-type: " + MEDIA_TYPE.encode() in head
            assert b"x-request-id: " in head
            assert b"access-control-allow-origin: *" in head
            assert json.loads(body)["code"] == "malformed-http"
            assert b"SENTINEL" not in body
        head, body = answer(UPGRADE, whole=False)
        assert head.startswith(b"http/1.1 422 "), "an upgrade to what there is not is left out"
        assert service.end() == 0
        assert "SENTINEL" not in service.log
        assert "Traceback" not in service.log
