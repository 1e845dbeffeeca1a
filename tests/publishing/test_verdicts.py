import datetime as dt
import random

import pytest

import checker
from service.game.board import slides
from service.game.deal import Deal, numbered_deal
from service.game.notation import REDEAL
from service.game.play import Game
from service.publishing import gate, verdicts
from service.publishing.calendar import closes_at, visible_from
from service.publishing.gate import NotVisibleError
from service.publishing.remembered import PublishedDeals
from service.publishing.verdicts import NoRedealDueError, RefusedDocumentError
from service.store import submissions
from service.store.database import Database
from service.store.tables import Arrival
from tests.clock import FakeClock
from tests.deals import WonDeal, publish_deal, put_in_stock, won, won_deals

DAY = dt.date(2026, 3, 8)
WITH_REDEALS = list({deal.variant: deal for deal in won_deals() if deal.redeals}.values())


def up_to_redeal(deal: WonDeal) -> list[str]:
    return deal.line[: deal.line.index("redeal")]


def played_to_the_end(deal: Deal, chance: random.Random) -> Game:
    """A game of random slides, with a redeal wherever it is stuck, until it is won."""
    game = Game(deal)
    while not game.won:
        legal = list(slides(deal.rules, game.board))
        if legal:
            game.push(chance.choice(legal))
        else:
            game.play(REDEAL)
    return game


def test_a_submission_is_stored_with_its_verdict(database: Database, clock: FakeClock) -> None:
    deal = won(redeals=2)[0]
    name = publish_deal(database, deal, DAY, clock)
    stored, created = verdicts.submit(PublishedDeals(database), name, deal.line, clock)
    assert created
    assert stored.verdict == deal.verdict
    assert (stored.won, stored.legal, stored.redeals) == (True, True, 2)
    assert (stored.state, stored.received_at) == (Arrival.LIVE, clock())
    with database.reading() as session:
        again = verdicts.submission(session, stored.id, clock())
    assert (again.id, again.verdict, again.moves) == (stored.id, deal.verdict, deal.line)


def test_a_repeat_is_answered_as_it_was_at_first(database: Database, clock: FakeClock) -> None:
    deal = won()[0]
    name = publish_deal(database, deal, DAY, clock)
    first, _ = verdicts.submit(PublishedDeals(database), name, deal.line, clock)
    clock.set(closes_at(DAY))
    second, created = verdicts.submit(PublishedDeals(database), name, deal.line, clock)
    other, other_created = verdicts.submit(PublishedDeals(database), name, deal.line[:-1], clock)
    assert (second.id, created, second.state) == (first.id, False, Arrival.LIVE)
    assert (other_created, other.state, other.won) == (True, Arrival.ARCHIVE, False)


def test_an_illegal_log_has_a_verdict_too(database: Database, clock: FakeClock) -> None:
    deal = won()[0]
    name = publish_deal(database, deal, DAY, clock)
    stored, created = verdicts.submit(
        PublishedDeals(database), name, [*deal.line[:3], "undone"], clock
    )
    assert created
    assert (stored.legal, stored.won, stored.slides) == (False, False, 3)
    assert stored.verdict["fault"]["index"] == 3
    assert stored.verdict["fault"]["code"] == "malformed-token"


def test_an_empty_log_is_a_log(database: Database, clock: FakeClock) -> None:
    name = publish_deal(database, won()[0], DAY, clock)
    stored, _ = verdicts.submit(PublishedDeals(database), name, [], clock)
    assert (stored.legal, stored.won, stored.slides, stored.moves) == (True, False, 0, [])


def test_what_is_not_visible_takes_no_log(database: Database, clock: FakeClock) -> None:
    deal = won()[0]
    name = publish_deal(database, deal, DAY, clock)
    (in_stock,) = put_in_stock(database, won()[1])
    clock.set(visible_from(DAY) - dt.timedelta(seconds=1))
    for hidden in (name, in_stock.id, "0" * 20):
        with pytest.raises(NotVisibleError):
            verdicts.submit(PublishedDeals(database), hidden, deal.line, clock)
        with pytest.raises(NotVisibleError):
            verdicts.next_redeal(PublishedDeals(database), hidden, [], clock)
    with database.reading() as session:
        assert submissions.ids(session) == []


