"""Whole runs of GPU schedules on this machine's OpenCL device: verified, next to the libraries, and every example."""

from __future__ import annotations

from pathlib import Path

import pytest

from heddle.measuring.baselines.registry import BASELINES
from heddle.runtime.devices import cuda, opencl_devices
from heddle_server.services.catalogue import read_examples
from tests.backend.worker.test_execute import run, small_stream

__all__ = ["small_stream"]  # a fixture, for every test here

pytestmark = [
    pytest.mark.takes_turns(4),
    pytest.mark.skipif(not opencl_devices.devices(), reason="no OpenCL device here"),
]
SPMV = {
    "version": 1,
    "expression": "y(i) = A(i,j) * x(j)",
    "tensors": {"A": {"format": "csr"}},
    "schedule": [
        "split(i, block, thread, 32)",
        "parallelize(block, GPUBlock, NoRaces)",
        "parallelize(thread, GPUThread, NoRaces)",
    ],
    "target": "opencl",
    "inputs": {"A": {"dataset": "west0067"}},
    "run": {"baselines": list(BASELINES)},
}
ON_A_GPU = [example for example in read_examples() if example["topic"] == "On a GPU"]


def test_a_gpu_schedule_is_verified_and_timed_beside_the_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "missing", lambda: "CuPy is not installed")
    result = run(SPMV)
    assert result["verification"]["ok"]
    entries = {entry["id"]: entry for entry in result["entries"]}
    timed = {name for name, entry in entries.items() if entry["median_ns"] is not None}
    assert timed == {"heddle", "unscheduled", "scipy", "mkl"}
    assert entries["cusparse"]["reason"] == "No GPU: CuPy is not installed."
    (launch,) = result["launches"]
    assert (launch["blocks"], launch["threads"], launch["shared_bytes"], launch["registers"]) == (3, 32, 0, None)
    assert (entries["heddle"]["note"] or "").endswith("without the time to copy operands there and the result back.")
    assert (entries["unscheduled"]["note"] or "").startswith("A GPU needs a schedule")


@pytest.mark.parametrize("example", ON_A_GPU, ids=lambda example: Path(example["id"]).name)
def test_the_examples_for_a_gpu_are_right(example: dict[str, object]) -> None:
    plan = example["plan"]
    assert isinstance(plan, dict)
    assert run({**plan, "run": {"baselines": []}})["verification"]["ok"]
