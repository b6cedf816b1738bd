"""Every mistake of ``./heddle test mutations`` can still be planted: code that moves on takes its texts along."""

from __future__ import annotations

from tests.mutations.__main__ import MISTAKES, PROTECTIONS, ROOT, source_files


def test_the_text_of_every_mistake_stands_once() -> None:
    sources = [path.read_text("utf-8") for path in source_files(ROOT)]
    counts = {mutation.name: sum(source.count(mutation.text) for source in sources) for mutation in MISTAKES}
    assert {name: count for name, count in counts.items() if count != 1} == {}


def test_a_mistake_differs_from_what_it_replaces() -> None:
    assert [mutation.name for mutation in MISTAKES if mutation.text == mutation.mistake] == []


def test_the_tests_that_must_notice_a_mistake_are_there() -> None:
    places = {(row.name, test) for row in (*MISTAKES, *PROTECTIONS) for test in row.tests}
    assert {(name, test) for name, test in places if not stands(test)} == set()


def stands(test: str) -> bool:
    path, _, function = test.partition("::")
    return (ROOT / path).exists() and (not function or f"def {function}(" in (ROOT / path).read_text("utf-8"))
