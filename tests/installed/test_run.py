"""``pip install "heddle-sparse[run]"``: SciPy beside it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from heddle_server.datasets.catalogue import builtin_datasets
from heddle_server.exports.registry import export_text
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


@needs_compiler
def test_a_saved_script_measures_a_plan_again(run: Environment) -> None:
    """With the library and SciPy alone: its data are in it, and no file of the checkout is read."""
    paths = {dataset.id: str(dataset.path) for dataset in builtin_datasets() if dataset.id == "west0067"}
    plan = {
        "version": 2,
        "expression": "y(i) = A(i,j) * x(j)",
        "tensors": {"A": {"format": "csr"}},
        "inputs": {"A": {"dataset": "west0067"}},
        "run": {"baselines": ["scipy"], "threads": 1},
    }
    (run.home / "reproduce.py").write_text(export_text(json.loads(json.dumps(plan)), "python", paths))
    done = run.run(run.python, "reproduce.py")
    assert done.returncode == 0, done.stderr
    assert "verified against" in done.stdout
    assert re.search(r"^SciPy +\d", done.stdout, re.MULTILINE)
