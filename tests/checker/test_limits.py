"""What is long or large, just at its limit and just beyond it."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

import checker
from checker.bundle import is_bundle
from checker.command import main
from checker.document import read_deal
from checker.faults import in_short, quoted, unknown_key
from checker.provenance import provenance_faults, shown
from checker.reading import LARGEST, Unreadable, parse_json, parse_log, read_document

from .build import bundles
from .documents import ONE_DEAL, OPEN, SEALED, TWO_PACKS, get, put


def nested(depth: int) -> Any:
    value: Any = {}
    for _ in range(depth - 1):
        value = {"in": value}
    return value


def test_a_provenance_nests_16_deep() -> None:
    assert list(provenance_faults(nested(16))) == []
    (fault,) = provenance_faults(nested(17))
    assert fault.where == "/provenance" + "/in" * 16
    deep: Any = 1
    for _ in range(15):
        deep = [deep]
    assert list(provenance_faults({"in": deep})) == []
    (fault,) = provenance_faults({"in": [deep]})
    assert fault.where == "/provenance/in" + "/0" * 15


def test_of_a_provenance_20_faults_are_named() -> None:
    for count in (19, 20, 21):
        wrong = {str(number): float("inf") for number in range(count)}
        faults = list(provenance_faults(wrong))
        named = [f"/provenance/{number}" for number in range(min(count, 20))]
        assert [fault.where for fault in faults] == named + ["/provenance"] * (count > 20)
    assert faults[20].message == "There is more at fault in it than the 20 places named."


@pytest.mark.parametrize("count", [20, 21, 3000])
@pytest.mark.parametrize("parent", ["", "/document", "/document/redeals/1"])
def test_of_unknown_keys_20_are_named(parent: str, count: int) -> None:
    bundle: Any = dict(bundles())["good"]["bundle"]
    holder = get(bundle, parent) if parent else bundle
    changed = holder | {f"k{number}": None for number in range(count)}
    with pytest.raises(checker.RefusedDeal) as caught:
        checker.check_bundle(put(bundle, parent, changed) if parent else changed)
    faults = caught.value.faults
    named = [f"{parent}/k{number}" for number in range(20)]
    assert [fault.where for fault in faults] == named + [parent] * (count > 20)
    if count > 20:
        told = f"The 20 keys that are named and {count - 20} more do not belong here."
        assert faults[20].message == told


def test_numbers_of_a_provenance() -> None:
    assert list(provenance_faults({"a": 2**63 - 1, "b": -(2**63) + 1})) == []
    wrong = provenance_faults({"a": 2**63, "b": -(2**63)})
    assert [fault.where for fault in wrong] == ["/provenance/a", "/provenance/b"]


def test_keys_of_a_provenance() -> None:
    wrong = {"k" * 40: float("nan"), 7: 1, "l" * 41: float("nan"), "\ud800": 1}
    told = [(fault.where, fault.message) for fault in provenance_faults(wrong)]
    assert told == [
        ("/provenance/" + "k" * 40, "This number is out of range."),
        ("/provenance", "A key that is no string is not JSON."),
        ("/provenance", "This number is out of range."),
        ("/provenance", 'The key "\\ud800" has half of a surrogate pair in it.'),
    ]


def test_a_provenance_is_shown_in_100_lines_of_160() -> None:
    # An object of n numbers has n + 2 lines.
    assert len(shown(dict.fromkeys(map(str, range(98)), 0))) == 100
    lines = shown(dict.fromkeys(map(str, range(99)), 0))
    assert lines[98:] == ['  "97": 0,', '  "98": 0', "... and more lines"]
    # Two spaces, the key and its quotes, a colon, a space and two quotes.
    assert shown({"k": "x" * 151})[1] == '  "k": "' + "x" * 151 + '"'
    assert shown({"k": "x" * 152})[1] == '  "k": "' + "x" * 152 + "..."


def test_no_more_of_a_provenance_is_written_than_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    written, taken = json.JSONEncoder.iterencode, list[str]()

    def noting(encoder: json.JSONEncoder, value: object) -> Iterator[str]:
        for part in written(encoder, value):
            taken.append(part)
            yield part

    monkeypatch.setattr(json.JSONEncoder, "iterencode", noting)
    shown(dict.fromkeys(map(str, range(5_000)), 0))
    assert "".join(taken).count("\n") == 100


def test_strings_are_quoted_up_to_40_characters() -> None:
    assert in_short("x" * 40) == "x" * 40
    assert in_short("x" * 41) == "x" * 40 + "\u2026"
    assert quoted("x" * 41) == '"' + "x" * 40 + '\\u2026"'
    assert unknown_key("/a", "k" * 40, ("b", "c")).where == "/a/" + "k" * 40
    fault = unknown_key("/a", "k" * 41, ("b", "c"))
    assert fault.where == "/a"
    assert fault.message.endswith(" is no key that belongs here; known are b, c.")


def test_numbers_are_quoted_below_2_to_the_63rd() -> None:
    for number in (0, 1, -1, 2**63 - 1, 1 - 2**63, 1.5):
        assert in_short(number) == number
        assert quoted(number) == str(number)
    for number in (2**63, -(2**63)):
        assert in_short(number) == "a huge number"
    assert in_short(float("-inf")) == "a number out of range"
    assert in_short(b"") == "a value that is not JSON"
    assert in_short([0, 0]) == quoted([0, 0]) == "a list of 2"
    assert in_short({"a": 0}) == quoted({"a": 0}) == "an object of 1"
    assert (quoted(None), quoted(True)) == ("null", "true")


def test_numbers_are_read_up_to_100_digits() -> None:
    for sign, number in (("", 10**100 - 1), ("-", 1 - 10**100)):
        assert parse_json(sign + "9" * 100) == number
        with pytest.raises(Unreadable, match=r"^it has a number of 101 digits$"):
            parse_json(sign + "9" * 101)


def test_a_key_that_is_twice_is_quoted_and_cut_where_it_is_long() -> None:
    for length, named in ((40, "k" * 40), (41, "k" * 40 + "\\u2026")):
        key = "k" * length
        with pytest.raises(Unreadable) as caught:
            parse_json(f'{{"b": 0, "{key}": 1, "a": 2, "{key}": 3, "a": 4}}')
        assert str(caught.value) == f'the key "{named}" is twice in one object'


def test_a_file_is_read_up_to_16_megabytes(tmp_path: Any) -> None:
    path = tmp_path / "deal.json"
    path.write_bytes(b'"' + b"x" * (16 * 2**20 - 2) + b'"')
    assert LARGEST == 16 * 2**20
    assert read_document(str(path)) == "x" * (LARGEST - 2)
    path.write_bytes(b'"' + b"x" * (16 * 2**20 - 1) + b'"')
    with pytest.raises(Unreadable, match=r"it has more than 16777216 bytes\.$"):
        read_document(str(path))


@pytest.mark.parametrize("value", [None, [], "x", 7])
def test_what_is_no_object_is_refused_as_a_whole(value: object) -> None:
    for check in (checker.check_bundle, lambda deal: checker.verify(deal, [])):
        with pytest.raises(checker.RefusedDeal) as caught:
            check(value)
        assert [fault.where for fault in caught.value.faults] == [""]
        assert quoted(value) in caught.value.faults[0].message
        assert str(caught.value) == f"the document: {caught.value.faults[0].message}"


def test_a_refusal_says_its_first_fault_and_how_many_more() -> None:
    wrong = put(put(SEALED, "/format", 1), "/variant", 2)
    with pytest.raises(checker.RefusedDeal) as caught:
        checker.verify(wrong, [])
    first, second = caught.value.faults
    assert str(caught.value) == f"/format: {first.message} (1 more)"
    assert second.where == "/variant"
    assert first.message == 'This must be "gaps-deal/1", not 1.'


WHAT_FORMATS_THERE_ARE = (
    'This key is missing; a document has "gaps-deal/1" here, a bundle "gaps-bundle/1".'
)


def test_every_missing_key_of_a_bundle() -> None:
    good = dict(bundles())["good"]["bundle"]
    for key in good:
        with pytest.raises(checker.RefusedDeal) as caught:
            checker.check_bundle({name: good[name] for name in good if name != key})
        (fault,) = caught.value.faults
        assert fault.where == f"/{key}"
        needed = "This key is missing; every bundle needs it."
        assert fault.message == (WHAT_FORMATS_THERE_ARE if key == "format" else needed)


def test_every_missing_key_of_a_document() -> None:
    told = [(fault.where, fault.message) for fault in checker.check_deal({})]
    assert told == [
        ("/format", WHAT_FORMATS_THERE_ARE),
        ("/variant", "This key is missing; every document needs it."),
        ("/layout", "This key is missing; every document needs it."),
    ]


def test_every_key_of_a_document_that_nobody_knows() -> None:
    (fault,) = checker.check_deal(OPEN | {"more": 1})
    assert fault.where == "/more"
    assert fault.message == (
        '"more" is no key that belongs here; '
        "known are format, variant, layout, ranks, redeals, seed, seed_commitment."
    )


def test_an_unknown_variant_is_told_with_those_that_are_known() -> None:
    (fault,) = checker.check_deal(put(ONE_DEAL, "/variant", "patience"))
    assert fault.where == "/variant"
    assert fault.message == (
        '"patience" is no variant; known are classic, relaxed, one-deal, four-rounds, unlimited, '
        "gathered, scattered, addiction, blue-moon, red-moon, double-montana, big-paganini, "
        "big-paganini-one-deal."
    )


def test_ranks_of_two_packs_change_nothing_else() -> None:
    for ranks in (5, 13):
        faults = checker.check_deal(TWO_PACKS | {"ranks": ranks})
        assert [fault.where for fault in faults] == ["/ranks"]


def test_a_deal_keeps_its_commitment_to_the_seed() -> None:
    assert read_deal(OPEN).seed_commitment == OPEN["seed_commitment"]
    assert read_deal(ONE_DEAL).seed_commitment is None


def test_a_bundle_is_told_by_its_format() -> None:
    assert is_bundle({"format": "gaps-bundle/1"})
    assert is_bundle({"format": "gaps-bundle/2"})
    for other in ({"format": "gaps-deal/1"}, {"format": ["gaps-bundle/1"]}, {"format": None}, {}):
        assert is_bundle(other) is False
    assert is_bundle("gaps-bundle/1") is False


def test_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["--help"])
    usage = capsys.readouterr().out.partition("\n")[0]
    assert usage == "usage: gaps-check [-h] [--json] [--version] DEAL [LOG]"


def test_white_space_is_that_of_ascii_and_nothing_else() -> None:
    assert parse_log(" a\tb\nc\rd\fe\vf ") == ["a", "b", "c", "d", "e", "f"]
    other = "".join(chr(code) for code in range(0x100) if chr(code) not in " \t\n\r\f\v[")
    assert parse_log(other + "[") == [other + "["]
    assert parse_log("") == []


@pytest.mark.parametrize(
    ("text", "place"), [("", "line 1, column 1"), ('{"a": 1,\n  b}', "line 2, column 3")]
)
def test_where_a_text_stops_being_json(text: str, place: str) -> None:
    with pytest.raises(Unreadable, match=rf"^it is not JSON \(.+ at {place}\)$"):
        parse_json(text)
