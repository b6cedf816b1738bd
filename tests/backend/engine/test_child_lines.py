"""What is believed of what a child says: its events alone, in linear time, however a kernel may have changed it."""

from __future__ import annotations

import json
from typing import Any

import msgpack
import pytest

from heddle_server.engine.children import child_lines
from heddle_server.engine.children.child_lines import ChildEvents, Lines

SAYS: dict[str, dict[str, Any]] = {
    "sandbox": {"sandbox": {"form": "limits"}},
    "progress": {"phase": "timing", "fraction": 0.5, "message": "half", "seconds_left": None},
    "sweeps": {"records": [{"sweep": 1}]},
    "checkpoint": {"state": "AAAA", "records": []},
    "lines": {"number": 0, "lines": [{"event": "candidate"}]},
    "result": {"result": {"entries": []}},
    "problem": {"problem": {"title": "No", "detail": "It cannot be done."}},
}


def events(text: str | bytes) -> tuple[list[dict[str, Any]], int]:
    """Those that are taken, and how many are ignored."""
    taking = ChildEvents()
    return list(taking.take(text if isinstance(text, bytes) else text.encode())), taking.ignored


@pytest.mark.parametrize("name", SAYS)
def test_what_children_of_ours_say_is_taken(name: str) -> None:
    event = {"event": name, **SAYS[name]}
    assert events(json.dumps(event) + "\n") == ([event], 0)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("problem", {"problem": {"title": 5, "detail": {"a": [1]}}}),
        ("problem", {"problem": {"title": "No"}}),
        ("problem", {"problem": {"title": "No", "detail": "no", "diagnostics": ["none"]}}),
        ("problem", {"problem": {"title": "x" * 30_000, "detail": "long"}}),
        ("problem", {"problem": "No"}),
        ("result", {"result": [1]}),
        ("result", {"result": {"sandbox": "namespaces"}}),
        ("sweeps", {"records": {"sweep": 1}}),
        ("sweeps", {"records": [[1]]}),
        ("lines", {"number": True}),
        ("lines", {"number": -1}),
        ("checkpoint", {"state": None}),
        ("progress", {"fraction": "half"}),
        ("progress", {"message": None}),
        ("sandbox", {"sandbox": None}),
        ("unknown", {}),
    ],
)
def test_what_is_none_of_it_is_ignored_and_counted(name: str, changes: dict[str, Any]) -> None:
    wrong = {"event": name, **SAYS.get(name, {}), **changes}
    known = {"event": "progress", **SAYS["progress"]}
    assert events(f"{json.dumps(wrong)}\n{json.dumps(known)}\n") == ([known], 1)


@pytest.mark.parametrize(
    "result",
    [
        '{"a": NaN}',
        '{"a": 1e999}',
        '{"a": "\\ud800"}',
        '{"a": ' + "[" * 100 + "]" * 100 + "}",
        '{"a": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"a": ' + "9" * 10_000 + "}",
        f'{{"a": [{{"b": {1 << 64}}}]}}',
        f'{{"a": {-(1 << 63) - 1}}}',
        "{",
    ],
    ids=["NaN", "infinite", "half a character", "deep", "deeper", "many digits", "65 bits", "less", "broken off"],
)
def test_what_could_not_be_shown_again_is_ignored(result: str) -> None:
    assert events('{"event": "result", "result": ' + result + "}\n") == ([], 1)


def test_all_that_is_passed_on_can_be_packed_for_the_scheduler() -> None:
    """A number that could not broke the worker's connection: its run was lost, and with it the next one."""
    largest = {"event": "result", "result": {"a": [(1 << 64) - 1, -(1 << 63), 1.5e308, True, None, "\N{SNOWMAN}"]}}
    assert events(json.dumps(largest) + "\n") == ([largest], 0)
    assert msgpack.loads(msgpack.dumps(largest)) == largest


def test_what_libraries_print_is_no_event() -> None:
    assert events(b"a library prints something\n\n[1]\n\xff\xfe\n") == ([], 0)


def test_a_line_without_an_end_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """30 MB of it took 34 s: all of it was split again for each piece."""
    looked = 0

    class Piece(bytes):
        def split(self, *arguments: Any) -> Any:
            nonlocal looked
            looked += len(self)
            return super().split(*arguments)

    lines, pieces = Lines(), 500
    for _ in range(pieces):
        assert list(lines.take(Piece(b"x" * 1000))) == []
    assert looked == pieces * 1000
    assert list(lines.take(b"y\nz\n")) == [b"x" * pieces * 1000 + b"y", b"z"]


def test_events_that_are_kept_one_by_one_come_no_faster_than_they_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_lines, "EVENTS_AT_ONCE", 3)
    now = 100.0
    taking, line = ChildEvents(lambda: now), json.dumps({"event": "sweeps", **SAYS["sweeps"]}).encode() + b"\n"
    assert (len(list(taking.take(line * 10))), taking.ignored) == (3, 7)
    now += 1
    assert len(list(taking.take(line * 100))) == child_lines.EVENTS_A_SECOND + 3 - 10


def test_events_that_are_kept_one_by_one_take_so_many_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    taking, line = ChildEvents(), json.dumps({"event": "sweeps", **SAYS["sweeps"]}).encode() + b"\n"
    monkeypatch.setattr(child_lines, "MOST_BYTES", 3 * len(line))
    assert (len(list(taking.take(line * 10))), taking.ignored) == (3, 7)


def test_messages_of_a_run_are_short() -> None:
    """Each is kept, and a run tells many."""
    told = {"event": "progress", **SAYS["progress"], "message": "x" * (child_lines.LONGEST_MESSAGE + 1)}
    assert events(json.dumps(told) + "\n") == ([], 1)
