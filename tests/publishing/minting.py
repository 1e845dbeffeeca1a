"""Minting that never fails and takes no time, for what is about dates and not about deals."""

import itertools
from collections.abc import Callable

from service.store import deals
from service.store.database import Database
from tests.deals import WonDeal, minted, won


def endless(database: Database, first: int = 1) -> Callable[[str], bool]:
    """A `service.publishing.publish.Mint`: winning deals under invented names, numbered on."""
    numbers = itertools.count(first)

    def mint(variant: str) -> bool:
        number = next(numbers)
        win = won(variant)[0]
        name = f"{number:064x}"
        layout = [*win.document["layout"], [str(number)]]
        document = {**win.document, "seed": name, "seed_commitment": name[::-1], "layout": layout}
        renamed = WonDeal(variant, number, document, win.line, win.verdict)
        with database.writing() as session:
            return deals.add(session, minted(renamed)) is not None

    return mint
