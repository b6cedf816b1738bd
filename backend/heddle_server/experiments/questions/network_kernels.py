"""The kernels that Vasilache et al. 2018 measure (figures 5 and 6), beside the libraries of this machine
(docs/sources.toml X45)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heddle_server.experiments.drawing import library_line, times_over
from heddle_server.experiments.experiment import Experiment, Measured, point_of
from heddle_server.experiments.questions.comprehensions import LUT, TBMM, TMM, TWO_LUT
from heddle_server.figures.theme import plain
from heddle_server.schema.experiment import ExperimentPoint
from heddle_server.schema.run import Figure

SCHEDULES = Path(__file__).parent / "network_schedules.json"
"""What the rules chose for two threads when the kernels were last measured: a plan says what it is, and does not change
with the rules. ``python -m heddle_server.experiments.choose_schedules`` chooses again."""
LIBRARIES = {"numpy": "NumPy", "torch": "PyTorch"}

Shapes = Mapping[str, Sequence[int]]


@dataclass(frozen=True, slots=True)
class Kernel:
    """``rows`` are operands of indices, with how many rows they choose from."""

    text: str
    shapes: Shapes
    rows: Mapping[str, int] = field(default_factory=dict)

    def plan(self) -> dict[str, Any]:
        """Without a schedule."""
        inputs = {
            name: {"generator": "indices", "rows": rows, "shape": list(self.shapes[name]), "seed": 1}
            for name, rows in self.rows.items()
        }
        shapes = {name: {"shape": list(shape)} for name, shape in self.shapes.items() if name not in self.rows}
        return {
            "version": 2,
            "expression": self.text,
            "language": "comprehension",
            "tensors": shapes,
            **({"inputs": inputs} if inputs else {}),
            "run": {"baselines": list(LIBRARIES), "threads": 2},
        }


GCONV = """def gconv(float(N,G,C,H,W) I, float(G,F,C,KH,KW) W1) -> (O) {
    O(n,g,o,h,w) +=! I(n,g,i,h+kh,w+kw) * W1(g,o,i,kh,kw) }"""
MLP1 = """def MLP1(float(B,M) I, float(O,M) W1, float(O) B1) -> (O1) {
    O1(b,n) = B1(n)
    O1(b,n) += I(b,m) * W1(n,m)
    O1(b,n) = fmaxf(O1(b,n), 0) }"""
MLP3 = "def MLP3(float(B,N) O1, {}) -> (O4) {{\n{} }}".format(
    ", ".join(f"float({o},{i}) W{n}, float({o}) B{n}" for n, i, o in ((2, "N", "O"), (3, "O", "P"), (4, "P", "Q"))),
    "\n".join(
        f"    O{n}(b,{o}) = B{n}({o})\n    O{n}(b,{o}) += O{n - 1}(b,{i}) * W{n}({o},{i})\n"
        f"    O{n}(b,{o}) = fmaxf(O{n}(b,{o}), 0)"
        for n, i, o in ((2, "n", "o"), (3, "o", "p"), (4, "p", "q"))
    ),
)
BATCH, TABLE_ROWS = 4, 100_000


def _tmm(m: int, k: int, n: int) -> Kernel:
    return Kernel(TMM, {"A": (m, k), "B": (n, k)})


def _gconv(channels: int, side: int) -> Kernel:
    return Kernel(GCONV, {"I": (BATCH, 32, channels, side, side), "W1": (32, channels, channels, 3, 3)})


KERNELS: Mapping[str, Kernel] = {
    "tmm 128, 32, 256": _tmm(128, 32, 256),
    "tmm 128, 1024, 1024": _tmm(128, 1024, 1024),
    "tmm 128, 1024, 2000": _tmm(128, 1024, 2000),
    "tbmm": Kernel(TBMM, {"X": (500, 26, 72), "Y": (500, 26, 72)}),
    "gconv 16, 14": _gconv(16, 14),
    "gconv 32, 7": _gconv(32, 7),
    "gconv 4, 56": _gconv(4, 56),
    "gconv 8, 28": _gconv(8, 28),
    "1LUT": Kernel(LUT, {"T": (TABLE_ROWS, 64), "I": (128, 50)}, {"I": TABLE_ROWS}),
    "2LUT": Kernel(
        TWO_LUT,
        {"T": (TABLE_ROWS, 64), "I": (128, 50), "U": (TABLE_ROWS, 64), "J": (128, 50)},
        {"I": TABLE_ROWS, "J": TABLE_ROWS},
    ),
    "MLP1": Kernel(MLP1, {"I": (128, 2000), "W1": (128, 2000), "B1": (128,)}),
    "C3": _tmm(128, 1024, 1000),
    "MLP3": Kernel(
        MLP3,
        {
            "O1": (128, 128),
            "W2": (128, 128),
            "B2": (128,),
            "W3": (64, 128),
            "B3": (64,),
            "W4": (32, 64),
            "B4": (32,),
        },
    ),
}
"""By name, with the sizes that tell them apart."""


def chosen_schedules() -> Mapping[str, list[str]]:
    chosen: Mapping[str, list[str]] = json.loads(SCHEDULES.read_text(encoding="utf-8"))
    return chosen


def _point(place: int, name: str, schedule: list[str]) -> ExperimentPoint:
    return point_of("Heddle", place, {**KERNELS[name].plan(), "schedule": schedule}, name)  # type: ignore[arg-type]


def _points() -> list[ExperimentPoint]:
    chosen = chosen_schedules()
    return [_point(place, name, chosen.get(name, [])) for place, name in enumerate(KERNELS)]


def draw(measured: Sequence[Measured]) -> Figure:
    """The chosen schedule, and a line for each library that took part."""
    figure = times_over(measured, "Kernels of networks", "kernel", list(KERNELS), log=True)
    for place, (identity, title) in enumerate(LIBRARIES.items(), 1):
        library_line(figure, measured, identity, title, place)
    return plain(figure)


TABLES = Experiment(
    {
        "id": "X45",
        "title": "X45: Kernels of networks beside libraries",
        "question": "Products, batched products, grouped convolutions, tables looked up and layers: how far is the "
        "schedule that the rules choose from NumPy and, where it is installed, PyTorch?",
        "look_for": "Where Heddle's mark is the lower one. Vasilache et al. 2018 report up to four times the speed of "
        "Caffe2 with its libraries on two GPUs, and a quarter of it for the largest product.",
        "parameter": "kernel",
        "where": "",
        "points": _points(),
    },
    draw,
    scale=f"convolutions have {BATCH} images instead of 32, the largest product 1024 × 2000 weights instead of 4096 × "
    f"16384, tables {TABLE_ROWS:,} rows instead of ten million; the paper's machines are GPUs",
)
