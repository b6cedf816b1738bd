"""How fast is each contender, relative to a named baseline?"""

from __future__ import annotations

import math

from heddle_server.figures.theme import (
    COLOURS,
    PATTERNS,
    axis,
    doubt,
    duration,
    layout,
    log_ticks,
    plain,
    ratio_text,
    timed_entries,
)
from heddle_server.schema.run import Figure, RunResult

# The first of these that was timed is the baseline: what most people would compare with.
_BASELINES = ("scipy", "numpy", "unscheduled", "mkl", "cusparse", "torch", "pyg", "heddle")


def speedup(result: RunResult, baseline: str | None = None) -> Figure:
    """Bars of speed relative to ``baseline`` (by default SciPy or NumPy, else the unscheduled kernel) on a logarithmic
    axis.

    Bars start at the baseline: to the right is faster. The interval of a bar is the 95 % bootstrap interval of its own
    median.
    """
    import plotly.graph_objects as go

    entries = timed_entries(result)
    by_id = {str(entry["id"]): entry for entry in entries}
    chosen = by_id[baseline or next(name for name in _BASELINES if name in by_id)]
    reference = chosen["median_ns"] or 1.0
    figure = go.Figure()
    labels: list[str] = []
    reach = [1.0]
    for entry in entries:
        middle, low, high = (entry[key] or 1.0 for key in ("median_ns", "low_ns", "high_ns"))
        speed = reference / middle
        reach += [reference / high, reference / low]
        figure.add_trace(
            go.Bar(
                name=entry["label"],
                base=[1],
                x=[speed - 1],
                y=[len(labels)],
                orientation="h",
                marker={
                    "color": COLOURS[entry["id"]],
                    "pattern": {
                        "shape": PATTERNS[entry["id"]][0],
                        "size": PATTERNS[entry["id"]][1],
                        "fgcolor": "rgba(255,255,255,0.5)",
                        "bgcolor": COLOURS[entry["id"]],  # a pattern with a foreground has no fill of its own
                    },
                },
                error_x={
                    "type": "data",
                    "symmetric": False,
                    "array": [reference / low - speed],
                    "arrayminus": [speed - reference / high],
                    "color": "#808080",
                },
                hovertemplate=f"{entry['label']}: {ratio_text(speed)} × {chosen['label']}<br>"
                f"median {duration(middle)}, 95 % interval {duration(low)} to {duration(high)}<extra></extra>",
            )
        )
        labels.append(f"{entry['label']}<br>{ratio_text(speed)} ×, {duration(middle)}")
    # In powers of ten, with room for the widest interval on both sides.
    span = [math.log10(min(reach)) - 0.1, math.log10(max(reach)) + 0.1]
    figure.update_layout(
        layout(
            f"{doubt(result)}Speed relative to {chosen['label']} (further right is faster)",
            result,
            xaxis=axis(f"× {chosen['label']}", type="log", range=span, **log_ticks(10 ** span[0], 10 ** span[1])),
            yaxis=axis(
                "",
                autorange="reversed",
                showgrid=False,
                zeroline=False,
                tickvals=list(range(len(labels))),
                ticktext=labels,
            ),
            shapes=[
                {
                    "type": "line",
                    "x0": 1,
                    "x1": 1,
                    "y0": 0,
                    "y1": 1,
                    "yref": "paper",
                    "line": {"color": "#808080", "dash": "dot"},
                }
            ],
        )
    )
    return plain(figure)
