"""What a publisher says of a deal or a line that the deal or the line itself says otherwise."""

from collections.abc import Iterator

from .document import Deal
from .faults import LARGEST_NUMBER, DealFault, pointer, quoted
from .shuffle import numbered_seed


def contradictions(
    provenance: dict[str, object], line: object, deal: Deal | None
) -> Iterator[DealFault]:
    """Yield where a bundle's provenance contradicts its line or its deal.

    The line is as parsed from JSON, and nothing is told of one that is no list; the deal is None
    where the document is refused, and then nothing is told of it either.
    """
    if deal:
        name = deal.variant.name
        yield from _unless(provenance, "variant", name, "the document's variant")
        if provenance.get("number") is not None:
            yield from _number_faults(provenance["number"], deal)
    if isinstance(line, list):
        # An undo is no move, nor is the slide that it takes back.
        moves = len(line) - 2 * line.count("undo")
        yield from _unless(provenance, "moves", moves, "the line's number of moves")
        redeals = line.count("redeal")
        yield from _unless(provenance, "redeals", redeals, "the line's number of redeals")


def _unless(
    provenance: dict[str, object], key: str, true: str | int, what: str
) -> Iterator[DealFault]:
    """Yield the fault of a key that is there and has not the one value that is true."""
    if key not in provenance:
        return
    stated = provenance[key]
    # By type as well: to Python true is 1, and 3.0 is 3.
    if type(stated) is not type(true) or stated != true:
        message = f"This must be {quoted(true)}, {what}, not {quoted(stated)}."
        yield DealFault(pointer("provenance", key), message)


def _number_faults(number: object, deal: Deal) -> Iterator[DealFault]:
    """Yield the fault of a number, other than null, that the deal does not have."""
    name = deal.variant.name
    # Python writes no number of any length in decimal, and the length is a setting.
    if type(number) is not int or not 0 <= number < LARGEST_NUMBER:
        whole = f"a whole number from 0 up to {LARGEST_NUMBER - 1}"
        message = f"This must be {whole}, or null, not {quoted(number)}."
    elif deal.seed is None:
        message = "A numbered deal has its seed in the document; this document has none."
    elif deal.seed != numbered_seed(name, number):
        message = f"The document's seed is not that of {name}, number {number}."
    else:
        return
    yield DealFault(pointer("provenance", "number"), message)
