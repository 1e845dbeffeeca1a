"""Checks a bundle: a deal document, a line of it, and its publisher's word on how it was made."""

from dataclasses import dataclass
from typing import Any

from . import formats
from .contradictions import contradictions
from .document import Deal, read_deal
from .faults import DealFault, RefusedDeal, pointer, quoted, unknown_keys
from .formats import format_faults, missing_keys
from .provenance import provenance_faults
from .replay import judge
from .verdict import Verdict

_KEYS = ("format", "document", "line", "provenance")


@dataclass(frozen=True)
class Bundle:
    """What a good bundle says; whether its line is legal is for the replay to tell."""

    deal: Deal
    line: list[object]
    provenance: dict[str, Any]


def check_bundle(bundle: object) -> Verdict:
    """Return the verdict on the line of a bundle, which is given as parsed from JSON.

    Raises RefusedDeal, with every fault that can be told, where the bundle is not good: where it
    has not just the keys `format`, `document`, `line` and `provenance`, where its document is
    refused, or where one of four keys that the provenance may have is not true: `variant` is the
    document's; `number`, unless null, is the one that the document's seed is made from; `moves`
    (slides not taken back, and redeals) and `redeals` are what the line's tokens come to, legal or
    not. Nothing else of the provenance is verified.
    """
    good = read_bundle(bundle)
    return judge(good.deal, good.line)


def is_bundle(value: object) -> bool:
    """Tell whether a JSON value says that it is a bundle, of whatever version."""
    named = value.get("format") if isinstance(value, dict) else None
    return isinstance(named, str) and named.startswith("gaps-bundle/")


def read_bundle(bundle: object) -> Bundle:
    """Return what a bundle says; RefusedDeal with every fault of one that is not good."""
    if not isinstance(bundle, dict):
        raise RefusedDeal([DealFault("", f"A bundle must be an object, not {quoted(bundle)}.")])
    faults = [
        *unknown_keys("", bundle, _KEYS),
        *missing_keys(bundle, _KEYS, "bundle"),
        *format_faults(bundle, formats.BUNDLE),
    ]
    deal = None
    if "document" in bundle:
        try:
            deal = read_deal(bundle["document"])
        except RefusedDeal as refused:
            below = pointer("document")
            faults += [DealFault(below + fault.where, fault.message) for fault in refused.faults]
    line = bundle.get("line")
    if "line" in bundle and not isinstance(line, list):
        faults.append(DealFault(pointer("line"), f"This must be a list, not {quoted(line)}."))
    provenance = bundle.get("provenance")
    if "provenance" in bundle:
        faults += provenance_faults(provenance)
    if isinstance(provenance, dict):
        faults += contradictions(provenance, line, deal)
    if faults or deal is None or not isinstance(line, list):
        raise RefusedDeal(faults)
    return Bundle(deal, line, bundle["provenance"])
