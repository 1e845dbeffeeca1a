"""The engine's table of variants is the one in docs/rules.md."""

import re
from pathlib import Path

from service.game.variants import VARIANTS, Variant, rules

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"
ROW = re.compile(r"^\| `([a-z-]+)`(?: \((.+)\))? \| ([12]) \| (.*) \|$", re.MULTILINE)


def as_the_page_has_it(variant: Variant) -> tuple[str, ...]:
    made = rules(variant.name)
    redeals = "any number" if variant.redeals is None else str(variant.redeals or "none")
    about = (
        "stuck" if variant.when_stuck else "any time",
        str(variant.order),
        str(variant.gaps),
    )
    return (
        variant.name,
        ", ".join(variant.also_known_as),
        str(variant.packs),
        f"{made.rows} \u00d7 {made.columns}",
        str(variant.aces).removesuffix(" them"),
        redeals,
        *(about if variant.redeals != 0 else ("", "", "")),
    )


def test_the_table() -> None:
    page = [
        (name, known_as, packs, *(cell.strip() for cell in rest.split("|")))
        for name, known_as, packs, rest in ROW.findall(PAGE.read_text("utf-8"))
    ]
    assert [as_the_page_has_it(variant) for variant in VARIANTS.values()] == page


def test_each_variant_is_found_by_its_name() -> None:
    assert all(name == variant.name for name, variant in VARIANTS.items())
    assert str(VARIANTS["red-moon"].aces) == "left, gaps beside them"
