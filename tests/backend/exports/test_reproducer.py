"""The script that measures a plan again: it holds all that it needs, and compares with what was measured."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heddle
from heddle.cli.reproduce import reproduce, reproduction_lines
from heddle.measuring import reproduction
from heddle.measuring.reproduction import LARGEST_EMBEDDED, measure_plan, pack_file, read_stored, unpack_file
from heddle.measuring.rounds import Protocol
from heddle.plan import parse_plan, plan_hash
from heddle_server.datasets.catalogue import builtin_datasets
from heddle_server.exports.registry import export_text
from heddle_server.exports.reproducer import stored_result
from heddle_server.schema.run import RunResult
from heddle_server.services.catalogue import EXAMPLES

PATHS = {dataset.id: str(dataset.path) for dataset in builtin_datasets()}
QUICK = Protocol(min_rounds=3, min_seconds=0, warm_up_seconds=0, sample_seconds=0)
PLAN: dict[str, Any] = {
    "version": 2,
    "expression": "y(i) = A(i,j) * x(j)",
    "tensors": {"A": {"format": "csr"}},
    "schedule": ["split(i, i0, i1, 32)"],
    "inputs": {"A": {"dataset": "west0067"}},
    "run": {"baselines": ["scipy"], "threads": 1},
}


def quiet(text: str) -> None:
    assert text


def stored(**changes: Any) -> dict[str, Any]:
    """What the service would have stored of the plan here, with other words for the machine."""
    again = measure_plan(PLAN, {"west0067": PATHS["west0067"]}, None, quiet, QUICK)
    result: Any = {**again.measured, "inputs": again.inputs, "threads": 1, "date": "2026-11-01T10:00:00+00:00"}
    return {**stored_result({**result, "machine": {"cpu": "a machine of before"}}), **changes}


def constants(script: str) -> dict[str, Any]:
    return {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in ast.parse(script).body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }


def test_the_script_holds_the_plan_its_data_and_what_was_measured(tmp_path: Path) -> None:
    document = stored()
    result: RunResult = {**document, "machine": {"cpu": document["machine"]}}  # type: ignore[typeddict-item]
    held = constants(export_text(PLAN, "python", {"west0067": PATHS["west0067"]}, result))
    assert plan_hash(parse_plan(held["PLAN"])) == plan_hash(parse_plan(PLAN))
    assert held["STORED"] == json.loads(json.dumps(document))
    file = unpack_file(reproduction.read_file(held["FILES"]["west0067"]), tmp_path, tmp_path)
    assert file.read_bytes() == Path(PATHS["west0067"]).read_bytes()


def test_every_data_set_that_ships_fits_into_a_script() -> None:
    assert [name for name, path in PATHS.items() if pack_file(Path(path)).content is None] == []


def test_a_large_file_lies_beside_the_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "large.mtx"
    data.write_bytes(np.random.default_rng(1).bytes(LARGEST_EMBEDDED))
    script = export_text({**PLAN, "inputs": {"A": {"upload": "sha256:" + "0" * 64}}}, "python", {"large": str(data)})
    held = constants(script)
    assert "# Put beside this script: large.mtx." in script
    assert unpack_file(reproduction.read_file(held["FILES"]["large"]), tmp_path, tmp_path / "scratch") == data
    data.write_text("other")
    assert reproduce(PLAN, held["FILES"], None, tmp_path) == 1
    assert "is not the file that was measured" in capsys.readouterr().err
    data.unlink()
    assert reproduce(PLAN, held["FILES"], None, tmp_path) == 1
    assert "does not lie beside it" in capsys.readouterr().err


def test_it_compares_contender_by_contender_and_judges_both_alike() -> None:
    before = read_stored(stored())
    again = measure_plan(PLAN, {"west0067": PATHS["west0067"]}, before, quiet, QUICK)
    lines = reproduction_lines(again)
    text = "\n".join(lines)
    assert lines[0].split("  ")[-1].strip() == "time / Heddle's"
    assert "A: dataset west0067, 67 × 67, 294 nonzeros, the data that were measured" in lines
    assert "stored 2026-11-01T10:00:00+00:00, 1 thread on a machine of before: " in text
    assert again.stored is not None
    assert again.stored.measured["judged_by"] == again.measured["judged_by"]
    assert [line.split(":")[0] for line in lines[-3:]][:2] == ["without its schedule", "beside SciPy"]


def test_heddle_here_and_then_are_told_apart() -> None:
    """Both lacked their cores: the line said Heddle and Heddle."""
    document = stored()
    document["entries"] = [{**entry, "flagged_share": 0.9} for entry in document["entries"]]
    again = measure_plan(PLAN, {"west0067": PATHS["west0067"]}, read_stored(document), quiet, QUICK)
    again.measured["entries"][0]["flagged_share"] = 0.9
    line = "Not conclusive: Heddle here and Heddle in the stored run did not have their cores"
    assert reproduction_lines(again)[-1] == line


def test_other_data_than_those_measured_are_no_reproduction(capsys: pytest.CaptureFixture[str]) -> None:
    document = stored()
    document["inputs"] = [{**each, "sha256": "0" * 64} for each in document["inputs"]]
    files = {"west0067": {"name": "west0067.mtx", "sha256": "", "packed": pack_file(Path(PATHS["west0067"])).content}}
    assert reproduce(PLAN, files, document, Path()) == 1
    assert "NOT the data that were measured" in capsys.readouterr().out


def test_the_script_runs_where_only_the_library_is(tmp_path: Path) -> None:
    (tmp_path / "reproduce.py").write_text(export_text(PLAN, "python", {"west0067": PATHS["west0067"]}))
    alone = (
        "import runpy, sys; sys.modules['heddle_server'] = None; sys.argv = ['reproduce.py'];"
        "runpy.run_path('reproduce.py', run_name='__main__')"
    )
    done = subprocess.run(
        [sys.executable, "-c", alone],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(Path(heddle.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "y(i) = A(i,j) * x(j): verified against" in done.stdout
    assert "no stored result to compare with" in done.stdout


def test_a_program_of_patterns_is_measured_again_by_the_library_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (example,) = EXAMPLES.glob("31-*.json")
    plan = json.loads(example.read_text(encoding="utf-8"))["plan"]
    plan["inputs"] = {"A": {"generator": "uniform", "shape": [40, 30], "nnz": 200, "seed": 1}}
    held = constants(export_text(plan, "python"))
    again = measure_plan(held["PLAN"], {}, None, quiet, QUICK)
    assert again.verification["ok"]
    assert [entry["id"] for entry in again.measured["entries"]][:3] == ["heddle", "unscheduled", "notation"]
    result: Any = {
        **again.measured,
        "inputs": again.inputs,
        "threads": 1,
        "date": "2026-11-01T10:00:00+00:00",
        "machine": {"cpu": "a machine of before"},
    }
    before = read_stored(stored_result(result))
    lines = reproduction_lines(measure_plan(held["PLAN"], {}, before, quiet, QUICK))
    assert any("the data that were measured" in line for line in lines)
    assert any(line.startswith("without its schedule: ") for line in lines)
