"""Statistics and players' records, over HTTP."""

import datetime as dt
import logging

import pytest

from service.api.problems import Problem
from service.publishing.calendar import closes_at
from service.store.database import Database
from service.store.plays import player_digest
from service.store.tables import Play
from tests.api.client import Client, problem
from tests.clock import FakeClock
from tests.deals import WonDeal, publish_deal, won

DAY = dt.timedelta(days=1)
TOKEN = "a-token.of_16~chars"
ME = {"Gaps-Player": TOKEN}
ZERO, ONE, TWO = (won("classic", redeals=number)[0] for number in range(3))


def moves(win: WonDeal) -> int:
    return len(win.line)


def submit(client: Client, deal_id: str, line: list[str], headers: dict[str, str] = ME) -> int:
    path = f"/v1/deals/{deal_id}/submissions"
    return client.post(path, json={"moves": line}, headers=headers).status_code


def test_statistics_of_nothing(client: Client, database: Database, clock: FakeClock) -> None:
    deal_id = publish_deal(database, ONE, clock.today, clock)
    assert client.get(f"/v1/deals/{deal_id}/stats").json() == {
        "id": deal_id,
        "submissions": 0,
        "legal": 0,
        "won": 0,
        "wins": [],
        "best": None,
        "ordered": [],
    }


def test_statistics_count_each_log_once(
    client: Client, database: Database, clock: FakeClock
) -> None:
    deal_id = publish_deal(database, ONE, clock.today, clock)
    longer = [ONE.line[0], "undo", *ONE.line]
    detour = ["redeal"]
    for _ in range(2):
        for line in (ONE.line, longer, ONE.line[:-1], ONE.line[:-2], detour):
            submit(client, deal_id, line)
    answer = client.get(f"/v1/deals/{deal_id}/stats")
    stats = answer.json()
    assert answer.headers["cache-control"] == "public, max-age=10"
    assert (stats["submissions"], stats["legal"], stats["won"]) == (5, 4, 2)
    wins = {"redeals": 1, "wins": 2, "fewest_moves": moves(ONE)}
    assert (stats["wins"], stats["best"]) == ([wins], wins)
    assert sum(each["submissions"] for each in stats["ordered"]) == 4
    assert stats["ordered"][-1] == {"ordered": 48, "submissions": 2}
    assert [each["ordered"] for each in stats["ordered"]] == sorted(
        each["ordered"] for each in stats["ordered"]
    )


def test_statistics_tell_live_from_later(
    client: Client, database: Database, clock: FakeClock
) -> None:
    deal_id = publish_deal(database, ONE, clock.today, clock)
    submit(client, deal_id, ONE.line[:3])
    clock.set(closes_at(clock.today))
    submit(client, deal_id, ONE.line)
    submit(client, deal_id, ONE.line[:3])
    counts = {
        state: client.get(f"/v1/deals/{deal_id}/stats", params={"state": state}).json()
        for state in ("live", "archive")
    }
    assert {state: each["submissions"] for state, each in counts.items()} == {
        "live": 1,
        "archive": 1,
    }
    assert counts["live"]["best"] is None
    assert counts["archive"]["won"] == 1
    for state in ("hidden", "LIVE", ""):
        response = client.get(f"/v1/deals/{deal_id}/stats", params={"state": state})
        problem(response, Problem.INVALID_REQUEST)


def test_statistics_of_what_may_not_be_seen(
    client: Client, database: Database, clock: FakeClock
) -> None:
    hidden = publish_deal(database, ONE, clock.today + 2 * DAY, clock)
    for deal_id in (hidden, "0" * 20, "nonsense"):
        problem(client.get(f"/v1/deals/{deal_id}/stats"), Problem.DEAL_NOT_FOUND)


def record(client: Client, token: str = TOKEN) -> dict[str, object]:
    response = client.get("/v1/record", headers={"Gaps-Player": token})
    assert response.status_code == 200
    assert response.headers["cache-control"] == "no-store"
    found: dict[str, object] = response.json()
    return found


