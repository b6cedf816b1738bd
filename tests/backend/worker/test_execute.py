"""Whole runs in process, with few rounds: inputs, verification, entries; and what is refused."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heddle.diagnostics import CompileError
from heddle.frontends.table import front_end_of
from heddle.measuring import prepared as module
from heddle.measuring.rounds import Protocol
from heddle.measuring.verification import verified
from heddle.measuring.verification.reference import Reference
from heddle.plan import parse_plan
from heddle.runtime.native.quiet_moment import Spread
from heddle_server.datasets.catalogue import builtin_datasets
from heddle_server.engine import stream
from heddle_server.engine.machine import machine_facts
from heddle_server.engine.quiet_time import QuietTime
from heddle_server.engine.stream import Moments
from heddle_server.schema.run import RunResult
from heddle_server.worker.execute import execute, write_samples

pytestmark = pytest.mark.takes_turns(4)

ALONE = QuietTime(None)
QUICK = Protocol(min_rounds=3, min_seconds=0, warm_up_seconds=0, sample_seconds=0)
PATHS = {dataset.id: str(dataset.path) for dataset in builtin_datasets()}


@pytest.fixture(autouse=True)
def small_stream(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(stream, "array_bytes", lambda: 1 << 20)
    monkeypatch.setattr(stream, "_file", lambda root: tmp_path / "stream.json")


def run(document: dict[str, object], seen: list[tuple[str, float]] | None = None) -> RunResult:
    def report(phase: str, fraction: float, message: str, seconds_left: float | None = None) -> None:
        assert message
        assert seconds_left is None or (phase == "measure" and seconds_left >= 0)
        if seen is not None:
            seen.append((phase, fraction))

    return execute(parse_plan(document), PATHS, 1, report, QUICK, ALONE)


def refusal(document: dict[str, object]) -> tuple[str, str]:
    with pytest.raises(CompileError) as caught:
        run(document)
    return caught.value.diagnostics[0].code, caught.value.diagnostics[0].message


SPMV = {
    "version": 1,
    "expression": "y(i) = A(i,j) * x(j)",
    "tensors": {"A": {"format": "csr"}},
    "schedule": ["split(i, i0, i1, 32)", "parallelize(i0, CPUThread, NoRaces)"],
    "inputs": {"A": {"dataset": "west0067"}},
}


def test_a_program_of_patterns_whose_sizes_nothing_tells_says_so() -> None:
    with pytest.raises(CompileError, match="The sizes n and m are unknown: no input has them") as caught:
        run({"version": 2, "language": "patterns", "expression": front_end_of("patterns").example})
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "input/unknown-size"


def test_converting_an_operand_is_preparation() -> None:
    result = run({**SPMV, "schedule": ["reorder(j, i)"], "options": {"convert": "automatic"}})
    assert result["verification"]["ok"]
    ours = result["entries"][0]
    assert [step["name"] for step in ours["preparation"]] == ["build", "pack", "convert A to csc", "first call"]


def test_a_dense_program_is_timed_beside_numpy_by_itself() -> None:
    text = "def mm(float(M,K) A, float(K,N) B) -> (C) { C(i,j) +=! A(i,k) * B(k,j) }"
    shapes = {"A": {"shape": [8, 6]}, "B": {"shape": [6, 4]}}
    result = run({"version": 2, "language": "comprehension", "expression": text, "tensors": shapes})
    entries = {entry["id"]: entry for entry in result["entries"]}
    assert entries.keys() == {"heddle", "unscheduled", "numpy", "mkl"}
    assert entries["numpy"]["samples_ns"]
    assert [step["name"] for step in entries["numpy"]["preparation"]] == ["plan", "first call"]
    assert entries["mkl"]["reason"] == "MKL is not compared here yet for this expression."


def test_an_operand_that_is_full_but_stored_sparse_is_sparse_for_libraries() -> None:
    full = {"generator": "dense", "seed": 1, "shape": [6, 5]}
    result = run({**SPMV, "schedule": [], "inputs": {"A": full}})
    scipy = next(entry for entry in result["entries"] if entry["id"] == "scipy")
    assert scipy["available"]
    assert scipy["note"] == "One thread: SciPy's sparse operations use only one."


def test_a_run_from_plan_to_entries() -> None:
    seen: list[tuple[str, float]] = []
    result = run(SPMV, seen)
    assert result["verification"]["ok"]
    assert result["verification"]["max_error"] <= result["verification"]["tolerance"]
    ids = [entry["id"] for entry in result["entries"]]
    assert ids == ["heddle", "unscheduled", "scipy", "mkl"]
    ours = result["entries"][0]
    assert ours["ratio_to_heddle"] is None
    assert [step["name"] for step in ours["preparation"]] == ["build", "pack", "first call"]
    for entry in result["entries"]:
        if entry["available"]:
            assert len(entry["samples_ns"]) == result["protocol"]["rounds"] >= 3
            assert entry["low_ns"] <= entry["median_ns"] <= entry["high_ns"]
            assert entry["gigabytes_per_second"] == result["bytes_moved"] / entry["median_ns"]
        else:
            assert entry["reason"]
    # A: 68 positions, 294 coordinates and values; x and y: 67 values each.
    assert result["bytes_moved"] == 4 * 68 + (4 + 8) * 294 + 2 * 8 * 67
    assert [fact["source"] for fact in result["inputs"]] == ["dataset west0067", "random dense values"]
    assert result["machine"]["stream_triad_gbps"]["1"] > 0
    fractions = [fraction for _, fraction in seen]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1


@pytest.mark.parametrize(
    "document",
    [
        {
            "expression": "y(i) = A(i,j) * x(j)",
            "tensors": {"A": {"format": "csc"}, "x": {"format": "compressed"}},
            "inputs": {"A": {"dataset": "lp_afiro"}, "x": {"generator": "uniform", "nnz": 9, "shape": [51]}},
        },
        {
            "expression": "C(i,k) = A(i,j) * B(j,k)",
            "tensors": {"A": {"format": "csr"}},
            "inputs": {
                "A": {"generator": "rmat", "nnz": 60, "shape": [32, 30]},
                "B": {"generator": "dense", "shape": [30, 5]},
            },
        },
        {
            "expression": "C(i,j) = A(i,j) + B(i,j)",
            "tensors": {"A": {"format": "csr"}, "B": {"format": "csr"}},
            "inputs": {"A": {"dataset": "karate"}, "B": {"generator": "banded", "shape": [34, 34]}},
        },
        {
            "expression": "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)",
            "tensors": {"B": {"format": "csf"}, "C": {"shape": [3, 4]}},
            "inputs": {"B": {"dataset": "small3"}},
        },
        {
            "expression": "y(i) = A(i,j) * x(j)",
            "tensors": {"A": {"format": "csr", "dtype": "float32"}, "x": {"dtype": "float32"}},
            "inputs": {"A": {"dataset": "cryg2500"}},
        },
        {
            "expression": "y(i) = A(i,j) * x(j)",
            "tensors": {"A": {"format": "csr", "dtype": "int64"}, "x": {"dtype": "int64"}},
            "inputs": {"A": {"generator": "uniform", "nnz": 40, "shape": [20, 30]}},
        },
        {
            "expression": "y(i) = A(i,j) * x(j)",
            "tensors": {"A": {"format": "csr"}},
            "inputs": {"A": {"generator": "uniform", "nnz": 0, "shape": [0, 30]}},
        },
    ],
    ids=["spmspv", "spmm", "addition", "mttkrp", "float32", "int64", "zero rows"],
)
def test_operations_are_verified(document: dict[str, object]) -> None:
    result = run({"version": 1, **document})
    assert result["verification"]["ok"], result["verification"]
    assert result["entries"][0]["available"]


def test_the_same_plan_has_the_same_inputs() -> None:
    assert run(SPMV)["inputs"] == run(SPMV)["inputs"]


def test_a_wrong_result_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = verified.evaluate

    def wrong(*arguments: object) -> Reference:
        found = right(*arguments)
        return Reference(found.values + 1, found.scale, found.method)

    monkeypatch.setattr(verified, "evaluate", wrong)
    result = run(SPMV)
    assert not result["verification"]["ok"]
    assert result["entries"] == []


def test_a_wrong_baseline_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    scipy = module.BASELINES["scipy"]

    def broken(problem: object) -> object:
        made = scipy.prepare(problem)
        return type(made)(made.id, made.label, made.call, lambda: made.result() + 1, made.preparation)

    monkeypatch.setattr(module, "BASELINES", {**module.BASELINES, "scipy": replace(scipy, prepare=broken)})
    entry = next(entry for entry in run(SPMV)["entries"] if entry["id"] == "scipy")
    assert not entry["available"]
    assert entry["reason"].startswith("Its result differs from the reference by")


def test_a_wrong_unscheduled_kernel_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    right, calls = module.verify, list[str]()

    def second_is_wrong(*given: Any) -> Any:
        calls.append("verified")
        found = right(*given)
        return {**found, "ok": False, "max_error": 1.0} if len(calls) == 2 else found

    monkeypatch.setattr(module, "verify", second_is_wrong)
    entry = next(entry for entry in run(SPMV)["entries"] if entry["id"] == "unscheduled")
    assert not entry["available"]
    assert entry["reason"] == "Its result differs from the reference by 1."


def test_without_a_schedule_there_is_nothing_to_compare_with() -> None:
    entries = run({**SPMV, "schedule": []})["entries"]
    entry = next(entry for entry in entries if entry["id"] == "unscheduled")
    assert entry["reason"] == "The plan has no schedule, so this is the same kernel."


def test_a_vector_from_a_matrix_file(tmp_path: Path) -> None:
    path = tmp_path / "v.mtx"
    path.write_text("%%MatrixMarket matrix array real general\n67 1\n" + "2.5\n" * 67)
    identity = "sha256:" + "0" * 64
    document = {**SPMV, "inputs": {"A": {"dataset": "west0067"}, "x": {"upload": identity}}}
    result = execute(parse_plan(document), {**PATHS, identity: str(path)}, 1, lambda *_: None, QUICK, ALONE)
    assert result["verification"]["ok"]
    assert result["inputs"][1]["source"] == "upload sha256:00000000…"


def test_sizes_that_no_input_has_are_those_of_the_plan() -> None:
    sizes = {"i": 9, "j": 7, "k": 5, "r": 3}
    document = {"version": 2, "expression": "A(i,r) = X(i,j,k) * B(j,r) * C(k,r)", "sizes": sizes}
    result = execute(parse_plan(document), {}, 1, lambda *_: None, QUICK, ALONE)
    assert result["verification"]["ok"]
    assert [entry["shape"] for entry in result["inputs"]] == [[9, 7, 5], [7, 3], [5, 3]]


def test_refused_runs(tmp_path: Path) -> None:
    code, text = refusal({**SPMV, "inputs": {"A": {"dataset": "west0067"}, "x": {"generator": "dense", "shape": [50]}}})
    assert (code, text) == ("runtime/shape-mismatch", "x(j) has 50 entries but A(i,j) has 67 columns along j.")
    assert refusal({**SPMV, "inputs": {"A": {"dataset": "med"}}}) == (
        "runtime/order-mismatch",
        "A(i,j) has 2 dimensions, but the operand has 3: its shape is 2425 × 10816 × 29567.",
    )
    assert refusal(
        {"version": 1, "expression": "C(i,k) = A(i,j) * B(j,k)", "inputs": {"A": {"dataset": "karate"}}}
    ) == (
        "input/unknown-size",
        "The size of k in B(j,k) is unknown: no input has a dimension k.",
    )
    assert refusal({"version": 2, "expression": "A(i,r) = X(i,j,k) * B(j,r) * C(k,r)"}) == (
        "input/unknown-size",
        "The sizes i, j, k and r are unknown: no input has them.",
    )
    program = "def mm(float(N,M) A, float(M,K) B) -> (C) { C(i,j) +=! A(i,k) * B(k,j) }"
    assert refusal({"version": 2, "language": "comprehension", "expression": program, "sizes": {"M": 4}}) == (
        "input/unknown-size",
        "The sizes N and K are unknown: no input has them.",
    )
    assert refusal({**SPMV, "inputs": {"A": {"dataset": "west0067"}}, "sizes": {"j": 50}}) == (
        "input/size-conflict",
        "The plan fixes j = 50, but an input has 67 of it.",
    )
    assert refusal({**SPMV, "inputs": {"A": {"dataset": "west0067"}, "y": {"generator": "dense", "shape": [67]}}}) == (
        "input/not-an-operand",
        "y is computed by the kernel and takes no data, but the plan has an input for it. Remove the input of y.",
    )
    assert refusal({**SPMV, "run": {"baselines": ["eigen"]}}) == (
        "run/unknown-baseline",
        "There is no baseline eigen. The baselines are scipy, mkl, numpy, cusparse, torch, pyg.",
    )
    integers = {"A": {"format": "csr", "dtype": "int64"}, "x": {"dtype": "int64"}}
    assert refusal({**SPMV, "tensors": integers}) == (
        "input/not-whole",
        "A is int64, but its input has values that this type cannot hold.",
    )


def test_complex_files_need_a_complex_tensor(tmp_path: Path) -> None:
    path = tmp_path / "z.mtx"
    path.write_text("%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 5 0\n2 1 1 -3\n")
    upload = "sha256:" + 64 * "0"
    document = {**SPMV, "inputs": {"A": {"upload": upload}}}

    def times(dtype: str) -> RunResult:
        types = {"A": {"format": "csr", "dtype": dtype}, "x": {"dtype": dtype}}
        return execute(
            parse_plan({**document, "tensors": types}), {upload: str(path)}, 1, lambda *_: None, QUICK, ALONE
        )

    assert times("complex128")["verification"]["ok"]
    with pytest.raises(CompileError, match="A is float64, but its input holds complex values") as caught:
        times("float64")
    assert caught.value.diagnostics[0].code == "input/complex-values"


def test_a_file_at_fault_is_named_with_its_tensor(tmp_path: Path) -> None:
    path = tmp_path / "bad.mtx"
    path.write_text("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n")
    with pytest.raises(
        CompileError, match="Line 2: the header announces 2 entries, but the file holds only 1"
    ) as caught:
        execute(parse_plan(SPMV), {"west0067": str(path)}, 1, lambda *_: None, QUICK, ALONE)
    location = caught.value.diagnostics[0].location
    assert location is not None
    assert location.tensor == "A"


def test_samples_are_kept(tmp_path: Path) -> None:
    result = run(SPMV)
    write_samples(tmp_path / "samples.json", result)
    import json

    kept = json.loads((tmp_path / "samples.json").read_text())
    assert kept["heddle"] == result["entries"][0]["samples_ns"]


def test_the_median_of_quiet_moments_of_stream_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until there is one, what a busy machine does at least; it is measured once, not by every run."""
    monkeypatch.setattr(stream, "is_quiet", lambda threads: False)
    first = stream.bandwidth(1, ALONE)
    assert first is not None
    assert np.isfinite(first)
    assert stream.bandwidth(1, ALONE) == first
    assert stream.spreads() == {1: Spread(first, first, first, 0)}
    assert machine_facts()["stream_triad"]["1"]["times"] == 0
    moments = iter([Moments((12.0,)), Moments((), 9000.0), *(Moments((rate,)) for rate in (11.0, 15.0, 12.5, 1.0))])
    monkeypatch.setattr(stream, "_measure", lambda threads, quiet: next(moments))
    monkeypatch.setattr(stream, "is_quiet", lambda threads: True)
    assert [stream.bandwidth(1, ALONE) for _ in range(7)] == [12.0, 12.0, 11.5, 12.0, 12.25, 12.0, 12.0]
    assert stream.spreads() == {1: Spread(12.0, 11.0, 12.5, 5)}
    facts = machine_facts()
    assert facts["stream_triad_gbps"] == {"1": 12.0}
    assert facts["stream_triad"] == {"1": {"median": 12.0, "low": 11.0, "high": 12.5, "times": 5}}


