"""Bandwidth by rank, contention by the length of a mode, and which method suits which tensor
(docs/sources.toml X21, X22, X25)."""

from __future__ import annotations

from collections.abc import Sequence

from heddle_server.experiments.decompositions.documents import (
    SMALLER,
    TITLES,
    document,
    lines,
    milliseconds_of_products,
    seconds_of,
    shape_text,
    uniform,
    zipf,
)
from heddle_server.experiments.experiment import Experiment, Measured, point_of, sweep_result
from heddle_server.experiments.questions.roofline import model_bytes, stream
from heddle_server.figures.theme import plain
from heddle_server.schema.experiment import ExperimentPoint
from heddle_server.schema.run import Figure

RANKS = (8, 16, 24, 32, 40, 48, 64, 96)
SHAPE, NNZ = (1500, 2000, 2500), 150_000
SIDE, LENGTHS, SHORT_NNZ = 20_000, (2, 8, 64, 1000, 20_000), 100_000
FROSTT: dict[str, tuple[tuple[int, ...], float]] = {
    "LBNL": ((80, 210, 82, 210, 43_406), 1.1),
    "Uber": ((92, 12, 570, 858), 0.4),
    "Enron": ((303, 285, 12_213, 59), 1.2),
    "VAST": ((8271, 569, 2, 10, 9), 0.9),
    "NELL-2": ((605, 459, 1441), 1.0),
    "Delicious": ((5329, 172_625, 24_803, 15), 1.1),
}
"""Shapes of tensors of FROSTT, divided by 2 to 100, and exponents of Zipf's law that are ours."""
ALIKE_NNZ, ALIKE_RANK = 60_000, 16


def _rank_point(method: str, rank: int) -> ExperimentPoint:
    asked = document(uniform(SHAPE, NNZ), rank, 4, method, reproducible=False)
    each = model_bytes(len(SHAPE), rank, NNZ)
    model = f"By the model the product of a mode moves ((3 · {rank} + 3) · 8 + 3 · 4) · {NNZ:,} = {each:,} bytes."
    return point_of(TITLES[method], rank, asked, model=model)


def bandwidth(measurement: Measured) -> float:
    """GB/s of the products of a sweep, by the model."""
    result = sweep_result(measurement)
    order, nnz, rank = len(result["input"]["shape"]), result["input"]["nnz"], len(result["weights"])
    return order * model_bytes(order, rank, nnz) / max(seconds_of(result, "mttkrp"), 1e-9) / 1e9


def draw_ranks(measured: Sequence[Measured]) -> Figure:
    """GB/s against the rank, and a line where the STREAM triad is."""
    figure = lines(
        measured,
        "Bandwidth of MTTKRP in all modes against the rank",
        "rank R",
        "GB/s by the model",
        bandwidth,
        log=False,
    )
    roof = stream(measured[-1].result)
    if roof is not None:
        figure.add_hline(y=roof, line={"color": "#808080", "dash": "dash"})
    return plain(figure)


def _length_point(method: str, length: int, *, in_order: bool = False) -> ExperimentPoint:
    """The rows of the short mode come ``in_order`` of the entries where it is the first, and in any order where it is
    the last."""
    shape, mode = ((length, SIDE, SIDE), 0) if in_order else ((SIDE, SIDE, length), 2)
    asked = document(uniform(shape, SHORT_NNZ), 16, 4, method, reproducible=False, update=[mode])
    return point_of(f"{TITLES[method]}, {'sorted' if in_order else 'shuffled'}", length, asked)


def draw_lengths(measured: Sequence[Measured]) -> Figure:
    title = "MTTKRP of a mode against its length"
    return plain(lines(measured, title, "length of the mode", "ms", milliseconds_of_products))


def _alike_point(place: int, name: str, method: str) -> ExperimentPoint:
    shape, exponent = FROSTT[name]
    asked = document(zipf(shape, ALIKE_NNZ, exponent), ALIKE_RANK, 4, method, reproducible=False)
    model = f"{shape_text(shape)}, Zipf's law with exponent {exponent:g}."
    return point_of(TITLES[method], place, asked, name, model=model)


def draw_alike(measured: Sequence[Measured]) -> Figure:
    title = "Products of a sweep on tensors of unlike shape"
    return plain(lines(measured, title, "tensor", "ms per sweep", milliseconds_of_products))


BY_RANK = Experiment(
    {
        "id": "X21",
        "title": "X21: Bandwidth by rank",
        "question": (
            f"MTTKRP in all modes of {shape_text(SHAPE)} with {NNZ:,} entries: how much of the "
            "memory's bandwidth is used?"
        ),
        "look_for": (
            "Steps behind multiples of 32, the columns that registers hold at once. Rows of factors that a cache holds "
            "are counted each time, so that lines above the dashed one, the STREAM triad, are possible."
        ),
        "parameter": "rank R",
        "where": "",
        "points": [_rank_point(method, rank) for rank in RANKS for method in ("permuted", "rows")],
    },
    draw_ranks,
    scale=SMALLER,
)
BY_LENGTH = Experiment(
    {
        "id": "X22",
        "title": "X22: Contention in short modes",
        "question": (
            f"One mode of n indices, n from 2 to {SIDE:,}, beside two of {SIDE:,}: when do atomic updates cost, and "
            "what does the order of the entries change?"
        ),
        "look_for": (
            "Where rows are shuffled, A and B suffer in short modes, whose few rows all threads update; copies of the "
            "result cost more the longer the mode. C and whole rows hardly care. Where entries come sorted by these "
            "rows, B has few updates left."
        ),
        "parameter": "length n",
        "where": "",
        "points": [
            *(
                _length_point(method, length)
                for length in LENGTHS
                for method in ("atomic", "tiled", "permuted", "duplicated", "rows")
            ),
            *(_length_point(method, length, in_order=True) for length in LENGTHS for method in ("atomic", "tiled")),
        ],
    },
    draw_lengths,
)
ALIKE = Experiment(
    {
        "id": "X25",
        "title": "X25: Which method for which tensor",
        "question": (
            f"Six tensors with shapes like those of FROSTT and {ALIKE_NNZ:,} entries each: is one method always best?"
        ),
        "look_for": (
            "The ranking changes from tensor to tensor: long fibres make trees pay, short modes forbid atomic updates."
        ),
        "parameter": "tensor",
        "where": "",
        "points": [
            _alike_point(place, name, method)
            for place, name in enumerate(FROSTT)
            for method in ("tiled", "permuted", "duplicated", "rows", "fibres")
        ],
    },
    draw_alike,
    scale="the paper's tensors have 1.7 to 140 million entries, and sizes 2 to 100 times as large",
)
