"""A visit to a machine with a GPU (proofs/gpu_check), as far as it goes on one without: its kernels run on the stand-in
for CuPy, and each of its steps says that there is no GPU."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.device import device_clock
from heddle.runtime.devices import cuda
from proofs import gpu
from tests.benchmarks.gpu.cusparse_stand_in import cusparse
from tests.benchmarks.gpu.gpu_machine import gpu_machine
from tests.compiler.runtime.devices.executing_gpu import executing_gpu
from tools.paths import ROOT

pytestmark = pytest.mark.takes_turns(2)

FOLDER = ROOT / "proofs" / "gpu_check"


@pytest.mark.combinations(3)
@pytest.mark.parametrize("group", ["spmv", "spmm", "sddmm", "mttkrp", "spgemm", "misc"])
def test_the_kernels_of_a_visit_are_right(group: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    executing_gpu(monkeypatch)
    monkeypatch.setattr(sys, "argv", ["smoke.py", group, "small"])
    monkeypatch.syspath_prepend(FOLDER)
    monkeypatch.setenv("W", str(tmp_path))
    monkeypatch.setenv("OUT", str(tmp_path))
    monkeypatch.delitem(sys.modules, "scratch", raising=False)
    (tmp_path / "smoke").mkdir()
    with pytest.raises(SystemExit):
        runpy.run_path(str(FOLDER / "smoke.py"), run_name="__main__")
    monkeypatch.delitem(sys.modules, "scratch")
    rows = [json.loads(line) for line in (tmp_path / "smoke" / f"{group}-small.jsonl").read_text().splitlines()]
    assert len(rows) > 3
    assert [(row["case"], row.get("wrong") or row.get("error")) for row in rows if row["status"] != "right"] == []


def test_the_benchmark_of_a_visit_has_sparse_products_beside_cusparse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(device_clock, "AHEAD_BYTES", 64)
    cusparse(monkeypatch, gpu_machine(monkeypatch))
    monkeypatch.syspath_prepend(FOLDER)
    for name, value in {"W": tmp_path, "OUT": tmp_path, "SMALL": 1, "MATRICES": "uniform", "KERNELS": "spgemm"}.items():
        monkeypatch.setenv(name, str(value))
    (tmp_path / "data").mkdir()
    for name in ("scratch", "bench_kernels"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(sys, "argv", ["prepare.py", "uniform", "40"])
    runpy.run_path(str(FOLDER / "prepare.py"), run_name="__main__")
    with pytest.raises(SystemExit) as left:
        runpy.run_path(str(FOLDER / "bench.py"), run_name="__main__")
    for name in ("scratch", "bench_kernels"):
        monkeypatch.delitem(sys.modules, name)
    report = json.loads((tmp_path / "bench.json").read_text())
    assert left.value.code == 0, report
    (row,) = report["rows"]
    assert (row["kernel"], list(row["ours"]), list(row["cusparse"])) == (
        "SpGEMM",
        ["RULES", "AUTO"],
        ["SPGEMM_DEFAULT"],
    )
    assert (row["refused"], row["wrong"], report["errors"]) == ({}, [], [])
    assert row["ratio_rules"] > 0
    assert set(report["means"]) == {"SpGEMM"}


def test_a_visit_holds_where_each_step_is_done() -> None:
    done = {"facts": {"status": "done"}, "smoke": {"status": "done"}}
    assert gpu.broken_steps({"steps": done, "facts": {"heddle_missing": None}}) == []
    late = {**done, "bench": {"status": "out of time"}}
    assert gpu.broken_steps({"steps": late, "facts": {"heddle_missing": None}}) == ["bench out of time"]
    assert gpu.broken_steps({}) == ["no step has told anything"]
    assert gpu.has_card({"facts": {"heddle_missing": None}})
    assert not gpu.has_card({"facts": {}})


@pytest.mark.skipif(cuda.missing() is None, reason="there is a GPU")
def test_each_step_says_that_there_is_no_gpu(tmp_path: Path) -> None:
    environment = os.environ | {"OUT": str(tmp_path), "SMALL": "1", "BUDGET": "120", "STEPS": "facts sandbox bench"}
    kept = gpu.KEPT.read_bytes() if gpu.KEPT.exists() else None
    done = subprocess.run(
        [ROOT / "heddle", "prove", "gpu", "--bare", "--out", tmp_path],
        cwd=tmp_path,
        env=environment | {"HEDDLE_PYTHON": sys.executable, "PYTHONPATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert f"broken: bench failed: {cuda.missing()}\n" in done.stderr
    assert (gpu.KEPT.read_bytes() if gpu.KEPT.exists() else None) == kept, "nothing is kept of a machine without a GPU"
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert {name: step["status"] for name, step in summary["steps"].items()} == dict.fromkeys(
        ("facts", "sandbox", "bench"), "failed"
    )
    missing = cuda.missing()
    assert summary["facts"]["heddle_missing"] == missing
    assert "No module named 'heddle" not in " ".join(summary["facts"]["errors"])
    for told in (json.dumps(summary["sandbox"]), json.dumps(summary["bench"]["errors"])):
        assert f"There is no GPU to run CUDA kernels on: {missing}" in told
