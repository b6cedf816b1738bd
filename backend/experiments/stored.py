"""Measurements of experiments that come with Heddle: a curve to look at before anything was measured here
(docs/sources.md V17, V18)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

from backend.experiments.experiment import Experiment, Measured, hash_of, ours
from backend.figures.theme import caption
from backend.schema.run import Figure, RunResult

FOLDER = Path(__file__).parent / "measurements"
KEPT = ("median_ns", "low_ns", "high_ns", "available", "preparation", "id", "label")
"""Of the entry of a contender; the samples stay out."""


def stored_points(experiment: Experiment) -> list[Measured]:
    """The points of ``experiment`` that were measured, in its order; those whose plan has changed are left
    out."""
    known = read(experiment.view["id"])
    found = []
    for point in experiment.view["points"]:
        result = known.get(hash_of(point))
        if result is not None:
            found.append(Measured(point, cast(RunResult, result)))
    return found


def stored_figure(experiment: Experiment) -> Figure | None:
    """The figure over what is stored, its machine and versions below it; None where nothing is."""
    points = stored_points(experiment)
    return experiment.draw(points) if points else None


def stored_where(experiment: Experiment) -> str:
    """Machine, versions and date in one line; empty where nothing is stored."""
    points = stored_points(experiment)
    return caption(points[-1].result).replace("<br>", " · ") if points else ""


def store(experiment: Experiment, results: Sequence[RunResult]) -> Path:
    """Writes one result for each point, in order; returns the file."""
    points = experiment.view["points"]
    document = {hash_of(point): _slim(result) for point, result in zip(points, results, strict=True)}
    FOLDER.mkdir(exist_ok=True)
    path = _file(experiment.view["id"])
    path.write_text(json.dumps(document, indent=1) + "\n")
    return path


def _slim(result: RunResult) -> dict[str, Any]:
    """What figures and captions read of a result."""
    entry = ours(result)
    kept = {name: value for name, value in entry.items() if name in KEPT}
    facts = ("threads", "machine", "bytes_moved", "date", "control")
    return {
        **{name: result.get(name) for name in facts},
        "entries": [{**kept, "samples_ns": [], "ratio_to_heddle": None}],
        "inputs": [{"tensor": given["tensor"], "nnz": given["nnz"]} for given in result["inputs"]],
    }


def _file(identity: str) -> Path:
    return FOLDER / f"{identity}.json"


@cache
def read(identity: str) -> Mapping[str, Mapping[str, Any]]:
    """The results in the file of an experiment by the hash of their plan; empty without a file."""
    path = _file(identity)
    return cast(Mapping[str, Mapping[str, Any]], json.loads(path.read_text())) if path.is_file() else {}
