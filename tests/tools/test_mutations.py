"""Every mistake of ``./heddle test mutations`` can still be planted: code that moves on takes its texts along."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.mutations.__main__ import MISTAKES, PROTECTIONS, ROOT, planted, source_files


def test_the_text_of_every_mistake_stands_once() -> None:
    sources = [path.read_text("utf-8") for path in source_files(ROOT)]
    counts = {mutation.name: sum(source.count(mutation.text) for source in sources) for mutation in MISTAKES}
    assert {name: count for name, count in counts.items() if count != 1} == {}


def test_a_mistake_differs_from_what_it_replaces() -> None:
    assert [mutation.name for mutation in MISTAKES if mutation.text == mutation.mistake] == []


def test_the_tests_that_must_notice_a_mistake_are_there() -> None:
    places = {(row.name, test) for row in (*MISTAKES, *PROTECTIONS) for test in row.tests}
    assert {(name, test) for name, test in places if not stands(test)} == set()


def test_every_mistake_names_what_no_seed_leaves_out() -> None:
    assert [row.name for row in MISTAKES if not any(runs_whole(test) for test in row.tests)] == []


def test_a_file_whose_cases_are_all_drawn_is_not_enough() -> None:
    file = "tests/differential/formats/test_formats.py"
    assert not runs_whole(file)
    assert runs_whole(f"{file}::test_all_dense_and_compressed_combinations")
    assert runs_whole("tests/differential/results/test_segments.py")
    assert runs_whole("tests/errors")


def test_a_mistake_leaves_its_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("sound = 1\n")
    date = path.stat().st_mtime_ns
    with planted(path, "wrong = 1\n"):
        assert path.read_text() == "wrong = 1\n"
        assert path.stat().st_mtime_ns != date
    assert (path.read_text(), path.stat().st_mtime_ns) == ("sound = 1\n", date)


def stands(test: str) -> bool:
    path, _, case = test.partition("::")
    function = case.partition("[")[0]
    return (ROOT / path).exists() and (not function or f"def {function}(" in (ROOT / path).read_text("utf-8"))


def runs_whole(test: str) -> bool:
    """Whether all of it, or at least one function in it, runs whatever the seed draws."""
    place = ROOT / test.partition("::")[0]
    files = sorted(place.rglob("test_*.py")) if place.is_dir() else [place]
    return "::" in test or any(has_undrawn_test(ast.parse(file.read_text("utf-8"))) for file in files)


def has_undrawn_test(tree: ast.Module) -> bool:
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    tests = [function for function in functions if function.name.startswith("test_")]
    return any(all("combinations" not in ast.unparse(mark) for mark in test.decorator_list) for test in tests)
