"""The documents say what is so: settings, commands, endpoints, folders, links."""

import re
from pathlib import Path

import pytest
import typer.main

from service.cli.commands import app
from service.game.variants import VARIANTS
from service.settings import settings_table

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])


def test_every_setting_is_in_the_readme_as_it_is() -> None:
    for row in settings_table():
        assert f"| `{row.name}` | `{row.default}` | {row.description} |" in README
    named = set(re.findall(r"GAPS_[A-Z_]+", README))
    assert named <= {row.name for row in settings_table()}


def test_every_command_is_in_the_readme() -> None:
    for name in typer.main.get_command(app).commands:  # type: ignore[attr-defined]
        assert f"`gaps {name}" in README, name


def test_every_variant_is_in_the_rules() -> None:
    rules = (ROOT / "docs" / "rules.md").read_text("utf-8")
    rows = re.findall(r"^\| `([a-z-]+)`(?: \([^)]+\))? \| [12] \| ", rules, re.MULTILINE)
    assert rows == list(VARIANTS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text("utf-8")
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_folder_of_the_service_is_in_the_readme() -> None:
    for folder in (ROOT / "service").iterdir():
        if folder.is_dir() and folder.name != "__pycache__":
            assert f"`service/{folder.name}`" in README, folder.name
