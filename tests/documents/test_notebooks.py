"""The worked notebooks of ``docs/notebooks``: they run from top to bottom, and are small."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from docs.site.generated import PAGES
from docs.site.notebooks import NAMES
from tests.search_path import ROOT, search_path

FOLDER = ROOT / "docs" / "notebooks"
NOTEBOOKS = sorted(path.stem for path in FOLDER.glob("*.ipynb"))
LONGEST = 60
"""Lines of code of a notebook."""


def cells(name: str) -> list[str]:
    document = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    assert all(not cell.get("outputs") for cell in document["cells"]), "outputs are made anew, and are not stored"
    return ["".join(cell["source"]) for cell in document["cells"] if cell["cell_type"] == "code"]


def test_each_is_a_page_of_the_site() -> None:
    assert sorted(NAMES) == NOTEBOOKS
    for name in NAMES:
        page = PAGES[f"learn/notebooks/{name.replace('_', '-')}.md"]()
        assert all(code in page for code in cells(name))


@pytest.mark.takes_turns(4)
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs(name: str, tmp_path: Path) -> None:
    """What its cells assert holds, and its last expression has a page of its own."""
    code = cells(name)
    assert sum(text.count("\n") + 1 for text in code) <= LONGEST
    environment = {**os.environ, "PYTHONPATH": search_path()}
    program = "\n".join(code)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
