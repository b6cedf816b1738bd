"""Do sums of parts pay? Graphs in buckets beside rows, what formats store for an entry, and after how many products a
conversion has paid for itself (docs/sources.toml X30, X31, X37)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from heddle_server.datasets.stand_ins import GRAPHS, Graph
from heddle_server.experiments.drawing import library_line, style, times_over
from heddle_server.experiments.experiment import Experiment, Measured, ours, point_of, series_of
from heddle_server.experiments.part_schedules import in_buckets, tile_commands
from heddle_server.experiments.questions.families import FAMILIES
from heddle_server.figures.theme import LEGEND_ABOVE, axis, layout, plain
from heddle_server.schema.experiment import ExperimentPoint
from heddle_server.schema.plan import PlanDocument
from heddle_server.schema.run import Figure, RunResult

COLUMNS = 128
HERE = tuple(graph for graph in GRAPHS if graph.scale == 1)
"""The graphs that are made and multiplied in seconds; ``./heddle bench compositions`` takes all seven."""
STORED: dict[str, tuple[str, list[str]]] = {
    "csr": ("csr", tile_commands("", COLUMNS, pieces=False)),
    "hyb(1,3)": ("hyb(1,3)", in_buckets(3, COLUMNS, whole=False)),
    "hyb(1,3,whole)": ("hyb(1,3,whole)", in_buckets(3, COLUMNS, whole=True)),
    "hyb(4,3)": ("hyb(4,3)", []),
}
FORMATS = ("csr", "sell(8)", "ell(16) where slot < 16 + coo", "hyb(1,5)", "hyb(4,3)", "bcsr(4,4)", "srbcrs(8,4)")
SIDE = 4096


def _graph_point(graph: Graph, series: str, baselines: Sequence[str]) -> ExperimentPoint:
    format, schedule = STORED[series]
    plan: PlanDocument = {
        "version": 2,
        "expression": "C(i,k) = A(i,j) * B(j,k)",
        "tensors": {
            "A": {"format": format, "dtype": "float32"},
            "B": {"shape": [graph.vertices, COLUMNS], "dtype": "float32"},
        },
        "schedule": schedule,
        "inputs": {"A": graph.input()},
        "run": {"baselines": list(baselines)},
    }
    return point_of(series, HERE.index(graph), plan, graph.name)


def _storage_point(family: str, format: str) -> ExperimentPoint:
    generator = {**FAMILIES[family], "shape": [SIDE, SIDE], "seed": 1}
    if "nnz" in generator:
        generator["nnz"] = 16 * SIDE
    plan: PlanDocument = {
        "version": 2,
        "expression": "y(i) = A(i,j) * x(j)",
        "tensors": {"A": {"format": format}},
        "schedule": [],
        "inputs": {"A": generator},
        "run": {"baselines": []},
    }
    return point_of(format, list(FAMILIES).index(family), plan, family)


def draw_graphs(measured: Sequence[Measured]) -> Figure:
    """Median times by graph, a line for each format; the libraries from the runs of csr."""
    labels = [graph.name for graph in HERE]
    figure = times_over(measured, f"SpMM with {COLUMNS} columns, float32", "graph", labels, log=True)
    for place, (identity, title) in enumerate((("mkl", "MKL"), ("torch", "PyTorch")), len(STORED)):
        library_line(figure, measured, identity, title, place)
    return plain(figure)


def draw_storage(measured: Sequence[Measured]) -> Figure:
    """Bytes that a product reads and writes, for each nonzero."""
    return _marks(
        measured,
        list(FAMILIES),
        "Bytes that SpMV moves for each nonzero",
        "bytes",
        lambda measurement: measurement.result["bytes_moved"] / max(1, measurement.result["inputs"][0]["nnz"]),
    )


NEVER = "is no faster than csr: no number of products pays for it"
"""What stands in the place of a number of products."""


def draw_repaid(measured: Sequence[Measured]) -> Figure:
    """Products after which making a format has cost less than it saved; no mark where it saves nothing."""
    plainly = {
        measurement.point["label"]: measurement.result
        for measurement in measured
        if measurement.point["series"] == "csr"
    }

    def repaid(measurement: Measured) -> float | str | None:
        usual = plainly.get(measurement.point["label"])
        if usual is None or measurement.point["series"] == "csr":
            return None
        saved = (ours(usual)["median_ns"] or 0.0) - (ours(measurement.result)["median_ns"] or 0.0)
        more = _packing(measurement.result) - _packing(usual)
        return max(0.0, more) / saved if saved > 0 else NEVER

    title = "Products until a conversion has paid for itself; no mark: it never does"
    return _marks(measured, [graph.name for graph in HERE], title, "products", repaid)


def _packing(result: RunResult) -> float:
    return sum(step["ns"] for step in ours(result)["preparation"] if step["name"].startswith("pack"))


def _marks(
    measured: Sequence[Measured],
    labels: list[str],
    title: str,
    unit: str,
    value: Callable[[Measured], float | str | None],
) -> Figure:
    """A mark for each number; words have none, and are read where the page reads a number. None says nothing."""
    import plotly.graph_objects as go

    figure = go.Figure()
    for place, (name, points) in enumerate(series_of(measured).items()):
        known = [(point, mark) for point in points if (mark := value(point)) is not None]
        figure.add_trace(
            go.Scatter(
                name=name,
                x=[measurement.point["label"] for measurement, _ in known],
                y=[None if isinstance(mark, str) else mark for _, mark in known],
                text=[mark if isinstance(mark, str) else f"{mark:.3g} {unit}" for _, mark in known],
                mode="markers",
                marker={**style(place)["marker"], "color": style(place)["line"]["color"], "size": 11},
                hovertemplate=f"{name}, %{{x}}: %{{y:.3g}} {unit}<extra></extra>",
            )
        )
    across: dict[str, Any] = axis("", type="category", categoryarray=labels)
    figure.update_layout(layout(title, measured[-1].result, xaxis=across, yaxis=axis(unit, type="log")))
    figure.update_layout(LEGEND_ABOVE)
    return plain(figure)


ON_GRAPHS = Experiment(
    {
        "id": "X30",
        "title": "X30: Rows of a graph in buckets",
        "question": (
            f"SpMM with {COLUMNS} columns on five graphs whose rows differ widely. Does it pay to sort rows into "
            "buckets of 1, 2, 4 and 8 slots, or to cut the columns into ranges, beside rows of csr, MKL and PyTorch?"
        ),
        "look_for": (
            "How far hyb lies from csr. On a GPU buckets even out the work of threads; a processor that keeps a tile "
            "of columns in registers is seldom held up by a row's end, and pays for every piece of a row."
        ),
        "parameter": "graph",
        "where": "",
        "points": [
            _graph_point(graph, series, ["mkl", "torch"] if series == "csr" else [])
            for graph in HERE
            for series in STORED
        ],
    },
    draw_graphs,
    scale="graphs are drawn, with as many vertices and edges as the smaller ones of the paper",
)
PADDING = Experiment(
    {
        "id": "X31",
        "title": "X31: What padding costs",
        "question": (
            f"SpMV with {SIDE:,} rows of seven structures in seven formats: how many bytes does each move per nonzero?"
        ),
        "look_for": (
            "Which formats explode on which structure. Buckets that double never store twice as much as there is, "
            "whatever the rows look like."
        ),
        "parameter": "structure",
        "where": "",
        "points": [_storage_point(family, format) for family in FAMILIES for format in FORMATS],
    },
    draw_storage,
)
CONVERSION = Experiment(
    {
        "id": "X37",
        "title": "X37: When a conversion has paid for itself",
        "question": "The runs of X30: after how many products has making the buckets cost less time than they saved?",
        "look_for": (
            "Marks that are missing: there the other format is no faster, and no number of products pays for it."
        ),
        "parameter": "graph",
        "where": "",
        "points": [
            _graph_point(graph, series, []) for graph in HERE for series in ("csr", "hyb(1,3)", "hyb(1,3,whole)")
        ],
    },
    draw_repaid,
)
