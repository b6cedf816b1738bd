"""``pip install heddle-sparse``: what works with NumPy and a parser alone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from heddle.version import VERSION
from tests.installed.environment import Environment, needs_compiler
from tests.search_path import ROOT
from tools import distributions

README_LINE = (
    "import heddle as hd, numpy as np; print(hd.compile('y(i) = A(i,j) * x(j)', formats={'A': 'csr'}, "
    "target='interpreter')(A=np.eye(3), x=np.arange(3.)).to_numpy())"
)
LIGHT = """
import json, sys
import heddle
heavy = sorted({"lark", "numpy", "pydantic", "scipy"} & set(sys.modules))
print(json.dumps([heddle.__version__, heddle.__file__, heavy]))
"""
COMPRESSED_ROWS = """
from types import SimpleNamespace
import sys
import numpy as np
import heddle as hd
indptr, indices, data = np.array([0, 1, 3]), np.array([2, 0, 1]), np.array([1., 2, 3])
rows = SimpleNamespace(indptr=indptr, indices=indices, data=data, shape=(2, 3))
for target in ("c", "interpreter"):
    for A in (rows, np.array([[0, 0, 1.], [2, 3, 0]])):
        y = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "csr"}, target=target)(A=A, x=np.array([1., 10, 100]))
        print(y.to_numpy().tolist())
print([name for name in sys.modules if name.startswith("scipy")])
"""
KERNEL = """
import numpy as np
import heddle as hd
try:
    print(hd.compile("y(i) = 2 * x(i)")(x=np.ones(2)).to_numpy().tolist())
except hd.CompileError as error:
    print(error.diagnostics[0].message, error.diagnostics[0].hint)
"""


def test_the_wheels_have_what_was_staged(wheels: Path, tmp_path: Path) -> None:
    for name, stage, inside in (
        ("heddle_sparse", distributions.stage_compiler, "compiler/"),
        ("heddle_server", distributions.stage_service, ""),
    ):
        folder = tmp_path / name
        stage(folder)
        staged = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
        code = {file.removeprefix(inside) for file in staged if file.startswith(f"{inside}heddle")}
        with zipfile.ZipFile(wheels / f"{name}-{VERSION}-py3-none-any.whl") as wheel:
            packed = {file for file in wheel.namelist() if ".dist-info/" not in file}
            assert packed == code
            assert any(file.endswith(".dist-info/licenses/LICENSE") for file in wheel.namelist())
            assert any(file.endswith("/third-party-notices.txt") for file in wheel.namelist())


def test_the_wheels_are_small(wheels: Path) -> None:
    sizes = {file.name.partition("-")[0]: file.stat().st_size for file in wheels.glob("*.whl")}
    assert sizes["heddle_sparse"] <= 2_100_000
    assert sizes["heddle_server"] <= 8_000_000  # 3.1 MB of it are NumPy for the Python of browsers


def test_it_asks_for_three_packages(base: Environment) -> None:
    """pip had no index: with another requirement it would have failed."""
    installed = {file.name.partition("-")[0].lower() for file in base.packages.glob("*.dist-info")}
    assert installed == {"heddle_sparse", "lark", "numpy", "typing_extensions"}


def test_the_line_of_the_contract(base: Environment) -> None:
    assert base.evaluate(README_LINE) == "[0. 1. 2.]\n"


def test_importing_loads_nothing_heavy(base: Environment) -> None:
    version, file, heavy = json.loads(base.evaluate(LIGHT))
    assert version == VERSION
    assert Path(file).is_relative_to(base.folder)
    assert heavy == []


def test_the_program_compiles_and_names_what_is_missing(base: Environment) -> None:
    words = ["compile", "--expression", "y(i)=A(i,j)*x(j)", "-f", "A:csr", "--emit", "c"]
    for program in ([base.heddle], [base.python, "-m", "heddle"]):
        done = base.run(*program, *words)
        assert (done.returncode, done.stderr) == (0, "")
        assert "int32_t kernel(" in done.stdout
    missing = base.run(base.heddle, "serve")
    assert missing.returncode == 2
    assert missing.stderr.endswith('which is not installed: pip install "heddle-sparse[server]"\n')
    assert "run ./heddle test in a clone" in base.run(base.heddle, "test").stderr


@needs_compiler
def test_arrays_and_compressed_rows_need_no_scipy(base: Environment) -> None:
    assert base.evaluate(COMPRESSED_ROWS).splitlines() == ["[100.0, 32.0]"] * 4 + ["[]"]


def test_a_machine_without_a_c_compiler_reads_which_extra_brings_one(base: Environment) -> None:
    said = base.evaluate(KERNEL, PATH=str(base.folder / "bin"))
    assert said.startswith("No C compiler works on this machine")
    assert said.endswith('Install one with: pip install heddle-sparse[cc]. target="interpreter" needs none.\n')


def test_a_caller_is_checked_by_mypy(base: Environment, tmp_path: Path) -> None:
    caller = tmp_path / "typed_caller.py"
    caller.write_text((ROOT / "tests" / "typed_caller.py").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "mypy.ini").write_text("[mypy]\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--config-file", "mypy.ini"]
    command += ["--python-executable", str(base.python), caller.name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=base.variables, check=False)
    assert done.stdout == "Success: no issues found in 1 source file\n", done.stdout + done.stderr


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "home"
    folder.mkdir()
    yield folder
    folder.chmod(0o755)


def as_user(base: Environment, home: Path) -> str:
    """By a user whom the modes of files bind: root is without its privilege to ignore them."""
    privilege = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search") if os.geteuid() == 0 else ()
    done = base.run(*privilege, base.python, "-c", KERNEL, HOME=str(home))
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_compiler
def test_kernels_are_kept_in_the_caches_of_the_user(base: Environment, home: Path) -> None:
    before = {path for path in base.packages.rglob("*") if path.suffix not in ("", ".pyc")}
    assert as_user(base, home) == "[2.0, 2.0]\n"
    assert list((home / ".cache" / "heddle").rglob("*.so")) != []
    assert before == {path for path in base.packages.rglob("*") if path.suffix not in ("", ".pyc")}


@needs_compiler
@pytest.mark.skipif(os.geteuid() == 0 and shutil.which("setpriv") is None, reason="nothing is forbidden to root")
def test_a_home_that_cannot_be_written_to_is_said(base: Environment, home: Path) -> None:
    home.chmod(0o555)
    assert as_user(base, home) == (
        f"Compiled kernels cannot be kept in {home}/.cache/heddle: Permission denied. "
        "Set HEDDLE_CACHE to a folder that this user can write to.\n"
    )
