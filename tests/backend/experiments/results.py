"""Results of runs as children tell them, of a time that a test chooses."""

from __future__ import annotations

from typing import Any

from heddle_server.experiments.experiment import is_decomposition
from heddle_server.schema.experiment import ExperimentPoint
from tests.backend.fake_child import MACHINE


def result_of(microseconds: float, nnz: int = 1000) -> Any:
    median = microseconds * 1e3
    interval = {"median_ns": median, "low_ns": median * 0.9, "high_ns": median * 1.2}
    timed = {**interval, "available": True, "samples_ns": [median], "preparation": [{"name": "pack", "ns": 4e5}]}
    ratio = {"value": 2.0, "low": 1.5, "high": 2.5, "verdict": "faster"}
    return {
        "entries": [
            {"id": name, "label": name, "ratio_to_heddle": ratio, **timed}
            for name in ("heddle", "unscheduled", "scipy")
        ],
        "threads": 2,
        "machine": {**MACHINE, "stream_triad_gbps": {"2": 30.0}},
        "inputs": [{"tensor": name, "nnz": nnz} for name in "AB"],
        "bytes_moved": 2e6,
        "date": "2026-11-21T10:00:00+00:00",
    }


def swept_in(milliseconds: float, packing: float = 0.0, others: dict[str, list[float]] | None = None) -> Any:
    """The result of a decomposition whose sweeps took so long, 90 % of it MTTKRP of three modes."""
    phases = {**{f"mttkrp.{mode}": 0.3e-3 * milliseconds for mode in range(3)}, "solve.0": 0.1e-3 * milliseconds}
    history = [
        {"sweep": number, "fit": 1 - 0.1**number, "seconds": 1e-3 * milliseconds, "phases": phases}
        for number in (1, 2, 3)
    ]
    return {
        "history": history,
        "weights": [1.0] * 8,
        "input": {"shape": [10, 20, 30], "nnz": 1000, "summed": 0},
        "packing_seconds": packing,
        "trees": [{"reuse": "(0 (1 2))", "seconds": 1.0}, {"reuse": "none", "seconds": 3.0}],
        "opponents": [
            {"label": name, "history": [{"sweep": at, "fit": fit} for at, fit in enumerate(fits, 1)]}
            for name, fits in (others or {}).items()
        ],
        "threads": 2,
        "machine": {**MACHINE, "stream_triad_gbps": {"2": 30.0}},
        "date": "2026-11-25T10:00:00+00:00",
    }


def result_for(point: ExperimentPoint) -> Any:
    return swept_in(10) if is_decomposition(point) else result_of(10)
