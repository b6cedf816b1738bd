"""Programs that people run, as they would: each imports Heddle, asserts what NumPy or SciPy has, and ends.

From the root: ``.venv/bin/python tests/outside/typed/FILE``. Those of ``fuzzed`` were drawn by fuzzers, those of
``typed`` come from tutorials and reports of defects. What each once showed has its tests by kind in
``tests/regressions``; here the whole program must end well.
"""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
PROGRAMS = {path.stem: path for path in sorted(FOLDER.glob("*/*.py"))}
TIMED = {"a_transposed_copy", "kernels_and_blas_in_turn", "maxima_of_rows"}
"""They compare times, so that they are run by hand on a quiet machine."""


def run(name: str) -> None:
    try:
        runpy.run_path(str(PROGRAMS[name]), run_name="__main__")
    except SystemExit as end:
        if end.code != 0:
            raise


@pytest.mark.combinations(3)
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in TIMED])
def test_the_program_ends_well(name: str) -> None:
    run(name)


def test_none_knows_a_former_name() -> None:
    assert len(PROGRAMS) == 26
    for path in PROGRAMS.values():
        text = path.read_text()
        assert "import heddle as hd" in text
        assert "import compiler" not in text
