"""Parameters have one form each; any other is refused, and never repeated."""

import pytest

from service.api.problems import Problem
from tests.api.client import Client, problem
from tests.clock import NOON

TODAY = NOON.date()

ZONES = {
    "empty": "",
    "a space": "UTC ",
    "unknown": "Nowhere/Else",
    "another path": "../../etc/passwd",
    "an absolute path": "/etc/localtime",
    "a folder": "America",
    "the machine's own": "localtime",
    "a NUL": "UTC\0",
    "a line break": "Pacific/Auckland\n",
    "a backslash": "Pacific\\Auckland",
    "an offset": "+14:00",
    "long": "x" * 9_000,
}
DATES = {
    "short": "2026-3-8",
    "without dashes": "20260308",
    "a week": "2026-W10-7",
    "no day of the calendar": "2026-02-30",
    "seconds": "1699920000",
    "wide digits": "\uff12\uff10\uff12\uff16-03-08",
    "a word": "today",
    "a time": "2026-03-08T00:00",
    "beyond the calendar": "9999-12-31",
    "before the calendar": "0000-01-01",
    "a sign": "-2026-03-08",
    "a space": "2026-03-08 ",
    "long": "2" * 9_000,
}
LIMITS = {
    "zero": "0",
    "too many": "101",
    "negative": "-1",
    "a sign": "+5",
    "a fraction": "5.0",
    "a leading zero": "05",
    "a space": " 5",
    "an underscore": "5_0",
    "an Arabic digit": "\u0665",
    "empty": "",
    "an exponent": "1e1",
    "huge": "9" * 5_000,
}
CURSORS = ["", "x", "2026-03-08", "2026-03-08~", "~classic", "2026-03-08~x~y", "2026-02-30~classic"]
VARIANTS = ["", "Classic", "montana", "classic ", "x" * 9_000]


def refused(response: object, where: str) -> str:
    """The message about the one parameter that is wrong."""
    document = problem(response, Problem.INVALID_REQUEST)  # type: ignore[arg-type]
    (error,) = document["errors"]
    assert error["where"] == where
    message: str = error["message"]
    return message


@pytest.mark.parametrize("zone", ZONES.values(), ids=ZONES.keys())
def test_a_zone_is_a_name_of_the_database(strict: Client, zone: str) -> None:
    refused(strict.get("/v1/daily", params={"tz": zone}), "tz")


@pytest.mark.parametrize("date", DATES.values(), ids=DATES.keys())
def test_a_date_has_one_form(strict: Client, date: str) -> None:
    refused(strict.get(f"/v1/dailies/{date}"), "date")
    for bound in ("from", "to"):
        message = refused(strict.get("/v1/dailies", params={bound: date}), bound)
        assert message == "A date is written like 2026-03-09, from 1900-01-01 to 9998-12-31."


@pytest.mark.parametrize("limit", LIMITS.values(), ids=LIMITS.keys())
def test_a_page_has_a_whole_number_of_dailies(strict: Client, limit: str) -> None:
    refused(strict.get("/v1/dailies", params={"limit": limit}), "limit")


@pytest.mark.parametrize("cursor", CURSORS)
def test_a_cursor_is_one_that_was_given(strict: Client, cursor: str) -> None:
    refused(strict.get("/v1/dailies", params={"cursor": cursor}), "cursor")


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda name: name[:9] or "empty")
@pytest.mark.parametrize("path", ["/v1/daily", f"/v1/dailies/{TODAY}", "/v1/dailies"])
def test_a_variant_is_one_of_the_table(strict: Client, path: str, variant: str) -> None:
    message = refused(strict.get(path, params={"variant": variant}), "variant")
    assert message.startswith("There is no such variant; there are classic, relaxed")


def test_all_wrong_parameters_are_named_at_once(strict: Client) -> None:
    response = strict.get("/v1/dailies?variant=SENTINEL&from=SENTINEL&limit=SENTINEL")
    document = problem(response, Problem.INVALID_REQUEST)
    assert [error["where"] for error in document["errors"]] == ["variant", "from", "limit"]
    assert "SENTINEL" not in response.text
