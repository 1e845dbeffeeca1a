"""Bundles: a document, a line and a provenance, a file for each thing that can be wrong."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

import checker
from checker.bundle import is_bundle
from checker.faults import MOST_NAMED

from .build import bundles
from .documents import put
from .running import file, gaps_check, told

GOLDEN = dict(bundles())
GOOD = {name: case for name, case in GOLDEN.items() if case["status"] != 3}
REFUSED = {name: case for name, case in GOLDEN.items() if case["status"] == 3}
OPEN = GOLDEN["good"]["bundle"]
LIVE = GOLDEN["good-live"]["bundle"]
ONE_DEAL = GOLDEN["good-one-deal"]["bundle"]
WIN = ONE_DEAL["line"]


def test_every_status_and_every_key_has_its_files() -> None:
    assert {case["status"] for case in GOLDEN.values()} == {0, 1, 2, 3}
    for key in OPEN:
        assert f"{key}-missing" in REFUSED
        assert any(where.startswith(f"/{key}") for where in REFUSED["several-at-once"]["where"])


@pytest.mark.parametrize("case", GOOD.values(), ids=GOOD)
def test_good_bundles_are_judged_by_their_line(case: dict[str, Any]) -> None:
    bundle = case["bundle"]
    before = copy.deepcopy(bundle)
    verdict = checker.check_bundle(bundle)
    assert verdict == checker.verify(bundle["document"], bundle["line"])
    assert (verdict.legal, verdict.won) == (case["status"] != 2, case["status"] == 0)
    if verdict.fault:
        assert (verdict.fault.index, verdict.fault.code) == (case["index"], case["code"])
        for words in case.get("sentence", []):
            assert words in verdict.fault.message
    assert bundle == before


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_wrong_bundles_are_refused(case: dict[str, Any]) -> None:
    with pytest.raises(checker.RefusedDeal) as caught:
        checker.check_bundle(case["bundle"])
    faults = caught.value.faults
    assert [fault.where for fault in faults] == case["where"]
    for words in case.get("sentence", []):
        assert words in " ".join(fault.message for fault in faults)
    for fault in faults:
        assert fault.message.endswith(".")
        assert fault.message.isascii()
        assert len(fault.message) < 600


@pytest.mark.parametrize("name", [name for name in GOLDEN if is_bundle(GOLDEN[name]["bundle"])])
def test_the_command_says_the_same(tmp_path: Path, name: str) -> None:
    case = GOLDEN[name]
    path = str(file(tmp_path, "bundle.json", case["bundle"]))
    if name == "provenance-number-out-of-range":
        Path(path).write_text(Path(path).read_text().replace("Infinity", "1e999"))
    person, program = gaps_check(path), gaps_check(path, "--json")
    assert (person.returncode, program.returncode) == (case["status"], case["status"])
    assert person.stderr == b""
    # Nothing that a file holds steers a terminal.
    assert set(person.stdout) <= set(range(0x20, 0x7F)) | {ord("\n")}
    if case["status"] == 3:
        assert [fault["where"] for fault in told(program)["refused"]] == case["where"]
        assert person.stdout.startswith(b"The bundle is refused:\n")
        for words in case.get("sentence", []):
            assert words in person.stdout.decode()
        return
    answer = told(program)
    verified, not_verified = answer.pop("verified"), answer.pop("not_verified")
    assert answer.pop("provenance") == case["bundle"]["provenance"]
    assert answer == checker.check_bundle(case["bundle"]).as_json()
    lines = person.stdout.decode().splitlines()
    start, middle = lines.index("Verified:"), lines.index("Not verified:")
    assert lines[start + 1 : middle] == [f"  {fact}" for fact in verified]
    assert lines[middle + 1 : lines.index("")] == [f"  {fact}" for fact in not_verified]
    assert ("The board is won" in " ".join(verified)) == (case["status"] == 0)
    assert ("The line is legal" in " ".join(verified)) == (case["status"] < 2)
    assert not (case["status"] == 2 and "the line's number" in " ".join(verified))


def test_what_is_verified_of_an_open_deal(tmp_path: Path) -> None:
    answer = told(gaps_check("--json", str(file(tmp_path, "bundle.json", OPEN))))
    assert answer["verified"] == [
        "The layout follows from the seed.",
        "The order of redeal 1 follows from the seed.",
        "The commitment to redeal 1 was kept: order and salt match it.",
        "The order of redeal 2 follows from the seed.",
        "The commitment to redeal 2 was kept: order and salt match it.",
        "The commitment to the seed was kept: the seed matches it.",
        "The line is legal: 10 tokens, each legal where it stands.",
        "The board is won, in 9 slides and 1 redeal.",
        '"moves" in the provenance is the line\'s number of moves.',
        '"redeals" in the provenance is the line\'s number of redeals.',
    ]
    assert answer["not_verified"] == [
        "When the commitments were made is not in the file; "
        "compare them with those that were known before play.",
        "Everything else in the provenance is its publisher's claim.",
    ]


def test_a_live_deal_for_a_person(tmp_path: Path) -> None:
    done = gaps_check(str(file(tmp_path, "bundle.json", LIVE)))
    assert done.returncode == 0
    assert done.stdout.decode() == (
        "Deal: classic, 4 rows of 4, a miniature of 4 ranks. The document is good.\n"
        "Verified:\n"
        "  The layout is an opening of classic.\n"
        "  The line is legal: 6 tokens, each legal where it stands.\n"
        "  The board is won, in 6 slides and 0 redeals.\n"
        '  "moves" in the provenance is the line\'s number of moves.\n'
        '  "redeals" in the provenance is the line\'s number of redeals.\n'
        "Not verified:\n"
        "  The layout was taken as it stands; the document has no seed that it could follow from.\n"
        "  The order of redeal 1 is sealed; neither it nor its commitment could be checked.\n"
        "  The order of redeal 2 is sealed; neither it nor its commitment could be checked.\n"
        "  The commitment to the seed could not be checked; the seed is not in the file.\n"
        "  When the commitments were made is not in the file; "
        "compare them with those that were known before play.\n"
        "  Everything else in the provenance is its publisher's claim.\n"
        "\n"
        "Provenance, as the publisher claims it:\n"
        "  {\n"
        '    "moves": 6,\n'
        '    "redeals": 0\n'
        "  }\n"
        "\n"
        "     1  2  3  4\n"
        "  a 2C 3C 4C --\n"
        "  b 2D 3D 4D --\n"
        "  c 2H 3H 4H --\n"
        "  d 2S 3S 4S --\n"
        "\n"
        "Ordered 12 of 12; slides 6, redeals 0, moves 6, undos 0.\n"
        "Won.\n"
    )


def test_a_provenance_is_shown_escaped(tmp_path: Path) -> None:
    bundle = GOLDEN["good-says-much"]["bundle"]
    text = gaps_check(str(file(tmp_path, "bundle.json", bundle))).stdout.decode()
    assert '    "\\u001b[31m\\u0007\\u007f": "\\u009b2J\\u202e\\n\\r"\n' in text


def test_an_enormous_provenance_is_shown_cut(tmp_path: Path) -> None:
    provenance = {"long": "x" * 10**6, "many": list(range(10**5))}
    path = file(tmp_path, "bundle.json", ONE_DEAL | {"provenance": provenance})
    done = gaps_check(str(path))
    assert done.returncode == 0
    assert len(done.stdout) < 6000
    assert b"more lines\n" in done.stdout
    assert told(gaps_check("--json", str(path)))["provenance"] == provenance


def test_moves_are_what_the_verdict_counts() -> None:
    """In a line with slides that are taken back, before and after a redeal."""
    line = ["c3a1", "undo", *OPEN["line"][:8], "undo", "undo", *OPEN["line"][6:]]
    verdict = checker.check_bundle(OPEN | {"line": line, "provenance": {"moves": 10}})
    assert (verdict.won, verdict.moves, verdict.undos) == (True, 10, 3)
    for wrong in (len(line), len(line) - 3, verdict.slides):
        with pytest.raises(checker.RefusedDeal):
            checker.check_bundle(OPEN | {"line": line, "provenance": {"moves": wrong}})


def test_a_bundle_from_standard_input() -> None:
    assert gaps_check("-", stdin=json.dumps(OPEN).encode()).returncode == 0


def test_a_log_beside_a_bundle_is_wrong_usage(tmp_path: Path) -> None:
    path = str(file(tmp_path, "bundle.json", OPEN))
    for log in (path, "-", str(tmp_path / "nowhere")):
        done = gaps_check(path, log)
        assert (done.returncode, done.stdout) == (2, b"")
        assert b"DEAL is a bundle, which has its own line; leave LOG out" in done.stderr


HOSTILE = {
    "NaN": (b"NaN", "NaN"),
    "a key twice": (b'{"a": 1, "a": 1}', "twice"),
    "deep": (b"[" * 200_000 + b"]" * 200_000, "nested"),
    "digits": (b"1" * 10_000, "10000 digits"),
    "not UTF-8": (b'"\xff"', "UTF-8"),
}


@pytest.mark.parametrize(("value", "words"), HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("place", ["document", "line", "provenance"])
def test_hostile_files(tmp_path: Path, place: str, value: bytes, words: str) -> None:
    text = json.dumps(ONE_DEAL | {place: "HERE"}).encode().replace(b'"HERE"', value)
    path = str(file(tmp_path, "bundle.json", text))
    done = gaps_check(path)
    assert (done.returncode, done.stdout) == (3, b"")
    assert words in done.stderr.decode()
    assert words in told(gaps_check(path, "--json"))["refused"][0]["message"]


@pytest.mark.parametrize("value", [None, 7, "gaps-bundle/1", [OPEN], {}, {"format": {}}])
def test_no_bundle_at_all(value: object) -> None:
    assert not is_bundle(value)
    with pytest.raises(checker.RefusedDeal):
        checker.check_bundle(value)


def test_values_that_are_no_json_are_refused() -> None:
    """A Python user may give anything; also an object that holds itself."""
    endless: list[object] = []
    endless += [endless, endless]
    for value in (endless, {1: 2}, (1, 2), b"x", {None: endless}):
        bundle = put(ONE_DEAL, "/provenance/x", None)
        bundle["provenance"]["x"] = value
        with pytest.raises(checker.RefusedDeal) as caught:
            checker.check_bundle(bundle)
        assert 1 <= len(caught.value.faults) <= MOST_NAMED + 1


@pytest.mark.parametrize("provenance", [["moves"], "moves", 7])
def test_a_provenance_that_is_no_object_contradicts_nothing(provenance: object) -> None:
    with pytest.raises(checker.RefusedDeal) as caught:
        checker.check_bundle(ONE_DEAL | {"provenance": provenance})
    assert [fault.where for fault in caught.value.faults] == ["/provenance"]


def test_faults_of_a_provenance_are_named_up_to_a_number() -> None:
    bundle = ONE_DEAL | {"provenance": {"moves": 5, "x": [2**64] * 1000}}
    with pytest.raises(checker.RefusedDeal) as caught:
        checker.check_bundle(bundle)
    assert [fault.where for fault in caught.value.faults] == [
        *(f"/provenance/x/{i}" for i in range(MOST_NAMED)),
        "/provenance",
        "/provenance/moves",
    ]


def test_a_key_too_long_to_repeat_is_not_repeated() -> None:
    bundle = ONE_DEAL | {"provenance": {"x" * 10**6: float("inf")}}
    with pytest.raises(checker.RefusedDeal) as caught:
        checker.check_bundle(bundle)
    assert [fault.where for fault in caught.value.faults] == ["/provenance"]
