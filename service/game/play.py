"""A game being played: tokens in, a board and counts out, or the fault of the first wrong one.

Source: docs/rules.md, section 5.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from service.game.board import (
    Layout,
    Slide,
    accepts,
    is_fixed_ace,
    is_won,
    ordered,
    slides,
)
from service.game.cards import GAP, TWO, card_name, rank_of
from service.game.deal import Deal, UnknownRedealError
from service.game.notation import REDEAL, UNDO, TokenError, parse_slide, slide_token
from service.game.redeal import redeal, redeals_left


class Fault(StrEnum):
    """Why a token is not legal where it stands; where several fit, the first here is given."""

    MALFORMED_TOKEN = "malformed-token"
    OFF_BOARD = "off-board"
    NO_CARD = "no-card"
    OCCUPIED = "occupied"
    DEAD_GAP = "dead-gap"
    WRONG_CARD = "wrong-card"
    ALREADY_WON = "already-won"
    NO_REDEALS_LEFT = "no-redeals-left"
    REDEAL_NOT_STUCK = "redeal-not-stuck"
    REDEAL_UNKNOWN = "redeal-unknown"
    NOTHING_TO_UNDO = "nothing-to-undo"


class IllegalTokenError(ValueError):
    """A token that is not legal where it stands: `fault` is the code, the text a sentence."""

    def __init__(self, fault: Fault, message: str) -> None:
        super().__init__(message)
        self.fault = fault


class Game:
    """A deal being played. `play` checks a token; `push` and `pop` move without a check.

    `board` is the list of cards as it stands, `redeals` and `undos` count tokens, `slides` the
    slides that are not taken back.
    """

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.rules = deal.rules
        self.board = list(deal.layout)
        self.redeals = 0
        self.undos = 0
        self.slides = 0
        self._round: list[Slide] = []

    @property
    def layout(self) -> Layout:
        """The board as it stands, as a value that stays as it is."""
        return tuple(self.board)

    @property
    def ordered(self) -> int:
        """The progress count of the board as it stands."""
        return ordered(self.rules, self.board)

    @property
    def won(self) -> bool:
        """Whether the board as it stands is won."""
        return is_won(self.rules, self.board)

    def push(self, slide: Slide) -> None:
        """Makes a slide without asking whether it is legal."""
        self.board[slide.target] = self.board[slide.source]
        self.board[slide.source] = GAP
        self.slides += 1
        self._round.append(slide)

    def pop(self) -> Slide:
        """Takes the round's latest slide back without counting it; the inverse of `push`.

        Raises `IndexError` where the round has none.
        """
        slide = self._round.pop()
        self.board[slide.source] = self.board[slide.target]
        self.board[slide.target] = GAP
        self.slides -= 1
        return slide

    def play(self, token: object) -> None:
        """Plays one token, or raises `IllegalTokenError` and leaves everything as it was."""
        if token == REDEAL:
            self._redeal()
        elif token == UNDO:
            if not self._round:
                raise IllegalTokenError(Fault.NOTHING_TO_UNDO, "this round has no slide to undo")
            self.pop()
            self.undos += 1
        else:
            self.push(self._legal_slide(token))

    def _legal_slide(self, token: object) -> Slide:
        try:
            slide = parse_slide(self.rules, token)
        except TokenError as error:
            code = Fault.OFF_BOARD if error.off_board else Fault.MALFORMED_TOKEN
            raise IllegalTokenError(code, str(error)) from error
        card = self.board[slide.source]
        if card == GAP:
            raise IllegalTokenError(Fault.NO_CARD, "there is a gap, and no card to slide")
        if is_fixed_ace(self.rules, self.board, slide.source):
            raise IllegalTokenError(Fault.NO_CARD, "an ace at the left never moves")
        if self.board[slide.target] != GAP:
            raise IllegalTokenError(Fault.OCCUPIED, "a card lies where this one should go")
        wanted = accepts(self.rules, self.board, slide.target)
        if wanted is None:
            raise IllegalTokenError(Fault.DEAD_GAP, "nothing enters a gap right of a king or a gap")
        anything_of = wanted == TWO and slide.target % self.rules.columns == 0
        if (rank_of(card) if anything_of else card) != wanted:
            name = "a 2" if anything_of else card_name(wanted)
            raise IllegalTokenError(
                Fault.WRONG_CARD, f"this gap takes {name}, and not {card_name(card)}"
            )
        return slide

    def _redeal(self) -> None:
        if self.won:
            raise IllegalTokenError(Fault.ALREADY_WON, "the game is won")
        if not redeals_left(self.rules, self.redeals):
            limit = self.rules.variant.redeals
            raise IllegalTokenError(Fault.NO_REDEALS_LEFT, f"this variant has {limit} redeals")
        if self.rules.variant.when_stuck:
            legal = next(slides(self.rules, self.board), None)
            if legal is not None:
                token = slide_token(self.rules, legal)
                raise IllegalTokenError(Fault.REDEAL_NOT_STUCK, f"{token} is still legal")
        try:
            order = self.deal.order(self.redeals + 1)
        except UnknownRedealError as error:
            raise IllegalTokenError(Fault.REDEAL_UNKNOWN, str(error)) from error
        self.board[:] = redeal(self.rules, self.board, order)
        self.redeals += 1
        self._round.clear()


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of a log: the game where it ended, and the first illegal token, if any."""

    game: Game
    fault: Fault | None = None
    index: int | None = None
    message: str | None = None

    @property
    def legal(self) -> bool:
        """Whether every token was legal where it stood."""
        return self.fault is None

    @property
    def won(self) -> bool:
        """Whether the log is legal and its last board won."""
        return self.legal and self.game.won


def replay(deal: Deal, moves: Iterable[object]) -> Replay:
    """Plays a log of tokens on a deal, up to the first that is not legal."""
    game = Game(deal)
    for index, token in enumerate(moves):
        try:
            game.play(token)
        except IllegalTokenError as error:
            return Replay(game, error.fault, index, str(error))
    return Replay(game)