def test_a_submission_is_seen_only_where_its_deal_is(database: Database, clock: FakeClock) -> None:
    deal = won()[0]
    name = publish_deal(database, deal, DAY, clock)
    stored, _ = verdicts.submit(PublishedDeals(database), name, deal.line, clock)
    with database.reading() as session:
        with pytest.raises(NotVisibleError):
            verdicts.submission(session, stored.id, visible_from(DAY) - dt.timedelta(seconds=1))
        with pytest.raises(NotVisibleError):
            verdicts.submission(session, "0" * 32, clock())


@pytest.mark.parametrize("deal", WITH_REDEALS, ids=lambda deal: deal.variant)
def test_a_redeal_is_handed_out_when_it_is_due(
    sqlite_url: str, clock: FakeClock, deal: WonDeal
) -> None:
    """The checker alone, with the live document and what was handed out, confirms all of it."""
    with Database.open(sqlite_url) as database:
        name = publish_deal(database, deal, DAY, clock)
        with database.reading() as session:
            document = dict(gate.open_deal(session, name, clock()).document)
        log = up_to_redeal(deal)
        due = verdicts.next_redeal(PublishedDeals(database), name, log, clock)
    assert due.number == 1
    if deal.variant == "gathered":
        assert due.entry is None
    else:
        assert due.entry == deal.document["redeals"][0]
        document["redeals"] = [due.entry, *document["redeals"][1:]]
    verdict = checker.verify(document, [*log, "redeal"])
    assert verdict.legal
    assert verdict.layout == due.layout


def test_no_later_redeal_comes_with_it(database: Database, clock: FakeClock) -> None:
    deal = won(redeals=2)[0]
    name = publish_deal(database, deal, DAY, clock)
    first = deal.line.index("redeal")
    second = deal.line.index("redeal", first + 1)
    for number, end in ((1, first), (2, second)):
        due = verdicts.next_redeal(PublishedDeals(database), name, deal.line[:end], clock)
        assert due.number == number
        assert due.entry == deal.document["redeals"][number - 1]


@pytest.mark.parametrize("ranks", [3, 5, 8, 13])
def test_redeals_without_a_limit_end_before_the_entries_do(ranks: int) -> None:
    for number in range(20):
        game = played_to_the_end(numbered_deal("unlimited", number, ranks), random.Random(number))
        assert game.redeals < ranks <= len(game.deal.redeals) + 1


@pytest.mark.parametrize(
    ("variant", "log", "code", "in_log"),
    [
        ("classic", [], "redeal-not-stuck", False),
        ("one-deal", [], "no-redeals-left", False),
        ("classic", ["a1a1"], "no-card", True),
        ("classic", ["redeal"], "redeal-not-stuck", True),
        ("classic", ["nonsense"], "malformed-token", True),
    ],
)
def test_why_no_redeal_is_due(
    sqlite_url: str, clock: FakeClock, variant: str, log: list[str], code: str, in_log: bool
) -> None:
    deal = won(variant)[0]
    if code == "no-card":
        row = deal.document["layout"].index(next(r for r in deal.document["layout"] if None in r))
        gap = f"{'abcd'[row]}{deal.document['layout'][row].index(None) + 1}"
        log = [gap + "a1"]
    with Database.open(sqlite_url) as database:
        name = publish_deal(database, deal, DAY, clock)
        with pytest.raises(NoRedealDueError) as refused:
            verdicts.next_redeal(PublishedDeals(database), name, log, clock)
    assert refused.value.fault.code == code
    assert refused.value.in_log is in_log
    assert str(refused.value) == refused.value.fault.message


def test_no_redeal_is_due_on_a_won_board(database: Database, clock: FakeClock) -> None:
    deal = won(redeals=1)[0]
    name = publish_deal(database, deal, DAY, clock)
    with pytest.raises(NoRedealDueError) as refused:
        verdicts.next_redeal(PublishedDeals(database), name, deal.line, clock)
    assert (refused.value.fault.code, refused.value.in_log) == ("already-won", False)


def test_a_document_of_any_kind_is_verified_or_refused() -> None:
    deal = won(redeals=1)[0]
    assert verdicts.verify(deal.document, deal.line).won
    values: list[object] = [None, 3, [], {}, "deal", {**deal.document, "variant": "whist"}]
    for value in values:
        with pytest.raises(RefusedDocumentError) as refused:
            verdicts.verify(value, [])
        assert refused.value.faults
        assert all(fault.keys() == {"where", "message"} for fault in refused.value.faults)
