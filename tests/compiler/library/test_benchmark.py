"""``hd.benchmark``: contenders that compute the same are timed together and judged by the rules of the page."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import heddle as hd
from heddle.library.benchmarks import agreement
from heddle.measuring.verdicts import RULES, conclude

make: Any = scipy.sparse.random_array
A = make((60, 50), density=0.1, format="csr", rng=np.random.default_rng(0))
x = np.random.default_rng(1).random(50)
SPMV = "y(i) = A(i,j) * x(j)"
QUICK = 1e-4


def spmv(**options: Any) -> Any:
    return hd.compile(SPMV, formats={"A": "csr"}, **options)


def test_a_kernel_is_timed_beside_libraries_and_functions() -> None:
    run = hd.benchmark(spmv(), A=A, x=x, baselines=["scipy", lambda: A @ x], seconds=QUICK)
    ours, library, function = run
    assert [ours["name"], library["name"], function["name"]] == ["Heddle", "SciPy", "<lambda>"]
    assert run.verification["ok"]
    assert run.verification["reference"] == "NumPy, joining coordinate lists"
    assert ours["ratio"] is None
    for record in (library, function):
        assert record["rounds"] == run.rounds >= 30
        assert record["ratio"] == pytest.approx(record["median_ns"] / ours["median_ns"])
        assert record["verdict"] in ("faster", "slower", "inconclusive")


def test_the_verdicts_are_those_of_the_page() -> None:
    run = hd.benchmark(spmv(), A=A, x=x, baselines={"mine": lambda: A @ x}, seconds=QUICK)
    again = conclude(json.loads(json.dumps(run.to_dict())))
    assert run.measured["judged_by"] == RULES
    assert again["conclusion"] == run.measured["conclusion"]
    assert run.headline == run.measured["conclusion"]["headline"]
    assert [entry["ratio_to_heddle"] for entry in again["entries"]] == [
        entry["ratio_to_heddle"] for entry in run.measured["entries"]
    ]


def test_a_plan_with_a_schedule_is_timed_without_it_and_beside_what_suits_it() -> None:
    plan = {"version": 1, "expression": SPMV, "tensors": {"A": {"format": "csr"}}, "schedule": ["split(i, i0, i1, 8)"]}
    names = [record["name"] for record in hd.benchmark(plan, A=A, x=x, seconds=QUICK)]
    assert names == ["Heddle", "Heddle, unscheduled", "SciPy", "MKL"]


def test_an_expression_is_compiled_for_its_operands() -> None:
    run = hd.benchmark("C(i,j) = A(i,k) * B(k,j)", A=A, B=A.T.tocsr(), baselines=["scipy"], seconds=QUICK)
    assert run.plan.tensors["A"].format == "csr"
    assert run.records[1]["available"]


def test_a_kernel_can_be_a_baseline_in_formats_of_its_own() -> None:
    other = hd.compile(SPMV, formats={"A": "csc"})
    (_, record) = hd.benchmark(spmv(), A=A, x=x, baselines={"by columns": other}, seconds=QUICK)
    assert (record["name"], record["available"]) == ("by columns", True)


def test_operands_that_are_called_like_options_are_passed_together() -> None:
    kernel = hd.compile("y(i) = A(i,j) * seconds(j)", formats={"A": "csr"})
    assert len(hd.benchmark(kernel, {"A": A, "seconds": x}, baselines=["scipy"], seconds=QUICK)) == 2


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: A @ (x + 1), "benchmark/different-result"),
        (lambda: None, "benchmark/no-result"),
        (lambda: A, "benchmark/result"),
        (lambda: object(), "benchmark/result"),
    ],
)
def test_a_function_that_computes_something_else_is_not_timed(call: Callable[[], object], code: str) -> None:
    with pytest.raises(hd.OperandError) as refused:
        hd.benchmark(spmv(), A=A, x=x, baselines={"mine": call}, seconds=QUICK)
    assert refused.value.diagnostics[0].code == code
    assert "mine" in str(refused.value)


def test_a_kernel_that_computes_something_else_is_not_timed() -> None:
    other = hd.compile("y(i) = 2 * A(i,j) * x(j)", formats={"A": "csr"})
    with pytest.raises(hd.OperandError, match="twice computes something else"):
        hd.benchmark(spmv(), A=A, x=x, baselines={"twice": other}, seconds=QUICK)


def test_a_library_that_does_not_compute_it_says_why() -> None:
    kernel = hd.compile("y(i) = exp(x(i))")
    (_, record) = hd.benchmark(kernel, x=x, baselines=["mkl"], seconds=QUICK)
    assert not record["available"]
    assert record["reason"]


def test_a_baseline_that_raises_says_so_in_its_record() -> None:
    """It ends nobody's benchmark: of a library that is not installed, of operands that it does not take."""
    other = hd.compile("y(i) = A(i,j) * z(j)", formats={"A": "csr"})
    measured = hd.benchmark(
        spmv(),
        A=A,
        x=x,
        baselines={"broken": lambda: A @ np.ones(3), "other": other, "mine": lambda: A @ x},
        seconds=QUICK,
    )
    ours, broken, others, mine = measured.records
    assert ours["available"]
    assert mine["available"]
    assert not broken["available"]
    assert broken["reason"].startswith("It raises ValueError: ")
    assert not others["available"]
    assert others["reason"].startswith("It raises OperandError: ")
    assert "It raises ValueError" in repr(measured)


