"""All figures of a result by name. Adding one is one file and one line here; the page shows whatever there is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from heddle_server.figures.bandwidth import bandwidth
from heddle_server.figures.samples import samples
from heddle_server.figures.speedup import speedup
from heddle_server.schema.run import Figure, RunResult

FIGURES: Mapping[str, Callable[[RunResult], Figure]] = {"speedup": speedup, "samples": samples, "bandwidth": bandwidth}

_FORMER_NAMES = {"roofline": "bandwidth"}
"""What addresses from before say."""


def figure_names(result: RunResult) -> list[str]:
    """The figures that this result has; none when nothing was timed."""
    return list(FIGURES) if any(entry["available"] for entry in result["entries"]) else []


def figure(name: str, result: RunResult) -> Figure:
    """One figure as Plotly JSON. Raises KeyError for an unknown name."""
    return FIGURES[_FORMER_NAMES.get(name, name)](result)
