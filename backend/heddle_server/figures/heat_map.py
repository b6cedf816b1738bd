"""A heat map of bars that stand side by side, a series for each row: the page's edition of Plotly has no heat maps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from heddle_server.figures.theme import axis


@dataclass(frozen=True, slots=True)
class Cell:
    """``shade`` from 0, dark, to 1, bright; ``text`` stands in the cell."""

    shade: float
    text: str


def heat_map(rows: Mapping[str, Mapping[str, Cell]], hover: str) -> tuple[Any, dict[str, Any]]:
    """The figure, whose first row is at the bottom, and the axis that names the rows. ``hover`` may use Plotly's
    ``%{x}`` and ``%{text}``, and ``{row}``."""
    import plotly.graph_objects as go
    from plotly.colors import sample_colorscale

    figure = go.Figure()
    for place, (row, cells) in enumerate(rows.items()):
        shades = [cell.shade for cell in cells.values()]
        figure.add_trace(
            go.Bar(
                name=row,
                x=list(cells),
                y=[1] * len(cells),
                base=[place] * len(cells),
                text=[cell.text for cell in cells.values()],
                textposition="inside",
                insidetextanchor="middle",
                textangle=0,
                # Viridis begins dark and ends light.
                insidetextfont={"color": ["#ffffff" if shade < 0.5 else "#000000" for shade in shades]},
                marker={"color": sample_colorscale("Viridis", shades), "line": {"width": 0}},
                hovertemplate=f"{hover.replace('{row}', row)}<extra></extra>",
            )
        )
    figure.update_layout(barmode="overlay", bargap=0)
    places = [place + 0.5 for place in range(len(rows))]
    names = axis("", tickvals=places, ticktext=list(rows), showgrid=False, zeroline=False, range=[0, len(rows)])
    return figure, names
