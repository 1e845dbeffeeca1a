"""Deals by id: documents, solutions, redeals, submissions, and verdicts on any document."""

import copy
from typing import Any

import pytest

import checker
from service.api.problems import Problem
from service.store.database import Database
from tests.api.client import Client, problem
from tests.clock import FakeClock
from tests.deals import WonDeal, publish_deal, won

WIN = won("classic", redeals=2)[0]
FIRST_ROUND = WIN.line[: WIN.line.index("redeal")]


@pytest.fixture
def deal_id(database: Database, clock: FakeClock) -> str:
    return publish_deal(database, WIN, clock.today, clock)


def redeal(client: Client, deal_id: str, moves: list[str]) -> Any:
    return client.post(f"/v1/deals/{deal_id}/redeals", json={"moves": moves})


@pytest.mark.parametrize(
    ("moves", "index", "code"),
    [
        ([], 0, "redeal-not-stuck"),
        ([*FIRST_ROUND[:-1]], len(FIRST_ROUND) - 1, "redeal-not-stuck"),
        (["redeal"], 0, "redeal-not-stuck"),
        (["undo"], 0, "nothing-to-undo"),
        (["SENTINEL"], 0, "malformed-token"),
        (["h14a1"], 0, "off-board"),
        ([*FIRST_ROUND, "a1"], len(FIRST_ROUND), "malformed-token"),
        (WIN.line, len(WIN.line), "already-won"),
    ],
)
def test_a_redeal_that_is_not_due_says_why(
    client: Client, deal_id: str, moves: list[str], index: int, code: str
) -> None:
    response = redeal(client, deal_id, moves)
    fault = problem(response, Problem.REDEAL_NOT_DUE)["fault"]
    assert (fault["index"], fault["code"]) == (index, code)
    assert fault["message"].endswith(".")
    assert "SENTINEL" not in response.text


def test_no_redeal_is_left_after_the_last(client: Client, deal_id: str) -> None:
    after_last = WIN.line[: len(WIN.line) - WIN.line[::-1].index("redeal")]
    fault = problem(redeal(client, deal_id, after_last), Problem.REDEAL_NOT_DUE)["fault"]
    assert fault["code"] == "no-redeals-left"


def test_the_same_log_is_told_the_same_redeal(client: Client, deal_id: str) -> None:
    first = redeal(client, deal_id, FIRST_ROUND)
    assert first.json()["entry"] == WIN.document["redeals"][0]
    assert redeal(client, deal_id, FIRST_ROUND).json() == first.json()
    assert first.headers["cache-control"] == "no-store"


def test_gathered_cards_need_no_secret(
    database: Database, client: Client, clock: FakeClock
) -> None:
    """What is picked up lies on the table: the answer is the board after it."""
    win = next(deal for deal in won("gathered") if deal.redeals)
    gathered_id = publish_deal(database, win, clock.today, clock)
    document = client.get(f"/v1/deals/{gathered_id}").json()
    assert "redeals" not in document
    moves = win.line[: win.line.index("redeal")]
    due = redeal(client, gathered_id, moves).json()
    assert (due["number"], due["entry"]) == (1, None)
    assert checker.verify(document, [*moves, "redeal"]).layout == due["layout"]


@pytest.mark.parametrize(
    ("moves", "code"),
    [
        (["SENTINEL"], "malformed-token"),
        ([*FIRST_ROUND, "redeal", "redeal"], "redeal-not-stuck"),
        (["redeal"], "redeal-not-stuck"),
    ],
)
def test_an_illegal_log_has_a_verdict(
    client: Client, deal_id: str, moves: list[str], code: str
) -> None:
    response = client.post(f"/v1/deals/{deal_id}/submissions", json={"moves": moves})
    assert response.status_code == 201
    verdict = response.json()["verdict"]
    assert (verdict["legal"], verdict["won"]) == (False, False)
    assert verdict["fault"]["code"] == code
    assert verdict["fault"]["index"] == len(moves) - 1
    assert verdict == checker.verify(WIN.document, moves).as_json()


def test_an_empty_log_has_a_verdict(client: Client, deal_id: str) -> None:
    response = client.post(f"/v1/deals/{deal_id}/submissions", json={"moves": []})
    verdict = response.json()["verdict"]
    assert (verdict["legal"], verdict["won"], verdict["moves"]) == (True, False, 0)


def test_two_logs_are_two_submissions(client: Client, deal_id: str) -> None:
    path = f"/v1/deals/{deal_id}/submissions"
    ids = {client.post(path, json={"moves": WIN.line[:n]}).json()["id"] for n in range(4)}
    assert len(ids) == 4


def test_a_late_log_is_for_the_archive(client: Client, deal_id: str, clock: FakeClock) -> None:
    path = f"/v1/deals/{deal_id}/submissions"
    early = client.post(path, json={"moves": WIN.line}).json()
    clock.advance(days=2)
    late = client.post(path, json={"moves": WIN.line[:1]}).json()
    assert (early["state"], late["state"]) == ("live", "archive")
    assert client.post(path, json={"moves": WIN.line}).json() == early


