"""Stored measurements: drawn with the machine that they are of, and complete."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from heddle_server.experiments import stored
from heddle_server.experiments.experiment import is_decomposition, key_of
from heddle_server.experiments.registry import experiments
from tests.backend.experiments.results import result_for, result_of
from tests.backend.fake_child import MACHINE
from tests.backend.serving import Server

EXPERIMENTS = experiments(gpu=False)


@pytest.mark.parametrize("name", ["skew", "roofline", "X25", "X45"])
def test_a_stored_measurement_is_drawn_and_names_its_machine(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored, "FOLDER", tmp_path)
    stored.read.cache_clear()
    experiment = EXPERIMENTS[name]
    assert stored.stored_where(experiment) == ""
    assert stored.stored_figure(experiment) is None
    stored.read.cache_clear()
    points = experiment.view["points"]
    load = {"before": 6.5, "after": 0.5, "cores": 2}
    stored.store(experiment, [result_for(point) for point in points], rounds=2, load=load, command="by hand")
    assert [measured.point for measured in stored.stored_points(experiment)] == points
    where = stored.stored_where(experiment)
    date = "2026-11-25" if is_decomposition(points[0]) else "2026-11-21"
    for said in (MACHINE["cpu"], date, "busy machine: load 6.5 before and 0.5 after, 2 rounds", experiment.scale):
        assert str(said) in where
    assert json.loads((tmp_path / f"{name}.json").read_text())["command"] == "by hand"
    drawn = stored.stored_figure(experiment)
    assert drawn is not None
    assert where.split(" · ")[0] in drawn["layout"]["annotations"][0]["text"]
    assert drawn["data"] == experiment.draw(stored.stored_points(experiment))["data"]
    stored.read.cache_clear()


def test_a_stored_measurement_of_before_is_still_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It had the points alone."""
    monkeypatch.setattr(stored, "FOLDER", tmp_path)
    stored.read.cache_clear()
    skew = EXPERIMENTS["skew"]
    (tmp_path / "skew.json").write_text(json.dumps({key_of(skew.view["points"][0]): result_of(10)}))
    assert [measured.point for measured in stored.stored_points(skew)] == skew.view["points"][:1]
    assert "machine: load" not in stored.stored_where(skew)
    stored.read.cache_clear()


def test_a_decomposition_on_all_cores_has_one_key_on_every_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: Any = EXPERIMENTS["X25"].view["points"][0]
    keys = set()
    for cores in (2, 8):
        monkeypatch.setattr("heddle.runtime.native.cpu.available_cores", lambda cores=cores: cores)
        keys.add(key_of({**asked, "plan": {**asked["plan"], "run": {"threads": cores}}}))
    assert len(keys) == 1
    assert key_of({**asked, "plan": {**asked["plan"], "run": {"threads": 3}}}) not in keys


def test_what_is_stored_has_every_point_of_the_plans_of_today() -> None:
    """Whoever changes a plan measures again: ``python -m heddle_server.experiments skew roofline``."""
    for file in stored.FOLDER.glob("*.json"):
        experiment = EXPERIMENTS[file.stem]
        assert [measured.point for measured in stored.stored_points(experiment)] == experiment.view["points"]


def test_an_experiment_without_a_stored_measurement_says_so(server: Server) -> None:
    answer = server.client.get("/api/v1/experiments/threads/stored")
    assert answer.status_code == 404
    assert "Measure the experiment here." in answer.json()["detail"]