def test_a_record(client: Client, database: Database, clock: FakeClock) -> None:
    today = clock.today
    ids = [
        publish_deal(database, win, today + n * DAY, clock)
        for n, win in enumerate((ZERO, ONE, TWO))
    ]
    assert record(client) == {
        "variant": "classic",
        "played": 0,
        "won": 0,
        "wins": [],
        "best_ordered": None,
        "current_streak": 0,
        "longest_streak": 0,
    }
    submit(client, ids[0], ["zzz"])
    assert record(client)["played"] == 0
    submit(client, ids[0], ZERO.line[:4])
    found = record(client)
    assert (found["played"], found["won"], found["current_streak"]) == (1, 0, 0)
    for n, win in enumerate((ZERO, ONE, TWO)):
        clock.set(dt.datetime.combine(today + n * DAY, dt.time(12), dt.UTC))
        assert submit(client, ids[n], win.line) == 201
        assert record(client)["current_streak"] == n + 1
    assert record(client) == {
        "variant": "classic",
        "played": 3,
        "won": 3,
        "wins": [{"redeals": n, "dailies": 1} for n in range(3)],
        "best_ordered": 48,
        "current_streak": 3,
        "longest_streak": 3,
    }
    assert record(client, "another-player-altogether")["played"] == 0


def test_two_players_with_the_same_log_each_have_it_on_record(
    client: Client, database: Database, clock: FakeClock
) -> None:
    """It is one submission; but who sends it when the daily is over has won nothing live."""
    deal_id = publish_deal(database, ZERO, clock.today, clock)
    other, late = ({"Gaps-Player": name * 16} for name in "xy")
    assert submit(client, deal_id, ZERO.line) == 201
    assert submit(client, deal_id, ZERO.line, other) == 200
    assert submit(client, deal_id, ZERO.line, {}) == 200
    clock.set(closes_at(clock.today))
    assert submit(client, deal_id, ZERO.line, late) == 200
    assert submit(client, deal_id, ZERO.line, late) == 200
    for token, streak in ((TOKEN, 1), ("x" * 16, 1), ("y" * 16, 0)):
        found = record(client, token)
        assert (found["won"], found["longest_streak"]) == (1, streak)
    assert client.get(f"/v1/deals/{deal_id}/stats").json()["submissions"] == 1


def test_only_a_hash_of_the_token_is_kept_and_none_is_logged(
    client: Client, database: Database, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    deal_id = publish_deal(database, ZERO, clock.today, clock)
    with caplog.at_level(logging.DEBUG), caplog.at_level(logging.WARNING, "httpx"):
        submit(client, deal_id, ZERO.line)
        record(client)
        client.get("/v1/record", headers={"Gaps-Player": f"{TOKEN} "})
        client.get("/v1/record", headers={"Gaps-Player": f"{TOKEN}!"})
    assert TOKEN not in caplog.text
    with database.reading() as session:
        (play,) = session.query(Play)
        assert play.player == player_digest(TOKEN)
    assert player_digest(TOKEN) == (
        "14d4374769751e4f8b26a0820a1a42b7a65928336108db07fc2e47a0c74730d6"
    )


@pytest.mark.parametrize(
    "token",
    ["", "short", "x" * 15, "x" * 65, "a token with blanks", "tökentökentöken!", "x" * 9000],
)
def test_what_is_no_token_is_refused_and_not_repeated(client: Client, token: str) -> None:
    sent = {b"Gaps-Player": token.encode()}
    for response in (
        client.get("/v1/record", headers=sent),
        client.post("/v1/deals/" + "0" * 20 + "/submissions", json={"moves": []}, headers=sent),
    ):
        (error,) = problem(response, Problem.INVALID_REQUEST)["errors"]
        assert (error["in"], error["where"]) == ("header", "Gaps-Player")
        assert not token or token not in response.text


def test_a_record_takes_one_token(client: Client) -> None:
    missing = problem(client.get("/v1/record"), Problem.INVALID_REQUEST)
    assert missing["errors"] == [
        {"in": "header", "where": "Gaps-Player", "message": "This is required."}
    ]
    twice = [("Gaps-Player", TOKEN), ("Gaps-Player", "x" * 16)]
    problem(client.request("GET", "/v1/record", headers=twice), Problem.INVALID_REQUEST)
