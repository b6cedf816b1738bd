"""How much of the memory's bandwidth does each contender use? (docs/sources.toml V18)"""

from __future__ import annotations

from heddle_server.figures.theme import COLOURS, PATTERNS, axis, layout, plain, timed_entries
from heddle_server.schema.run import Figure, RunResult


def bandwidth(result: RunResult) -> Figure:
    """Bars of GB/s under the measured STREAM triad; the bytes are those that must move at least (every array once)."""
    import plotly.graph_objects as go

    figure = go.Figure()
    labels: list[str] = []
    for entry in timed_entries(result):
        rate = entry["gigabytes_per_second"] or 0.0
        share = entry["bandwidth_share"]
        figure.add_trace(
            go.Bar(
                name=entry["label"],
                x=[rate],
                y=[len(labels)],
                orientation="h",
                marker={
                    "color": COLOURS[entry["id"]],
                    "pattern": {
                        "shape": PATTERNS[entry["id"]][0],
                        "size": PATTERNS[entry["id"]][1],
                        "fgcolor": "rgba(255,255,255,0.5)",
                        "bgcolor": COLOURS[entry["id"]],
                    },
                },
                hovertemplate=f"{entry['label']}: {rate:.3g} GB/s<extra></extra>",
            )
        )
        labels.append(f"{entry['label']}<br>{rate:.3g} GB/s" + (f", {share:.0%}" if share is not None else ""))
    roof = result["machine"]["stream_triad_gbps"].get(str(result["threads"]))
    roofs = []
    if roof is not None:
        line = {"color": "#808080", "dash": "dash", "width": 2}
        roofs.append({"type": "line", "x0": roof, "x1": roof, "y0": 0, "y1": 1, "yref": "paper", "line": line})
    title = "Bandwidth" if roof is None else f"Bandwidth (the dashed line is the STREAM triad, {roof:.1f} GB/s)"
    figure.update_layout(
        layout(
            title,
            result,
            xaxis=axis("GB/s, if every array moves once", rangemode="tozero"),
            yaxis=axis(
                "",
                autorange="reversed",
                showgrid=False,
                zeroline=False,
                tickvals=list(range(len(labels))),
                ticktext=labels,
            ),
            shapes=roofs,
        )
    )
    return plain(figure)
