"""CONTRIBUTING.md is short, and its map leads to every recipe, in a page or at the head of a file, and to places that
are there. Recipes that show whole files are followed to the letter in a copy of the compiler: what they promise is
there."""

from __future__ import annotations

import ast
import itertools
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.documents.pages import Listing, read

ROOT = Path(__file__).parent.parent
RECIPES = ROOT / "docs" / "recipes"
HOW_TO = ROOT / "docs" / "how-to"
ROW = re.compile(r"^\| (?!I want)[^|]+ \| \[`([^`]+)`\]\(([^)]+\.(?:md|py))\) \|$", re.MULTILINE)
FOLLOWED = (HOW_TO / "own-format.md", HOW_TO / "own-command.md", HOW_TO / "own-pass.md")
CHANGED = re.compile(r"# (\S+\.py)\n")
"""The first line of a listing that changes a file."""
CAPTION = re.compile(r":caption: (\S+\.py)\n")
"""The place of a file that a page shows."""
MOST_FILES = 20
TARGETS_AND_FUNCTIONS = 1
"""Two rows lead to the recipes at the head of ``codegen``."""


def rows() -> list[tuple[str, str]]:
    """(where to start, recipe) of each row of the map. A start after a slash is of the repository, others of the
    compiler."""
    found = ROW.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    return [
        (start.removeprefix("/") if start.startswith("/") else f"compiler/heddle/{start}", recipe)
        for start, recipe in found
    ]


def test_the_map_lists_every_recipe_once() -> None:
    pages = [*RECIPES.rglob("*.md"), *HOW_TO.glob("own-[!d]*.md")]
    written = {path.relative_to(ROOT).as_posix() for path in pages}
    recipes = [recipe for _, recipe in rows()]
    assert written <= set(recipes)
    assert len(recipes) == len({*recipes}) + TARGETS_AND_FUNCTIONS
    assert all(len(list(folder.iterdir())) <= MOST_FILES for folder in RECIPES.iterdir())
    lines = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## I want to")[2].splitlines()
    assert len(rows()) == sum(line.startswith("| ") and not line.startswith("| I want") for line in lines)


def test_every_row_starts_at_a_place_that_is_there() -> None:
    assert [start for start, _ in rows() if not (ROOT / start).exists()] == []


def test_a_recipe_in_a_file_has_steps_that_name_what_is_there() -> None:
    files = {recipe for _, recipe in rows() if recipe.endswith(".py")}
    assert len(files) > 10
    for file in files:
        text = ast.get_docstring(ast.parse((ROOT / file).read_text(encoding="utf-8"))) or ""
        assert re.search(r"^(?:Add|Measure) .*:\n\n(?:.*\n)*1\. ", text, re.MULTILINE), f"{file} has no recipe"
        named = re.findall(r"``((?:compiler|backend|frontend|tests|benchmarks)/[^`<*]+)``", text)
        assert [name for name in named if not (ROOT / name).exists()] == [], file


def test_links_of_a_recipe_lead_somewhere() -> None:
    dead = [
        (path.name, link)
        for path in {*RECIPES.rglob("*.md"), *(ROOT / recipe for _, recipe in rows() if recipe.endswith(".md"))}
        for link in re.findall(r"\]\((?!https?:|lesson:|#)([^)#]+)", path.read_text(encoding="utf-8"))
        if not (path.parent / link).exists()
    ]
    assert dead == []


def test_recipes_that_show_whole_files_work_to_the_letter(tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    demonstrations = []
    for page in FOLLOWED:
        listings = read(page).listings
        for listing in listings:
            copy.apply(listing)
        demonstrations += [
            (page.stem, shown.text, printed.text)
            for shown, printed in itertools.pairwise(listings)
            if shown.label.startswith("not executed: needs the new")
        ]
    assert [name for name, _, _ in demonstrations] == ["own-format", "own-command", "own-pass"]
    programs = f"\nprint({SEPARATOR!r})\n".join(program for _, program, _ in demonstrations)
    output = copy.run(programs).split(f"{SEPARATOR}\n")
    for (name, _, printed), found in zip(demonstrations, output, strict=True):
        assert (name, found.strip()) == (name, printed.strip())


def test_the_recipe_of_a_panel_changes_lines_that_are_there() -> None:
    changed: dict[str, str] = {}
    for listing in read(HOW_TO / "own-panel.md").listings:
        if listing.language == "diff":
            name, _, lines = listing.text.removeprefix("# ").partition("\n")
            text = changed.get(name) or (ROOT / name).read_text(encoding="utf-8")
            changed[name] = change(text, lines, name)
    (tabs,) = changed.values()
    assert tabs.count("LOOPS") == 2
    assert tabs.index("const LOOPS: TabPanel") < tabs.index("panels: [LOOPS]")


SEPARATOR = "-- next --"


class Copy:
    """The compiler as a tree of links, of which only the folders and files that change are copies."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in ("compiler", "tests"):
            (root / name).symlink_to(ROOT / name)

    def apply(self, listing: Listing) -> None:
        """Writes the file that a listing shows, or changes a file as it says; other listings change nothing."""
        match listing.language.split():
            case ["{literalinclude}", shown]:
                (name,) = CAPTION.findall(listing.text)
                path = self._own(Path(name))
                assert not path.exists(), f"{name} is there already"
                path.write_bytes((HOW_TO / shown).read_bytes())
            case ["diff"]:
                (name,) = CHANGED.findall(listing.text)
                path, lines = self._own(Path(name)), listing.text.partition("\n")[2]
                path.write_text(change(path.read_text(encoding="utf-8"), lines, name), encoding="utf-8")

    def run(self, program: str) -> str:
        environment = os.environ | {
            "PYTHONPATH": f"{self.root}{os.pathsep}{self.root / 'compiler'}",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, cwd=self.root, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def _own(self, name: Path) -> Path:
        """The path of a file whose folders are no links, so that writing it changes no other tree."""
        for folder in reversed(name.parents[:-1]):
            own = self.root / folder
            if own.is_symlink():
                own.unlink()
                own.mkdir()
                for entry in (ROOT / folder).iterdir():
                    (own / entry.name).symlink_to(entry)
        path = self.root / name
        if path.is_symlink():
            text = path.read_bytes()
            path.unlink()
            path.write_bytes(text)
        return path


def change(text: str, diff: str, name: str) -> str:
    """``text`` with the lines that ``diff`` adds, where the other lines of it stand side by side, once."""
    before, after = ("".join(lines_of(diff, signs)) for signs in (" -", " +"))
    if len(re.findall(rf"^(?={re.escape(before)})", text, re.MULTILINE)) != 1:
        raise ValueError(f"{name} does not have once:\n{before}")
    return f"\n{text}".replace(f"\n{before}", f"\n{after}")[1:]


def lines_of(diff: str, signs: str) -> Iterator[str]:
    yield from (line[1:] for line in diff.splitlines(keepends=True) if line[0] in signs)


def test_a_change_is_made_where_its_lines_stand_once() -> None:
    assert change("a\nb\nc\n", " a\n+x\n b\n", "f.py") == "a\nx\nb\nc\n"
    for text in ("a\nc\n", "a\nb\na\nb\n"):
        with pytest.raises(ValueError, match=r"f.py does not have once:\na\nb\n"):
            change(text, " a\n+x\n b\n", "f.py")
