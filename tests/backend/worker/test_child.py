"""The child process: one job on stdin, only JSON lines on stdout, exit code 0 whenever it could answer."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from heddle.measuring.threads import set_threads
from heddle.runtime.native.blas_threads import LIBRARIES, loaded_controls
from heddle_server.datasets.catalogue import FOLDER

pytestmark = pytest.mark.takes_turns(4)

ROOT = Path(__file__).resolve().parents[3]


def child(job: object) -> tuple[list[dict[str, Any]], int]:
    text = job if isinstance(job, str) else json.dumps(job)
    command = [sys.executable, "-m", "heddle_server.worker.child"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, cwd=ROOT, timeout=120, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode


@pytest.mark.slow
def test_a_result(tmp_path: Path) -> None:
    plan = {
        "version": 1,
        "expression": "y(i) = A(i,j) * x(j)",
        "tensors": {"A": {"format": "csr"}},
        "inputs": {"A": {"dataset": "karate"}},
        "run": {"threads": 1, "baselines": ["scipy"]},
    }
    samples = tmp_path / "samples.json"
    job = {"plan": plan, "datasets": {"karate": str(FOLDER / "karate.mtx")}, "samples_path": str(samples)}
    events, code = child(job)
    assert code == 0
    assert {event["event"] for event in events[:-1]} == {"progress"}
    assert [event["phase"] for event in events[:4]] == ["compile", "inputs", "verify", "baselines"]
    assert events[-1]["event"] == "result"
    result = events[-1]["result"]
    assert result["verification"]["ok"]
    assert result["threads"] == 1
    assert result["protocol"]["complete"]
    assert json.loads(samples.read_text())["heddle"]


def test_a_plan_at_fault() -> None:
    events, code = child({"plan": {"version": 1, "expression": "y(i) = A(i,"}})
    assert code == 0
    problem = events[-1]["problem"]
    assert problem["title"] == "This plan cannot be run"
    assert problem["diagnostics"][0]["code"].startswith("expression/")
    assert problem["detail"] == problem["diagnostics"][0]["message"]


def test_a_defect_is_a_problem_too() -> None:
    events, code = child({"plan": {"version": 1, "expression": "y(i) = x(i)", "inputs": {"x": {"dataset": "gone"}}}})
    assert code == 0
    assert events[-1]["problem"] == {"title": "Heddle has a defect", "detail": "KeyError: 'gone'"}


def test_the_number_of_threads_holds_for_what_is_loaded_already(monkeypatch: pytest.MonkeyPatch) -> None:
    """The child has imported NumPy when it reads the plan, so that the environment came too late for OpenBLAS."""
    import scipy.linalg.blas  # noqa: F401  so that SciPy's own library is there, too

    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        monkeypatch.setenv(name, "2")
    for name in ("GOMP_SPINCOUNT", "OMP_DYNAMIC", "MKL_DYNAMIC"):
        monkeypatch.setenv(name, os.environ.get(name, "false"))
    controls = loaded_controls((*LIBRARIES, "libgomp"))
    if not controls:
        pytest.skip("this system does not say which libraries are loaded")
    before = [get() for get, _ in controls]
    try:
        for _, use in controls:
            use(2)
        assert set_threads(1) == 1
        assert {get() for get, _ in controls} == {1}
        assert os.environ["OPENBLAS_NUM_THREADS"] == "1"
    finally:
        for (_, use), threads in zip(controls, before, strict=True):
            use(threads)
