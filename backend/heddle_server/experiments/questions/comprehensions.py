"""What tensor comprehensions cost and gain: options, rules and searches, names, ranges, rows by index, chains of layers
(Vasilache et al. 2018; docs/sources.toml X40 to X44). Their numbers are of GPUs, and no part of these figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heddle_server.experiments.drawing import drawn_over
from heddle_server.experiments.experiment import Experiment, point_of
from heddle_server.schema.experiment import ExperimentPoint

LAYER = """def layer(float(B,I) A, float(O,I) W, float(O) c) -> (y) {
    t(b,o) +=! A(b,i) * W(o,i)
    y(b,o) = fmaxf(t(b,o) + c(o), 0) }"""
TMM = "def tmm(float(M,K) A, float(N,K) B) -> (C) { C(m,n) +=! A(m,kk) * B(n,kk) }"
TBMM = "def tbmm(float(B,N,M) X, float(B,K,M) Y) -> (Z) { Z(b,n,k) +=! X(b,n,m) * Y(b,k,m) }"


def _point(
    series: str, value: float, label: str, text: str, shapes: Mapping[str, Sequence[int]], **more: Any
) -> ExperimentPoint:
    plan: dict[str, Any] = {
        "version": 2,
        "expression": text,
        "language": "comprehension",
        "tensors": {name: {"shape": list(shape)} for name, shape in shapes.items()},
        "run": {"baselines": []},
        **more,
    }
    return point_of(series, value, plan, label)  # type: ignore[arg-type]


PROGRAMS: Mapping[str, tuple[str, Mapping[str, Sequence[int]]]] = {
    "product": (TMM, {"A": (128, 32), "B": (256, 32)}),
    "batch of products": (TBMM, {"X": (100, 26, 72), "Y": (100, 26, 72)}),
    "layer": (LAYER, {"A": (64, 128), "W": (128, 128), "c": (128,)}),
}

PRESETS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "naive": {
        "product": (
            "split(m, m0, m1, 32)",
            "split(n, n0, n1, 32)",
            "split(kk, kk0, kk1, 32)",
            "reorder(m0, n0, kk0, m1, n1, kk1)",
            "parallelize(m0, CPUThread, NoRaces)",
            "reorder(m1, kk1, n1)",
            "parallelize(n1, CPUVector, NoRaces)",
        ),
        "batch of products": (
            "split(b, b0, b1, 32)",
            "split(n, n0, n1, 32)",
            "split(k, k0, k1, 32)",
            "reorder(b0, n0, k0, b1, n1, k1, m)",
            "parallelize(b0, CPUThread, NoRaces)",
            "reorder(b1, n1, m, k1)",
            "parallelize(k1, CPUVector, NoRaces)",
        ),
        "layer": (
            "together(b, b2)",
            "together(o, o2)",
            "split(b, b0, b1, 32)",
            "split(o, o0, o1, 32)",
            "reorder(b0, o0, b1, o1)",
            "parallelize(b0, CPUThread, NoRaces)",
            "parallelize(o1, CPUVector, NoRaces)",
        ),
    },
    "mlp": {
        "product": (
            "parallelize(m, CPUThread, NoRaces)",
            "reorder(m, kk, n)",
            "parallelize(n, CPUVector, NoRaces)",
        ),
        "batch of products": (
            "parallelize(b, CPUThread, NoRaces)",
            "reorder(b, n, m, k)",
            "parallelize(k, CPUVector, NoRaces)",
        ),
        "layer": (
            "together(b, b2)",
            "together(o, o2)",
            "parallelize(b, CPUThread, NoRaces)",
            "parallelize(o, CPUVector, NoRaces)",
        ),
    },
}
"""What two presets of mapping options mean for each program (``compiler/heddle/tuning/mapping``)."""

RULES: Mapping[str, tuple[str, ...]] = {
    "product": (
        "split(n, n0, n1, 16)",
        "reorder(n0, kk, n1, m)",
        "precompute(B(n,kk), {kk, n1}, {kkp, n1p}, P)",
        "split(m, m0, m1, 6)",
        "reorder(m0, kk, m1, n1)",
        "precompute(A(m,kk) * P(kk,n1), {m1, n1}, {m1w, n1w}, w)",
        "unroll(m1w, 6)",
        "unroll(m1, 6)",
        "parallelize(n1w, CPUVector, NoRaces)",
        "parallelize(n1, CPUVector, NoRaces)",
        "parallelize(n0, CPUThread, NoRaces)",
    ),
    "batch of products": (
        "split(k, k0, k1, 16)",
        "reorder(b, k0, m, k1, n)",
        "precompute(Y(b,k,m), {m, k1}, {mp, k1p}, P)",
        "split(n, n0, n1, 6)",
        "reorder(n0, m, n1, k1)",
        "precompute(X(b,n,m) * P(m,k1), {n1, k1}, {n1w, k1w}, w)",
        "unroll(n1w, 6)",
        "unroll(n1, 6)",
        "parallelize(k1w, CPUVector, NoRaces)",
        "parallelize(k1, CPUVector, NoRaces)",
        "parallelize(b, CPUThread, NoRaces)",
    ),
    "layer": (
        "split(o, o0, o1, 16)",
        "reorder(o0, i, o1, b)",
        "precompute(W(o,i), {i, o1}, {ip, o1p}, P)",
        "split(b, b0, b1, 6)",
        "reorder(b0, i, b1, o1)",
        "precompute(A(b,i) * P(i,o1), {b1, o1}, {b1w, o1w}, w)",
        "unroll(b1w, 6)",
        "unroll(b1, 6)",
        "parallelize(o1w, CPUVector, NoRaces)",
        "parallelize(o1, CPUVector, NoRaces)",
        "parallelize(o0, CPUThread, NoRaces)",
        "parallelize(o2, CPUVector, NoRaces)",
    ),
}
"""What the rules say of each, for two threads of a processor with AVX2."""

WRITTEN: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "loops as they come": dict.fromkeys(PROGRAMS, ()),
    "the rules' schedule": RULES,
    **{f"the preset {name}": schedules for name, schedules in PRESETS.items()},
}
"""By where a schedule comes from and the program."""

SPELLINGS: Mapping[str, str] = {
    "as in the paper": TMM,
    "other names": "def product(float(rows,depth) P, float(columns,depth) Q) -> (R) { R(r,c) +=! P(r,d) * Q(c,d) }",
    "names exchanged": "def tmm(float(K,M) B, float(N,M) A) -> (C) { C(n,m) +=! B(n,kk) * A(m,kk) }",
    "by a call": "def inner(float(I,J) x, float(L,J) y) -> (z) { z(i,l) +=! x(i,j) * y(l,j) }\n"
    "def tmm(float(M,K) A, float(N,K) B) -> (C) { C = inner(A, B) }",
}
SIDES = (32, 64, 128)


def _names(place: int, spelling: str) -> list[ExperimentPoint]:
    text = SPELLINGS[spelling]
    head = text[text.rindex("def ") :]
    first, second = (part.split()[-1] for part in head[head.index("(float") : head.index(") ->")].split(", float"))
    return [_point(spelling, side, f"{side}", text, {first: (side, side), second: (side, side)}) for side in SIDES]


READS: Mapping[str, tuple[str, Mapping[str, Sequence[int]]]] = {
    "x(i)": ("def f(float(N) x) -> (y) { y(i) = 2 * x(i) }", {"x": (1,)}),
    "x(i/2)": ("def f(float(N) x) -> (y) { y(i) = 2 * x(i/2) }", {"x": (2,)}),
    "x(2*i)": ("def f(float(N) x) -> (y) { y(i) = 2 * x(2*i) }", {"x": (-2,)}),
    "x(min(i,N-1-i))": ("def f(float(N) x) -> (y) { y(i) = 2 * x(min(i, N-1-i)) }", {"x": (1,)}),
    "under a condition": (
        "def f(float(N) x) -> (y) { y(i) = i >= 8 ? 2 * x(i-8) : 0 where i in 0:N }",
        {"x": (1,)},
    ),
    "x(I(i))": ("def f(float(N) x, int(N) I) -> (y) { y(i) = 2 * x(I(i)) }", {"x": (1,)}),
}
LENGTHS = (10_000, 100_000, 1_000_000)


def _read(form: str, length: int) -> ExperimentPoint:
    """Results have the same length in all forms."""
    text, shapes = READS[form]
    sizes = {name: (length // factor if factor > 0 else -factor * length,) for name, (factor,) in shapes.items()}
    return _point(form, length, f"{length:,}", text, sizes)


LUT = "def 1LUT(float(E,D) T, int(B,L) I) -> (O) { O(i,j) +=! T(I(i,k), j) }"
TWO_LUT = """def 2LUT(float(E,D) T, int(B,L) I, float(E,D) U, int(B,L) J) -> (O, O2) {
    O(i,j) +=! T(I(i,k), j)
    O2(i,j) +=! U(J(i,k), j) }"""
TABLE_ROWS = 100_000
EXPONENTS = (0.0, 0.6, 0.8, 1.0, 1.2, 1.4)
LOOKED_UP: Mapping[str, tuple[str, list[str]]] = {
    "one table, as it comes": (LUT, []),
    "one table, rows in lanes": (LUT, ["reorder(i, k, j)", "parallelize(j, CPUVector, NoRaces)"]),
    "two tables, in turn": (TWO_LUT, []),
    "two tables, one loop": (TWO_LUT, ["together(i, i3)"]),
}


def _skew(exponent: float) -> str:
    return f"{exponent:g}" if exponent else "all alike"


def _rows(series: str, exponent: float) -> ExperimentPoint:
    """Which rows are looked up follows Zipf's law, and is the same for all series."""
    text, schedule = LOOKED_UP[series]
    indices = ("I", "J") if text is TWO_LUT else ("I",)
    shapes = {"T": (TABLE_ROWS, 64), **({"U": (TABLE_ROWS, 64)} if text is TWO_LUT else {})}
    generator = {"generator": "indices", "rows": TABLE_ROWS, "exponent": exponent, "shape": [128, 50]}
    inputs = {name: {**generator, "seed": seed} for seed, name in enumerate(indices, 1)}
    return _point(series, exponent, _skew(exponent), text, shapes, schedule=schedule, inputs=inputs)


