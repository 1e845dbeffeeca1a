"""Says in plain words, a sentence for each fact, what was verified and what could not be."""

from dataclasses import dataclass, field

from .bundle import Bundle
from .document import Deal
from .verdict import Verdict


@dataclass(frozen=True)
class Facts:
    """Sentences for a person."""

    verified: list[str] = field(default_factory=list)
    not_verified: list[str] = field(default_factory=list)


def facts_of_deal(deal: Deal) -> Facts:
    """Return what was verified of a good document, and what it leaves open."""
    facts = Facts()
    if deal.seed:
        facts.verified.append("The layout follows from the seed.")
    else:
        facts.verified.append(f"The layout is an opening of {deal.variant.name}.")
        facts.not_verified.append(
            "The layout was taken as it stands; the document has no seed that it could follow from."
        )
    for k, kind in enumerate(deal.kinds(), start=1):
        _add_redeal(facts, k, kind, deal)
    _add_seed_commitment(facts, deal)
    if deal.seed_commitment or any("commitment" in entry for entry in deal.entries):
        facts.not_verified.append(
            "When the commitments were made is not in the file; "
            "compare them with those that were known before play."
        )
    return facts


def add_log(facts: Facts, verdict: Verdict, tokens: int, noun: str) -> None:
    """Add what was verified of a log of that many tokens; `noun` is what it is called."""
    if verdict.legal:
        facts.verified.append(
            f"The {noun} is legal: {number(tokens, 'token')}, each legal where it stands."
        )
    if verdict.won:
        counts = f"{number(verdict.slides, 'slide')} and {number(verdict.redeals, 'redeal')}"
        facts.verified.append(f"The board is won, in {counts}.")


def add_provenance(facts: Facts, bundle: Bundle, verdict: Verdict) -> None:
    """Add what was verified of the provenance of a good bundle, given the verdict on its line."""
    name, stated = bundle.deal.variant.name, bundle.provenance.get("number")
    if "variant" in bundle.provenance:
        facts.verified.append('"variant" in the provenance is the document\'s.')
    if stated is not None:
        facts.verified.append(f"The seed is that of {name}, number {stated}.")
    for key in ("moves", "redeals"):
        # Of a line that is not legal only the tokens were counted, and nobody can play them.
        if key in bundle.provenance and verdict.legal:
            facts.verified.append(f'"{key}" in the provenance is the line\'s number of {key}.')
    facts.not_verified.append("Everything else in the provenance is its publisher's claim.")


def number(count: int, noun: str) -> str:
    """Return a count and what is counted: `1 slide`, `2 slides`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _add_redeal(facts: Facts, k: int, kind: str, deal: Deal) -> None:
    if kind == "sealed" and not deal.seed:
        facts.not_verified.append(
            f"The order of redeal {k} is sealed; neither it nor its commitment could be checked."
        )
        return
    if kind == "sealed":
        facts.verified.append(
            f"The commitment to redeal {k} is to the order that follows from the seed."
        )
        return
    if deal.seed:
        facts.verified.append(f"The order of redeal {k} follows from the seed.")
    else:
        facts.not_verified.append(
            f"The order of redeal {k} was taken as it stands; there is no seed for it."
        )
    if kind == "open":
        facts.verified.append(f"The commitment to redeal {k} was kept: order and salt match it.")
    elif not deal.seed:
        facts.not_verified.append(
            f"There is no commitment to redeal {k}; its order may have been made at any time."
        )
    elif deal.seed_commitment:
        facts.verified.append(
            f"The commitment to the seed covers redeal {k}, which has none of its own."
        )
    else:
        facts.not_verified.append(
            f"There is no commitment to redeal {k}; its order is as old as the seed."
        )


def _add_seed_commitment(facts: Facts, deal: Deal) -> None:
    if deal.seed and deal.seed_commitment:
        facts.verified.append("The commitment to the seed was kept: the seed matches it.")
    elif deal.seed:
        facts.not_verified.append(
            "There is no commitment to the seed; it may have been chosen at any time."
        )
    elif deal.seed_commitment:
        facts.not_verified.append(
            "The commitment to the seed could not be checked; the seed is not in the file."
        )
