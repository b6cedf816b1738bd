"""``pip install "heddle-sparse[run]"``: SciPy beside it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.installed.conftest import BASE
from tests.installed.environment import Environment, needs_compiler
from tests.search_path import ROOT

CHECK = """
assert abs(A @ np.ones(4000) - y).max() < 1e-9
assert hd.read("matrix.mtx").shape == (2, 2)
assert hd.pack(A, "csc").to_scipy().format == "csc"
assert "int32_t kernel(" in kernel.source
print(hd.cp_als(np.ones((2, 2, 2)), 1, sweeps=2).factors[0].shape)
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, wheels: Path) -> Environment:
    environment = Environment(tmp_path_factory.mktemp("run") / "environment", wheels)
    environment.adopt(*BASE, "scipy")
    environment.install("heddle-sparse[run]", index=False)
    return environment


@needs_compiler
def test_the_example_of_the_readme_and_what_needs_scipy(run: Environment) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    (run.home / "matrix.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 5\n")
    printed = run.evaluate(example + CHECK)
    assert printed == "(2, 1)\n"
