"""The Plotly figures of a run, by name."""

from __future__ import annotations

import asyncio

from heddle_server.figures.registry import figure
from heddle_server.problem import missing_error
from heddle_server.schema.run import Figure, RunView


async def run_figure(run: RunView, name: str) -> Figure:
    """Raises ProblemError 404 for a figure that the run does not have."""
    result = run["result"]
    if result is None or name not in run["figures"]:
        raise missing_error("figure", name, f"This run has {', '.join(run['figures']) or 'none'}.")
    return await asyncio.to_thread(figure, name, result)
