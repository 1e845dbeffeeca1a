"""What the files say that they are, and the keys that they cannot do without."""

from collections.abc import Collection, Iterator

from .faults import DealFault, pointer, quoted

DEAL = "gaps-deal/1"
BUNDLE = "gaps-bundle/1"


def missing_keys(
    given: Collection[str], required: tuple[str, ...], what: str
) -> Iterator[DealFault]:
    """Yield the faults of keys that an object has not; `what` names all that need them."""
    for key in required:
        if key in given:
            continue
        need = f"every {what} needs it"
        if key == "format":
            # It may be a file of another kind, and then this is what tells.
            need = f"a document has {quoted(DEAL)} here, a bundle {quoted(BUNDLE)}"
        yield DealFault(pointer(key), f"This key is missing; {need}.")


def format_faults(given: dict[str, object], expected: str) -> Iterator[DealFault]:
    """Yield the fault of an object's `format` that is there and not the expected one."""
    if "format" in given and given["format"] != expected:
        message = f"This must be {quoted(expected)}, not {quoted(given['format'])}."
        yield DealFault(pointer("format"), message)