def test_triads_count_between_two_looks_that_found_the_machine_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter([4.0, 1.0, *[5.0] * 8, *[3.0] * 10])
    monkeypatch.setattr(stream.Triad, "run", lambda self: next(seconds))
    looks = iter([True, True, False, *[True] * 8, *[False] * 11])
    monkeypatch.setattr(stream, "is_quiet", lambda threads: next(looks))
    moved = 24 * stream.array_bytes() / 8 / 1e9
    # The second was as quick as none, but another program had begun.
    assert stream._measure(1, ALONE) == Moments((pytest.approx(moved / 4),))
    assert stream._measure(1, ALONE) == Moments((), pytest.approx(moved / 3))


def test_compiles_go_between_the_measurements_of_the_bandwidth() -> None:
    class Watched(QuietTime):
        pauses = 0

        def pause(self) -> bool:
            self.pauses += 1
            return super().pause()

    quiet = Watched(None)
    assert stream.bandwidth(1, quiet) is not None
    assert quiet.pauses == 10


def test_without_memory_for_stream_there_is_no_bandwidth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "memory_limit", lambda: 1 << 20)
    assert stream.bandwidth(1, ALONE) is None
    entry = run(SPMV)["entries"][0]
    assert entry["gigabytes_per_second"] > 0
    assert entry["bandwidth_share"] is None
