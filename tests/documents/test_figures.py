"""The pictures of the concept pages: made by their scripts, described for whoever cannot see them, and in use."""

from __future__ import annotations

import re

import pytest

from docs.figures.__main__ import FIGURES, FOLDER

PAGES = FOLDER.parent.parent / "understand"
IMAGE = re.compile(r"!\[([^\]]*)\]\(\.\./images/understand/([a-z-]+)\.svg\)")
SHORTEST_DESCRIPTION = 40


@pytest.mark.parametrize("name", FIGURES)
def test_a_picture_is_what_its_script_draws(name: str) -> None:
    committed = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert committed == str(FIGURES[name]()), "python -m docs.figures writes it"


def test_each_picture_is_on_one_page_with_a_description() -> None:
    images = [image for page in sorted(PAGES.glob("*.md")) for image in IMAGE.findall(page.read_text(encoding="utf-8"))]
    assert sorted(name for _, name in images) == sorted(FIGURES) == sorted(file.stem for file in FOLDER.glob("*.svg"))
    assert [name for text, name in images if len(text) < SHORTEST_DESCRIPTION] == []
