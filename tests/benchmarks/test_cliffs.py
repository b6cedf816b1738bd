"""Programs beside their natural alternatives: what is marked, and that a wrong result ends the command."""

import numpy as np
import pytest

from benchmarks import __main__ as bench
from benchmarks.growth import cliffs
from benchmarks.growth.cliffs import Cliff


def test_a_row_above_its_ratio_is_marked(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def prepare(_: np.random.Generator) -> tuple[cliffs.Run, cliffs.Run]:
        return (lambda: sum(range(20_000))), (lambda: sum(range(200)))

    rows = (Cliff("steep", "less", 5.0, prepare), Cliff("per unit", "less", 50.0, prepare, (100.0, 1.0)))
    monkeypatch.setattr(cliffs, "CLIFFS", rows)
    monkeypatch.setattr(cliffs, "LEAST_SECONDS", 0.001)
    assert bench.main(["cliffs"]) == 1
    steep, level = capsys.readouterr().out.splitlines()[1:]
    assert steep.startswith("steep")
    assert steep.endswith("above")
    assert not level.endswith("above")
    assert bench.main(["cliffs", "--rows", "unit"]) == 0


def test_a_wrong_result_is_not_timed() -> None:
    wrong = cliffs.statement("y(i) = 2 * x(i)", {}, lambda rng: {"x": rng.random(5)}, lambda x: x)
    with pytest.raises(AssertionError):
        wrong(np.random.default_rng(1))
