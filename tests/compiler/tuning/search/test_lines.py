"""Lines of logs that a broken process or a changed file may have: each is refused with what should stand there."""

from __future__ import annotations

from typing import Any

import pytest

from heddle.plan import Plan, to_document
from heddle.tuning.session.lines import fault_of
from heddle.tuning.session.log import Settings, header, require_log
from tests.errors.expect import refusal

HEADER = header(Settings(), to_document(Plan("a = b(i)")), [{"name": "order", "values": [0], "meaning": "m"}], [(0,)])
HEADER = {**HEADER, "given": [[0]]}
TIMED = {
    "event": "timed", "plan": "abc", "genes": [0], "schedule": ["unroll(i, 2)"], "formats": {"A": "csr"},
    "seconds": 0.5, "samples": 3, "reason": "",
}  # fmt: skip
GENERATION = {
    "event": "generation", "number": 0, "candidates": 1, "evaluations": 1, "best": None, "refused": {"a/b": 2},
    "answers": "01",
}  # fmt: skip
ENTRY = {
    "label": "Found", "role": "found", "plan": "abc", "schedule": [], "formats": {}, "median": 1.0, "low": 0.5,
    "high": 2.0, "samples": 30, "ratio": {"value": 1.0, "low": 1.0, "high": 1.0}, "tie": True,
}  # fmt: skip
FINAL = {"event": "final", "entries": [ENTRY], "best": 0, "gain": None, "control": None, "machine": {"cpu": "c"}}


@pytest.mark.parametrize("line", [HEADER, TIMED, {**TIMED, "bytes": 8}, GENERATION, FINAL,
                                  {"event": "slice", "seconds": 1.5}])  # fmt: skip
def test_what_searches_write_is_right(line: Any) -> None:
    assert fault_of(line) is None


@pytest.mark.parametrize(
    ("line", "expected", "found"),
    [
        (7, "an object with an event", "7"),
        ({"event": ["timed"]}, "an object with an event", "{'event': ['timed']}"),
        ({**TIMED, "seconds": float("nan")}, "a line of the event timed with finite numbers", "NaN or an infinity"),
        ({**FINAL, "machine": {"a": [float("inf")]}}, "a line of the event final with finite numbers",
         "NaN or an infinity"),
        ({**TIMED, "seconds": "fast"}, "a line of the event timed with seconds as a number or null", "fast"),
        ({**TIMED, "samples": True}, "a line of the event timed with samples as a whole number", "True"),
        ({**TIMED, "genes": [0.5]}, "a line of the event timed with genes as a list of whole numbers", "[0.5]"),
        ({**TIMED, "formats": {"A": 1}}, "a line of the event timed with formats as formats by name", "{'A': 1}"),
        ({**TIMED, "bytes": -1}, "a line of the event timed with bytes as a count or null", "-1"),
        ({**GENERATION, "answers": "02"}, "a line of the event generation with answers as digits 0 and 1", "02"),
        ({**FINAL, "gain": 2.0}, "a line of the event final with gain as a ratio with its interval, or null", "2.0"),
        ({**FINAL, "entries": [{**ENTRY, "tie": 1}]},
         "a line of the event final with entries as a list of contenders with their times",
         "[{'label': 'Found', 'role': 'found', 'pl…"),
        ({"event": "slice"}, "a line of the event slice with seconds as a number", "nothing"),
        ({**HEADER, "budget": {}}, "a line of the event header with budget with evaluations, generations and seconds",
         "{}"),
    ],
)  # fmt: skip
def test_what_they_never_write_is_named(line: Any, expected: str, found: str) -> None:
    assert fault_of(line) == (expected, found)


def test_an_unknown_event_is_refused_with_those_that_there_are() -> None:
    fault = fault_of({"event": "done"})
    assert fault is not None
    assert fault == ("one of the events header, timed, candidate, generation, slice, searched, final, known", "done")


def test_a_log_has_one_header_and_begins_with_it() -> None:
    require_log([HEADER, TIMED])
    require_log([TIMED], 1)
    second = refusal(lambda: require_log([HEADER, HEADER]))
    assert second.message == (
        "This is not the log of a search: line 2 should be a line after the header, and is another header."
    )
    assert refusal(lambda: require_log([TIMED])).code == "tune/log"
