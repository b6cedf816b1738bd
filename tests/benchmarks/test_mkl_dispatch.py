"""MKL takes the code path for Intel processors where it is asked to, and says so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import __main__ as command
from benchmarks.baselines.mkl_dispatch import code_path, environment, intel_path
from heddle.measuring.baselines.mkl_library import MklError, load
from heddle.runtime.native import toolchain
from heddle.runtime.native.machine_class import detect, parse_name

ROOT = Path(__file__).resolve().parents[2]
ASK = (
    "import json; from heddle.measuring.baselines.mkl_library import facts; print(json.dumps(facts(None)['dispatch']))"
)


def _dispatch(environment: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-c", ASK], capture_output=True, text=True, check=True, cwd=ROOT, env=os.environ | environment
    )
    return str(json.loads(done.stdout))


@pytest.fixture(autouse=True)
def _mkl_is_there() -> None:
    try:
        load(toolchain.discover().openmp)  # as other tests of this process do: the first layer stays
    except MklError as error:
        pytest.skip(str(error))


def test_mkl_takes_the_path_for_intel_processors() -> None:
    """On an Intel processor the answers change nothing; on others the path is generic without them."""
    vendor = Path("/proc/cpuinfo").read_text(encoding="utf-8") if Path("/proc/cpuinfo").exists() else ""
    usual, asked = _dispatch({}), _dispatch({"LD_PRELOAD": str(intel_path())})
    if "GenuineIntel" in vendor:
        assert asked == usual
    elif "avx512f" in vendor:
        assert asked.startswith("AVX-512")
    elif "avx2" in vendor:
        assert asked == "AVX2"
    else:
        pytest.skip("a processor without AVX2")


@pytest.mark.combinations(2)
@pytest.mark.parametrize(("march", "path"), [("v2", "SSE4.2"), ("v3", "AVX2"), ("v4", "AVX-512")])
def test_mkl_is_held_to_the_instructions_of_a_class(march: str, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if detect().vector_bytes < parse_name(march).vector_bytes:
        pytest.skip(f"the processor is below {march}")
    monkeypatch.setenv("HEDDLE_MARCH", march)
    assert _dispatch(environment(None)) == path


def test_opponents_are_told_the_class_in_force(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEDDLE_MARCH", raising=False)
    assert (code_path(None), environment(None)) == ("shipped", {})
    assert environment("intel") == {"LD_PRELOAD": str(intel_path())}
    monkeypatch.setenv("HEDDLE_MARCH", "v3")
    held = {"MKL_ENABLE_INSTRUCTIONS": "AVX2", "NUMBA_CPU_NAME": "x86-64-v3"}
    assert (code_path(None), environment(None)) == ("intel", {"LD_PRELOAD": str(intel_path()), **held})
    assert environment("shipped") == held


def test_a_case_measured_on_another_path_is_measured_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["kernels", "--quick", "--threads", "1", "--dtypes", "float64", "--kernels", "spmv"]
    arguments += ["--inputs", "jagmesh7", "--seconds", "0.05", "--output", str(tmp_path)]
    for path, again in (("shipped", False), ("intel", False), ("intel", True)):
        assert command.main([*arguments, "--mkl", path]) == 0
        assert ("measured already" in capsys.readouterr().out) == again
