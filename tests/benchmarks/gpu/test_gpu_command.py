"""``benchmarks/gpu.py`` from its command line to its JSON, on a stand-in for a GPU: nothing of it is run for the first
time where a GPU is at hand for minutes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import benchmarks.gpu
from benchmarks.device import device_clock, gpu_kernels, gpu_measuring
from benchmarks.device.gpu_kernels import KERNELS, spmv_schedules
from benchmarks.gpu import main
from benchmarks.studies import measuring
from heddle.measuring.baselines import cusparse_library
from heddle.runtime.devices import cuda
from heddle_server.studies.registry import STUDIES
from tests.benchmarks.gpu.cusparse_stand_in import CuSparse, cusparse
from tests.benchmarks.gpu.gpu_machine import GpuMachine, gpu_machine
from tests.compiler.runtime.devices import executing_gpu

TINY = ("--nonzeros", "64", "--rounds", "1")


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> GpuMachine:
    monkeypatch.setattr(device_clock, "AHEAD_BYTES", 64)
    monkeypatch.setattr(gpu_measuring, "COPY_BYTES", 640)
    for module in (gpu_measuring, measuring):
        monkeypatch.setattr(module, "WARM_UP", 0)
    monkeypatch.setattr(gpu_measuring, "COMPARED", 7)
    return gpu_machine(monkeypatch)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch, gpu: GpuMachine) -> CuSparse:
    return cusparse(monkeypatch, gpu)


def run(folder: Path, *arguments: str, code: int = 0) -> dict[str, Any]:
    path = folder / "made" / "gpu.json"
    assert main([*TINY, *arguments, "--json", str(path)]) == code
    report: dict[str, Any] = json.loads(path.read_text())
    assert [one.name for one in path.parent.iterdir()] == ["gpu.json"]
    return report


def test_spmv_is_swept_over_matrices_beside_every_algorithm(
    tmp_path: Path, gpu: GpuMachine, library: CuSparse, capsys: pytest.CaptureFixture[str]
) -> None:
    report = run(tmp_path, "--matrices", "banded", "hypersparse", "--kernels", "spmv", "--studies")
    assert gpu.freed == 2  # what the last kernel needed, before it is asked whether the next one fits
    assert report["complete"] is True
    assert report["machine"]["device"]["name"] == "NVIDIA H100"
    assert report["machine"]["device"]["cusparse"] == 12500
    assert report["copy_bandwidth_gbps"] == pytest.approx(2 * 640 / 1e6)  # a step of its clock is a millisecond
    assert [row["matrix"] for row in report["rows"]] == ["banded", "hypersparse"]
    for row in report["rows"]:
        assert list(row["ours_ms"]) == list(spmv_schedules())
        assert min(row["ours_ms"].values()) >= 1.0
        both = [name + way for name in cusparse_library.SPMV.algorithms for way in ("", cusparse_library.PREPARED)]
        assert list(row["cusparse"]) == both
        assert {one["ms"] for one in row["cusparse"].values()} == {1.0}
        assert set(row["ours_ms"].values()) == {1.0}, "one pair of events around each side's call"
        assert list(row["ours_call_ms"]) == list(row["ours_graph_ms"]) == list(row["ours_ms"])
        assert set(row["ours_graph_ms"].values()) == {1.0}, "the launches of a call as one graph"
        assert min(*row["ours_call_ms"].values(), *(one["call_ms"] for one in row["cusparse"].values())) > 0
        assert (row["refused"], row["wrong"]) == ({}, [])
    (entry,) = report["summary"]
    best = [min(row["ours_ms"].values()) for row in report["rows"]]
    assert entry["best_speedup"] == pytest.approx((1 / (best[0] * best[1])) ** 0.5)
    assert entry["one_speedup"] <= entry["best_speedup"]
    shares = [round(row["bytes"] / ms / 1e6 / (2 * 640 / 1e6), 3) for row, ms in zip(report["rows"], best, strict=True)]
    assert list(entry["bandwidth_share"].values()) == shares
    assert library.analysed == ["SpMV"] * 4
    assert "cuSPARSE 1.000 ms (SPMV_CSR_ALG1)" in capsys.readouterr().out


@pytest.mark.combinations(2)
@pytest.mark.parametrize("kernel", [name for name in KERNELS if name != "spmv"])
def test_every_other_kernel_is_measured(
    kernel: str, tmp_path: Path, library: CuSparse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu_kernels, "COLUMNS", (32,))
    report = run(tmp_path, "--nonzeros", "24", "--matrices", "uniform", "--kernels", kernel, "--studies")
    assert report["rows"]
    for row in report["rows"]:
        assert row["ours_ms"]
        assert (row["refused"], row["wrong"]) == ({}, [])
        assert bool(row["cusparse"]) == (kernel != "mttkrp")
    assert len(library.analysed) == len(row["cusparse"]) // 2
    assert all(("best_speedup" in entry) == (kernel != "mttkrp") for entry in report["summary"])


SOME = ("--matrices", "banded", "--kernels", "spmv", "--studies")


@pytest.fixture
def two_schedules(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A short sweep, for what does not depend on its length."""
    some = dict(list(spmv_schedules().items())[:2])
    monkeypatch.setattr(gpu_kernels, "spmv_schedules", lambda: some)
    return list(some)