WIDTH, DEPTHS = 64, (1, 2, 4, 8)


def chain(layers: int) -> str:
    """So many layers, each the input of the next."""
    weights = ", ".join(f"float(W,W) W{number}" for number in range(layers))
    body = "\n".join(
        f"    t{number}(b,o) +=! {f'a{number - 1}' if number else 'A'}(b,i) * W{number}(o,i)\n"
        f"    a{number}(b,o) = fmaxf(t{number}(b,o), 0)"
        for number in range(layers)
    )
    return f"def chain(float(B,W) A, {weights}) -> (a{layers - 1}) {{\n{body} }}"


def _chain(layers: int, *, shared: bool) -> ExperimentPoint:
    """``shared``: one loop over the rows for all statements, so that a row of each layer is all that is kept."""
    schedule = [f"together(b, b{number})" for number in range(2, 2 * layers + 1)] if shared else []
    series = "one loop over the rows" if shared else "statement after statement"
    return _point(series, layers, f"{layers}", chain(layers), {"A": (128, WIDTH)}, schedule=schedule)


OPTIONS = Experiment(
    {
        "id": "X40",
        "title": "X40: Where a search begins",
        "question": "Three programs as their loops come, with the rules' schedule, and with two presets of mapping "
        "options: how far apart are the schedules that a search may begin with?",
        "look_for": "The lowest mark of each program. Vasilache et al. 2018 begin their searches with presets, and "
        "report what tuning adds; here the Tuner goes on from any of these plans, and compares its strategies itself.",
        "parameter": "program",
        "where": "",
        "points": [
            _point(series, place, program, *PROGRAMS[program], schedule=list(schedules[program]))
            for series, schedules in WRITTEN.items()
            for place, program in enumerate(PROGRAMS)
        ],
    },
    drawn_over("Schedules by where they come from", "program", list(PROGRAMS), log=True),
)
NAMES = Experiment(
    {
        "id": "X41",
        "title": "X41: Does a name decide anything?",
        "question": "One product under four spellings, whose canonical form is the same: does the kernel care?",
        "look_for": "All lines on top of each other. What a search finds under one of these names is offered under the "
        "others.",
        "parameter": "side",
        "where": "",
        "points": [point for place, spelling in enumerate(SPELLINGS) for point in _names(place, spelling)],
    },
    drawn_over("A product by its spelling", "side", [str(side) for side in SIDES], log=True),
)
RANGES = Experiment(
    {
        "id": "X42",
        "title": "X42: What does a range cost?",
        "question": "Vectors read at formulas of the index, whose ranges are inferred and proved; under a condition; "
        "and at indices that are checked when the kernel is called: what does each read cost?",
        "look_for": "Proved reads cost what the memory costs, for nothing is checked in their loops. Indices are read "
        "twice: once for the check.",
        "parameter": "elements of the result",
        "where": "",
        "points": [_read(form, length) for form in READS for length in LENGTHS],
    },
    drawn_over("Reads by their subscript", "elements of the result", [f"{length:,}" for length in LENGTHS], log=True),
)
ROWS = Experiment(
    {
        "id": "X43",
        "title": "X43: Rows by index",
        "question": f"6,400 rows of 64 values are looked up in tables of {TABLE_ROWS:,} rows and added. Some rows come "
        "up more often than others, as words do (Zipf's law): how much does it help that rows repeat, and two tables "
        "in one loop?",
        "look_for": "The time falls to the right, where the rows that come up most stay in a cache. Vasilache et al. "
        "2018 fuse two look-ups to launch one kernel; here both are one call anyway.",
        "parameter": "exponent of Zipf's law",
        "where": "",
        "points": [_rows(series, exponent) for series in LOOKED_UP for exponent in EXPONENTS],
    },
    drawn_over(
        "Rows of a table, looked up and added",
        "exponent of Zipf's law",
        [_skew(exponent) for exponent in EXPONENTS],
        log=True,
    ),
)
CHAINS = Experiment(
    {
        "id": "X44",
        "title": "X44: Chains of layers",
        "question": f"One to eight layers of {WIDTH} × {WIDTH} weights in one kernel: statement after statement, or "
        "all statements under one loop over the rows, so that a row of each layer is all that is kept?",
        "look_for": "Both lines rise with the layers. The one loop touches less memory, and pays where the layers "
        "would not stay in a cache.",
        "parameter": "layers",
        "where": "",
        "points": [_chain(layers, shared=shared) for shared in (False, True) for layers in DEPTHS],
    },
    drawn_over("Chains of layers", "layers", [str(depth) for depth in DEPTHS], log=True),
)
