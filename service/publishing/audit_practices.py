"""What can be wrong with the numbers that somebody asked for to practise."""

from collections.abc import Iterator

from service.game.shuffle import numbered_seed
from service.game.variants import VARIANTS
from service.minting.numbered import LARGEST_NUMBER
from service.publishing.audit_faults import RESTORE, Finding, Row


def practice_findings(practice: Row, deal: Row | None, *, daily: bool) -> Iterator[Finding]:
    """What is wrong with a number, seen with what can be read of its deal; None if it has none.

    `daily` says whether its deal is a daily's, which would be open before its time.
    """
    variant, number, name = practice["variant"], practice["number"], practice["deal_id"]
    if variant not in VARIANTS:
        yield "There is no variant of this name.", RESTORE
    if not 0 <= number <= LARGEST_NUMBER:
        yield "There is no such number.", RESTORE
    if practice["budget"] < 0:
        yield "Its column budget is below 0.", RESTORE
    if name is None:
        return
    if daily:
        yield f"Its deal {name} is a daily's, which is never one to practise.", RESTORE
    if deal is None:
        yield f"Its deal {name} is not stored.", RESTORE
        return
    if deal.get("variant", variant) != variant:
        yield f"Its deal {name} is one of {deal['variant']}.", RESTORE
    elif variant in VARIANTS:
        seed = numbered_seed(variant, number).hex()
        if deal.get("seed", seed) != seed:
            yield f"Its deal {name} is not the deal of this number: its seed is another.", RESTORE
