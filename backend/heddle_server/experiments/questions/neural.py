"""Sparse operators of neural networks: scores of edges, masks in blocks, pruned weights, relations
(docs/sources.toml X32 to X35)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from heddle_server.datasets.stand_ins import GRAPHS
from heddle_server.experiments.drawing import drawn_over, library_line, times_over
from heddle_server.experiments.experiment import Experiment, Measured, point_of, series_of
from heddle_server.experiments.part_schedules import tile_commands
from heddle_server.figures.theme import plain
from heddle_server.schema.experiment import ExperimentPoint
from heddle_server.schema.plan import PlanDocument
from heddle_server.schema.run import Figure

DEPTHS = (32, 128, 512)
BY_NAME = {graph.name: graph for graph in GRAPHS}
ROWS = ["split(i, i0, i1, 16)", "parallelize(i0, CPUThread, NoRaces)"]
TOKENS, HEAD, BLOCK = 2048, 64, 32
MASKS: dict[str, dict[str, Any]] = {
    "band of 64": {"generator": "band-mask", "window": 64, "block": BLOCK},
    "band of 256": {"generator": "band-mask", "window": 256, "block": BLOCK},
    "butterfly": {"generator": "butterfly", "block": BLOCK, "stride": 1024},
}
WEIGHTS, INPUTS = 768, 128
DENSITIES = (2, 4, 8, 16, 32, 64, 128)
RELATIONS: dict[str, tuple[int, int, int]] = {"AIFB": (7_262, 48_810, 78), "MUTAG": (27_163, 148_100, 46)}
"""Vertices, edges and relations of the data sets that these stand in for."""
BLOCKED = [
    "bound(k, kb, {columns}, MaxExact)",
    "split(kb, kt, kv, 16)",
    "reorder(i_block, kt, j_block, j_inner, i_inner, kv)",
    "precompute(A(i,j) * B(j,k), {{i_inner, kv}}, {{i_innerw, kvw}}, w)",
    "parallelize(kvw, CPUVector, NoRaces)",
    "parallelize(kv, CPUVector, NoRaces)",
]


def _spmm(
    format: str, schedule: list[str], generator: dict[str, Any], rows: int, columns: int, depth: int
) -> PlanDocument:
    return {
        "version": 2,
        "expression": "C(i,k) = A(i,j) * B(j,k)",
        "tensors": {"A": {"format": format, "dtype": "float32"}, "B": {"shape": [columns, depth], "dtype": "float32"}},
        "schedule": schedule,
        "inputs": {"A": {**generator, "shape": [rows, columns], "seed": 1}},
        "run": {"baselines": ["torch"] if format == "csr" else []},
    }


def in_blocks(columns: int) -> list[str]:
    return [command.format(columns=columns) for command in BLOCKED]


SCORED_GRAPHS = ("cora", "citeseer")
"""Small ones: the reference that a run is verified against has a place for each pair of vertices."""
SCORED: dict[str, tuple[str, list[str]]] = {
    "rows": ("csr", ROWS),
    "tiles of 16": ("csr", ["split(k, k0, k1, 16)", "reorder(i, j, k0, k1)", *ROWS]),
    "buckets": ("hyb(1,3,whole)", ["concat(t, A[*])", "parallelize(t, CPUThread, NoRaces)"]),
}
"""By series: the format of the graph and of its scores, and the schedule."""


def _scores_point(graph: str, depth: int, series: str) -> ExperimentPoint:
    size = BY_NAME[graph].vertices
    format, schedule = SCORED[series]
    plan: PlanDocument = {
        "version": 2,
        "expression": "S(i,j) = A(i,j) * Q(i,k) * K(j,k)",
        "tensors": {
            **{name: {"format": format, "dtype": "float32"} for name in "AS"},
            **{name: {"shape": [size, depth], "dtype": "float32"} for name in "QK"},
        },
        "schedule": schedule,
        "inputs": {"A": BY_NAME[graph].input()},
        "run": {"baselines": []},
    }
    return point_of(f"{graph}, {series}", depth, plan)


def _mask_point(mask: str, format: str) -> ExperimentPoint:
    rows = tile_commands("", HEAD, pieces=False)
    threads = ["parallelize(i_block, CPUThread, NoRaces)"]
    schedule = rows if format == "csr" else [*in_blocks(HEAD), *threads]
    plan = _spmm(format, schedule, MASKS[mask], TOKENS, TOKENS, HEAD)
    return point_of(format, list(MASKS).index(mask), plan, mask)


SIZES = (16, 32)
"""Rows and columns of a block that is pruned or kept as a whole."""


def _weight_formats(size: int) -> dict[str, tuple[str, list[str]]]:
    """By series: the format of weights that are pruned in blocks of ``size``, with its schedule."""
    blocks = in_blocks(INPUTS)
    variants = {
        f"csr, blocks of {size}": ("csr", tile_commands("", INPUTS, pieces=False)),
        f"bcsr({size},{size})": (
            f"bcsr({size},{size})",
            [*blocks, "parallelize(i_block, CPUThread, NoRaces)"],
        ),
        f"dbsr({size},{size})": (
            f"dbsr({size},{size})",
            [*blocks, "pos(i_block, i_blockp, A)", "parallelize(i_blockp, CPUThread, NoRaces)"],
        ),
    }
    if size == SIZES[0]:  # All weights are as many, however they are pruned.
        variants["dense"] = ("dense", ["reorder(i, j, k)", *ROWS])
    return variants


def _weights_points() -> Iterator[ExperimentPoint]:
    for share in DENSITIES:
        for size in SIZES:
            generator = {
                "generator": "pruned-blocks",
                "size": size,
                "density": 1 / share,
                "empty": 0.4 if share > 2 else 0,
            }
            for series, (format, schedule) in _weight_formats(size).items():
                plan = _spmm(format, schedule, generator, WEIGHTS, WEIGHTS, INPUTS)
                yield point_of(series, share, plan, f"1/{share}")


RELATIONAL: dict[str, tuple[str, str, str, list[str]]] = {
    "relations outermost": ("dense, compressed, compressed", "", "reorder(r, i, j, kb, lb)", []),
    # With relations outermost, different relations would add into the same rows.
    "vertices outermost": ("dense, compressed, compressed : 1,0,2", "", "reorder(i, r, j, kb, lb)", ROWS),
    "short rows in slots": (
        "ell3d(4,8) where length <= 8 + csf",
        "A[*]: ",
        "reorder(r, i, j, kb, lb)",
        ["concat(t, A[*])", "parallelize(t, CPUThread, Atomics)"],
    ),
}
"""By series: the format of the edges, for which parts the commands are, the order of the loops, and what runs on
threads."""


def _relations_point(name: str, features: int, series: str) -> ExperimentPoint:
    vertices, edges, relations = RELATIONS[name]
    format, parts, order, threads = RELATIONAL[series]
    each = [
        f"bound(k, kb, {features}, MaxExact)",
        f"bound(l, lb, {features}, MaxExact)",
        order,
        "precompute(A(r,i,j) * X(j,k), kb, kw, w)",
        "parallelize(lb, CPUVector, NoRaces)",
    ]
    plan: PlanDocument = {
        "version": 2,
        "expression": "Y(i,l) = A(r,i,j) * X(j,k) * W(r,k,l)",
        "tensors": {
            "A": {"format": format, "dtype": "float32"},
            "X": {"shape": [vertices, features], "dtype": "float32"},
            "W": {"shape": [relations, features, features], "dtype": "float32"},
        },
        "schedule": [*(f"{parts}{command}" for command in each), *threads],
        "inputs": {
            "A": {
                "generator": "relations",
                "shape": [relations, vertices, vertices],
                "nnz": edges,
                "weighted": 0,
                "seed": 1,
            }
        },
        "run": {"baselines": ["pyg"] if series == "vertices outermost" else []},
    }
    return point_of(f"{name}, {series}", features, plan)


def draw_relations(measured: Sequence[Measured]) -> Figure:
    """A line for each data set and order, and one for PyG on each data set, where it took part."""
    features = ["16", "32"]
    figure = times_over(measured, "Relational product", "features", features, log=True)
    for series, points in series_of(measured).items():
        library_line(figure, points, "pyg", f"PyG, {series.partition(',')[0]}", len(figure.data))
    return plain(figure)


def draw_masks(measured: Sequence[Measured]) -> Figure:
    """A line for each format, and one for PyTorch's product by rows, where it took part."""
    figure = times_over(measured, "Attention times values", "mask", list(MASKS), log=True)
    library_line(figure, measured, "torch", "PyTorch, csr", len(figure.data))
    return plain(figure)


