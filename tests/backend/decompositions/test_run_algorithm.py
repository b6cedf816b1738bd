"""``heddle run`` with the document of an algorithm: sweeps on stderr, the result on stdout."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.backend.serving import PATIENCE_SECONDS, ROOT
from tests.backend.shell import run

DOCUMENT: dict[str, Any] = {
    "algorithm": "cp-als",
    "inputs": {"X": {"generator": "kruskal", "shape": [20, 25, 30], "rank": 2, "support": 6, "seed": 3}},
    "parameters": {"rank": 2, "sweeps": 5, "tolerance": 0},
}


@pytest.fixture(autouse=True)
def _no_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEDDLE_DATA_DIRECTORY", str(tmp_path / "data"))


def test_the_whole_result_as_json(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    ended = run({**DOCUMENT, "run": {"threads": 1}}, capsys, monkeypatch, "--json")
    assert ended.returncode == 0, ended.stderr
    result = json.loads(ended.stdout)
    assert [len(factor) for factor in result["factors"]] == [20, 25, 30]
    assert [record["sweep"] for record in result["history"]] == [1, 2, 3, 4, 5]
    assert result["history"][-1]["fit"] == result["fit"]
    assert result["stopped"] == "sweeps"
    assert result["document"]["inputs"] == DOCUMENT["inputs"]
    assert set(result["document"]["kernels"]) == {"mttkrp.0", "mttkrp.1", "mttkrp.2", "tensor-norm"}
    again = json.loads(run(result["document"], capsys, monkeypatch, "--json").stdout)
    assert again["factors"] == result["factors"]
    assert again["hash"] == result["hash"]


def test_a_person_reads_sweeps_and_reasons() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "heddle_server.cli", "run", "-"],
        cwd=ROOT, input=json.dumps(DOCUMENT), capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    lines = ended.stderr.splitlines()
    assert [line.split(":")[0] for line in lines] == [f"sweep {number}" for number in range(1, 6)]
    assert "after 5 sweeps, stopped by sweeps" in ended.stdout
    assert "\nmttkrp.1: " in ended.stdout


@pytest.mark.parametrize(
    ("document", "text"),
    [
        (
            {**DOCUMENT, "algorithm": "cp-alz"},
            "heddle: standard input: there is no algorithm the text `cp-alz`. Known are cp-als, cp-apr",
        ),
        (
            {**DOCUMENT, "inputs": {}},
            "heddle: standard input: the algorithm has no input X: from the shell it needs a data set, an ",
        ),
        (
            {**DOCUMENT, "inputs": {"X": {"generator": "zipf"}}},
            "heddle: standard input: the generator zipf needs the shape of X",
        ),
        ({**DOCUMENT, "inputs": {"X": {"dataset": "nope"}}}, "dataset 'nope', which is not here. Built in are "),
    ],
)
def test_what_is_not_right_is_said(
    document: Any, text: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = run(document, capsys, monkeypatch)
    assert ended.returncode == 1
    assert text in ended.stderr
