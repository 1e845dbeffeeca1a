"""The survivors that are explained: ``survivors.toml``."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

FILE = Path(__file__).with_name("survivors.toml")


def explained(text: str) -> dict[tuple[str, str], str]:
    """Why each mutant, by its file and name, is not killed by any test.

    Raises `ValueError` where one is explained twice, or an explanation says nothing.
    """
    found: dict[tuple[str, str], str] = {}
    for path, name, why in _entries(text):
        if len(why.split()) < 4:
            raise ValueError(f"this explains nothing: {why!r}")
        if (path, name) in found:
            raise ValueError(f"explained twice: {path} {name}")
        found[path, name] = why
    return found


def _entries(text: str) -> Iterator[tuple[str, str, str]]:
    for group in tomllib.loads(text)["survivors"]:
        for path, names in group["mutants"].items():
            for name in names:
                yield path, name, group["why"]
