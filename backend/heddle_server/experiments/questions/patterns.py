"""What types of sparse formats cost and gain: addresses, packed pairs, memoised sums, work-groups (Pizzuti et al.
2020; docs/sources.toml X10 to X13). Their numbers are quotations beside what is measured here."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import Any

from heddle.targets import OPENCL
from heddle_server.experiments.drawing import times_over
from heddle_server.experiments.experiment import Experiment, Measured, ours, point_of
from heddle_server.experiments.questions.device_studies import WITHOUT_GPU
from heddle_server.figures.heat_map import Cell, heat_map
from heddle_server.figures.theme import axis, layout, plain
from heddle_server.schema.experiment import ExperimentPoint
from heddle_server.schema.run import Figure

ROW = "toNat(offset@(i+1) - offset@i)"
DOT = "map(fun(x => x.2 * (xs@x.1))) :>> reduce(+, 0)"
SUMS = (
    f"nFun(n => fun(offset: [int]_{{n+1}} => fun(values: [i -> [float]_{{{ROW}}}]_n => "
    "values :>> map(reduce(+, 0.0)))))"
)


def spmv(dtype: str, *, packed: bool = False, lengths: bool = False) -> str:
    """A matrix of rows times a vector: its columns and values in one array of pairs, or each in its own; the rows found
    by offsets, or by lengths."""
    row = "toNat(lengths@i)" if lengths else ROW
    where = "lengths: [int]_n" if lengths else "offset: [int]_{n+1}"
    head = f"nFun(n => nFun(m => fun({where} => "
    if packed:
        return f"{head}fun(rows: [i -> [(int, {dtype})]_{{{row}}}]_n => fun(xs: [{dtype}]_m => rows :>> map({DOT}))))))"
    return (
        f"{head}fun(cols: [i -> [int]_{{{row}}}]_n => fun(vals: [i -> [{dtype}]_{{{row}}}]_n => fun(xs: [{dtype}]_m => "
        f"zip(cols, vals) :>> map(fun(r => zip(r.1, r.2) :>> {DOT}))))))))"
    )


def _point(
    series: str, value: float, text: str, arguments: dict[str, str], matrix: dict[str, Any], **more: Any
) -> ExperimentPoint:
    label = more.pop("label", None)
    plan: dict[str, Any] = {
        "version": 2,
        "language": "patterns",
        "expression": text,
        "arguments": arguments,
        "inputs": {"A": matrix},
        "run": {"baselines": [], "threads": 1},
        **more,
    }
    return point_of(series, value, plan, label)  # type: ignore[arg-type]


GENERATED = "matrices are generated, where the paper has 29 of SuiteSparse on a GPU"

STRATEGIES = ("loop", "closed", "memo")
ROWS = (1024, 2048, 4096, 8192, 16_384, 32_768)


def _draw_addresses(measured: Sequence[Measured]) -> Figure:
    return plain(times_over(measured, "Row sums, rows found in three ways", "rows", [str(n) for n in ROWS], log=True))


ADDRESSES = Experiment(
    {
        "id": "pattern-addresses",
        "title": "X10: What an address costs",
        "question": "The sums of the rows of a band of 9 diagonals: a row begins where a loop adds it up, where a "
        "formula says, or where an array that was added up beforehand says.",
        "look_for": "With twice the rows, the loop takes four times as long, for it adds n(n − 1)/2 lengths; formula "
        "and array take twice as long.",
        "parameter": "rows",
        "where": "",
        "points": [
            _point(
                strategy,
                rows,
                SUMS,
                {"offset": "A.pos", "values": "A.vals"},
                {"generator": "banded", "shape": [rows, rows], "bandwidth": 4, "seed": 1},
                schedule=[f"sums(values, {strategy})"],
            )
            for rows in ROWS
            for strategy in STRATEGIES
        ],
    },
    _draw_addresses,
    scale=GENERATED,
)

PER_ROW = (2, 8, 32, 128)
SIDE = 16_384


def _draw_packed(measured: Sequence[Measured]) -> Figure:
    labels = [str(count) for count in PER_ROW]
    return plain(
        times_over(measured, "Pairs in one array, and arrays of their own", "entries in a row", labels, log=True)
    )


PACKED = Experiment(
    {
        "id": "pattern-packed",
        "title": "X11: Packed pairs",
        "question": "Columns and values of a matrix in one array of pairs, or each in an array of its own: which is "
        "faster, for narrow and for wide values?",
        "look_for": "A pair of int and float has 8 bytes either way; one of int and double has 16, of which 4 are "
        "padding, where two arrays have 12. Pizzuti et al. 2020 report up to 1.35 times the speed for packed pairs on "
        "their GPU.",
        "parameter": "entries in a row",
        "where": "",
        "points": [
            _point(
                f"{dtype}, {'pairs' if packed else 'two arrays'}",
                count,
                spmv(dtype, packed=packed),
                {"offset": "A.pos", "xs": "x"}
                | ({"rows": "A.entries"} if packed else {"cols": "A.crd", "vals": "A.vals"}),
                {"generator": "uniform", "shape": [SIDE, SIDE], "nnz": SIDE * count, "seed": 1},
            )
            for count in PER_ROW
            for dtype in ("float", "double")
            for packed in (True, False)
        ],
    },
    _draw_packed,
    scale=GENERATED,
)

FAMILIES: dict[str, dict[str, Any]] = {
    "uniform": {"generator": "uniform", "shape": [SIDE, SIDE], "nnz": 200_000, "seed": 1},
    "band": {"generator": "banded", "shape": [SIDE, SIDE], "bandwidth": 6, "seed": 1},
    "power law": {"generator": "rmat", "shape": [SIDE, SIDE], "nnz": 200_000, "seed": 1},
    "one dense row": {"generator": "dense-row", "shape": [SIDE, SIDE], "nnz": 200_000, "seed": 1},
}


def _draw_memoised(measured: Sequence[Measured]) -> Figure:
    return plain(times_over(measured, "Lengths with their sums kept, and offsets", "rows", list(FAMILIES)))


MEMOISED = Experiment(
    {
        "id": "pattern-memoised",
        "title": "X12: Lists of lists with their sums kept",
        "question": "A matrix whose type has lengths of rows, whose sums the runtime adds up once, beside one whose "
        "type has offsets: is it the same kernel?",
        "look_for": "Both lines on top of each other: kept sums of lengths are the offsets of CSR. What adding them up "
        "takes is preparation, which each run shows.",
        "parameter": "rows",
        "where": "",
        "points": [
            _point(
                "lengths, memoised" if lengths else "offsets",
                number,
                spmv("double", lengths=lengths),
                {("lengths" if lengths else "offset"): f"A.{'lengths' if lengths else 'pos'}"}
                | {"cols": "A.crd", "vals": "A.vals", "xs": "x"},
                matrix,
                label=family,
            )
            for number, (family, matrix) in enumerate(FAMILIES.items())
            for lengths in (True, False)
        ],
    },
    _draw_memoised,
    scale=GENERATED,
)

GROUPS, HANDS = (1, 4, 16, 64), (1, 4, 16)


def in_groups(rows: int, hands: int) -> str:
    """Work-groups of so many rows, each row dealt to so many threads, whose sums meet in local memory."""
    return (
        f"nFun(n => nFun(m => fun(offset: [int]_{{n+1}} => fun(cols: [i -> [int]_{{{ROW}}}]_n => "
        f"fun(vals: [i -> [float]_{{{ROW}}}]_n => fun(xs: [float]_m => zip(cols, vals) :>> splitUp({rows}) :>> "
        f"mapWorkgroup(fun(rows => rows :>> mapSeq(fun(r => zip(r.1, r.2) :>> deal({hands}) :>> "
        "mapLocal(map(fun(x => x.2 * (xs@x.1))) :>> reduceSeq(+, 0)) :>> toLocal :>> reduce(+, 0))))) :>> join))))))"
    )


def best_and_regret(times: dict[str, dict[str, float]]) -> tuple[str, float]:
    """Of times by matrix and configuration: the one configuration that is best for all, by the geometric mean, and how
    many times as long it takes as the best one for each matrix."""
    shared = set.intersection(*(set(time) for time in times.values()))
    means = {
        configuration: exp(sum(log(time[configuration]) for time in times.values()) / len(times))
        for configuration in sorted(shared)
    }
    single = min(means, key=lambda configuration: means[configuration])
    each = exp(sum(log(min(time.values())) for time in times.values()) / len(times))
    return single, means[single] / each


def _draw_groups(measured: Sequence[Measured]) -> Figure:
    """A heat map: rows of a group across, threads of a row of each matrix up; the colour and the number in each cell
    say how near its time is to the best for the matrix. The title says what one choice for all costs."""
    times: dict[str, dict[str, float]] = {}
    for measurement in measured:
        hands, family = measurement.point["series"].split(", ")
        times.setdefault(family, {})[f"{measurement.point['label']} rows, {hands}"] = (
            ours(measurement.result)["median_ns"] or 1.0
        )
    rows: dict[str, dict[str, Cell]] = {}
    for measurement in measured:
        hands, family = measurement.point["series"].split(", ")
        near = min(times[family].values()) / times[family][f"{measurement.point['label']} rows, {hands}"]
        rows.setdefault(measurement.point["series"], {})[measurement.point["label"]] = Cell(near, f"{near:.2f}")
    figure, names = heat_map(rows, "groups of %{x} rows, {row}: %{text} of the speed of the best for this matrix")
    title = "Speed over the best for the matrix (brighter is faster)"
    if set.intersection(*(set(time) for time in times.values())):
        single, regret = best_and_regret(times)
        title = f"One choice for all, {single}: {regret:.2f} times the best of each"
    across = axis("rows of a group", type="category", categoryarray=[str(group) for group in GROUPS], showgrid=False)
    figure.update_layout(layout(title, measured[-1].result, xaxis=across, yaxis=names))
    return plain(figure)


WORKGROUPS = Experiment(
    {
        "id": "pattern-workgroups",
        "title": "X13: Rows of a group and threads of a row",
        "question": "How many rows a work-group takes, and how many threads a row: does one choice suit all matrices?",
        "look_for": "The brightest cells of each matrix, and whether they are the same. Pizzuti et al. 2020 report 1.7 "
        "times the speed of cuSPARSE for the best choice of each matrix and 1.21 times for one choice, on their GPU.",
        "parameter": "rows of a group",
        "where": WITHOUT_GPU,
        "points": [
            _point(
                f"{hands} threads, {family}",
                rows,
                in_groups(rows, hands),
                {"offset": "A.pos", "cols": "A.crd", "vals": "A.vals", "xs": "x"},
                matrix,
                target=OPENCL.name,
                label=str(rows),
            )
            for family, matrix in list(FAMILIES.items())[:3]
            for hands in HANDS
            for rows in GROUPS
        ],
    },
    _draw_groups,
)
