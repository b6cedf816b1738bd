"""The compiler's own tests, on what the wheel installs."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.installed.environment import Environment
from tests.search_path import ROOT

OF_THE_CHECKOUT = (
    "tests/compiler/runtime/native/test_cache.py::test_the_cache_lies_in_the_root_of_the_repository",
    "tests/compiler/runtime/test_checkout.py",
    "tests/compiler/runtime/native/test_user_caches.py",
)
WHERE = "import heddle; print(heddle.__file__)"


def test_the_compiler_passes_its_tests_as_it_is_installed(base: Environment) -> None:
    """The packages that tests need are those of the checkout, behind the installed compiler on the search path."""
    heddle = base.folder / "alone"
    heddle.mkdir()
    (heddle / "heddle").symlink_to(base.packages / "heddle")
    path = os.pathsep.join((str(heddle), str(ROOT), str(ROOT / "backend")))
    variables = {**os.environ, "PYTHONPATH": path, "OMP_WAIT_POLICY": "passive"}
    where = subprocess.run([sys.executable, "-P", "-c", WHERE], env=variables, capture_output=True, text=True)
    assert where.stdout.startswith(str(heddle))
    command = [sys.executable, "-P", "-m", "pytest", "tests/compiler", "-q", "-p", "no:schemathesis", "-n", "auto"]
    command += ["-o", "pythonpath=. backend", "-p", "no:cacheprovider"]
    command += ["--combination-seed", "wheel", *(f"--deselect={test}" for test in OF_THE_CHECKOUT)]
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:]
