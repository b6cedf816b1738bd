"""What figures of experiments share: lines of times over a parameter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heddle_server.experiments.experiment import Measured, entry_of, ours, series_of
from heddle_server.figures.theme import LEGEND_ABOVE, SERIES, axis, duration, layout, plain
from heddle_server.schema.run import Figure

ACROSS, LETTER, SYMBOL, LEGEND_LINE = 720, 7, 48, 20
"""Pixels of a legend: what it has from side to side in a picture of the usual size, a letter of a name, what stands
beside a name, and one of its lines."""


def named_above(figure: Any) -> None:
    """Puts the names of the lines between title and plot, which gets as much less room as they take lines; the page
    counts the lines for its own width."""
    names = [str(line.name) for line in figure.data if line.showlegend is not False]
    in_a_line = max(1, ACROSS // (LETTER * max(map(len, names), default=1) + SYMBOL))
    figure.update_layout(LEGEND_ABOVE)
    figure.update_layout(margin={"t": 44 + LEGEND_LINE * max(2, -(-len(names) // in_a_line))})


def style(place: int) -> dict[str, Any]:
    """Colour, dash and symbol of the series at that place."""
    return SERIES[place % len(SERIES)]


def time_lines(measured: Sequence[Measured], series: str, place: int) -> Any:
    """A Plotly trace: the median time of one series over the parameter, with the 95 % interval of each median."""
    import plotly.graph_objects as go

    entries = [ours(measurement.result) for measurement in measured]
    middles = [(entry["median_ns"] or 0.0) / 1e3 for entry in entries]
    return go.Scatter(
        name=series,
        x=[measurement.point["label"] for measurement in measured],
        y=middles,
        mode="lines+markers",
        line=style(place)["line"],
        marker=style(place)["marker"],
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [(entry["high_ns"] or 0) / 1e3 - y for entry, y in zip(entries, middles, strict=True)],
            "arrayminus": [y - (entry["low_ns"] or 0) / 1e3 for entry, y in zip(entries, middles, strict=True)],
        },
        text=[duration(entry["median_ns"] or 0) for entry in entries],
        hovertemplate=f"{series}, %{{x}}: %{{text}}<extra></extra>",
    )


def times_over(
    measured: Sequence[Measured], title: str, parameter: str, labels: Sequence[str], *, log: bool = False
) -> Any:
    """A Plotly figure with a line for each series; ``labels`` are all values of the parameter, in their order."""
    import plotly.graph_objects as go

    figure = go.Figure()
    for place, (series, points) in enumerate(series_of(measured).items()):
        figure.add_trace(time_lines(points, series, place))
    times = axis("µs per call", type="log") if log else axis("µs per call", rangemode="tozero")
    values = axis(parameter, type="category", categoryarray=list(labels))
    figure.update_layout(layout(title, measured[-1].result, xaxis=values, yaxis=times))
    named_above(figure)
    return figure


def library_line(figure: Any, measured: Sequence[Measured], identity: str, title: str, place: int) -> None:
    """Adds the median times of a library over the parameter, of the points in whose runs it took part."""
    import plotly.graph_objects as go

    timed = [
        (measurement, entry)
        for measurement in measured
        if (entry := entry_of(measurement.result, identity)) is not None
    ]
    if not timed:
        return
    figure.add_trace(
        go.Scatter(
            name=title,
            x=[measurement.point["label"] for measurement, _ in timed],
            y=[(entry["median_ns"] or 0.0) / 1e3 for _, entry in timed],
            mode="lines+markers",
            line=style(place)["line"],
            marker=style(place)["marker"],
            hovertemplate=f"{title}, %{{x}}: %{{y:.3g}} µs<extra></extra>",
        )
    )
    named_above(figure)


def drawn_over(title: str, parameter: str, labels: Sequence[str], *, log: bool = False) -> Any:
    """``draw`` of an experiment whose figure has a line for each series."""

    def draw(measured: Sequence[Measured]) -> Figure:
        return plain(times_over(measured, title, parameter, labels, log=log))

    return draw
