"""The Plotly figures of a run's result, by name."""

from __future__ import annotations

from typing import Any

from backend.problem import not_found
from backend.schema.run import Figure, RunView


def figure_names(result: dict[str, Any]) -> list[str]:
    return []


def run_figure(run: RunView, name: str) -> Figure:
    raise not_found("figure", name, f"This run has {', '.join(run['figures']) or 'none'}.")
