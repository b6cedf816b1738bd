"""Figures over several runs: how times scale with threads, and who is how often close to the best.

Adding one is a function and a line in ``COMPARISONS``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from heddle.measuring.schema import Entry
from heddle_server.figures.theme import COLOURS, SYMBOLS, axis, layout, plain, timed_entries
from heddle_server.schema.run import Figure, RunResult

# Beyond this ratio to the best, a contender is out of the picture.
WORST = 10.0


def scaling(results: Sequence[RunResult]) -> Figure:
    """Median time by the number of threads, on two logarithmic axes, with a dotted line for perfect scaling."""
    import plotly.graph_objects as go

    ordered = sorted(results, key=lambda result: result["threads"])
    figure = go.Figure()
    for name, points in by_contender(ordered).items():
        threads = [result["threads"] for result, _ in points]
        middles = [(entry["median_ns"] or 0.0) / 1e3 for _, entry in points]
        label = points[0][1]["label"]
        figure.add_trace(
            go.Scatter(
                name=label,
                x=threads,
                y=middles,
                mode="lines+markers",
                line={"color": COLOURS[name]},
                marker={"color": COLOURS[name], "symbol": SYMBOLS[name], "size": 9},
                hovertemplate=f"{label}, %{{x}} threads: %{{y:.4g}} µs<extra></extra>",
            )
        )
        if name == "heddle":
            perfect = [middles[0] * threads[0] / count for count in threads]
            figure.add_trace(
                go.Scatter(name="perfect", x=threads, y=perfect, mode="lines", line={"color": "#808080", "dash": "dot"})
            )
    title = "Time by number of threads (lower is faster)"
    x_axis = axis("threads", type="log", tickvals=sorted({result["threads"] for result in ordered}))
    figure.update_layout(
        layout(title, ordered[-1], xaxis=x_axis, yaxis=axis("µs per call", type="log")), showlegend=True
    )
    return plain(figure)


def performance_profile(results: Sequence[RunResult]) -> Figure:
    """Dolan and Moré 2002: for each contender, the share of runs in which it is within a factor of the best."""
    import plotly.graph_objects as go

    ratios: dict[str, list[float]] = {}
    labels: dict[str, str] = {}
    for result in results:
        entries = timed_entries(result)
        best = min((entry["median_ns"] or float("inf") for entry in entries), default=1.0)
        for entry in entries:
            ratios.setdefault(entry["id"], []).append((entry["median_ns"] or float("inf")) / best)
            labels[entry["id"]] = entry["label"]
    figure = go.Figure()
    for name, values in ratios.items():
        steps = [(1.0, 0.0), *((ratio, (place + 1) / len(results)) for place, ratio in enumerate(sorted(values)))]
        steps.append((WORST, steps[-1][1]))
        figure.add_trace(
            go.Scatter(
                name=labels[name],
                x=[ratio for ratio, _ in steps if ratio <= WORST],
                y=[share for ratio, share in steps if ratio <= WORST],
                mode="lines+markers",
                line={"color": COLOURS[name], "shape": "hv"},
                marker={"color": COLOURS[name], "symbol": SYMBOLS[name], "size": 7},
                hovertemplate=f"{labels[name]}: within %{{x:.3g}} × of the best in %{{y:.0%}} of runs<extra></extra>",
            )
        )
    title = f"Share of {len(results)} runs within a factor of the best (higher is better)"
    x_axis = axis("× the best time", type="log", range=[0, 1])
    y_axis = axis("share of runs", range=[-0.02, 1.02], tickformat=".0%")
    figure.update_layout(layout(title, results[-1], xaxis=x_axis, yaxis=y_axis), showlegend=True)
    return plain(figure)


def by_contender(results: Sequence[RunResult]) -> dict[str, list[tuple[RunResult, Entry]]]:
    entries: dict[str, list[tuple[RunResult, Entry]]] = {}
    for result in results:
        for entry in timed_entries(result):
            entries.setdefault(entry["id"], []).append((result, entry))
    return entries


COMPARISONS: Mapping[str, Callable[[Sequence[RunResult]], Figure]] = {
    "scaling": scaling,
    "performance-profile": performance_profile,
}
