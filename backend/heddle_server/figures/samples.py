"""Every sample of every contender: is the median typical, and is the machine quiet?"""

from __future__ import annotations

import numpy as np

from heddle_server.figures.theme import COLOURS, SYMBOLS, axis, doubt, duration, layout, log_ticks, plain, timed_entries
from heddle_server.schema.run import Figure, RunResult

# Points per contender: more only make the page slow.
_LARGEST = 400


def samples(result: RunResult) -> Figure:
    """Strips of raw samples on a logarithmic axis, spread at random across the strip, with a line at each median."""
    import plotly.graph_objects as go

    figure = go.Figure()
    shapes = []
    entries = timed_entries(result)
    reach: list[float] = []
    for place, entry in enumerate(entries):
        every = np.asarray(entry["samples_ns"])
        shown = every[:: max(1, -(-every.size // _LARGEST))]
        reach += [float(shown.min()) / 1e3, float(shown.max()) / 1e3]
        spread = np.random.default_rng(place).uniform(-0.3, 0.3, shown.size)
        figure.add_trace(
            go.Scatter(
                name=entry["label"],
                x=(shown / 1e3).round(4).tolist(),
                y=(place + spread).round(3).tolist(),
                mode="markers",
                marker={
                    "color": COLOURS[entry["id"]],
                    "symbol": SYMBOLS[entry["id"]],
                    "size": 5,
                    "opacity": 0.5,
                },
                hovertemplate=f"{entry['label']}: %{{x:.4g}} µs<extra></extra>",
            )
        )
        middle = (entry["median_ns"] or 1.0) / 1e3
        line = {"color": "#808080", "width": 2}
        shapes.append({"type": "line", "x0": middle, "x1": middle, "y0": place - 0.4, "y1": place + 0.4, "line": line})
    rounds = result["protocol"].get("rounds", 0)
    labels = [f"{entry['label']}<br>{duration(entry['median_ns'] or 0)}" for entry in entries]
    places = list(range(len(entries)))
    figure.update_layout(
        layout(
            f"{doubt(result)}Time of each sample, {rounds} rounds (the line is the median)",
            result,
            xaxis=axis("µs per call", type="log", **log_ticks(0.95 * min(reach), 1.05 * max(reach))),
            yaxis=axis("", tickvals=places, ticktext=labels, range=[len(entries) - 0.5, -0.5], zeroline=False),
            shapes=shapes,
        )
    )
    return plain(figure)
