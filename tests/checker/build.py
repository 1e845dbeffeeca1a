"""Documents and boards for the checker's tests."""

import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from checker import shuffle
from checker.board import Board
from checker.document import Deal, read_deal
from checker.replay import Replay
from checker.shuffle import Seed
from checker.variants import VARIANTS

Document = dict[str, Any]
Rows = list[list[str | None]]

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def vectors() -> list[dict[str, Any]]:
    """Return the right answers: for each variant two deals with three logs each."""
    found: list[dict[str, Any]] = json.loads((HERE.parent / "data" / "vectors.json").read_text())
    return found


def golden() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name and the content of each golden log."""
    for path in sorted((HERE / "golden").glob("*.json")):
        yield path.stem, json.loads(path.read_text())


def bundles() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name and the content of each golden bundle, good ones and wrong ones."""
    for path in sorted((HERE / "bundles").glob("*.json")):
        yield path.stem, json.loads(path.read_text())


def rows(text: str) -> Rows:
    """Return the rows of a board drawn with -- for a gap."""
    return [
        [None if cell == "--" else cell for cell in line.split()]
        for line in text.strip().splitlines()
    ]


def drawn(layout: Rows) -> str:
    """Return the drawing of a board: what `rows` reads."""
    return "\n".join(" ".join(cell or "--" for cell in row) for row in layout)


def board(variant: str, text: str, ranks: int = 13) -> Board:
    return Board(VARIANTS[variant].with_ranks(ranks), rows(text))


def by_hand(variant: str, ranks: int, text: str, *orders: str) -> Document:
    """Return a document whose redeal orders are made by hand, without commitments."""
    document: Document = {
        "format": "gaps-deal/1",
        "variant": variant,
        "ranks": ranks,
        "layout": rows(text),
    }
    if orders:
        document["redeals"] = [{"order": order.split()} for order in orders]
    return document


def numbered(name: str, number: int, ranks: int | None = None) -> Document:
    """Return a numbered deal with everything open."""
    seed = Seed(hashlib.sha256(f"gaps-deal/1/{name}/{number}".encode("ascii")).digest())
    variant = VARIANTS[name].with_ranks(ranks or 13)
    document: Document = {
        "format": "gaps-deal/1",
        "variant": name,
        "layout": shuffle.opening(seed, variant),
        "seed_commitment": shuffle.seed_commitment(seed),
        "seed": seed.hex(),
    }
    if ranks:
        document["ranks"] = ranks
    if variant.entries:
        document["redeals"] = [_opened(seed, name, ranks, k + 1) for k in range(variant.entries)]
    return document


def without_seed(document: Document) -> Document:
    """Return a document as it is before its seed is published."""
    return {key: value for key, value in document.items() if key != "seed"}


def sealed(document: Document) -> Document:
    """Return a document as it is published, with every redeal entry sealed and no seed."""
    entries = [{"commitment": entry["commitment"]} for entry in document["redeals"]]
    return {**without_seed(document), "redeals": entries}


def random_log(document: Document, seed: int, most_slides: int = 400) -> list[str]:
    """Return a legal log: slides at random, some undone, a redeal wherever none is left."""
    chance = random.Random(seed)
    deal: Deal = read_deal(document)
    replay, log = Replay(deal), []
    for _ in range(most_slides):
        slides = replay.board.legal_slides()
        token = chance.choice(slides) if slides else "redeal"
        if replay.slides_of_this_round and chance.random() < 0.1:
            token = "undo"
        if replay.play(token):
            break
        log.append(token)
    return log


def _opened(seed: Seed, name: str, ranks: int | None, k: int) -> dict[str, Any]:
    order = shuffle.redeal_order(seed, VARIANTS[name].with_ranks(ranks or 13), k)
    salt = shuffle.salt(seed, k)
    return {
        "commitment": shuffle.commitment(salt, order),
        "order": order,
        "salt": salt.hex(),
    }