SCORES = Experiment(
    {
        "id": "X32",
        "title": "X32: A score for every edge",
        "question": (
            "SDDMM on two graphs with features of 32, 128 and 512: whole rows of features, tiles of 16, or rows of "
            "the graph in buckets?"
        ),
        "look_for": (
            "The line of each graph over the width: the sum over the features is contiguous in all of them, so that "
            "the compiler may use vectors; a tile has a length that it knows. Buckets even out what threads do."
        ),
        "parameter": "features",
        "where": "",
        "points": [
            _scores_point(graph, depth, series) for graph in SCORED_GRAPHS for depth in DEPTHS for series in SCORED
        ],
    },
    drawn_over("Time of SDDMM on graphs", "features", [str(depth) for depth in DEPTHS], log=True),
    scale="graphs are drawn, with as many vertices and edges as the two smallest of the paper",
)
ATTENTION = Experiment(
    {
        "id": "X33",
        "title": "X33: Attention through a mask",
        "question": (
            f"The attention of {TOKENS:,} positions times values of width {HEAD}, in blocks of {BLOCK}: do formats "
            "that know of blocks pay beside rows of csr?"
        ),
        "look_for": "The factor between csr and blocks: a block has one coordinate for 1,024 values, csr has 1,024.",
        "parameter": "mask",
        "where": "",
        "points": [_mask_point(mask, format) for mask in MASKS for format in ("csr", f"bcsr({BLOCK},{BLOCK})")],
    },
    draw_masks,
    scale="2,048 positions in one head, with masks like those of the paper's networks",
)
PRUNED = Experiment(
    {
        "id": "X34",
        "title": "X34: From which density on is sparse faster?",
        "question": (
            f"A layer of {WEIGHTS} × {WEIGHTS} weights, pruned in blocks of 16 or 32 to 1/2 … 1/128, times {INPUTS} "
            "inputs: rows, blocks, blocks without empty rows, and all weights."
        ),
        "look_for": "Where the lines of the sparse formats go below the level one of the dense layer.",
        "parameter": "density",
        "where": "",
        "points": list(_weights_points()),
    },
    drawn_over("Pruned weights times inputs", "density", [f"1/{share}" for share in DENSITIES], log=True),
    scale="one layer, pruned at random in blocks; the paper prunes a network",
)
BY_RELATION = Experiment(
    {
        "id": "X35",
        "title": "X35: Gather, multiply, scatter by relation",
        "question": (
            "A relational graph layer in one kernel: relations outermost, as separate kernels would have them, or "
            "vertices outermost, so that each row of the result is written once and threads need no atomics? Beside "
            "PyG's RGCNConv, where it is installed."
        ),
        "look_for": (
            "The three lines of each data set: the work is the same, only the order of A differs, or where its short "
            "rows lie. Slots of different relations add into the same rows, so that they need atomics."
        ),
        "parameter": "features",
        "where": "",
        "points": [
            _relations_point(name, features, series)
            for name in RELATIONS
            for features in (16, 32)
            for series in RELATIONAL
        ],
    },
    draw_relations,
    scale="graphs are drawn, with as many vertices, edges and relations as the two smallest of the paper",
)
