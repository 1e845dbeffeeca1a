"""Checks a deal document as a whole and reads a good one (docs/rules.md section 6)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from . import formats, shuffle
from .entries import KINDS, is_hex, redeals_faults
from .faults import DealFault, RefusedDeal, pointer, quoted, unknown_keys
from .formats import format_faults, missing_keys
from .layout import layout_faults
from .shuffle import Seed
from .variants import VARIANTS, Variant

_REQUIRED = ("format", "variant", "layout")
_KEYS = (*_REQUIRED, "ranks", "redeals", "seed", "seed_commitment")


@dataclass(frozen=True)
class Deal:
    """What a good document says."""

    variant: Variant
    layout: list[list[str | None]]
    entries: list[dict[str, Any]]
    seed: Seed | None
    seed_commitment: str | None

    def order(self, k: int) -> list[str] | None:
        """Return the order of the k-th redeal (k from 1), or None where it is not known."""
        if k <= len(self.entries) and "order" in self.entries[k - 1]:
            order: list[str] = self.entries[k - 1]["order"]
            return order
        return shuffle.redeal_order(self.seed, self.variant, k) if self.seed else None

    def kinds(self) -> list[str]:
        """Return the kind of each redeal entry: sealed, open or made by hand."""
        return [KINDS[frozenset(entry)] for entry in self.entries]


def read_deal(document: object) -> Deal:
    """Return the deal of a parsed JSON document; RefusedDeal with every fault of a bad one."""
    variant, seed = _variant(document), _seed(document)
    faults = _faults(document, variant, seed)
    if faults or variant is None or not isinstance(document, dict):
        raise RefusedDeal(faults)
    return Deal(
        variant=variant,
        layout=document["layout"],
        entries=document.get("redeals", []),
        seed=seed,
        seed_commitment=document.get("seed_commitment"),
    )


def check_deal(deal: object) -> list[DealFault]:
    """Return every fault that can be told of a document; none where it is good.

    Any parsed JSON value may be given. Nothing of it is followed deeper than a document goes.
    """
    return _faults(deal, _variant(deal), _seed(deal))


def _faults(deal: object, variant: Variant | None, seed: Seed | None) -> list[DealFault]:
    """Return the faults of a document, given what `_variant` and `_seed` say of it."""
    if not isinstance(deal, dict):
        return [DealFault("", f"A deal document must be an object, not {quoted(deal)}.")]
    return [
        *_key_faults(deal),
        *_variant_faults(deal),
        *_ranks_faults(deal),
        *_layout_faults(deal, variant, seed),
        *_redeals_faults(deal, variant, seed),
        *_seed_faults(deal, seed),
    ]


def _key_faults(document: dict[str, object]) -> Iterator[DealFault]:
    yield from unknown_keys("", document, _KEYS)
    yield from missing_keys(document, _REQUIRED, "document")
    yield from format_faults(document, formats.DEAL)


def _variant_faults(document: dict[str, object]) -> Iterator[DealFault]:
    if "variant" in document and _named_variant(document) is None:
        message = f"{quoted(document['variant'])} is no variant; known are {', '.join(VARIANTS)}."
        yield DealFault(pointer("variant"), message)


def _ranks_faults(document: dict[str, object]) -> Iterator[DealFault]:
    named = _named_variant(document)
    if "ranks" not in document:
        return
    if named and named.packs == 2:
        message = f"{named.name} has two packs and no miniatures; leave this key out."
        yield DealFault(pointer("ranks"), message)
    elif not _is_ranks(document["ranks"]):
        message = f"This must be a whole number from 3 to 13, not {quoted(document['ranks'])}."
        yield DealFault(pointer("ranks"), message)


def _layout_faults(
    document: dict[str, object], variant: Variant | None, seed: Seed | None
) -> Iterator[DealFault]:
    if "layout" not in document:
        return
    layout = document["layout"]
    opening = shuffle.opening(seed, variant) if variant and seed else None
    if opening and layout == opening:
        return
    yield from layout_faults(layout, _named_variant(document), variant)
    if opening and isinstance(layout, list):
        yield DealFault(pointer("layout"), "This is not the layout that follows from the seed.")


def _redeals_faults(
    document: dict[str, object], variant: Variant | None, seed: Seed | None
) -> Iterator[DealFault]:
    named = _named_variant(document)
    if "redeals" not in document:
        if named and named.entries:
            message = f"This key is missing; {named.name} needs {named.entries} redeal entries."
            yield DealFault(pointer("redeals"), message)
    elif named and not named.entries:
        message = f"In {named.name} nothing is shuffled for a redeal; leave this key out."
        yield DealFault(pointer("redeals"), message)
    else:
        yield from redeals_faults(document["redeals"], named, variant, seed)


def _seed_faults(document: dict[str, object], seed: Seed | None) -> Iterator[DealFault]:
    for key in ("seed", "seed_commitment"):
        if key in document and not is_hex(document[key], 64):
            message = f"This must be 64 lower case hex digits, not {quoted(document[key])}."
            yield DealFault(pointer(key), message)
    committed = document.get("seed_commitment")
    if seed and is_hex(committed, 64) and committed != shuffle.seed_commitment(seed):
        yield DealFault(pointer("seed_commitment"), "This is not the commitment to the seed.")


def _named_variant(document: dict[str, object]) -> Variant | None:
    """Return the variant by its name, with all 13 ranks."""
    name = document.get("variant")
    return VARIANTS.get(name) if isinstance(name, str) else None


def _variant(document: object) -> Variant | None:
    """Return the variant with the document's ranks; None where either cannot be told."""
    if not isinstance(document, dict):
        return None
    named = _named_variant(document)
    if named is None or named.packs == 2 or "ranks" not in document:
        return named
    ranks = document["ranks"]
    return named.with_ranks(ranks) if _is_ranks(ranks) else None


def _is_ranks(value: object) -> bool:
    # Not isinstance: to Python true is an int too.
    return type(value) is int and 3 <= value <= 13


def _seed(document: object) -> Seed | None:
    """Return the document's seed; None where it has none that is well formed."""
    seed = document.get("seed") if isinstance(document, dict) else None
    return Seed.fromhex(seed) if is_hex(seed, 64) else None
