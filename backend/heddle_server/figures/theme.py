"""What all figures share: colours that read on light and dark, a transparent ground, the caption.

The page sets the colour of text and grid; the colours of the data are those of Okabe and Ito (2008), which people with
colour-blindness can tell apart, and every contender also has a pattern or symbol of its own.
"""

from __future__ import annotations

import json
import math
from typing import Any

from heddle.measuring.schema import Entry
from heddle_server.machine_name import machine_name
from heddle_server.schema.run import Figure, RunResult

COLOURS = {
    "heddle": "#0072b2",
    "unscheduled": "#56b4e9",
    "notation": "#6a51a3",
    "scipy": "#e69f00",
    "mkl": "#009e73",
    "numpy": "#8c510a",
    "cusparse": "#cc79a7",
    "torch": "#d55e00",
    "pyg": "#b3a100",  # a darker yellow than theirs, which a light ground would swallow
}
PATTERNS: dict[str, tuple[str, int]] = {
    "heddle": ("", 8),
    "unscheduled": ("/", 8),
    "notation": ("\\", 8),
    "scipy": (".", 8),
    "mkl": ("x", 8),
    "numpy": ("x", 16),
    "cusparse": ("-", 8),
    "torch": ("+", 8),
    "pyg": ("|", 8),
}
"""Shape and spacing in pixels: there are fewer shapes than contenders."""
SYMBOLS = {
    "heddle": "circle",
    "unscheduled": "diamond",
    "notation": "hexagram",
    "scipy": "square",
    "mkl": "x",
    "numpy": "pentagon",
    "cusparse": "cross",
    "torch": "triangle-up",
    "pyg": "star",
}
# Lines over a parameter, in their order: told apart by colour, dash and symbol.
SERIES: list[dict[str, dict[str, Any]]] = [
    {"line": {"color": "#0072b2"}, "marker": {"symbol": "circle", "size": 8}},
    {"line": {"color": "#e69f00", "dash": "dot"}, "marker": {"symbol": "square", "size": 8}},
    {"line": {"color": "#009e73", "dash": "dash"}, "marker": {"symbol": "diamond", "size": 8}},
    {"line": {"color": "#cc79a7", "dash": "dashdot"}, "marker": {"symbol": "x", "size": 8}},
    {"line": {"color": "#56b4e9", "dash": "longdash"}, "marker": {"symbol": "triangle-up", "size": 9}},
    {"line": {"color": "#d55e00", "dash": "longdashdot"}, "marker": {"symbol": "triangle-down", "size": 9}},
    {"line": {"color": "#7f7f7f"}, "marker": {"symbol": "star", "size": 9}},
    {"line": {"color": "#a08a00", "dash": "dot"}, "marker": {"symbol": "cross", "size": 9}},
]
_NEUTRAL = "#808080"


def layout(title: str, result: RunResult, **more: Any) -> dict[str, Any]:
    """A layout without its own ground, with the machine and versions as caption."""
    return {
        "title": {"text": title, "x": 0, "xref": "paper", "font": {"size": 14}},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": _NEUTRAL, "size": 12},
        "margin": {"l": 150, "r": 24, "t": 40, "b": 110},
        "showlegend": False,
        "annotations": [
            {
                "text": caption(result),
                "xref": "paper",
                "yref": "paper",
                "x": 0,
                "y": 0,
                "yshift": -58,
                "xanchor": "left",
                "yanchor": "top",
                "align": "left",
                "showarrow": False,
                "font": {"size": 10},
            }
        ],
        **more,
    }


# For a second ``update_layout``: the title at the top, the legend in one or two rows between it and the plot.
LEGEND_ABOVE = {
    "showlegend": True,
    "legend": {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"},
    "title": {"yref": "container", "y": 0.97, "yanchor": "top"},
    "margin": {"t": 84},
}


def axis(title: str, **more: Any) -> dict[str, Any]:
    """An axis whose grid shows on light and dark."""
    return {"title": {"text": title}, "gridcolor": "rgba(128,128,128,0.3)", "zerolinecolor": _NEUTRAL, **more}


def caption(result: RunResult) -> str:
    """Two lines: the machine, then the versions and the date."""
    machine, threads = result["machine"], result["threads"]
    noun = "thread" if threads == 1 else "threads"
    load = f", load {machine['load']:g}" if machine["load"] is not None else ""
    triad = machine["stream_triad_gbps"].get(str(threads))
    bandwidth = f", STREAM triad {triad:.1f} GB/s" if triad else ""
    versions = [machine["compiler"] or "no C compiler", f"SciPy {machine['scipy']}"]
    if machine["mkl"] is not None:
        versions.append(f"MKL {machine['mkl']['version'].rpartition('Version ')[2]} ({machine['mkl']['dispatch']})")
    first = f"{machine_name(machine)}, {threads} {noun} of {machine['cores']} cores{bandwidth}{load}"
    return f"{first}<br>{', '.join(versions)}, {result['date'][:10]}"


def doubt(result: RunResult) -> str:
    """What a title begins with where from some comparison of the run nothing follows."""
    conclusion = result.get("conclusion")
    if conclusion is None or not conclusion["noisy"]:
        return ""
    ratios = [(entry["label"], entry["ratio_to_heddle"]) for entry in result["entries"]]
    doubtful = [label for label, ratio in ratios if ratio is not None and ratio.get("doubt")]
    if doubtful and len(doubtful) < sum(ratio is not None for _, ratio in ratios):
        return f"Not conclusive for {' and '.join(doubtful)}. "
    return f"{conclusion['headline']} "


def timed_entries(result: RunResult) -> list[Entry]:
    """The entries with samples, in their order."""
    return [entry for entry in result["entries"] if entry["available"] and entry["samples_ns"]]


def log_ticks(low: float, high: float, most: int = 4) -> dict[str, Any]:
    """Ticks of a logarithmic axis from ``low`` to ``high``, so few that their texts stand apart in a narrow picture."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    within = [
        [digit * 10.0**power for power in range(first, last + 1) if power % step == 0 for digit in digits]
        for digits, step in (((1, 2, 5), 1), ((1,), 1), *(((1,), step) for step in range(2, 1 + max(2, last - first))))
    ]
    choices = [[tick for tick in ticks if low <= tick <= high] for ticks in within]
    ticks = next((ticks for ticks in choices if 2 <= len(ticks) <= most), None) or _even_ticks(low, high, most)
    return {"tickvals": ticks, "ticktext": [f"{tick:.12g}" if tick < 1e6 else f"{tick:.0e}" for tick in ticks]}


def _even_ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers at even distances, where powers of ten are too far apart."""
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    for size in (1, 2, 5, 10, 20):
        step = size * power
        places = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
        if len(places) <= most:
            return [float(f"{place * step:.6g}") for place in places]
    raise AssertionError(f"no ticks from {low} to {high}")


def ratio_text(ratio: float) -> str:
    """Three digits that mean something, and never an exponent: ``0.0094``, ``0.85``, ``1.3``, ``312``."""
    return f"{ratio:.{max(0, 2 - math.floor(math.log10(ratio)))}f}" if ratio < 100 else f"{ratio:.0f}"


def duration(nanoseconds: float) -> str:
    """``29.9 µs``."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds:.3g} ns"


def plain(figure: Any) -> Figure:
    """A ``plotly.graph_objects.Figure`` as JSON without arrays in binary form, which older readers do not know."""
    document: Figure = json.loads(json.dumps(figure.to_dict()))
    return document
