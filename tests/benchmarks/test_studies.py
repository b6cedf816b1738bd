"""The studies run on every target that is here, compare right results only, and find what they ask for."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import heddle as hd
from benchmarks import __main__ as bench_program
from benchmarks.studies import __main__ as studies_program
from benchmarks.studies.__main__ import main, run
from heddle.plan import parse_plan
from heddle.runtime.devices import cuda, opencl_devices
from heddle_server.studies.registry import STUDIES
from heddle_server.studies.skew import crossover

NAMES = list(STUDIES)
TARGETS = [
    "c",
    pytest.param("opencl", marks=pytest.mark.skipif(not opencl_devices.devices(), reason="there is no OpenCL device")),
]


@pytest.mark.combinations(4, "name", "target")
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", NAMES)
def test_every_schedule_is_measured(name: str, target: str) -> None:
    study = STUDIES[name]
    report = run(study, target, 2_000, 2)
    assert len(report["rows"]) == len(study.points(2_000))
    for row in report["rows"]:
        assert list(row["schedules"]) == list(study.schedules(target))
        assert all(len(one["samples_ns"]) == 2 and min(one["samples_ns"]) > 0 for one in row["schedules"].values())
    assert report["found"]["times_of_the_first"]
    json.dumps(report, allow_nan=False)


@pytest.mark.parametrize("name", NAMES)
def test_the_plans_compile_for_cuda(name: str) -> None:
    study = STUDIES[name]
    for schedule in study.gpu.values():
        plan = parse_plan(study.points(1_000)[0].plan("cuda", schedule))
        hd.lower(plan).raise_errors()


def lengths(name: str, nonzeros: int, place: int) -> Any:
    from benchmarks.studies.measuring import operands

    return np.diff(operands(STUDIES[name].points(nonzeros)[place], "c")[0].indptr)


def test_rows_are_as_the_studies_say() -> None:
    assert set(lengths("X1", 4_000, 2).tolist()) == {10}
    assert set(lengths("X4", 10_000, 0).tolist()) == {100}
    even, skewed = lengths("X3", 200_000, 0), lengths("X3", 200_000, 6)
    assert even.max() - even.min() <= 1
    longest = 200_000 * 0.01 / 1.01  # docs/sources.toml X3: nnz (c - 1) / c where there are many rows
    assert skewed.max() == pytest.approx(longest, rel=0.01)
    assert skewed.sum() == pytest.approx(200_000, rel=0.001)


def row(value: float, by_rows: float, by_entries: float) -> dict[str, Any]:
    return {"value": value, "schedules": {"rows": {"median_ns": by_rows}, "entries": {"median_ns": by_entries}}}


def test_the_crossover_lies_between_two_skews() -> None:
    assert crossover([row(1.0, 1, 2), row(1.002, 3, 2), row(1.004, 4, 2)]) == 1.001
    assert crossover([row(1.0, 3, 2), row(1.002, 4, 2)]) is None
    assert crossover([row(1.0, 1, 2), row(1.002, 3, 2), row(1.004, 1, 2)]) is None  # noise is no crossover


def test_the_command_writes_what_it_finds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["X4", "--nonzeros", "1000", "--rounds", "2", "--output", str(tmp_path)]) == 0
    document = json.loads((tmp_path / "X4.c.json").read_text())
    assert document["machine"]["cpu"]
    assert document["rows"][0]["nonzeros"] == 1000
    assert "The paper: " in capsys.readouterr().out


@pytest.mark.skipif(cuda.missing() is None, reason="there is a GPU")
def test_without_a_gpu_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["X1", "--target", "cuda", "--output", str(tmp_path)]) == 1
    assert "There is no GPU to run CUDA kernels on" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (studies_program, ["X1", "--rounds", "0"]),
        (studies_program, ["X1", "--nonzeros", "-5"]),
        (bench_program, ["--quick", "--threads", "0"]),
        (bench_program, ["--quick", "--threads", "1,-2"]),
    ],
)
def test_numbers_out_of_range_are_refused(
    program: ModuleType, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ending:
        program.main(words)
    assert ending.value.code == 2
    assert f"is expected, found {words[-1].split(',')[-1]}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("program", "words"),
    [(studies_program, ["X1", "--nonzeros", "1000"]), (bench_program, ["kernels", "--quick", "--kernels", "spmv"])],
)
def test_a_file_is_no_folder_of_results_and_nothing_is_measured(
    program: ModuleType, words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("mine")
    assert program.main([*words, "--output", str(tmp_path / "file")]) == 1
    printed = capsys.readouterr()
    assert printed.err == f"heddle: {tmp_path / 'file'} cannot be the folder of results: File exists\n"
    assert printed.out == ""


def test_a_study_that_is_misspelled_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        main(["x1"])
    assert ending.value.code == 2
    assert capsys.readouterr().err.startswith("heddle: study: argument study: expected one of X1, X2, X3, X4, all")