def test_the_solution_says_when_it_opens(client: Client, deal_id: str, clock: FakeClock) -> None:
    path = f"/v1/deals/{deal_id}/solution"
    document = problem(client.get(path), Problem.SOLUTION_SEALED)
    assert document["available_at"] == "2026-03-09T12:00:00Z"
    clock.advance(days=1)
    assert client.get(path).json()["moves"] == WIN.line


@pytest.mark.parametrize(
    ("accept", "text"),
    [
        ("text/plain", True),
        ("Text/Plain", True),
        ("text/plain;q=0.5, text/html", True),
        ("application/json", False),
        ("application/json, text/plain", False),
        ("text/html, */*;q=0.1, text/plain", False),
        ("*/*", False),
        ("", False),
    ],
)
def test_the_solution_as_a_log_for_the_checker(
    client: Client, deal_id: str, clock: FakeClock, accept: str, text: bool
) -> None:
    clock.advance(days=2)
    response = client.get(f"/v1/deals/{deal_id}/solution", headers={"Accept": accept})
    assert response.headers["vary"] == "Accept, Accept-Encoding"
    if text:
        assert response.headers["content-type"] == "text/plain; charset=utf-8"
        assert response.text.split() == WIN.line
    else:
        assert response.json()["moves"] == WIN.line


@pytest.mark.parametrize("deal", ["0" * 20, "x", "0" * 19, "A" * 20, "%00", "..", "0" * 9_000])
def test_an_unknown_deal_is_not_found_by_any_call(client: Client, deal_id: str, deal: str) -> None:
    for what in ("", "/solution", "/bundle"):
        path = f"/v1/deals/{deal}{what}"
        expected = Problem.NOT_FOUND if deal == ".." else Problem.DEAL_NOT_FOUND
        problem(client.get(path), expected)
    if deal != "..":
        for path in (f"/v1/deals/{deal}/redeals", f"/v1/deals/{deal}/submissions"):
            problem(client.post(path, json={"moves": []}), Problem.DEAL_NOT_FOUND)


@pytest.mark.parametrize("submission", ["0" * 32, "x", "0" * 31, "%00", "0" * 9_000])
def test_an_unknown_submission_is_not_found(client: Client, submission: str) -> None:
    problem(client.get(f"/v1/submissions/{submission}"), Problem.SUBMISSION_NOT_FOUND)


@pytest.mark.parametrize("win", [WIN, won("big-paganini")[0]], ids=lambda win: win.variant)
def test_any_document_is_verified(strict: Client, win: WonDeal) -> None:
    response = strict.post("/v1/verify", json={"deal": win.document, "moves": win.line})
    assert (response.status_code, response.json()) == (200, win.verdict)


def test_a_sealed_redeal_ends_a_replay(strict: Client) -> None:
    sealed = copy.deepcopy(WIN.document)
    del sealed["seed"]
    sealed["redeals"] = [{"commitment": entry["commitment"]} for entry in sealed["redeals"]]
    verdict = strict.post("/v1/verify", json={"deal": sealed, "moves": WIN.line}).json()
    assert verdict["fault"]["code"] == "redeal-unknown"
    assert verdict["fault"]["index"] == len(FIRST_ROUND)


DAMAGES: dict[str, tuple[str, Any, str]] = {
    "format": ("format", "SENTINEL", "/format"),
    "variant": ("variant", "SENTINEL", "/variant"),
    "unknown key": ("SENTINEL", 1, ""),
    "unknown key with a slash": ("SENTI/NEL~", 1, ""),
    "ranks": ("ranks", True, "/ranks"),
    "layout": ("layout", "SENTINEL", "/layout"),
    "redeals": ("redeals", [{"commitment": "SENTINEL"}], "/redeals"),
    "seed": ("seed", "SENTINEL", "/seed"),
    "seed of another deal": ("seed", "0" * 64, "/seed_commitment"),
}


@pytest.mark.parametrize(("key", "value", "where"), DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_document_is_refused_with_its_faults(
    strict: Client, key: str, value: Any, where: str
) -> None:
    response = strict.post(
        "/v1/verify", json={"deal": {**WIN.document, key: value}, "moves": WIN.line}
    )
    document = problem(response, Problem.DEAL_REFUSED)
    assert where in [fault["where"] for fault in document["faults"]]
    assert all(fault["message"].endswith(".") for fault in document["faults"])
    assert "SENTI" not in response.text


@pytest.mark.parametrize("deal", [None, True, 1, 1.5, "SENTINEL", [], ["SENTINEL"], {}])
def test_what_is_no_document_at_all_is_refused(strict: Client, deal: Any) -> None:
    response = strict.post("/v1/verify", json={"deal": deal, "moves": []})
    assert problem(response, Problem.DEAL_REFUSED)["faults"]
    assert "SENTINEL" not in response.text


def test_a_wrong_card_is_named(strict: Client) -> None:
    """The words of the format are repeated, others are not."""
    layout = copy.deepcopy(WIN.document["layout"])
    layout[0][0], layout[1][1] = "10H", "2C"
    response = strict.post(
        "/v1/verify", json={"deal": {**WIN.document, "layout": layout}, "moves": []}
    )
    faults = problem(response, Problem.DEAL_REFUSED)["faults"]
    assert "/layout/0/0" in [fault["where"] for fault in faults]
    assert "10H" not in response.text
