import errno
import os
from pathlib import Path
from typing import Any

import pytest

from service.store.newfile import FileThereError, new_file


def test_a_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "whole"
    with new_file(path) as written:
        written.write_text("all of it")
        assert not path.exists()
    assert path.read_text() == "all of it"
    assert path.stat().st_mode & 0o077 == 0, "it holds secrets"
    assert list(tmp_path.iterdir()) == [path]


def test_what_fails_leaves_nothing(tmp_path: Path) -> None:
    def fail() -> None:
        with new_file(tmp_path / "half") as written:
            written.write_text("half of")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert list(tmp_path.iterdir()) == []


def no_links(*_: Any, **__: Any) -> None:
    raise OSError(errno.EPERM, "no links here")


@pytest.mark.parametrize("links", [True, False])
def test_another_s_file_is_never_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    if not links:
        monkeypatch.setattr(os, "link", no_links)
    path = tmp_path / "theirs"

    def come_too_late() -> None:
        with new_file(path) as written:
            written.write_text("ours")
            path.write_text("theirs")

    with pytest.raises(FileThereError):
        come_too_late()
    with pytest.raises(FileThereError, match="name a new file"), new_file(path):
        raise AssertionError("it is told before anything is done")
    assert path.read_text() == "theirs"
    assert list(tmp_path.iterdir()) == [path]


def test_where_there_are_no_links_a_file_is_renamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "link", no_links)
    with new_file(tmp_path / "whole") as written:
        written.write_text("all of it")
    assert (tmp_path / "whole").read_text() == "all of it"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_link_that_leads_nowhere_is_there(tmp_path: Path) -> None:
    path = tmp_path / "link"
    path.symlink_to(tmp_path / "nowhere")
    with pytest.raises(FileThereError), new_file(path):
        raise AssertionError
