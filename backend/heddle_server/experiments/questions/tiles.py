"""Does it pay to visit a row's nonzeros in tiles? (docs/sources.toml X5: listings A.10 and A.11)"""

from __future__ import annotations

from collections.abc import Sequence

from heddle_server.experiments.experiment import Experiment, Measured, ours, point_of
from heddle_server.figures.heat_map import Cell, heat_map
from heddle_server.figures.theme import axis, layout, plain
from heddle_server.schema.experiment import ExperimentPoint
from heddle_server.schema.plan import PlanDocument
from heddle_server.schema.run import Figure

SIDE, NNZ = 4096, 262_144
COLUMNS = (32, 128, 512)
TILES = (0, 2, 4, 8, 16, 32, 64)
"""Nonzeros of a tile; 0: no tiles."""


def label(tile: int) -> str:
    return str(tile) if tile else "none"


def _point(columns: int, tile: int) -> ExperimentPoint:
    tiled = ["pos(j, jpos, A)", f"split(jpos, jpos0, jpos1, {tile})", "reorder(i, jpos0, k, jpos1)"]
    plan: PlanDocument = {
        "version": 2,
        "expression": "C(i,k) = A(i,j) * B(j,k)",
        "tensors": {"A": {"format": "csr"}, "B": {"shape": [SIDE, columns]}},
        "schedule": tiled if tile else ["reorder(i, j, k)"],
        "inputs": {"A": {"generator": "uniform", "shape": [SIDE, SIDE], "nnz": NNZ, "seed": 1}},
        "run": {"baselines": [], "threads": 1},
    }
    return point_of(f"{columns} columns", tile, plan, label(tile))


def draw(measured: Sequence[Measured]) -> Figure:
    """A heat map: tile size across, columns of B up; the colour and the number in each cell say how many times as fast
    as without tiles, or, where that was not measured yet, how many times as fast as the slowest of the row.
    """
    rows = {f"{columns} columns": _ratios(measured, f"{columns} columns") for columns in COLUMNS}
    every = [ratio for cells in rows.values() for ratio in cells.values()]
    low, high = min(every), max(every)
    shaded = {
        row: {
            tile: Cell((ratio - low) / (high - low) if high > low else 1.0, f"{ratio:.2f}")
            for tile, ratio in cells.items()
        }
        for row, cells in rows.items()
    }
    figure, columns = heat_map(shaded, "tiles of %{x}, {row}: %{text} × as fast as without")
    tiles = axis("nonzeros of a tile", type="category", categoryarray=[label(tile) for tile in TILES], showgrid=False)
    title = "SpMM: speed with tiles over speed without (brighter is faster)"
    figure.update_layout(layout(title, measured[-1].result, xaxis=tiles, yaxis=columns))
    return plain(figure)


def _ratios(measured: Sequence[Measured], series: str) -> dict[str, float]:
    """By tile, how many times as fast as without tiles."""
    times = {
        measurement.point["label"]: ours(measurement.result)["median_ns"] or 1.0
        for measurement in measured
        if measurement.point["series"] == series
    }
    base = times.get(label(0), max(times.values(), default=1.0))
    return {name: base / time for name, time in times.items()}


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
