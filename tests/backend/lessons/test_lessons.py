"""The lessons of the course hold what they promise, on the data of a few students; ./heddle lesson check tries more."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from heddle_server.lessons.course import FOLDER, between, files
from heddle_server.lessons.panels import PANELS
from heddle_server.lessons.predicates.table import TABLE
from heddle_server.lessons.prove import problems_of, prove_mutants
from heddle_server.lessons.reader import read_lesson

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.combinations(8)
@pytest.mark.parametrize("file", files(), ids=lambda file: file.stem)
def test_solutions_pass_and_wrong_plans_and_mutants_fail(file: Path) -> None:
    known = frozenset(read_lesson(each).id for each in files())
    lesson = read_lesson(file)
    assert problems_of(lesson, known, seeds=1) == []
    assert prove_mutants(lesson)[1] == []


def test_lessons_fit_together() -> None:
    assert FOLDER.is_dir()
    assert between({file: read_lesson(file) for file in files()}) == []


def test_panels_are_tabs_of_the_page() -> None:
    """The page's table of tabs, and its views of the space."""
    tabs = (ROOT / "frontend/src/panes/tabs.ts").read_text()
    views = (ROOT / "frontend/src/state/view-state.ts").read_text()
    ids = set(re.findall(r"id: '([a-z-]+)'", tabs))
    spaces = set(re.findall(r"'(\w+)'", re.search(r"SPACE_VIEWS = \[(.*?)\]", views)[1]))  # type: ignore[index]
    for where in PANELS:
        pane, tab = where.split("/")
        assert tab in {"space": spaces, "define": {"schedule"}}.get(pane, ids), where


def test_every_fact_says_what_it_is() -> None:
    for one in TABLE.values():
        assert one.summary.endswith("."), one.name
        assert one.unit, one.name
