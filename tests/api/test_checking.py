"""The checker as it is downloaded: the bytes that are packed, their digest, and that they run."""

import base64
import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from checker import pyz
from service.publishing.packed import packed_checker
from tests.api.client import Client
from tests.deals import won

WIN = won("classic", redeals=1)[0]


def test_the_download_is_what_is_packed(strict: Client) -> None:
    response = strict.get("/checker.pyz", headers={"Accept-Encoding": "gzip"})
    assert response.content == pyz.build()
    headers = response.headers
    assert headers["content-type"] == "application/zip"
    assert headers["content-disposition"] == "attachment; filename=checker.pyz"
    assert "content-encoding" not in headers
    digest = base64.b64encode(hashlib.sha256(response.content).digest()).decode()
    assert headers["repr-digest"] == f"sha-256=:{digest}:"
    assert "Repr-Digest" in headers["access-control-expose-headers"]


@pytest.mark.parametrize("path", ["/checker.pyz", "/checker.pyz.sha256"])
def test_it_may_be_kept_and_is_asked_for_again(strict: Client, path: str) -> None:
    """File and digest never come from different versions: no cache gives them unasked."""
    response = strict.get(path)
    assert response.headers["cache-control"] == "public, no-cache"
    tag = response.headers["etag"]
    assert not tag.startswith("W/")
    again = strict.get(path, headers={"If-None-Match": tag})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    head = strict.head(path)
    assert (head.status_code, head.content) == (200, b"")
    assert int(head.headers["content-length"]) == len(response.content)


def test_it_is_packed_once() -> None:
    assert packed_checker() is packed_checker()


def test_its_digest_is_what_sha256sum_reads(strict: Client, tmp_path: Path) -> None:
    for name in ("checker.pyz", "checker.pyz.sha256"):
        (tmp_path / name).write_bytes(strict.get(f"/{name}").content)
    compare = ["sha256sum", "-c", "checker.pyz.sha256"]
    good = subprocess.run(compare, cwd=tmp_path, capture_output=True, text=True)
    assert (good.returncode, good.stdout) == (0, "checker.pyz: OK\n")
    with (tmp_path / "checker.pyz").open("ab") as file:
        file.write(b"\0")
    assert subprocess.run(compare, cwd=tmp_path, capture_output=True).returncode == 1


def test_it_runs_on_bare_python(strict: Client, tmp_path: Path) -> None:
    (tmp_path / "checker.pyz").write_bytes(strict.get("/checker.pyz").content)
    (tmp_path / "deal.json").write_text(json.dumps(WIN.document))
    (tmp_path / "line.txt").write_text(" ".join(WIN.line))
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "checker.pyz", "deal.json", "line.txt", "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == WIN.verdict
