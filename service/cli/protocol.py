"""The protocol of a connection: uvicorn's, which answers what is no HTTP as all else is."""

from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from service.api.border import common_headers, decent_id
from service.api.problems import Problem, problem_response

_DETAIL: Final = "The request cannot be read as HTTP."


class Protocol(HttpToolsProtocol):
    """Uvicorn's protocol, with an answer of ours where no application is asked."""

    def send_400_response(self, msg: str) -> None:
        """Answers bytes that are no request, and closes the connection. `msg` is uvicorn's."""
        response = problem_response(Problem.MALFORMED_HTTP, _DETAIL)
        headers = response.raw_headers
        headers = [*headers, *common_headers(headers, decent_id()), (b"connection", b"close")]
        lines = [b"HTTP/1.1 400 Bad Request", *(b"%s: %s" % header for header in headers), b""]
        self.transport.write(b"\r\n".join([*lines, bytes(response.body)]))
        self.transport.close()
