"""Replays a move log and judges each token where it stands (docs/rules.md section 5).

When a redeal is legal (the end of section 3) is judged here too: unlike a slide, it is not for the
board alone to say.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .board import LEFT_OF, Board, parse_slide
from .document import Deal, read_deal
from .faults import in_short, quoted
from .verdict import Fault, Verdict


def verify(deal: object, moves: Sequence[object]) -> Verdict:
    """Return the verdict on a log of a deal.

    `deal` is a document as parsed from JSON, `moves` the list of its log's tokens. Raises
    RefusedDeal for a document that is not good, and TypeError where `moves` is no list.
    """
    if isinstance(moves, str | bytes) or not isinstance(moves, Sequence):
        raise TypeError(f"moves must be a list of tokens, not {quoted(moves)}")
    return judge(read_deal(deal), moves)


def judge(deal: Deal, moves: Sequence[object]) -> Verdict:
    """Return the verdict on a log of a deal that has been read."""
    replay = Replay(deal)
    for index, token in enumerate(moves):
        objection = replay.play(token)
        if objection:
            fault = Fault(index, in_short(token), objection.code, objection.message)
            return replay.verdict(fault)
    return replay.verdict(None)


@dataclass(frozen=True)
class Objection:
    """Why a token is not legal where it stands."""

    code: str
    message: str


class Replay:
    """A deal in play: its board, and the redeals and slides that led there.

    Of a slide, a redeal and an undo each, what is asked first stands first in the table of
    section 5. The form stands before all of them: what has none of the three is `malformed-token`.
    """

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.variant = deal.variant
        self.board = Board(deal.variant, deal.layout)
        self.redeals = 0
        self.undos = 0
        self.slides_of_past_rounds = 0
        self.slides_of_this_round: list[tuple[str, str]] = []
        """Those not taken back. Undo takes from here, so it never reaches over a redeal or the
        opening."""

    def play(self, token: object) -> Objection | None:
        """Carry out a token; where it is not legal, leave all as it was and say why."""
        slide = parse_slide(token) if isinstance(token, str) else None
        if slide:
            return self._slide(slide)
        if token == "redeal":
            return self._redeal()
        if token == "undo":
            return self._undo()
        return Objection(
            "malformed-token",
            f"{quoted(token)} is no token: write a slide such as c12b5, redeal or undo.",
        )

    def verdict(self, fault: Fault | None) -> Verdict:
        """Return the verdict on the tokens played so far and, if any, the fault after them."""
        return Verdict(
            legal=fault is None,
            won=fault is None and self.board.is_won(),
            ordered=self.board.ordered(),
            slides=self.slides_of_past_rounds + len(self.slides_of_this_round),
            redeals=self.redeals,
            undos=self.undos,
            layout=self.board.rows,
            fault=fault,
        )

    def _slide(self, slide: tuple[str, str]) -> Objection | None:
        source, goal = slide
        cells = self.board.cells
        if source not in cells or goal not in cells:
            return Objection("off-board", self._off_board(goal if source in cells else source))
        card, occupant = cells[source], cells[goal]
        if card is None:
            return Objection("no-card", f"{source} is a gap; there is no card to slide.")
        if source in self.board.fixed_aces:
            return Objection("no-card", f"{card} at {source} is fixed and never moves.")
        if occupant is not None:
            return Objection("occupied", f"{goal} holds {occupant}; a card slides into a gap only.")
        accepted = self.board.accepted(goal)
        if not accepted:
            return Objection("dead-gap", self._dead_gap(goal))
        if card not in accepted:
            wanted = accepted[0] if goal in LEFT_OF else "a 2"
            return Objection(
                "wrong-card", f"The gap at {goal} wants {wanted} and {card} is not that."
            )
        self.board.move(source, goal)
        self.slides_of_this_round.append(slide)
        return None

    def _redeal(self) -> Objection | None:
        if self.board.is_won():
            return Objection("already-won", "The game is won; there is nothing to redeal.")
        if self.variant.redeals is not None and self.redeals >= self.variant.redeals:
            return Objection("no-redeals-left", self._no_redeals_left())
        if self.variant.redeal_allowed == "when stuck":
            legal_slides = self.board.legal_slides()
            if legal_slides:
                return Objection(
                    "redeal-not-stuck",
                    f"{self.variant.name} is redealt when no slide is legal; "
                    f"{legal_slides[0]} still is.",
                )
        k = self.redeals + 1
        order = self.deal.order(k) if self.variant.order == "shuffled" else None
        if self.variant.order == "shuffled" and order is None:
            # No document has an entry beyond those.
            needed = "that redeal opened" if k <= self.variant.entries else "its seed"
            return Objection(
                "redeal-unknown",
                f"The order of redeal {k} is not in the document and there is no seed for it; "
                f"get the document with {needed}.",
            )
        self.board.redeal(order)
        self.redeals = k
        self.slides_of_past_rounds += len(self.slides_of_this_round)
        self.slides_of_this_round = []
        return None

    def _undo(self) -> Objection | None:
        if not self.slides_of_this_round:
            since = "the last redeal" if self.redeals else "the opening"
            return Objection(
                "nothing-to-undo", f"There is no slide since {since} that is not taken back yet."
            )
        source, goal = self.slides_of_this_round.pop()
        self.board.move(goal, source)
        self.undos += 1
        return None

    def _off_board(self, cell: str) -> str:
        last = self.board.names[-1][-1]
        return f"{cell} is not on this board, whose cells are a1 to {last}."

    def _dead_gap(self, gap: str) -> str:
        neighbour = self.board.cells[LEFT_OF[gap]] or "a gap"
        return f"The gap at {gap} is right of {neighbour}; nothing may enter it."

    def _no_redeals_left(self) -> str:
        if self.variant.redeals == 0:
            return f"{self.variant.name} has no redeals."
        return f"{self.variant.name} has {self.variant.redeals} redeals and all are used up."
