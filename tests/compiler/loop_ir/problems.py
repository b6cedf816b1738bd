"""Small inputs for the hand-written kernels, with the result that NumPy computes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from heddle.loop_ir.nodes import Function, LoopKind
from tests.compiler.loop_ir import kernels

Arguments = dict[str, int | float | complex | np.ndarray]


@dataclass(frozen=True)
class Problem:
    """``expected`` maps each output to what it must hold afterwards."""

    name: str
    function: Function
    arguments: Arguments
    expected: dict[str, np.ndarray]

    def fresh(self) -> Arguments:
        """The arguments with outputs full of garbage."""
        return {
            name: np.full_like(value, 113) if name in self.expected else value  # type: ignore[call-overload]
            for name, value in self.arguments.items()
        }


def matrix(rows: int, columns: int, density: float, seed: int) -> sp.csr_array:
    generator = np.random.default_rng(seed)
    dense = generator.integers(1, 5, (rows, columns)) * generator.choice([-1.0, 1.0], (rows, columns))
    dense[generator.random((rows, columns)) >= density] = 0
    return sp.csr_array(dense)


def spmv(name: str, function: Function, rows: int, columns: int, density: float, seed: int = 1) -> Problem:
    a = matrix(rows, columns, density, seed)
    x = np.arange(1.0, columns + 1)
    arguments: Arguments = {
        "x1_dimension": columns,
        "y1_dimension": rows,
        "y_vals": np.zeros(rows),
        "A2_pos": a.indptr.astype(np.int32),
        "A2_crd": a.indices.astype(np.int32),
        "A_vals": a.data,
        "x_vals": x,
    }
    named = {parameter.name: arguments[parameter.name] for parameter in function.parameters}
    return Problem(name, function, named, {"y_vals": a @ x})


def spmm() -> Problem:
    a, b = matrix(6, 5, 0.4, 3), np.arange(15.0).reshape(5, 3)
    arguments: Arguments = {
        "C1_dimension": 6,
        "C2_dimension": 3,
        "C_vals": np.zeros(18),
        "A2_pos": a.indptr.astype(np.int32),
        "A2_crd": a.indices.astype(np.int32),
        "A_vals": a.data,
        "B_vals": b.ravel(),
    }
    return Problem("spmm", kernels.spmm(), arguments, {"C_vals": (a @ b).ravel()})


def union(name: str, a: dict[int, float], b: dict[int, float]) -> Problem:
    y = np.zeros(12)
    arguments: Arguments = {"y1_dimension": 12, "y_vals": np.zeros(12)}
    for tensor, entries in (("a", a), ("b", b)):
        arguments[f"{tensor}1_pos"] = np.array([0, len(entries)], np.int32)
        arguments[f"{tensor}1_crd"] = np.array(sorted(entries), np.int32)
        arguments[f"{tensor}_vals"] = np.array([entries[i] for i in sorted(entries)], float)
        for coordinate, entry in entries.items():
            y[coordinate] += entry
    return Problem(name, kernels.vector_union(), arguments, {"y_vals": y})


def dot(operator: str, kind: LoopKind, values: list[float], dtype: str = "float64") -> Problem:
    x = np.array(values, dtype)
    fold = {"+": np.sum, "*": np.prod, "min": np.min, "max": np.max}[operator]
    expected = np.array([fold(x)], dtype)
    arguments: Arguments = {"x1_dimension": len(x), "y_vals": np.zeros(1, dtype), "x_vals": x}
    return Problem(f"dot {operator} {kind}", kernels.dot(kind, operator, dtype), arguments, {"y_vals": expected})


def histogram(operator: str, dtype: str, kind: LoopKind = LoopKind.CPU_THREAD) -> Problem:
    coordinates = np.array([0, 2, 2, 0, 3, 2], np.int32)
    x = np.array([1, 0, 3, 2, 1, 2], dtype)
    function = kernels.histogram(operator, dtype, kind)
    ufunc = {"+": np.add, "*": np.multiply, "min": np.minimum, "max": np.maximum}[operator]
    y = np.full(5, {"+": 0, "*": 1}.get(operator, 0), dtype)
    if operator in ("min", "max"):
        from heddle.loop_ir.dtypes import reduction_identity

        y = np.full(5, reduction_identity(operator, dtype), dtype)
    ufunc.at(y, coordinates, x)
    arguments: Arguments = {
        "y1_dimension": 5,
        "x1_dimension": 6,
        "y_vals": np.zeros(5, dtype),
        "x1_crd": coordinates,
        "x_vals": x,
    }
    return Problem(f"histogram {operator} {dtype} {kind}", function, arguments, {"y_vals": y})


THREAD, VECTOR, SERIAL = LoopKind.CPU_THREAD, LoopKind.CPU_VECTOR, LoopKind.SERIAL

PROBLEMS = [
    spmv("spmv", kernels.spmv(), 7, 5, 0.4),
    spmv("spmv threads", kernels.spmv(THREAD), 7, 5, 0.4),
    spmv("spmv unrolled", kernels.spmv(unroll=3), 7, 5, 0.6),
    spmv("spmv empty", kernels.spmv(), 4, 3, 0.0),
    spmv("spmv no rows", kernels.spmv(), 0, 3, 0.5),
    spmv("spmv by position", kernels.spmv_by_position(3), 9, 6, 0.3),
    spmv("spmv by position, empty rows", kernels.spmv_by_position(2), 14, 4, 0.12, 5),
    spmv("spmv by position, empty", kernels.spmv_by_position(4), 5, 5, 0.0),
    spmv("spmv by position, one piece", kernels.spmv_by_position(1000), 5, 5, 0.5),
    spmv("row workspace", kernels.row_workspace(), 6, 5, 0.5),
    spmm(),
    union("union", {1: 2.0, 3: 4.0, 9: 1.0}, {0: 1.0, 3: 0.5, 11: 7.0}),
    union("union, one empty", {}, {0: 1.0, 3: 0.5}),
    union("union, both empty", {}, {}),
    *(
        dot(operator, kind, [3.0, -1.5, 2.0, 7.0, 0.25])
        for operator in ("+", "*", "min", "max")
        for kind in (THREAD, VECTOR)
    ),
    dot("min", THREAD, [1.0, float("nan"), 2.0]),
    dot("+", THREAD, [0.1, 0.2, 0.3], "float32"),
    *(
        histogram(operator, dtype)
        for operator in ("+", "*", "min", "max")
        for dtype in ("float64", "float32", "int32", "int64", "uint8")
    ),
    *(histogram(operator, dtype) for operator in ("+", "*") for dtype in ("complex64", "complex128", "bool")),
    histogram("+", "float64", VECTOR),
    histogram("min", "bool"),
]
