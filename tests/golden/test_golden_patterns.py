"""The generated text of some programs in patterns, whole: a change of the lowering shows as a change of these files.

``pytest tests/golden --update-golden`` writes them again. That they compute what they mean is seen elsewhere
(tests/compiler/patterns/test_programs.py).
"""

from __future__ import annotations

from pathlib import Path

import pytest

import heddle as hd
from tests.compiler.patterns.programs import CASES

FOLDER = Path(__file__).resolve().parent / "patterns"
KEPT = {
    "P2": "rows by their lengths, whose sums are kept",
    "P3": "compressed rows",
    "P4": "compressed rows of pairs",
    "P6": "rows whose first one begins at 0",
    "P7": "a triangle",
    "P9": "work-groups of rows",
}


def file_of(name: str) -> Path:
    return FOLDER / (f"{name}.cl" if name == "P9" else f"{name}.c")


@pytest.mark.parametrize("name", KEPT)
def test_the_text_is_the_golden_one(name: str, update_golden: bool) -> None:
    result = hd.lower(CASES[name].text, language="patterns", target="opencl" if name == "P9" else "c")
    assert result.source is not None
    text = f"// {KEPT[name]}\n// {CASES[name].text}\n\n{result.source.text}"
    if update_golden:
        file_of(name).write_text(text, encoding="utf-8")
    assert file_of(name).read_text(encoding="utf-8") == text, "see --update-golden"


def test_no_file_is_left_without_its_program() -> None:
    assert set(FOLDER.iterdir()) == {file_of(name) for name in KEPT}
