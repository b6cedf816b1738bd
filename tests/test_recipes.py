"""CONTRIBUTING.md is short, and its map leads to every recipe and to places that are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
RECIPES = ROOT / "docs" / "recipes"
ROW = re.compile(r"^\| (?!I want)[^|]+ \| `([^`]+)` \| \[([^\]]+)\]\((docs/recipes/[^)]+)\) \|$", re.MULTILINE)
MOST_WORDS = 1200
MOST_FILES = 20


def rows() -> list[tuple[str, str, str]]:
    """(where to start, title, recipe) of each row of the map."""
    return ROW.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))


def test_the_first_page_is_short() -> None:
    assert len((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split()) <= MOST_WORDS


def test_the_map_lists_every_recipe_once() -> None:
    written = sorted(path.relative_to(ROOT).as_posix() for path in RECIPES.rglob("*.md"))
    assert sorted(recipe for _, _, recipe in rows()) == written
    assert all(len(list(folder.iterdir())) <= MOST_FILES for folder in RECIPES.iterdir())


def test_every_row_starts_at_a_place_that_is_there_and_names_its_page() -> None:
    assert [start for start, _, _ in rows() if not (ROOT / start).exists()] == []
    titles = {recipe: (ROOT / recipe).read_text(encoding="utf-8").splitlines()[0] for _, _, recipe in rows()}
    assert {recipe: f"# {title}" for _, title, recipe in rows()} == titles


def test_links_of_a_recipe_lead_somewhere() -> None:
    dead = [
        (path.name, link)
        for path in RECIPES.rglob("*.md")
        for link in re.findall(r"\]\((?!https?:|lesson:|#)([^)#]+)", path.read_text(encoding="utf-8"))
        if not (path.parent / link).exists()
    ]
    assert dead == []
