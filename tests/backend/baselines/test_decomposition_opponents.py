"""Other programs for the same decomposition: their sweeps as they told them, or the reason why there are none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heddle.algorithms.document.reader import parse_algorithm
from heddle.algorithms.start import start_factors
from heddle.algorithms.tensor_input import tensor_input
from heddle_server.decomposition_baselines.compare import opponents_of
from heddle_server.decomposition_baselines.programs import PROGRAMS, missing
from tests.search_path import search_path

ROOT = Path(__file__).resolve().parents[3]
GIVEN = tensor_input(np.arange(24.0).reshape(2, 3, 4))
STAND_IN = """
class sptensor:
    def __init__(self, places, values, shape):
        self.count, self.shape = len(values), shape

class ktensor:
    def __init__(self, factors, weights):
        self.factor_matrices, self.weights = factors, weights

def cp_als(tensor, rank, stoptol, maxiters, init, printitn):
    print("what a library prints is no answer")
    more = [factor + 1 for factor in init.factor_matrices]
    return ktensor(more, init.weights), init, {"fit": float(more[0][0, 0]) + tensor.count / 100}
"""


def compared(baselines: list[str], sweeps: int = 3, seconds: float = 100.0, **parameters: Any) -> list[Any]:
    asked = {"algorithm": "cp-als", "parameters": {"rank": 2, **parameters}, "run": {"baselines": baselines}}
    algorithm = parse_algorithm(asked)
    return list(opponents_of(algorithm, GIVEN, start_factors(algorithm, GIVEN, None, None), sweeps, seconds))


def test_each_sweep_goes_on_from_the_one_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyttb.py").write_text(STAND_IN)
    (tmp_path / "pygenten.py").write_text('raise ModuleNotFoundError("No module", name="pygenten")')
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{search_path()}")
    ours, theirs = compared(["pyttb", "genten"])
    assert (ours["id"], ours["label"], ours["reason"]) == ("pyttb", "pyttb", None)
    fits = [one["fit"] for one in ours["history"]]
    assert [one["sweep"] for one in ours["history"]] == [1, 2, 3]
    assert np.diff(fits) == pytest.approx([1, 1])
    assert fits[0] > 1.23, "24 entries, of which 23 are not zero, and a start above 0"
    assert all(one["seconds"] >= 0 for one in ours["history"])
    assert theirs["history"] == []
    assert theirs["reason"] == (
        "GenTen is not installed. It is optional; install pygenten beside Heddle to compare with it."
    )


def test_a_program_that_fails_says_how(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyttb.py").write_text(STAND_IN.replace("return", "raise ValueError('no such fit')\n    return"))
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{search_path()}")
    (found,) = compared(["pyttb"])
    assert (found["history"], found["reason"]) == ([], "pyttb failed: ValueError: no such fit.")


def test_what_the_others_do_not_do_is_no_comparison() -> None:
    reasons = [compared(["pyttb"], **asked)[0]["reason"] for asked in ({"ridge": 1}, {"order": [2, 1, 0]})]
    assert reasons == ["pyttb adds no ridge to its systems.", "pyttb updates all modes, in ascending order."]
    assert compared(["genten"], update=[0])[0]["reason"] == "GenTen updates all modes, in ascending order."
    assert compared(["genten"], seconds=1)[0]["reason"] == "The time that the run may take was over."


def test_row_28_one_that_does_not_load_stays_with_the_reason() -> None:
    program = PROGRAMS["pyttb"]
    assert missing(program, ImportError("no matplotlib")) == "pyttb is installed, but does not load: no matplotlib."
    assert missing(program, ModuleNotFoundError("x", name="matplotlib")) == "pyttb is installed, but does not load: x."
