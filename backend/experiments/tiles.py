"""Does it pay to visit a row's nonzeros in tiles? (EXPERIMENTS X5; listings A.10 and A.11 of paper 000)"""

from __future__ import annotations

from collections.abc import Sequence

from backend.experiments.experiment import Experiment, Measured, ours, point_of
from backend.figures.theme import axis, layout, plain
from backend.schema.experiment import ExperimentPoint
from backend.schema.plan import PlanDocument
from backend.schema.run import Figure

SIDE, NNZ = 4096, 262_144
COLUMNS = (32, 128, 512)
TILES = (0, 2, 4, 8, 16, 32, 64)
"""Nonzeros of a tile; 0: no tiles."""


def label(tile: int) -> str:
    return str(tile) if tile else "no tiles"


def _point(columns: int, tile: int) -> ExperimentPoint:
    tiled = ["pos(j, jpos, A)", f"split(jpos, jpos0, jpos1, {tile})", "reorder(i, jpos0, k, jpos1)"]
    plan: PlanDocument = {
        "version": 1,
        "expression": "C(i,k) = A(i,j) * B(j,k)",
        "tensors": {"A": {"format": "csr"}, "B": {"shape": [SIDE, columns]}},
        "schedule": tiled if tile else ["reorder(i, j, k)"],
        "inputs": {"A": {"generator": "uniform", "shape": [SIDE, SIDE], "nnz": NNZ, "seed": 1}},
        "run": {"baselines": [], "threads": 1},
    }
    return point_of(f"{columns} columns", tile, plan, label(tile))


def draw(measured: Sequence[Measured]) -> Figure:
    """A heat map: tile size across, columns of B up; the colour and the number in each cell say how many times as fast
    as without tiles, or, where that was not measured yet, how many times as fast as the slowest of the row."""
    import plotly.graph_objects as go

    times = {(one.point["series"], one.point["label"]): ours(one.result)["median_ns"] or 1.0 for one in measured}
    rows = [f"{columns} columns" for columns in COLUMNS]
    cells = []
    for row in rows:
        of_row = {name: time for (series, name), time in times.items() if series == row}
        base = of_row.get(label(0), max(of_row.values(), default=1.0))
        cells += [(name, row, base / time) for name, time in of_row.items()]
    ratios = [ratio for _, _, ratio in cells]
    low, high = min(ratios), max(ratios)
    figure = go.Figure(
        go.Scatter(
            x=[name for name, _, _ in cells],
            y=[row for _, row, _ in cells],
            text=[f"{ratio:.2f}" for ratio in ratios],
            mode="markers+text",
            textposition="middle center",
            # Viridis begins dark and ends light.
            textfont={"size": 10, "color": ["#ffffff" if ratio < (low + high) / 2 else "#000000" for ratio in ratios]},
            marker={
                "symbol": "square",
                "size": 30,
                "color": ratios,
                "colorscale": "Viridis",
                "colorbar": {"title": {"text": "× as fast"}, "thickness": 12},
            },
            hovertemplate="tiles of %{x}, %{y}: %{text} × as fast as without<extra></extra>",
        )
    )
    title = "SpMM: speed with tiles over speed without"
    across = axis("nonzeros of a tile", type="category", categoryarray=[label(tile) for tile in TILES], showgrid=False)
    up = axis("", type="category", categoryarray=rows, showgrid=False)
    figure.update_layout(layout(title, measured[-1].result, xaxis=across, yaxis=up))
    return plain(figure)


TILE_SIZES = Experiment(
    {
        "id": "X5",
        "title": "X5: Tiles of nonzeros",
        "question": (
            f"SpMM with {NNZ:,} nonzeros: for each row all nonzeros one after the other, each with all columns of B, "
            "or a tile of nonzeros at a time, whose sums stay in registers? And which tile, for how many columns?"
        ),
        "look_for": (
            "The brightest cell of each line. The paper finds tiles about twice as fast; the compiler's own "
            "vectorisation of the loop without tiles decides whether that is so here."
        ),
        "parameter": "nonzeros of a tile",
        "where": "",
        "points": [_point(columns, tile) for columns in COLUMNS for tile in TILES],
    },
    draw,
)
