"""The checker to download, and its digest: for those who verify a deal without this service."""

import base64

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from service.api.answers import REVALIDATED, TEXT, answer
from service.api.openapi import answers, cached
from service.api.route import StrictRoute
from service.publishing.packed import NAME, packed_checker

router = APIRouter(tags=["reference"], route_class=StrictRoute)

ZIP = "application/zip"


@router.get(
    "/checker.pyz",
    operation_id="getChecker",
    summary="The checker, in one file",
    response_class=Response,
    responses=cached(
        {
            200: {
                "content": {
                    ZIP: {
                        "schema": {"type": "string", "format": "binary"},
                        "examples": {"whole": {"externalValue": "/checker.pyz"}},
                    }
                },
                "headers": {
                    "Repr-Digest": {
                        "description": "The file's SHA-256 (RFC 9530).",
                        "schema": {"type": "string"},
                    }
                },
            },
            **answers(stored=False),
        }
    ),
)
def get_checker(request: Request) -> Response:
    """An archive that Python 3.11 or later runs: `python3 checker.pyz bundle.json`.

    It is the checker with which this service replays, the same to the byte as what `make checker`
    packs from the same source.
    """
    packed = packed_checker()
    digest = base64.b64encode(packed.sha256).decode()
    headers = {
        "Content-Disposition": f"attachment; filename={NAME}",
        "Repr-Digest": f"sha-256=:{digest}:",
    }
    # Not packed: what is digested, sent and kept is the same sequence of bytes.
    return answer(request, packed.archive, ZIP, REVALIDATED, headers, pack=False)


@router.get(
    "/checker.pyz.sha256",
    operation_id="getCheckerDigest",
    summary="The SHA-256 of the checker",
    response_class=PlainTextResponse,
    responses=cached(answers(stored=False)),
)
def get_checker_digest(request: Request) -> Response:
    """A line that `sha256sum -c` reads, in the folder where `checker.pyz` is."""
    return answer(request, packed_checker().sums.encode(), TEXT, REVALIDATED)
