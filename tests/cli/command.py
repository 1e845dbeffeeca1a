"""Runs ``gaps`` in this process, as a shell would: arguments in, status and both outputs back."""

import json
import sys
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import pytest

from service.cli.main import main


class Ended(NamedTuple):
    """How a command ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, which is JSON."""
        return json.loads(self.out)


Gaps: TypeAlias = Callable[..., Ended]


def runner(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Gaps:
    """A function that runs ``gaps`` with arguments."""

    def run(*arguments: object) -> Ended:
        monkeypatch.setattr(sys, "argv", ["gaps", *(str(argument) for argument in arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capsys.readouterr()
        status = ended.value.code
        return Ended(int(status) if status is not None else 0, captured.out, captured.err)

    return run