@pytest.mark.combinations(2)
@pytest.mark.usefixtures("library", "two_schedules")
@pytest.mark.parametrize("name", STUDIES)
def test_the_studies_are_measured_as_well(name: str, tmp_path: Path) -> None:
    study = STUDIES[name]
    report = run(tmp_path, "--matrices", "--studies", name, "--study-nonzeros", "60")
    found = report["studies"][name]
    assert (found["target"], len(found["rows"])) == ("cuda", len(study.points(60)))
    assert all(list(row["schedules"]) == list(study.gpu) and row["refused"] == {} for row in found["rows"])
    assert ("crossover" in found["found"]) == (name == "X3")


@pytest.mark.usefixtures("library")
def test_a_lost_launch_is_a_wrong_result(
    tmp_path: Path, two_schedules: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executing_gpu, "_execute", lambda *launch: None)
    (row,) = run(tmp_path, *SOME, code=1)["rows"]
    assert (row["wrong"], row["ours_ms"]) == (two_schedules, {})
    assert row["cusparse"]


def test_wrong_results_of_cusparse_are_not_timed(tmp_path: Path, library: CuSparse, two_schedules: list[str]) -> None:
    library.wrong = 1e-3
    (row,) = run(tmp_path, *SOME, code=1)["rows"]
    assert row["wrong"][0] == "cuSPARSE SPMV_CSR_ALG1"
    assert (row["cusparse"], list(row["ours_ms"])) == ({}, two_schedules)


@pytest.mark.usefixtures("two_schedules")
def test_an_algorithm_that_cusparse_lacks_is_left_out_with_its_reason(tmp_path: Path, library: CuSparse) -> None:
    library.refuses = {cusparse_library.SPMV.algorithms["SPMV_CSR_ALG2"]}
    (row,) = run(tmp_path, *SOME)["rows"]
    assert list(row["cusparse"]) == ["SPMV_CSR_ALG1", "SPMV_CSR_ALG1, analysed"]
    assert row["refused"]["cuSPARSE SPMV_CSR_ALG2"] == "CUSPARSE_STATUS_NOT_SUPPORTED"


@pytest.mark.usefixtures("gpu", "two_schedules")
def test_without_cusparse_ours_are_measured_and_the_reason_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cupy_backends.cuda.libs", None)  # CuPy raises ImportError as well
    report = run(tmp_path, *SOME)
    (row,) = report["rows"]
    assert row["ours_ms"]
    assert row["refused"]["cuSPARSE"].startswith("cuSPARSE cannot be loaded: ")
    assert report["machine"]["device"]["cusparse"] == row["refused"]["cuSPARSE"]
    assert list(report["summary"][0]) == ["kernel", "bandwidth_share"]


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("place", ["GPU", "host"])
def test_what_does_not_fit_is_left_out_before_it_is_made(
    place: str, tmp_path: Path, gpu: GpuMachine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if place == "GPU":
        gpu.free_bytes = 2_000
    else:
        monkeypatch.setattr(gpu_measuring, "_available", lambda: 2_000)
    monkeypatch.setattr(gpu_kernels, "_dense", lambda *shape: pytest.fail("made"))
    report = run(tmp_path, "--matrices", "banded", "--kernels", "spmm", "--studies")
    assert report["rows"] == []
    assert [one["kernel"] for one in report["left_out"]] == ["SpMM 32", "SpMM 128", "SpMM 512"]
    assert report["left_out"][0]["reason"].endswith(f", and the {place} has 0.0 GB free")
    assert "banded        SpMM 32        left out: it needs 0.0 GB" in capsys.readouterr().out


@pytest.mark.usefixtures("library", "two_schedules")
def test_a_schedule_that_runs_out_of_memory_is_left_out(
    tmp_path: Path, two_schedules: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = iter([MemoryError("Out of memory allocating 8 bytes")])
    ours = gpu_measuring._ours

    def once(*given: Any) -> float | None:
        for error in tried:
            raise error
        return ours(*given)

    monkeypatch.setattr(gpu_measuring, "_ours", once)
    (row,) = run(tmp_path, *SOME)["rows"]
    assert row["refused"] == {two_schedules[0]: "Out of memory allocating 8 bytes"}
    assert list(row["ours_ms"]) == two_schedules[1:]


@pytest.mark.usefixtures("library", "two_schedules")
def test_what_was_measured_outlives_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*given: Any) -> dict[str, Any]:
        raise RuntimeError("cudaErrorIllegalAddress")

    monkeypatch.setattr(benchmarks.gpu, "study", lost)
    path = tmp_path / "gpu.json"
    with pytest.raises(RuntimeError, match="IllegalAddress"):
        main([*TINY, *SOME, "X1", "--json", str(path)])
    report = json.loads(path.read_text())
    assert (report["complete"], len(report["rows"]), len(report["summary"])) == (False, 1, 1)


def test_without_a_gpu_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "missing", lambda: "CuPy is not installed")
    with pytest.raises(SystemExit, match=r"This needs an NVIDIA GPU: CuPy is not installed\. Install CuPy with: pip"):
        main([])
