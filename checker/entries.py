"""Checks the redeal entries of a document (docs/rules.md section 6)."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import TypeGuard

from . import shuffle
from .faults import DealFault, pointer, quoted, unknown_keys
from .shuffle import Seed
from .variants import ENTRIES_OF_UNLIMITED, VARIANTS, Variant

KINDS = {
    frozenset({"commitment"}): "sealed",
    frozenset({"commitment", "order", "salt"}): "open",
    frozenset({"order"}): "made by hand",
}
"""The kinds of entry, by their keys."""

_KEYS = ("commitment", "order", "salt")
_HEX = re.compile("[0-9a-f]*")
_CARDS = frozenset(VARIANTS["double-montana"].pack)


def is_hex(value: object, length: int) -> TypeGuard[str]:
    """Tell whether a value is a string of exactly this many lower case hex digits."""
    return isinstance(value, str) and len(value) == length and _HEX.fullmatch(value) is not None


def redeals_faults(
    redeals: object, named: Variant | None, variant: Variant | None, seed: Seed | None
) -> Iterator[DealFault]:
    """Yield every fault of the value of `redeals`.

    `named` is the variant by its name alone, `variant` the same with its ranks; either is None
    where it cannot be told. Entries beyond the last redeal are named by the fault about their
    number and looked at no further.
    """
    if not isinstance(redeals, list):
        yield DealFault(pointer("redeals"), f"This must be a list, not {quoted(redeals)}.")
        return
    if named and len(redeals) != named.entries:
        message = f"{named.name} needs exactly {named.entries} entries, these are {len(redeals)}."
        yield DealFault(pointer("redeals"), message)
    last = named.entries if named else ENTRIES_OF_UNLIMITED
    for k, entry in enumerate(redeals[:last], start=1):
        yield from _entry_faults(entry, k, variant, seed)


def _entry_faults(
    entry: object, k: int, variant: Variant | None, seed: Seed | None
) -> Iterator[DealFault]:
    derived = _derived(k, variant, seed) if seed else {}
    if _is_just(entry, derived):
        return
    where = pointer("redeals", k - 1)
    if not isinstance(entry, dict):
        yield DealFault(where, f"An entry must be an object, not {quoted(entry)}.")
        return
    yield from unknown_keys(where, entry, _KEYS)
    if frozenset(_KEYS).intersection(entry) not in KINDS:
        message = "An entry has commitment alone, or commitment, order and salt, or order alone."
        yield DealFault(where, message)
    for key, length in (("commitment", 64), ("salt", 32)):
        if key in entry and not is_hex(entry[key], length):
            message = f"This must be {length} lower case hex digits, not {quoted(entry[key])}."
            yield DealFault(where + pointer(key), message)
    if "order" in entry:
        complaint = _complaint_about_order(entry["order"], variant)
        if complaint:
            yield DealFault(where + pointer("order"), complaint)
    if _breaks_its_commitment(entry):
        yield DealFault(where, "The order and salt do not match the commitment.")
    for key in _KEYS:
        if key in derived and key in entry and entry[key] != derived[key]:
            message = f"This is not the {key} of redeal {k} that follows from the seed."
            yield DealFault(where + pointer(key), message)


def _complaint_about_order(order: object, variant: Variant | None) -> str | None:
    """Return how an order fails to be a permutation of what it must permute."""
    if not isinstance(order, list):
        return f"An order must be a list of cards, not {quoted(order)}."
    if variant is None:
        return None if _is_cards(order) else "An order must be a list of cards, such as TH or TH'."
    pack = variant.redeal_pack
    # No place is in a pack twice: it has primes for that.
    if len(order) == len(pack) and _is_cards(order) and set(order) == set(pack):
        return None
    wrong = [] if len(order) == len(pack) else [f"this one has {len(order)}"]
    left = Counter(pack)
    first_wrong = None
    for index, card in enumerate(order):
        if isinstance(card, str) and left[card]:
            left[card] -= 1
        elif first_wrong is None:
            why = "there a second time" if card in pack else "none of them"
            first_wrong = f"{quoted(card)} at index {index} is {why}"
    if first_wrong:
        wrong.append(first_wrong)
    if left.total():
        wrong.append(f"these are missing: {' '.join(left.elements())}")
    return f"An order must be a permutation of its {len(pack)} cards; {'; '.join(wrong)}."


def _breaks_its_commitment(entry: dict[str, object]) -> bool:
    """Tell whether an open entry is well enough formed to be judged, and does not match."""
    committed, order, salt = (entry.get(key) for key in _KEYS)
    if not (is_hex(committed, 64) and _is_cards(order) and is_hex(salt, 32)):
        return False
    return shuffle.commitment(bytes.fromhex(salt), order) != committed


def _derived(k: int, variant: Variant | None, seed: Seed) -> dict[str, object]:
    """Return the k-th entry, opened, as it follows from the seed; of no variant only the salt."""
    salt = shuffle.salt(seed, k)
    if variant is None:
        return {"salt": salt.hex()}
    order = shuffle.redeal_order(seed, variant, k)
    return {
        "commitment": shuffle.commitment(salt, order),
        "order": order,
        "salt": salt.hex(),
    }


def _is_just(entry: object, derived: dict[str, object]) -> bool:
    """Tell whether an entry is of a known kind and all in it follows from the seed: no fault."""
    if not isinstance(entry, dict) or frozenset(entry) not in KINDS:
        return False
    return entry.items() <= derived.items()


def _is_cards(order: object) -> TypeGuard[list[str]]:
    return isinstance(order, list) and set(map(type, order)) <= {str} and _CARDS.issuperset(order)
