"""A machine with a GPU needs NumPy, SciPy, Lark, CuPy and pytest alone: for its benchmark, the studies, tests/gpu."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.search_path import search_path

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = ("numpy", "scipy", "lark", "pytest", "_pytest", "py.py", "pluggy", "iniconfig", "packaging", "pygments")
MODULES = [
    "benchmarks.gpu",
    "benchmarks.studies.__main__",
    *(f"tests.gpu.{path.stem}" for path in sorted((ROOT / "tests" / "gpu").glob("test_*.py"))),
]


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages that holds these alone."""
    installed, folder = Path(sysconfig.get_path("purelib")), tmp_path_factory.mktemp("packages")
    for name in (*PACKAGES, "numpy.libs", "scipy.libs"):
        if (installed / name).exists():
            (folder / name).symlink_to(installed / name)
    return folder


@pytest.mark.parametrize("module", MODULES)
def test_nothing_else_is_imported(module: str, bare: Path) -> None:
    folders = [str(bare), *search_path().split(os.pathsep)]
    command = [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {folders}; import {module}"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
