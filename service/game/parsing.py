"""Deal documents, ``gaps-deal/1``, read: a deal, or every reason to refuse.

`service.game.document` writes them. Source: docs/rules.md, section 6.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from service.game import shuffle
from service.game.board import Layout
from service.game.cards import (
    ACE,
    GAP,
    KING,
    CardError,
    card_name,
    parse_card,
    rank_of,
    sorted_pack,
)
from service.game.deal import Deal, Redeal, deal_from_seed, redeal_pack
from service.game.document import FORMAT
from service.game.variants import MIN_RANKS, VARIANTS, Aces, Rules, rules

_KEYS: Final = frozenset(
    {"format", "variant", "ranks", "layout", "redeals", "seed", "seed_commitment"}
)
_SEALED: Final = frozenset({"commitment"})
_OPEN: Final = frozenset({"commitment", "order", "salt"})
_BY_HAND: Final = frozenset({"order"})


class DocumentFault(NamedTuple):
    """One reason to refuse a document: where, as a JSON Pointer, and what is wrong there."""

    where: str
    message: str


class DocumentError(ValueError):
    """A document that is refused, with every fault that can be told."""

    def __init__(self, faults: Sequence[DocumentFault]) -> None:
        super().__init__(
            "; ".join(f"{fault.where or 'document'}: {fault.message}" for fault in faults)
        )
        self.faults = tuple(faults)


def parse_document(value: object) -> Deal:
    """The deal a document describes; the inverse of `document`.

    `value` is parsed JSON of any kind. Raises `DocumentError` with every fault found.
    """
    reading = _Reading()
    deal = reading.deal(value)
    if deal is None or reading.faults:
        raise DocumentError(reading.faults)
    return deal


class _Reading:
    """One reading of a document: collects faults, and goes on where it can."""

    def __init__(self) -> None:
        self.faults: list[DocumentFault] = []

    def fault(self, where: str, message: str) -> None:
        self.faults.append(DocumentFault(where, message))

    def deal(self, value: object) -> Deal | None:
        if not isinstance(value, dict):
            self.fault("", "a deal document is a JSON object")
            return None
        for key in value:
            if key not in _KEYS:
                self.fault("/" + _pointer(key), "no such key in a deal document")
        if value.get("format") != FORMAT:
            self.fault("/format", f"the format must be {FORMAT!r}")
        seed = self.digits(value, "seed", 64)
        commitment = self.digits(value, "seed_commitment", 64)
        found = self.rules(value)
        if found is None:
            return None
        layout = self.layout(found, value)
        redeals = self.redeals(found, value)
        key = bytes.fromhex(seed) if seed is not None else None
        if key is not None:
            self.follows(found, key, layout, redeals, commitment)
        if layout is None or self.faults:
            return None
        return Deal(found, layout, tuple(filter(None, redeals)), key, commitment)

    def digits(self, value: dict[str, Any], key: str, length: int, at: str = "") -> str | None:
        """The hex digits under a key; None, with a fault where they are there but wrong."""
        if key not in value:
            return None
        text = value[key]
        if isinstance(text, str) and re.fullmatch(f"[0-9a-f]{{{length}}}", text):
            return text
        self.fault(f"{at}/{key}", f"{length} lower-case hex digits are wanted here")
        return None

    def rules(self, value: dict[str, Any]) -> Rules | None:
        name, ranks = value.get("variant"), value.get("ranks", KING)
        if not isinstance(name, str) or name not in VARIANTS:
            self.fault("/variant", f"there is no such variant; there are {', '.join(VARIANTS)}")
            return None
        variant = VARIANTS[name]
        if "ranks" in value and variant.packs > 1:
            self.fault("/ranks", "two packs have no miniatures")
            return rules(name)
        # True is an int to Python, and no number to anybody else.
        if type(ranks) is not int or not MIN_RANKS <= ranks <= KING:
            self.fault("/ranks", f"a whole number from {MIN_RANKS} to {KING} is wanted here")
            return None
        return rules(name, ranks)

    def layout(self, rules: Rules, value: dict[str, Any]) -> Layout | None:
        before = len(self.faults)
        rows = value.get("layout")
        if not isinstance(rows, list) or len(rows) != rules.rows:
            self.fault("/layout", f"a list of {rules.rows} rows is wanted here")
            return None
        board: list[int] = []
        for y, row in enumerate(rows):
            if not isinstance(row, list) or len(row) != rules.columns:
                self.fault(f"/layout/{y}", f"a list of {rules.columns} cells is wanted here")
                continue
            for x, cell in enumerate(row):
                try:
                    board.append(GAP if cell is None else parse_card(cell))
                except CardError as error:
                    self.fault(f"/layout/{y}/{x}", str(error))
        if len(self.faults) > before:
            return None
        self.pack(rules, board)
        self.places(rules, board)
        return tuple(board) if len(self.faults) == before else None

    def pack(self, rules: Rules, board: Sequence[int]) -> None:
        """Each card once a pack, aces only where they stay, four gaps a pack."""
        packs = rules.variant.packs
        wanted = Counter(sorted_pack(1, rules.ranks, aces=rules.fixed_aces) * packs)
        wanted[GAP] = 4 * packs
        there = Counter(board)
        for card in sorted(wanted | there):
            if there[card] != wanted[card]:
                name = "a gap" if card == GAP else card_name(card)
                self.fault("/layout", f"{name} is there {there[card]} times, not {wanted[card]}")

    def places(self, rules: Rules, board: list[int]) -> None:
        """Fixed aces in column 1, and where the variant wants them gaps in column 2."""
        if not rules.fixed_aces:
            return
        for y in range(rules.rows):
            if rank_of(board[y * rules.columns]) != ACE:
                self.fault(f"/layout/{y}/0", "an ace must stand here")
            if rules.variant.aces is Aces.LEFT_GAPS_BESIDE and board[y * rules.columns + 1] != GAP:
                self.fault(f"/layout/{y}/1", "a gap must be here")

    def redeals(self, rules: Rules, value: dict[str, Any]) -> list[Redeal | None]:
        count = rules.variant.sealed_redeals
        entries = value.get("redeals")
        if count == 0:
            if "redeals" in value:
                self.fault("/redeals", f"{rules.variant.name} carries no redeal orders")
            return []
        if not isinstance(entries, list):
            self.fault("/redeals", f"a list of {count} redeals is wanted here")
            return []
        if len(entries) != count:
            self.fault("/redeals", f"{len(entries)} redeals, where {count} are wanted")
        pack = redeal_pack(rules)
        return [
            self.redeal(rules, entry, pack, f"/redeals/{i}")
            for i, entry in enumerate(entries[:count])
        ]

    def redeal(self, rules: Rules, entry: object, pack: list[int], at: str) -> Redeal | None:
        before = len(self.faults)
        if not isinstance(entry, dict) or entry.keys() not in (_SEALED, _OPEN, _BY_HAND):
            self.fault(at, "a redeal has a commitment, or commitment, order and salt, or an order")
            return None
        commitment = self.digits(entry, "commitment", 64, at)
        salt = self.digits(entry, "salt", 32, at)
        order = self.order(rules, entry["order"], pack, f"{at}/order") if "order" in entry else None
        if len(self.faults) > before:
            return None
        redeal = Redeal(commitment, order, bytes.fromhex(salt) if salt is not None else None)
        if (
            redeal.order is not None
            and redeal.salt is not None
            and shuffle.commitment(redeal.salt, redeal.order) != commitment
        ):
            self.fault(f"{at}/commitment", "order and salt do not match this commitment")
        return redeal

    def order(
        self, rules: Rules, value: object, pack: list[int], at: str
    ) -> tuple[int, ...] | None:
        if not isinstance(value, list) or len(value) != len(pack):
            self.fault(at, f"a list of {len(pack)} cards is wanted here")
            return None
        before = len(self.faults)
        order: list[int] = []
        for i, name in enumerate(value):
            try:
                order.append(parse_card(name, primed=rules.variant.packs > 1))
            except CardError as error:
                self.fault(f"{at}/{i}", str(error))
        if len(self.faults) == before and sorted(order) != sorted(pack):
            self.fault(at, "this is no permutation of the pack that it must permute")
        return tuple(order) if len(self.faults) == before else None

    def follows(
        self,
        rules: Rules,
        seed: bytes,
        layout: Layout | None,
        redeals: Sequence[Redeal | None],
        commitment: str | None,
    ) -> None:
        """Whatever is there must be what the seed makes of it."""
        true = deal_from_seed(rules, seed)
        if commitment is not None and commitment != true.seed_commitment:
            self.fault("/seed_commitment", "this is not the commitment of the seed")
        if layout is not None and layout != true.layout:
            self.fault("/layout", "this is not the opening that the seed deals")
        for i, (there, wanted) in enumerate(zip(redeals, true.redeals, strict=False)):
            if there is None:
                continue
            for part in ("commitment", "order", "salt"):
                value = getattr(there, part)
                if value is not None and value != getattr(wanted, part):
                    self.fault(f"/redeals/{i}/{part}", "this does not follow from the seed")


def _pointer(key: object) -> str:
    """A key as a step of a JSON Pointer, at most 40 characters of it."""
    return str(key)[:40].replace("~", "~0").replace("/", "~1")
