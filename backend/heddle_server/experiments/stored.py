"""Measurements of experiments that come with Heddle: a curve to look at before anything was measured here
(docs/sources.toml V17, V18)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

from heddle_server.experiments.experiment import Experiment, Measured, Result, is_decomposition, key_of
from heddle_server.figures.theme import caption
from heddle_server.schema.decomposition import DecompositionResult
from heddle_server.schema.run import Figure, RunResult

FOLDER = Path(__file__).parent / "measurements"
VERSION = 2
FACTS = ("threads", "machine", "bytes_moved", "date", "control")
ENTRY = ("median_ns", "low_ns", "high_ns", "available", "preparation", "id", "label", "note", "reason")
"""Of the entry of a contender; the samples stay out."""
RATIO = ("value", "low", "high", "doubt", "verdict")
SWEPT = ("threads", "machine", "date", "weights", "packing_seconds", "trees", "stopped", "fit")
SWEEP = ("sweep", "fit", "seconds", "phases")


def stored_points(experiment: Experiment) -> list[Measured]:
    """The points of ``experiment`` that were measured, in its order; those whose plan has changed are left
    out."""
    known = read(experiment.view["id"])["points"]
    results = ((point, known.get(key_of(point))) for point in experiment.view["points"])
    return [Measured(point, cast(RunResult, result)) for point, result in results if result is not None]


def stored_figure(experiment: Experiment) -> Figure | None:
    """The figure over what is stored, its machine and versions below it; None where nothing is."""
    points = stored_points(experiment)
    return experiment.draw(points) if points else None


def stored_where(experiment: Experiment) -> str:
    """Machine with its class, versions and date in one line, how busy the machine was, and what differs from the paper;
    empty where nothing is stored."""
    points = stored_points(experiment)
    if not points:
        return ""
    document = read(experiment.view["id"])
    parts = [caption(points[-1].result).replace("<br>", " · ")]
    if document.get("load"):
        parts.append(_load_text(document))
    return " · ".join([*parts, *([document["scale"]] if document.get("scale") else [])])


def _load_text(document: Mapping[str, Any]) -> str:
    """E.g. ``busy machine: load 6.1 before and 7.9 after, 2 rounds``."""
    before, after = document["load"]["before"], document["load"]["after"]
    others = after - document["load"]["cores"]  # the measurement itself has up to all cores by then
    busy = "busy" if max(before, others) > document["load"]["cores"] / 2 else "quiet"
    rounds = f"{document['rounds']} round{'s' if document['rounds'] > 1 else ''}"
    return f"{busy} machine: load {before:.1f} before and {after:.1f} after, {rounds}"


def store(experiment: Experiment, results: Sequence[Result], **facts: Any) -> Path:
    """Writes one result for each point, in order; returns the file. ``facts`` of the measurement stand beside them:
    ``load`` before and after, ``rounds``, the ``command``."""
    pairs = zip(experiment.view["points"], results, strict=True)
    points = {
        key_of(point): _slim_sweeps(cast(DecompositionResult, result))
        if is_decomposition(point)
        else _slim(cast(RunResult, result))
        for point, result in pairs
    }
    scale = {"scale": experiment.scale} if experiment.scale else {}
    FOLDER.mkdir(exist_ok=True)
    path = _file(experiment.view["id"])
    document = {"version": VERSION, **facts, **scale, "points": points}
    path.write_text(json.dumps(document, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    return path


def _slim(result: RunResult) -> dict[str, Any]:
    """What figures and captions read of a result."""
    return {
        **{name: result.get(name) for name in FACTS},
        "entries": [_slim_entry(cast("dict[str, Any]", entry)) for entry in result["entries"]],
        "inputs": [{"tensor": operand["tensor"], "nnz": operand["nnz"]} for operand in result["inputs"]],
    }


def _slim_entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    ratio = entry["ratio_to_heddle"]
    slim = None if ratio is None else {name: ratio[name] for name in RATIO if name in ratio}
    return {**{name: entry[name] for name in ENTRY if name in entry}, "samples_ns": [], "ratio_to_heddle": slim}


def _slim_sweeps(result: DecompositionResult) -> dict[str, Any]:
    return {
        **{name: result[name] for name in SWEPT if name in result},  # type: ignore[literal-required]
        "history": [{name: sweep[name] for name in SWEEP} for sweep in result["history"]],  # type: ignore[literal-required]
        "input": result["input"],
        "opponents": result.get("opponents", []),
    }


def _file(identity: str) -> Path:
    return FOLDER / f"{identity}.json"


@cache
def read(identity: str) -> Mapping[str, Any]:
    """The document of an experiment, its ``points`` by :func:`key_of`; without points where there is no file. The first
    version had the points alone."""
    path = _file(identity)
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return document if "version" in document else {"points": document}
