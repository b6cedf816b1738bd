"""A case is verified before it is timed; wrong results are found; what is measured is not measured again."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import benchmarks.__main__ as command
import benchmarks.suite.case
from benchmarks.baselines.opponents import Opponent
from benchmarks.suite import kernels
from benchmarks.suite.case import Case, measure_kernel, outcome, reason_against
from benchmarks.suite.conversions import CONVERSIONS, measure_conversion
from benchmarks.suite.formats import SUMS, repaid_after
from benchmarks.suite.report import table
from benchmarks.suite.suites import Choice, cases
from benchmarks.suite.summary import best_opponent, geometric_means, place_of
from benchmarks.suite.tensors import BY_NAME as TENSORS
from heddle.runtime.native import cpu
from heddle_server.engine import stream

MACHINE = {"cpu": "this", "cores": 1, "os": "this", "compiler": "this", "stream_triad_gbps": {}}
EVERY = Choice(("tiny",), (1, 2), ("float64",), 0.01)


def case(suite: str, kernel: str, name: str) -> Case:
    return Case(suite, kernel, name, 2_000, "float64", 1, 0.01)


@pytest.mark.combinations(3)
@pytest.mark.parametrize(
    ("kernel", "name"),
    [
        ("spmv", "rmat"),
        ("spmm", "dense-row"),
        ("spmm-8", "uniform"),
        ("sddmm", "uniform"),
        ("spgemm", "stencil-2d"),
        ("add", "hypersparse"),
        ("ttv", "long-fibres"),
        ("ttm", "long-fibres"),
        ("mttkrp-3", "short-fibres"),
        ("mttkrp-3-r64", "long-fibres"),
        ("mttkrp-4", "order-4"),
        ("mttkrp-5", "order-5"),
    ],
)
def test_a_kernel_is_measured(kernel: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "bandwidth", lambda threads, quiet: 10.0)
    found = measure_kernel(case("kernels", kernel, name))
    assert found["contenders"]["heddle"]["median_ns"] > 0
    assert not any("wrong" in reason for reason in found["left_out"].values()), found["left_out"]
    assert found["reasons"]
    assert ("plain" in {**found["contenders"], **found["left_out"]}) == kernel.startswith(("spmv", "spmm"))
    json.dumps(found, allow_nan=False)


def test_spmv_is_measured_in_other_formats_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "bandwidth", lambda threads, quiet: 10.0)
    banded = measure_kernel(case("kernels", "spmv", "banded"))
    assert {"heddle-sell(8)", "heddle-dia(32)"} <= set(banded["contenders"])
    assert banded["contenders"]["heddle-dia(32)"]["prepared_ms"] > 0
    uniform = measure_kernel(case("kernels", "spmv", "uniform"))
    assert "heddle-sell(8)" in uniform["contenders"]
    assert uniform["left_out"]["heddle-dia(32)"].startswith("would store ")
    assert best_opponent(uniform)[0] not in ("heddle-sell(8)", "unscheduled")  # type: ignore[index]


def test_what_no_cache_holds_is_compared_with_a_triad_of_the_same_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    rates: list[float] = []
    monkeypatch.setattr(stream, "bandwidth", lambda threads, quiet: rates.append(10.0) or 10.0)
    spmv = case("kernels", "spmv", "banded")
    assert measure_kernel(spmv)["triad_gbps"] is None
    assert rates
    rates.clear()
    monkeypatch.setattr(cpu, "last_level_cache_bytes", lambda: 1000)
    found = measure_kernel(spmv)
    assert not rates
    ours, rate = found["contenders"]["heddle"], found["triad_gbps"]
    assert rate > 0
    assert ours["stream_share"] > 0
    result = {"case": asdict(spmv), **found, "machine": MACHINE, "load": None}
    text = table([result], [])
    assert f"shares of it\n{place_of(result)} {rate:6.1f}  heddle {ours['stream_share']:.0%}  " in text


def test_a_format_is_repaid_by_what_each_product_saves() -> None:
    assert repaid_after(1.0, 30_000.0, 20_000.0) == 100
    assert repaid_after(1.0, 20_000.0, 20_000.0) is None


@pytest.mark.combinations(2)
@pytest.mark.parametrize("conversion", CONVERSIONS)
def test_a_conversion_is_measured(conversion: str) -> None:
    found = measure_conversion(case("conversions", conversion, "banded"))
    assert found["contenders"]["heddle"]["million_entries_per_second"] > 0


def test_formats_that_would_pad_too_much_are_left_out() -> None:
    found = measure_conversion(case("conversions", "csr-dia", "uniform"))
    assert found["contenders"] == {}
    assert found["left_out"]["heddle"].startswith("would store ")


def test_wrong_results_are_found() -> None:
    reference = scipy.sparse.csr_array(np.array([[1.0, 0.0], [0.0, 2.0]]))
    assert kernels.error_of(reference.copy(), reference) == 0
    assert kernels.error_of(reference * 1.5, reference) == 0.5
    assert kernels.error_of(scipy.sparse.csr_array(np.ones((2, 2))), reference) == np.inf
    assert kernels.error_of(scipy.sparse.csr_array((2, 3)), reference) == np.inf
    dense = np.array([1.0, 2.0, 0.0])
    assert kernels.error_of(np.array([1.0, 1.0, 0.0]), dense) == 0.5
    assert kernels.error_of(np.array([1.0, np.nan, 0.0]), dense) == np.inf


def test_every_suite_has_its_cases() -> None:
    found = cases("kernels", EVERY)
    assert {one.kernel for one in found} == {kernel.name for kernel in kernels.KERNELS}
    assert len({one.input for one in found if one.kernel == "spmv"}) >= 12
    assert len(set(found)) == len(found)
    assert {one.threads for one in cases("conversions", EVERY)} == set(EVERY.threads)
    only = Choice(("small", "large"), (2,), ("float32",), 1.0, ("spmv",), ("banded",))
    assert [one.nonzeros for one in cases("kernels", only)] == [100_000, 20_000_000]


def test_graphs_are_multiplied_by_three_widths_in_single_precision() -> None:
    found = cases("compositions", replace(EVERY, sizes=("small",), dtypes=("float64", "float32")))
    assert {(one.dtype, one.threads) for one in found} == {("float32", max(EVERY.threads))}
    graphs = ["cora", "citeseer", "pubmed", "arxiv", "ppi", "proteins", "reddit"]
    assert [one.input for one in found if one.kernel == "spmm-512"] == graphs
    assert {one.kernel for one in found} == {"spmm", "spmm-128", "spmm-512"}
    assert {one.input for one in cases("compositions", EVERY)} == {"cora", "citeseer"}


def test_a_graph_is_measured_in_sums_of_parts_that_are_right() -> None:
    found = measure_kernel(Case("compositions", "spmm", "citeseer", 0, "float32", 1, 0.02))
    sums = {*found["contenders"], *found["left_out"]}
    assert {f"heddle-{format.replace(' ', '')}" for format in SUMS} <= sums
    assert not any(reason.startswith("its result is wrong") for reason in found["left_out"].values())
    assert "torch" in sums


def test_types_and_threads_are_varied_one_at_a_time_over_a_selection() -> None:
    chosen = Choice(
        ("small", "medium", "large"), (1, 2), ("float64", "float32"), 1.0, ("spmv", "spmm"), ("rmat", "zenios")
    )
    found = {(one.kernel, one.input, one.nonzeros, one.dtype, one.threads) for one in cases("kernels", chosen)}
    for kernel in ("spmv", "spmm"):
        assert {one[3:] for one in found if one[:3] == (kernel, "rmat", 100_000)} == {("float64", 2)}
        varied = {("float64", 2), ("float64", 1), ("float32", 2)}
        assert {one[3:] for one in found if one[:3] == (kernel, "rmat", 2_000_000)} == varied
        assert {one[3:] for one in found if one[:3] == (kernel, "zenios", 0)} == varied
    assert [one[0] for one in found if one[2] == 20_000_000] == ["spmv"]
    every = cases("kernels", replace(chosen, every=True))
    assert len(every) == 2 * (3 + 1) * 4
    assert {one.dtype for one in cases("conversions", replace(chosen, kernels=()))} == {"float64", "float32"}


def test_an_opponent_that_is_wrong_or_too_slow_is_left_out_with_the_reason() -> None:
    one_second = case("kernels", "spmv", "rmat")
    right = np.ones(3)
    wrong = Opponent("mkl", lambda: None, lambda: 2 * right)
    assert reason_against(wrong, right, one_second, usual=0.01) == "its result is wrong by 1"
    slow = Opponent("numpy", lambda: time.sleep(0.015), lambda: right)
    assert str(reason_against(slow, right, one_second, usual=0.01)).startswith("one call takes 0.0")
    unscheduled = replace(slow, name="unscheduled")
    assert reason_against(unscheduled, right, one_second, usual=0.01) is None
    # It would take most of the time from those that are compared.
    assert str(reason_against(unscheduled, right, one_second, usual=1e-5)).startswith("one call takes 0.0")
    assert reason_against(replace(slow, name="heddle"), right, one_second, usual=1e-5) is None


def test_one_slow_call_of_a_busy_machine_leaves_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    spent = iter((5.0, 1e-6))
    monkeypatch.setattr(benchmarks.suite.case, "_seconds", lambda _: next(spent))
    hit_once = Opponent("mkl", lambda: None, lambda: np.ones(3))
    assert reason_against(hit_once, np.ones(3), case("kernels", "spmv", "rmat"), usual=1.0) is None


def test_a_case_that_needs_too_much_memory_is_left_out_with_the_reason() -> None:
    def too_large(one: Case) -> dict[str, Any]:
        raise MemoryError

    found = outcome(too_large, case("kernels", "sddmm", "hypersparse"))
    assert found["contenders"] == {}
    assert found["left_out"]["heddle"].startswith("needs more than the 24 GiB of memory")


def test_what_is_measured_is_skipped_until_something_changes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[str] = []

    def run(one: Case, _: dict[str, str]) -> dict[str, Any]:
        runs.append(one.name)
        if one.input == "rmat":
            return {"case": asdict(one), "failure": "out of memory"}
        numbers = {"median_ns": 2000.0, "low_ns": 1000.0, "high_ns": 3000.0, "stream_share": 0.5, "ratio": None}
        ratio = {"value": 1.5, "low": 1.4, "high": 1.6}
        contenders = {"heddle": numbers, "mkl": {**numbers, "median_ns": 3000.0, "ratio": ratio}}
        return {"case": asdict(one), "nonzeros": 7, "contenders": contenders, "left_out": {}, "complete": True}

    monkeypatch.setattr(command, "_run", run)
    monkeypatch.setattr(command, "_identity", lambda: "this source")
    arguments = ["kernels", "--quick", "--threads", "2", "--dtypes", "float64", "--kernels", "spmv"]
    arguments += ["--inputs", "banded,rmat", "--output", str(tmp_path)]
    assert command.main(arguments) == 1
    assert capsys.readouterr().err == f"heddle: measuring the suite kernels into {tmp_path}\n"
    assert command.main(arguments) == 1
    assert runs == ["spmv.banded.4000.float64.2", "spmv.rmat.4000.float64.2", "spmv.rmat.4000.float64.2"]
    monkeypatch.setattr(command, "_identity", lambda: "another source")
    command.main(arguments)
    assert len(runs) == 5
    document = json.loads((tmp_path / "kernels.json").read_text())
    assert next(one for one in document["summary"] if one["kernel"] == "spmv") == {
        "dtype": "float64",
        "threads": 2,
        "kernel": "spmv",
        "opponent": "best opponent",
        "cases": 1,
        "geometric_mean": pytest.approx(1.5),
        "worst": 1.5,
        "worst_input": "banded",
    }
    text = (tmp_path / "kernels.txt").read_text()
    assert "\nfloat64, 2 threads\nkernel " in text
    assert "mkl 1.50 (1.40-1.60)" in text
    assert "FAILED: out of memory" in text
    assert "plotly" in (tmp_path / "kernels.html").read_text()
    best = best_opponent(document["results"][0])
    assert best is not None
    assert best[0] == "mkl"
    assert table(document["results"], geometric_means(document["results"])) in text


def _timed(median: float, ratio: float | None, prepared: float = 0.0) -> dict[str, Any]:
    interval = {"value": ratio, "low": ratio, "high": ratio} if ratio is not None else None
    return {
        "median_ns": median,
        "low_ns": median,
        "high_ns": median,
        "prepared_ms": prepared,
        "ratio": interval,
        "stream_share": None,
    }


def test_the_summary_is_also_of_the_fastest_format_and_of_all_kernels() -> None:
    contenders = {
        "heddle": _timed(100.0, None),
        "heddle-sell(8)": _timed(50.0, 0.5),
        "heddle-reused": _timed(10.0, 0.1),
        "mkl": _timed(80.0, 0.8, prepared=1.0),
        "mkl-unoptimised": _timed(120.0, 1.2),
        "plain": _timed(60.0, 0.6),
    }
    case_ = {"kernel": "spmv", "input": "rmat", "dtype": "float64", "threads": 1}
    result = {"case": case_, "contenders": contenders}
    slower = {**result, "case": {**case_, "threads": 2}, "contenders": {**contenders, "mkl": _timed(40.0, 0.4)}}
    means = geometric_means([result, slower])
    found = {(one["kernel"], one["opponent"]): one["geometric_mean"] for one in means if one["threads"] == 1}
    assert found["spmv", "mkl"] == found["all", "mkl"] == pytest.approx(0.8)
    assert found["spmv+formats", "mkl"] == found["all+formats", "mkl"] == pytest.approx(1.6)
    assert found["spmv+spmm", "mkl"] == pytest.approx(0.8)
    assert found["spmv+spmm+formats", "mkl"] == pytest.approx(1.6)
    assert found["spmv+spmm", "plain"] == pytest.approx(0.6)
    assert found["all", "best opponent"] == pytest.approx(0.8)  # a schedule of ours is no opponent
    facts: dict[str, Any] = {"packing_ms": 2.0, "choosing_ms": 0.5, "nonzeros": 9, "rounds": 3, "complete": True}
    machine = {"cpu": "c", "cores": 2, "os": "o", "compiler": "gcc", "stream_triad_gbps": {}}
    reason = "ModuleNotFoundError: No module named 'torch'"
    facts["left_out"] = {"torch": reason, "heddle-ell": "would store 40 values for each entry"}
    other = {**facts, "left_out": {"torch": reason, "heddle-ell": "would store 75 values for each entry"}}
    run = {"machine": machine, "load": None}
    text = table([{**result, **facts, **run}, {**slower, **other, **run}], [])
    assert text.endswith(
        "\n\nWho took no part, in how many cases, and why (the first of them)\n"
        "heddle-ell                  2  would store 40 values for each entry\n"
        f"torch                       2  {reason}"
    )
    assert "packing 2.00  choosing 0.50  mkl 1.00 (repaid after 25,000 runs)" in text


def test_unknown_names_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """And what there is stands next to them."""
    assert command.main(["kernel"]) == 2
    assert command.main(["kernels", "--inputs", "nowhere"]) == 2
    assert command.main(["kernels", "--kernels", "spmw"]) == 2
    assert command.main(["kernels", "--dtypes", "float16"]) == 2
    suite, given, kernel, dtype = capsys.readouterr().err.splitlines()
    known = "codegen, kernels, regret, conversions, compositions"
    assert suite == f"heddle: bench: there is no suite kernel. Known are {known}"
    assert given.startswith("heddle: bench: there is no input nowhere. Known are stencil-2d, ")
    assert given.endswith(", ".join(TENSORS))
    assert kernel.startswith("heddle: bench: there is no kernel spmw. Known are spmv, spmm-8, spmm, spmm-128, sddmm, ")
    assert dtype == "heddle: bench: there is no type of values float16. Known are float64, float32"
