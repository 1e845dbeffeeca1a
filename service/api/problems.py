"""Every way in which a request can fail, and the one builder of their documents (RFC 9457).

`Problem` is the whole list: what the service can answer besides success, what the OpenAPI document
names, and what ``/problems/{code}`` explains. A problem never repeats what the client has sent.
"""

import json
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.responses import Response

MEDIA_TYPE: Final = "application/problem+json"
RETRY_SECONDS: Final = 30
"""What ``Retry-After`` says with a 503: about as long as a restart or a search for a deal takes."""


class Problem(Enum):
    """A kind of failure: its code, HTTP status, title, and what it means to a client."""

    MALFORMED_HTTP = (
        "malformed-http",
        400,
        "The request is not HTTP",
        "What came over the connection could not be read as a request of HTTP/1.1: a method that "
        "there is not, bytes in an address that do not belong there, a length that is none.",
    )
    MALFORMED_JSON = (
        "malformed-json",
        400,
        "The body is not JSON",
        "A body is one JSON value in UTF-8 without a byte order mark, with no key twice in an "
        "object, no NaN or Infinity, no lone surrogate and no NUL, at most 16 levels deep and with "
        "numbers of an ordinary size.",
    )
    SOLUTION_SEALED = (
        "solution-sealed",
        403,
        "The solution is sealed",
        "A winning line is kept until its daily has closed everywhere on earth; available_at says "
        "when that is.",
    )
    NOT_FOUND = (
        "not-found",
        404,
        "There is nothing at this address",
        "The path is none of this service's; the OpenAPI document lists them.",
    )
    DAILY_NOT_FOUND = (
        "daily-not-found",
        404,
        "There is no such daily",
        "The date has no daily in this variant that may be seen. Where the date has not begun "
        "anywhere on earth, available_at says when it does.",
    )
    DEAL_NOT_FOUND = (
        "deal-not-found",
        404,
        "There is no such deal",
        "No published deal has this id.",
    )
    PRACTICE_NOT_WON = (
        "practice-not-won",
        404,
        "No win of this numbered deal was found",
        "A deal is there to practise only if a short search has won it. For this number none did; "
        "next leads to the next number for which one has, if there is one nearby.",
    )
    SUBMISSION_NOT_FOUND = (
        "submission-not-found",
        404,
        "There is no such submission",
        "No log that was submitted has this id.",
    )
    METHOD_NOT_ALLOWED = (
        "method-not-allowed",
        405,
        "The method is not allowed here",
        "The path exists, the method does not; the Allow header lists those that do.",
    )
    REDEAL_NOT_DUE = (
        "redeal-not-due",
        409,
        "No redeal is due after this log",
        "The log is not legal, or a redeal after it would not be; fault says where and why, with "
        "the codes of a verdict. Its index is the number of moves where all of them are legal.",
    )
    DAILY_WITHDRAWN = (
        "daily-withdrawn",
        410,
        "The daily was withdrawn",
        "The operator took this daily back, for good; reason says why, withdrawn_at when. Verdicts "
        "on logs that were submitted before can still be fetched.",
    )
    BODY_TOO_LARGE = (
        "body-too-large",
        413,
        "The body is too large",
        "A body has at most 65,536 bytes.",
    )
    UNSUPPORTED_MEDIA_TYPE = (
        "unsupported-media-type",
        415,
        "The body is of another type than JSON",
        "A body is sent with Content-Type: application/json, in UTF-8, and not compressed.",
    )
    INVALID_REQUEST = (
        "invalid-request",
        422,
        "The request does not fit its description",
        "A parameter or a part of the body is missing, unknown, there twice, or has another form "
        "than the OpenAPI document gives; errors says which and what is wanted.",
    )
    DEAL_REFUSED = (
        "deal-refused",
        422,
        "The checker refuses this deal document",
        "The document is not a deal of the format gaps-deal/1; faults has every reason, each with "
        "its place as a JSON Pointer.",
    )
    TOO_MANY_REQUESTS = (
        "too-many-requests",
        429,
        "There were too many requests",
        "This address has sent more than the service takes from one; the same request can be sent "
        "again after Retry-After seconds.",
    )
    INTERNAL_ERROR = (
        "internal-error",
        500,
        "The service failed",
        "A fault of the service's own. It is logged under the request's id, which the header "
        "X-Request-ID gives.",
    )
    DATABASE_UNAVAILABLE = (
        "database-unavailable",
        503,
        "The database does not answer",
        "Nothing was stored. The same request can be sent again after Retry-After seconds.",
    )
    BUSY = (
        "busy",
        503,
        "Too many searches are under way",
        "A numbered deal that is asked for first is searched for a win, and too many were just "
        "asked for. The same request can be sent again after Retry-After seconds.",
    )
    SHUTTING_DOWN = (
        "shutting-down",
        503,
        "The service is shutting down",
        "The process that had the request was ended before it was done. The same request can be "
        "sent again after Retry-After seconds; a log that is stored by then is answered with 200.",
    )
    NOT_READY = (
        "not-ready",
        503,
        "The service is not ready",
        "The operator's check found something missing; reasons lists what.",
    )

    def __init__(self, code: str, status: int, title: str, meaning: str) -> None:
        self.code = code
        self.status = status
        self.title = title
        self.meaning = meaning

    @property
    def type(self) -> str:
        """The problem's type: a reference, relative to the service, to what explains it."""
        return f"/problems/{self.code}"


BY_CODE: Final[Mapping[str, Problem]] = {problem.code: problem for problem in Problem}


class ProblemError(HTTPException):
    """Ends a request with a problem.

    `detail` is a sentence about this one occurrence; `members` are further members of the
    document, for which `Problem` tells the names.
    """

    def __init__(
        self,
        problem: Problem,
        detail: str,
        *,
        headers: Mapping[str, str] | None = None,
        **members: Any,
    ) -> None:
        super().__init__(problem.status, detail, headers)
        self.problem = problem
        self.members = members


def problem_document(problem: Problem, detail: str, **members: Any) -> dict[str, Any]:
    """The document of one occurrence of a problem. Members that are None are left out."""
    return {
        "type": problem.type,
        "title": problem.title,
        "status": problem.status,
        "detail": detail,
        "code": problem.code,
        **{name: value for name, value in members.items() if value is not None},
    }


def problem_response(
    problem: Problem,
    detail: str,
    *,
    headers: Mapping[str, str] | None = None,
    **members: Any,
) -> Response:
    """The answer that carries a problem: never cached, and on 503 with a time to try again."""
    sent = {"Cache-Control": "no-store"}
    if problem.status == 503:
        sent["Retry-After"] = str(RETRY_SECONDS)
    return Response(
        json.dumps(problem_document(problem, detail, **members)),
        problem.status,
        {**sent, **(headers or {})},
        MEDIA_TYPE,
    )
