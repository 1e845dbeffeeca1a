"""Checks that the layout of a document is an opening of its variant (docs/rules.md section 6)."""

from collections import Counter
from collections.abc import Iterator

from .faults import DealFault, pointer, quoted
from .variants import RANKS, VARIANTS, Variant, is_ace

_CARDS = frozenset(VARIANTS["classic"].pack)
_MOST_ROWS = max(variant.rows for variant in VARIANTS.values())
_MOST_COLUMNS = max(variant.columns for variant in VARIANTS.values())


def layout_faults(
    layout: object, named: Variant | None, variant: Variant | None
) -> Iterator[DealFault]:
    """Yield every fault of a layout that can be told.

    `named` is the variant by its name alone, `variant` the same with its ranks; either is None
    where it cannot be told. A row or cell beyond the size of the board, or of the largest that it
    may be, is looked at no further, except that its cards and gaps are counted.
    """
    if not isinstance(layout, list):
        yield DealFault(pointer("layout"), f"This must be a list of rows, not {quoted(layout)}.")
        return
    # What holds with all 13 ranks holds with fewer, but for a row's length and the cards' number.
    known = variant or named
    yield from _size_faults(layout, known, variant)
    for r, row in enumerate(layout[: known.rows if known else _MOST_ROWS]):
        if isinstance(row, list):
            for c, cell in enumerate(row[: known.columns if known else _MOST_COLUMNS]):
                complaint = _complaint_about(cell, c, known)
                if complaint:
                    yield DealFault(pointer("layout", r, c), complaint)
    if known:
        yield from _count_faults(layout, known, variant)


def _size_faults(
    layout: list[object], known: Variant | None, variant: Variant | None
) -> Iterator[DealFault]:
    if known and len(layout) != known.rows:
        message = f"The board has {known.rows} rows, this layout {len(layout)}."
        yield DealFault(pointer("layout"), message)
    if variant is None and len({len(row) for row in layout if isinstance(row, list)}) > 1:
        yield DealFault(pointer("layout"), "The rows of a board are of one length; these are not.")
    for r, row in enumerate(layout[: known.rows if known else _MOST_ROWS]):
        if not isinstance(row, list):
            message = f"A row must be a list of cells, not {quoted(row)}."
            yield DealFault(pointer("layout", r), message)
        elif variant and len(row) != variant.columns:
            message = f"A row has {variant.columns} cells, this one {len(row)}."
            yield DealFault(pointer("layout", r), message)


def _complaint_about(cell: object, column: int, variant: Variant | None) -> str | None:
    """Return what is wrong with a cell (column from 0) looked at by itself."""
    if cell is None:
        if variant and variant.aces_stand_left and column == 0:
            return f"Column 1 holds a fixed ace in {variant.name}, not null."
        return None
    if not isinstance(cell, str) or cell not in _CARDS:
        return f"{quoted(cell)} is no card; a cell holds a card such as TH, or null for a gap."
    if variant is None:
        return None
    if cell[0] not in RANKS[: variant.ranks]:
        return (
            f"{cell} is not in a pack of {variant.ranks} ranks, whose top rank is {variant.king}."
        )
    if is_ace(cell):
        if not variant.aces_stand_left:
            return f"{cell} must be taken off: in {variant.name} the aces' cells are gaps (null)."
        if column > 0:
            return f"{cell} must stand in column 1: in {variant.name} the aces are fixed there."
    elif variant.aces_stand_left and column == 0:
        return f"Column 1 holds a fixed ace in {variant.name}, not {quoted(cell)}."
    elif variant.aces == "left, gaps beside them" and column == 1:
        return f"Column 2 holds nothing but gaps (null) in {variant.name}, not {cell}."
    return None


def _count_faults(
    layout: list[object], known: Variant, variant: Variant | None
) -> Iterator[DealFault]:
    """Yield what is wrong with the cards and gaps taken together, wherever they lie."""
    allowed = Counter(known.board_cards)
    found: Counter[str] = Counter()
    gaps = 0
    for r, row in enumerate(layout):
        for c, cell in enumerate(row if isinstance(row, list) else []):
            if cell is None:
                gaps += 1
            elif isinstance(cell, str) and cell in allowed:
                found[cell] += 1
                if found[cell] == allowed[cell] + 1:
                    often = "once" if allowed[cell] == 1 else "twice"
                    message = f"{cell} is here too often; a board has it {often}."
                    yield DealFault(pointer("layout", r, c), message)
    missing = list((allowed - found).elements())
    if missing and variant:
        yield DealFault(pointer("layout"), f"These cards are missing: {' '.join(missing)}.")
    if gaps != 4 * known.packs:
        message = f"The board has {4 * known.packs} gaps, this layout {gaps}."
        yield DealFault(pointer("layout"), message)
