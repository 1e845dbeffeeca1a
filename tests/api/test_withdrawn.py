"""A withdrawn daily answers 410 with the reason, whatever is asked of it; what was stored stays."""

import datetime as dt

import pytest

from service.api.problems import Problem
from service.publishing.calendar import visible_from
from service.publishing.withdraw import withdraw
from service.store.database import Database
from tests.api.client import Client, problem
from tests.clock import FakeClock
from tests.deals import publish_deal, won

WHY = 'Two cards were drawn "alike".'
WIN = won(redeals=1)[0]


@pytest.fixture
def deal_id(database: Database, client: Client, clock: FakeClock) -> str:
    """Today's deal, with a submission, withdrawn."""
    name = publish_deal(database, WIN, clock.today, clock)
    assert client.post(f"/v1/deals/{name}/submissions", json={"moves": []}).status_code == 201
    withdraw(database, "classic", clock.today, WHY, clock)
    return name


@pytest.mark.parametrize("days", [0, 2])
def test_every_call_about_it_says_why(
    client: Client, deal_id: str, clock: FakeClock, days: int
) -> None:
    clock.advance(days=days)
    deal = f"/v1/deals/{deal_id}"
    closed = (f"{deal}/solution", f"{deal}/bundle")
    gone = [client.get(path) for path in ("/v1/dailies/2026-03-08", deal, *closed)]
    gone += [
        client.post(f"{deal}/{what}", json={"moves": moves})
        for what in ("submissions", "redeals")
        for moves in ([], WIN.line)
    ]
    if not days:
        gone.append(client.get("/v1/daily"))
    for response in gone:
        document = problem(response, Problem.DAILY_WITHDRAWN)
        assert (document["reason"], document["withdrawn_at"]) == (WHY, "2026-03-08T12:00:00Z")
    assert client.head(deal).status_code == 410


def test_a_stored_verdict_can_still_be_fetched(
    client: Client, database: Database, clock: FakeClock
) -> None:
    name = publish_deal(database, WIN, clock.today, clock)
    sent = client.post(f"/v1/deals/{name}/submissions", json={"moves": WIN.line})
    withdraw(database, "classic", clock.today, WHY, clock)
    assert client.get(sent.headers["location"]).json() == sent.json()


def test_the_archive_lists_it_as_withdrawn(
    client: Client, deal_id: str, database: Database, clock: FakeClock
) -> None:
    old = publish_deal(database, won(redeals=0)[0], clock.today - dt.timedelta(days=3), clock)
    listed = client.get("/v1/dailies").json()["dailies"]
    assert [(daily["id"], daily["state"]) for daily in listed] == [
        (deal_id, "withdrawn"),
        (old, "closed"),
    ]
    assert client.get(listed[0]["links"]["self"]).status_code == 410


def test_a_hidden_daily_that_is_withdrawn_is_as_one_that_never_was(
    client: Client, database: Database, clock: FakeClock
) -> None:
    hidden = clock.today + dt.timedelta(days=2)
    paths = [f"/v1/dailies/{hidden}", "/v1/dailies", "/v1/deals/" + "0" * 20]
    before = [client.get(path).content for path in paths]
    name = publish_deal(database, WIN, hidden, clock)
    withdraw(database, "classic", hidden, WHY, clock)
    paths[-1] = f"/v1/deals/{name}"
    assert [client.get(path).content for path in paths] == before
    clock.set(visible_from(hidden))
    for path in (paths[0], paths[2]):
        problem(client.get(path), Problem.DAILY_WITHDRAWN)


def test_a_service_whose_daily_is_withdrawn_is_ready(
    client: Client, deal_id: str, database: Database, clock: FakeClock
) -> None:
    publish_deal(database, won("relaxed")[0], clock.today, clock)
    assert client.get("/readyz").status_code == 200


def test_the_head_of_the_chain_is_of_what_may_be_seen(
    client: Client, database: Database, clock: FakeClock
) -> None:
    assert client.get("/v1/dailies").json()["head"] is None
    today, hidden = clock.today, clock.today + dt.timedelta(days=2)
    publish_deal(database, won()[0], today, clock)
    head = client.get("/v1/dailies").json()["head"]
    assert len(head) == 64
    publish_deal(database, won()[1], hidden, clock)
    page = client.get(f"/v1/dailies?limit=1&from={today}&variant=classic").json()
    assert page["head"] == head
    clock.set(visible_from(hidden))
    later = client.get("/v1/dailies").json()["head"]
    assert later != head
    withdraw(database, "classic", today, WHY, clock)
    assert client.get("/v1/dailies").json()["head"] not in {head, later}
