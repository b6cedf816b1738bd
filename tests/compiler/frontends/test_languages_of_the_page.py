"""The page names the same languages as the table of front ends, and sorts them alike."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from heddle.frontends.front_end import Statements
from heddle.frontends.table import DEFAULT_LANGUAGE, FRONT_ENDS, LANGUAGES, LanguageName

PLAN = (Path(__file__).resolve().parents[3] / "frontend/src/plan/plan.ts").read_text(encoding="utf-8")


def names_in(pattern: str) -> tuple[str, ...]:
    found = re.search(pattern, PLAN)
    assert found is not None, f"plan.ts has no {pattern}"
    return tuple(re.findall(r"'(\w+)'", found[1]))


def test_the_page_lists_the_languages_of_the_table_in_its_order() -> None:
    assert names_in(r"EXPRESSION_LANGUAGES = \[([^\]]*)\] as const") == LANGUAGES
    assert get_args(LanguageName) == LANGUAGES


def test_the_language_of_a_plan_that_names_none_is_the_first_on_both_sides() -> None:
    assert LANGUAGES[0] == DEFAULT_LANGUAGE


def test_the_page_knows_which_languages_become_loops() -> None:
    loops = tuple(one.name for one in FRONT_ENDS if not isinstance(one.entry, Statements))
    assert names_in(r"becomesLoops = [^;]*?=> ([^;]*);") == loops
