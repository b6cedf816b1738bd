"""``--isa``: each class is measured by its own process, into its own folder, and one table compares them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from benchmarks import __main__ as command
from benchmarks.suite import classes
from benchmarks.suite.classes import classes_table
from heddle.runtime.native import cpu

WIDEST = "cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3 abm avx avx2 bmi1 bmi2 f16c fma movbe"


@pytest.fixture(autouse=True)
def processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """One with AVX2 alone, whatever runs the test."""
    monkeypatch.delenv("HEDDLE_MARCH", raising=False)
    monkeypatch.setattr(cpu, "features", lambda: tuple(WIDEST.split()))
    monkeypatch.setattr(cpu, "model", lambda: "Small Processor")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")


def mean(kernel: str, opponent: str, value: float) -> dict[str, Any]:
    found = {"dtype": "float64", "threads": 2, "kernel": kernel, "opponent": opponent, "cases": 4}
    return {**found, "geometric_mean": value, "worst": value / 2, "worst_input": "spmm rmat"}


def document(value: float, dispatch: str) -> dict[str, Any]:
    kernels = ("spmv+spmm", "spmv+spmm+formats", "spmv")
    summary = [mean(kernel, opponent, value) for kernel in kernels for opponent in ("mkl", "plain", "scipy")]
    return {"summary": summary, "results": [{"mkl": {"dispatch": dispatch}}, {"mkl": None}, {}]}


def test_each_class_is_measured_by_a_process_that_is_told_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started: list[tuple[str, list[str]]] = []

    def run(arguments: list[str], *, env: dict[str, str], check: bool) -> subprocess.CompletedProcess[str]:
        started.append((env["HEDDLE_MARCH"], arguments[arguments.index("benchmarks") + 1 :]))
        options = command.parser().parse_args(started[-1][1])
        assert not options.isa
        options.output.mkdir(parents=True)
        (options.output / "kernels.json").write_text(json.dumps(document(1.5, "AVX2")))
        return subprocess.CompletedProcess(arguments, 1 if env["HEDDLE_MARCH"] == "x86-64-v2" else 0)

    monkeypatch.setattr(classes.subprocess, "run", run)
    asked = ["kernels", "--quick", "--isa", "v2,x86-64-v3,native", "--output", str(tmp_path)]
    assert command.main(asked) == 1
    names = ["x86-64-v2", "x86-64-v3", "native"]
    assert started == [(name, [*asked, "--isa=", f"--output={tmp_path / name}"]) for name in names]
    assert capsys.readouterr().out.endswith(f"wrote {tmp_path / 'classes.txt'}\n")
    table = (tmp_path / "classes.txt").read_text()
    assert [table.index(f"\n{name} ") for name in names] == sorted(table.index(f"\n{name} ") for name in names)


def test_the_table_has_what_is_asked_of_each_class() -> None:
    lines = classes_table({"x86-64-v3": document(1.2, "AVX2"), "x86-64-v4": document(1.5, "AVX-512")}).splitlines()
    assert [" ".join(line.split()) for line in lines[1:5]] == [
        "x86-64-v3 float64, 2 threads spmv+spmm mkl 4 1.20 0.60 spmm rmat",
        "x86-64-v3 float64, 2 threads spmv+spmm+formats mkl 4 1.20 0.60 spmm rmat",
        "x86-64-v3 float64, 2 threads spmv+spmm plain 4 1.20 0.60 spmm rmat",
        "x86-64-v3 MKL's code path: AVX2",
    ]
    assert lines[-1] == "x86-64-v4  MKL's code path: AVX-512"


def test_a_class_that_cannot_be_measured_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["kernels", "--isa", "v2,v5"]) == 2
    assert command.main(["kernels", "--isa", "v2,v4"]) == 2
    monkeypatch.setenv("HEDDLE_MARCH", "v4")
    assert command.main(["kernels"]) == 2
    unknown, *beyond = (line for line in capsys.readouterr().err.splitlines() if not line.startswith("hint: "))
    assert unknown.startswith("heddle: bench: There is no machine class 'v5'. The classes are native, x86-64-v2, ")
    assert beyond == [
        "heddle: bench: Kernels are compiled for x86-64-v4, whose instructions this processor (Small Processor) lacks."
    ] * 2  # fmt: skip