def test_ctrl_c_in_a_baseline_ends_the_benchmark() -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hd.benchmark(spmv(), A=A, x=x, baselines=[interrupted], seconds=QUICK)


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({"baselines": ["scpy"]}, "did you mean: scipy"),
        ({"baselines": 5}, "names of libraries"),
        ({"baselines": {"mine": 3}}, "a function without arguments"),
        ({"seconds": 0}, "above 0"),
        ({"seconds": float("nan")}, "above 0, and at most 600, but is nan"),
        ({"seconds": "fast"}, "but is 'fast'"),
        ({"seconds": [1]}, "but is a list"),
    ],
)
def test_wrong_options_are_refused(options: Any, part: str) -> None:
    with pytest.raises(hd.OperandError, match=part):
        hd.benchmark(spmv(), A=A, x=x, **options)


def test_a_function_in_single_precision_is_held_to_its_tolerance() -> None:
    narrow = A.astype(np.float32)
    (_, record) = hd.benchmark(
        spmv(), A=A, x=x, baselines={"narrow": lambda: narrow @ x.astype(np.float32)}, seconds=QUICK
    )
    assert record["note"] == "Its result is float32, the kernel's float64."


def test_large_sparse_results_are_compared_by_their_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agreement, "MOST_CELLS", 10)
    kernel = hd.compile("C(i,j) = A(i,k) * B(k,j)", formats={"A": "csr", "B": "csr", "C": "csr"})
    B = A.T.tocsr()
    run = hd.benchmark(kernel, A=A, B=B, baselines={"mine": lambda: A @ B}, seconds=QUICK)
    assert run.verification["ok"]
    with pytest.raises(hd.OperandError, match="mine computes something else"):
        hd.benchmark(kernel, A=A, B=B, baselines={"mine": lambda: A @ B * 1.5}, seconds=QUICK)
    (_, record) = hd.benchmark(kernel, A=A, B=B, baselines=["scipy"], seconds=QUICK)
    assert "too large to be compared" in record["reason"]


def test_a_wrong_kernel_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = spmv()
    wrong = A.copy()
    wrong.data = wrong.data + 1
    pack = kernel.binder.pack
    monkeypatch.setattr(
        "heddle.library.benchmarks.contenders.entries_of",
        lambda _: agreement.entries_of(pack({"A": wrong, "x": x})["A"]),
    )
    run = hd.benchmark(kernel, A=A, x=x, baselines=["scipy"], seconds=QUICK)
    assert not run.verification["ok"]
    assert "nothing was timed" in run.headline
    assert run.records == []


def test_records_become_tables_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = hd.benchmark(spmv(), A=A, x=x, baselines=["scipy"], seconds=QUICK)
    text = run.to_csv(tmp_path / "times.csv")
    assert (tmp_path / "times.csv").read_text(encoding="utf-8") == text
    rows = list(csv.DictReader(text.splitlines()))
    assert [float(row["median_ns"]) for row in rows] == [record["median_ns"] for record in run]
    made: list[object] = []
    frame = SimpleNamespace(from_records=lambda records: made.append(records) or "frame")
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=frame))
    assert run.to_pandas() == "frame"
    assert made == [run.records]
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(hd.CompileError, match="pip install pandas"):
        run.to_pandas()
    assert len(run.samples["SciPy"]) == run.rounds


def test_a_benchmark_is_shown_in_a_few_lines() -> None:
    run = hd.benchmark(spmv(), A=A, x=x, baselines={"a <b>": lambda: A @ x}, seconds=QUICK)
    assert repr(run).startswith(f"<Benchmark {SPMV}, {run.rounds} rounds, ")
    assert len(repr(run).splitlines()) == 4
    page = run._repr_html_()
    assert "a &lt;b&gt;" in page
    assert "<script" not in page
    assert len(page.encode()) < 20_000
