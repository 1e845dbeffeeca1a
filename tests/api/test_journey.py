"""Whole journeys: from fetching the daily, with redeals on request, to a won verdict and beyond."""

import datetime as dt
import random
from typing import Any

import pytest

import checker
from service.game.board import Slide, slides
from service.game.cards import GAP, parse_card
from service.game.notation import slide_token
from service.game.variants import Rules, rules
from service.settings import Redeals
from service.store.database import Database
from tests.api.client import Client
from tests.clock import FakeClock
from tests.deals import WonDeal, publish_deal, won, won_deals

# Of each variant the win with the most redeals.
WINS = list({deal.variant: deal for deal in sorted(won_deals(), key=lambda d: d.redeals)}.values())


def play(client: Client, daily: dict[str, Any], line: list[str]) -> dict[str, Any]:
    """Plays a line as a client does that knows no more than it is told.

    Answers the deal document with the redeals that were handed out put into it.
    """
    deal: dict[str, Any] = daily["deal"]
    redeals = [index for index, token in enumerate(line) if token == "redeal"]
    for number, index in enumerate(redeals, start=1):
        response = client.post(daily["links"]["redeals"], json={"moves": line[:index]})
        assert response.status_code == 200
        due = response.json()
        assert due["number"] == number
        if due["entry"] is not None:
            assert due["entry"]["commitment"] == deal["redeals"][number - 1]["commitment"]
            deal["redeals"][number - 1] = due["entry"]
        assert checker.check_deal(deal) == [], "the checker alone finds the commitment kept"
        after = checker.verify(deal, line[: index + 1])
        assert after.legal
        assert after.layout == due["layout"]
    return deal


@pytest.mark.parametrize("win", WINS, ids=lambda win: f"{win.variant}-{win.redeals}")
def test_from_the_daily_to_a_won_verdict(
    win: WonDeal, database: Database, client: Client, clock: FakeClock
) -> None:
    deal_id = publish_deal(database, win, clock.today, clock)

    daily = client.get("/v1/daily", params={"variant": win.variant}).json()
    assert (daily["id"], daily["state"]) == (deal_id, "live")
    sealed = daily["deal"]
    assert checker.check_deal(sealed) == []
    assert client.get(daily["links"]["deal"]).json() == sealed
    assert client.get(daily["links"]["self"]).json() == daily
    assert "seed" not in sealed
    assert all(list(entry) == ["commitment"] for entry in sealed.get("redeals", []))
    assert client.get(daily["links"]["solution"]).status_code == 403

    opened = play(client, daily, win.line)

    submitted = client.post(daily["links"]["submissions"], json={"moves": win.line})
    assert submitted.status_code == 201
    submission = submitted.json()
    assert submission["verdict"] == win.verdict
    assert submission["verdict"]["won"]
    assert (submission["deal"], submission["state"]) == (deal_id, "live")
    assert dt.datetime.fromisoformat(submission["received_at"]) == clock.now

    clock.advance(hours=1)
    again = client.post(daily["links"]["submissions"], json={"moves": win.line})
    assert (again.status_code, again.json()) == (200, submission)
    assert again.headers["location"] == submitted.headers["location"]
    assert client.get(submitted.headers["location"]).json() == submission

    checked = client.post("/v1/verify", json={"deal": opened, "moves": win.line})
    assert checked.json() == win.verdict

    clock.set(dt.datetime.fromisoformat(daily["closes_at"]))
    closed = client.get(daily["links"]["deal"]).json()
    assert closed == win.document
    assert checker.check_deal(closed) == []
    assert closed["seed_commitment"] == sealed["seed_commitment"]
    solution = client.get(daily["links"]["solution"]).json()
    assert (solution["moves"], solution["verdict"]) == (win.line, win.verdict)
    assert checker.verify(closed, solution["moves"]).won
    assert client.get(submitted.headers["location"]).json() == submission
    assert client.get(daily["links"]["self"]).json()["state"] == "closed"


def test_a_daily_with_open_redeals_needs_no_asking(
    database: Database, client: Client, clock: FakeClock
) -> None:
    win = won("classic", redeals=2)[0]
    publish_deal(database, win, clock.today, clock, Redeals.OPEN)
    daily = client.get("/v1/daily").json()
    assert daily["deal"]["redeals"] == win.document["redeals"]
    assert "seed" not in daily["deal"]
    assert checker.verify(daily["deal"], win.line).won
    assert client.get(daily["links"]["solution"]).status_code == 403
    due = client.post(
        daily["links"]["redeals"], json={"moves": win.line[: win.line.index("redeal")]}
    )
    assert due.json()["entry"] == win.document["redeals"][0]


def test_a_player_who_is_told_no_more_than_is_due_wins_in_the_end(
    database: Database, client: Client, clock: FakeClock
) -> None:
    """Every round of `unlimited` brings each row on by a card, so anybody wins with patience."""
    publish_deal(database, won("unlimited")[0], clock.today, clock)
    daily = client.get("/v1/daily", params={"variant": "unlimited"}).json()
    chance, layout, entries = random.Random(1), daily["deal"]["layout"], []
    moves: list[str] = []
    while True:
        moves += until_stuck("unlimited", layout, chance)
        response = client.post(daily["links"]["redeals"], json={"moves": moves})
        if response.status_code == 409:
            break
        due = response.json()
        entries.append(due["entry"])
        layout = due["layout"]
        moves.append("redeal")
    assert response.json()["fault"]["code"] == "already-won"
    assert len(entries) > 4
    verdict = client.post(daily["links"]["submissions"], json={"moves": moves}).json()["verdict"]
    assert (verdict["won"], verdict["redeals"]) == (True, len(entries))
    clock.advance(days=3)
    whole = client.get(daily["links"]["deal"]).json()
    assert entries == whole["redeals"][: len(entries)]


def until_stuck(variant: str, layout: list[list[str | None]], chance: random.Random) -> list[str]:
    """Random slides from a board until none is left."""
    played = rules(variant)
    board = [GAP if card is None else parse_card(card) for row in layout for card in row]
    tokens = []
    while choices := list(slides(played, board)):
        # A 2 that is at home stays there while it can: it could change its row for ever.
        slide = chance.choice([s for s in choices if not _at_home(played, s)] or choices)
        board[slide.target], board[slide.source] = board[slide.source], GAP
        tokens.append(slide_token(played, slide))
    return tokens


def _at_home(played: Rules, slide: Slide) -> bool:
    return slide.source % played.columns == 0 == slide.target % played.columns
