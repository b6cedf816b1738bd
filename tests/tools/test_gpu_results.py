"""What a visit to a GPU keeps has a schema, and the site a page of it: on a stand-in for CuPy, whose launches run in
the checked interpreter."""

from __future__ import annotations

import json
import runpy
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from benchmarks.device import device_clock
from benchmarks.device.device_facts import device_facts
from docs.site.reference.gpu_results import RESULTS, gpu_results
from proofs import gpu
from tests.benchmarks.gpu.cusparse_stand_in import cusparse
from tests.benchmarks.gpu.gpu_machine import gpu_machine
from tools.paths import ROOT

FOLDER = ROOT / "proofs" / "gpu_check"
SCHEMA = json.loads((FOLDER / "schema.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def visit(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What is kept of a visit with three of its steps."""
    folder = tmp_path_factory.mktemp("visit")
    with pytest.MonkeyPatch.context() as patch:
        machine = gpu_machine(patch)
        cusparse(patch, machine)
        patch.setattr(device_clock, "AHEAD_BYTES", 64)
        patch.syspath_prepend(FOLDER)
        (folder / "out").mkdir()
        variables = {"W": folder, "OUT": folder / "out", "SMALL": 1, "KERNELS": "spmv", "MATRICES": "rmat"}
        for name, value in variables.items():
            patch.setenv(name, str(value))
        for name in ("data", "smoke", "steps"):
            (folder / name).mkdir()
        for step, *arguments in (("smoke", "misc", "small"), ("prepare", "rmat", "200"), ("bench",)):
            _run(patch, step, *arguments)
        facts = {"python": sys.version, "machine": "here", "cores": 2, "modules": {}, "errors": []}
        facts |= {"heddle_missing": None, "device": device_facts("cuda")}
        (folder / "facts.json").write_text(json.dumps(facts))
        rows = [json.loads(line) for line in (folder / "smoke" / "misc-small.jsonl").read_text().splitlines()]
        (folder / "smoke.json").write_text(json.dumps({"count": {"right": len(rows)}, "rows": rows}))
        for name in ("facts", "smoke", "bench"):
            step_file = {"step": name, "exit": 0, "seconds": 1, "limit": 30, "status": "done"}
            (folder / "steps" / f"{name}.json").write_text(json.dumps(step_file))
        _run(patch, "merge")
    summary = json.loads((folder / "out" / "summary.json").read_text())
    return gpu.document(summary, gpu.broken_steps(summary))


def _run(patch: pytest.MonkeyPatch, step: str, *arguments: str) -> None:
    patch.setattr(sys, "argv", [f"{step}.py", *arguments])
    for module in ("scratch", "bench_kernels"):
        patch.delitem(sys.modules, module, raising=False)
    with suppress(SystemExit):  # what it found is asked of what it keeps
        runpy.run_path(str(FOLDER / f"{step}.py"), run_name="__main__")
    for module in ("scratch", "bench_kernels"):
        patch.delitem(sys.modules, module, raising=False)


def test_what_is_kept_is_as_the_schema_says(visit: dict[str, Any]) -> None:
    jsonschema_rs.validate(SCHEMA, visit)
    rows = visit["bench"]["rows"]
    assert rows
    assert all(row["ours"] and row["cusparse"] and not row["wrong"] for row in rows)
    for spoilt in ({**visit, "date": "yesterday"}, {**visit, "steps": {"facts": {"step": "facts", "status": "fine"}}}):
        with pytest.raises(jsonschema_rs.ValidationError):
            jsonschema_rs.validate(SCHEMA, spoilt)


def test_what_is_committed_is_as_the_schema_says() -> None:
    if RESULTS.exists():
        jsonschema_rs.validate(SCHEMA, json.loads(RESULTS.read_text(encoding="utf-8")))
    else:
        assert "No card has been visited yet" in gpu_results()


def test_the_page_shows_the_card_the_date_and_every_row(visit: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "gpu.json"
    path.write_text(json.dumps(visit))
    page = gpu_results(path)
    assert f"NVIDIA H100, driver for CUDA 12.4, CuPy 14.2.0 for CUDA 12.9, on {visit['date'][:10]}." in page
    assert "Each step ended well." in page
    assert f"Programs beside SciPy and NumPy: {len(visit['smoke']['rows'])} right." in page
    for row in visit["bench"]["rows"]:
        assert f"| {row['kernel']} | {row['matrix']} | {row['nonzeros']:,} | {row['best']} |" in page


def test_without_results_the_page_says_so(tmp_path: Path) -> None:
    page = gpu_results(tmp_path / "none.json")
    assert "No card has been visited yet" in page
    assert "|" not in page
