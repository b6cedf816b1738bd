"""Kernels of vectors written by hand: together they have every node that makes, moves or computes lanes, each with what
NumPy gives. All values are integers, so that results are the same in every order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from heddle.loop_ir.dtypes import vector_dtype
from heddle.loop_ir.nodes import (
    BOOL,
    Array,
    Assign,
    Binary,
    Broadcast,
    Const,
    Declare,
    Expr,
    For,
    Function,
    Gather,
    Keep,
    LaneRange,
    Lanes,
    LaneSum,
    Load,
    LoopKind,
    Scatter,
    Stmt,
    Store,
    Unary,
    Var,
    VectorLoad,
    VectorStore,
)
from tests.compiler.loop_ir import kernels
from tests.compiler.loop_ir.kernels import AT_I, COMPUTE, ZERO, block, dimension, mul, operand, output
from tests.compiler.loop_ir.problems import Arguments, Problem

DTYPES = ("float64", "float32", "int32")
COUNTS = (2, 4, 8, 16, 32, 6, 12, 24)
GARBAGE = 113
"""What outputs hold before (``Problem.fresh``)."""
COMPARED = {"==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater,
            ">=": np.greater_equal}  # fmt: skip


class Kernels:
    """The kernels of one dtype and one number of lanes."""

    def __init__(self, dtype: str, count: int) -> None:
        self.dtype, self.count = dtype, count
        self.vector, self.mask, self.indices = (vector_dtype(one, count) for one in (dtype, BOOL, "int32"))
        self.x, self.z, self.y = (kernels.vals(name, dtype) for name in "xzy")
        self.c, self.d = kernels.crd("x", 1), kernels.crd("z", 1)
        rng = np.random.default_rng(count)
        self.x_vals, self.z_vals = (rng.integers(1, 5, 4 * count).astype(dtype) for _ in range(2))
        self.c_crd = rng.permutation(count).astype(np.int32)
        self.d_crd = rng.integers(0, count, count).astype(np.int32)

    def problems(self) -> Iterator[Problem]:
        yield self.stores()
        yield self.same_in_all_lanes()
        yield self.arithmetic()
        for lower, upper in self.ranges():
            yield self.range_of_lanes(lower, upper)
        yield self.gathers()
        yield self.scatters()
        yield self.comparisons()
        yield self.vectors_that_outlive_lanes()
        yield self.threads()
        if not self.count & (self.count - 1):
            yield from (self.sum_of_lanes(size) for size in (0, 1, self.count, 3 * self.count + 1))

    def ranges(self) -> list[tuple[int, int]]:
        """Below, inside and beyond the lanes; empty, and turned round."""
        last = self.count
        return [(0, last), (0, 0), (-3, last + 5), (1, last - 1), (last, 2 * last), (-5, -1), (2, 1), (-70, 1)]

    # ----------------------------------------------------------------------------------------------- kernels

    def stores(self) -> Problem:
        reductions, body, expected = (None, "+", "*"), [], self.garbage(3 * self.count + 1)
        loaded = self.x_vals[1 : 1 + self.count]
        for place, reduce in enumerate(reductions):
            start = place * self.count + 1
            body.append(VectorStore(self.y, Const(start), self.load(1), COMPUTE, reduce))
            part = expected[start : start + self.count]
            part[:] = {None: loaded, "+": part + loaded, "*": part * loaded}[reduce]
        return self.problem("stores", block(self.lanes(*body)), expected)

    def same_in_all_lanes(self) -> Problem:
        """Among them values that C would take for scalars where it needs a register."""
        of_x = Broadcast(Load(self.x, Const(2)), self.count)
        values: list[tuple[Expr, object]] = [
            (of_x, self.x_vals[2]),
            (self.binary("+", self.load(0), of_x), self.x_vals[: self.count] + self.x_vals[2]),
            (self.same(0), 0),
            (self.binary("*", of_x, self.same(3)), 3 * self.x_vals[2]),
            (Unary("-", self.same(7), self.vector), -7),
        ]
        if self.dtype != "int32":
            values.append((Broadcast(Const(-0.0, self.dtype), self.count), -0.0))
        return self._stored("same in all lanes", values)

    def arithmetic(self) -> Problem:
        x, z = self.load(0), self.load(self.count, self.z)
        first, second = self.x_vals[: self.count], self.z_vals[self.count : 2 * self.count]
        minus = Unary("-", self.binary("-", x, z), self.vector)
        values: list[tuple[Expr, object]] = [
            (self.binary("-", x, self.binary("-", z, x)), 2 * first - second),
            (self.binary("*", self.binary("+", x, z), z), (first + second) * second),
            (minus, -(first - second)),
            (Unary("-", Unary("-", x, self.vector), self.vector), first),
        ]
        if self.dtype != "int32":
            quotient = self.binary("/", x, self.binary("/", self.same(8), self.same(2)))
            values.append((quotient, first / np.dtype(self.dtype).type(4)))
        return self._stored("arithmetic", values)

    def range_of_lanes(self, lower: int, upper: int) -> Problem:
        """The masked load ends where its array does."""
        kept = Var("kept", self.mask)
        body = self.lanes(
            Declare("kept", self.mask, LaneRange(Var("lower"), Var("upper"), self.count), COMPUTE),
            VectorStore(self.y, ZERO, VectorLoad(self.x, ZERO, self.count, kept), COMPUTE),
            VectorStore(self.y, Const(self.count), Keep(self.load(0, self.z), kept), COMPUTE),
            VectorStore(self.y, Const(2 * self.count), Keep(self.same(5), kept), COMPUTE),
        )
        numbers = np.arange(self.count)
        inside = (numbers >= lower) & (numbers < upper)
        parts = [np.where(inside, one, 0) for one in (self.x_vals[: self.count], self.z_vals[: self.count], 5)]
        made = self.problem("range of lanes", block(body), np.concatenate(parts), lower=lower, upper=upper)
        made.arguments["x_vals"] = self.x_vals[: max(0, min(upper, self.count))].copy()
        return made

    def gathers(self) -> Problem:
        """Subscripts of lanes that a mask leaves out may lie outside of the array."""
        kept, at, wild = Var("kept", self.mask), Var("at", self.indices), Var("wild", self.indices)
        tests = [Binary(">=", wild, self.number(0), self.mask), Binary("<", wild, self.number(self.count), self.mask)]
        body = self.lanes(
            Declare("at", self.indices, VectorLoad(self.c, ZERO, self.count), COMPUTE),
            Declare("wild", self.indices, VectorLoad(self.d, ZERO, self.count), COMPUTE),
            Declare("kept", self.mask, Binary("&&", tests[0], tests[1], self.mask), COMPUTE),
            VectorStore(self.y, ZERO, Gather(self.x, at), COMPUTE),
            VectorStore(self.y, Const(self.count), Gather(self.x, wild, kept), COMPUTE),
            VectorStore(self.y, Const(2 * self.count), Gather(self.x, self.number(1)), COMPUTE),
        )
        subscripts = self.d_crd.copy()
        subscripts[:2] = -1, self.count
        inside = (subscripts >= 0) & (subscripts < self.count)
        masked = np.where(inside, self.x_vals[np.where(inside, subscripts, 0)], 0)
        expected = np.concatenate((self.x_vals[self.c_crd], masked, np.full(self.count, self.x_vals[1])))
        made = self.problem("gathers", block(body), expected)
        made.arguments.update(z1_crd=subscripts, x_vals=self.x_vals[: self.count].copy())
        return made

    def scatters(self) -> Problem:
        """To places of a permutation, moved on from one scatter to the next."""
        reductions, body, expected = (None, "+", "*"), [], self.garbage(3 * self.count)
        for place, reduce in enumerate(reductions):
            at = Binary("+", Var("at", self.indices), self.number(place * self.count), self.indices)
            body.append(Scatter(self.y, at, self.load(0), COMPUTE, reduce))
            where, loaded = self.c_crd + place * self.count, self.x_vals[: self.count]
            old = expected[where]
            expected[where] = {None: loaded, "+": old + loaded, "*": old * loaded}[reduce]
        declared = Declare("at", self.indices, VectorLoad(self.c, ZERO, self.count), COMPUTE)
        return self.problem("scatters", block(self.lanes(declared, *body)), expected)

    def comparisons(self) -> Problem:
        """Of two vectors, and with a number on either side."""
        body: list[Stmt] = [
            Declare("c", self.indices, VectorLoad(self.c, ZERO, self.count), COMPUTE),
            Declare("d", self.indices, VectorLoad(self.d, ZERO, self.count), COMPUTE),
        ]
        expected, middle = [], self.count // 2
        sides = {"c": self.c_crd, "d": self.d_crd, "one": np.full(self.count, middle)}
        for number, (operator, (left, right)) in enumerate(product(COMPARED, ("cd", ("c", "one"), ("one", "d")))):
            first, second = (
                self.number(middle) if side == "one" else Var(side, self.indices) for side in (left, right)
            )
            body.append(Declare(f"kept{number}", self.mask, Binary(operator, first, second, self.mask), COMPUTE))
            value = Keep(self.load(0), Var(f"kept{number}", self.mask))
            body.append(VectorStore(self.y, Const(number * self.count), value, COMPUTE))
            holds = COMPARED[operator](sides[left], sides[right])
            expected.append(np.where(holds, self.x_vals[: self.count], 0))
        return self.problem("comparisons", block(self.lanes(*body)), np.concatenate(expected))

    def vectors_that_outlive_lanes(self) -> Problem:
        v, w = Var("v", self.vector), Var("w", self.vector)
        first, second = self.x_vals, self.z_vals[: self.count]
        moved = VectorLoad(self.x, AT_I, self.count)
        body = block(
            Declare("v", self.vector, Broadcast(Load(self.z, ZERO), self.count), COMPUTE, mutable=True),
            Declare("w", self.vector, self.same(9), COMPUTE, mutable=True),
            For("i", ZERO, Const(3), block(self.lanes(Assign("v", moved, COMPUTE, "+"))), COMPUTE),
            self.lanes(Assign("v", self.load(0, self.z), COMPUTE, "*")),
            self.lanes(VectorStore(self.y, ZERO, v, COMPUTE)),
            Assign("w", self.same(4), COMPUTE),
            self.lanes(VectorStore(self.y, Const(self.count), w, COMPUTE)),
            self.lanes(Assign("w", self.same(6), COMPUTE), VectorStore(self.y, Const(2 * self.count), w, COMPUTE)),
            self.lanes(Assign("w", v, COMPUTE), VectorStore(self.y, Const(3 * self.count), w, COMPUTE)),
        )
        total = sum(first[start : start + self.count] for start in range(3)) + second[0]
        parts = [total * second, np.full(self.count, 4), np.full(self.count, 6), total * second]
        return self.problem("vectors that outlive lanes", body, np.concatenate(parts))

    def threads(self) -> Problem:
        """Each with its own vector."""
        start = mul(AT_I, Const(self.count))
        row = block(
            Declare("v", self.vector, self.same(2), COMPUTE, mutable=True),
            self.lanes(Assign("v", VectorLoad(self.x, start, self.count), COMPUTE, "*")),
            self.lanes(VectorStore(self.y, start, Var("v", self.vector), COMPUTE)),
        )
        loop = For("i", ZERO, Const(4), row, COMPUTE, LoopKind.CPU_THREAD)
        return self.problem("threads", block(loop), 2 * self.x_vals)

    def sum_of_lanes(self, size: int) -> Problem:
        """``lower`` is not used: it keeps the parameters those of all kernels."""
        made = self.problem("sum of lanes", sum_of_products(self), self.garbage(1), lower=0, upper=size)
        made.arguments.update(x_vals=self.x_vals[:size].copy(), z_vals=self.z_vals[:size].copy())
        made.expected["y_vals"][:] = self.x_vals[:size] @ self.z_vals[:size]
        return made

    # ------------------------------------------------------------------------------------------------- parts

    def lanes(self, *body: Stmt) -> Lanes:
        return Lanes("k", self.count, block(*body), COMPUTE)

    def load(self, start: int, array: Array | None = None) -> VectorLoad:
        return VectorLoad(array or self.x, Const(start), self.count)

    def same(self, value: float) -> Broadcast:
        return Broadcast(Const(value if self.dtype == "int32" else float(value), self.dtype), self.count)

    def number(self, value: int) -> Broadcast:
        return Broadcast(Const(value, "int32"), self.count)

    def binary(self, operator: str, left: Expr, right: Expr) -> Binary:
        return Binary(operator, left, right, self.vector)

    def garbage(self, size: int) -> NDArray[np.generic]:
        return np.full(size, GARBAGE, self.dtype)

    def _stored(self, name: str, values: list[tuple[Expr, object]]) -> Problem:
        """Each value is stored after the one before."""
        stores = [
            VectorStore(self.y, Const(place * self.count), value, COMPUTE) for place, (value, _) in enumerate(values)
        ]
        expected = [np.broadcast_to(np.asarray(one, self.dtype), self.count) for _, one in values]
        return self.problem(name, block(self.lanes(*stores)), np.concatenate(expected))

    def problem(self, name: str, body: Stmt, expected: NDArray[np.generic], lower: int = 0, upper: int = 0) -> Problem:
        function = kernels.function(
            body,  # type: ignore[arg-type]
            dimension("lower", "y", 0),
            dimension("upper", "y", 1),
            output(self.y),
            *(operand(one) for one in (self.x, self.z, self.c, self.d)),
        )
        function = replace(function, name=f"{name.replace(' ', '_')}_{self.dtype}_{self.count}")
        arguments: Arguments = {
            "lower": lower,
            "upper": upper,
            "y_vals": np.zeros(len(expected), self.dtype),
            "x_vals": self.x_vals,
            "z_vals": self.z_vals,
            "x1_crd": self.c_crd,
            "z1_crd": self.d_crd,
        }
        return Problem(f"{name}, {self.vector}", function, arguments, {"y_vals": expected.astype(self.dtype)})


def sum_of_products(own: Kernels) -> Stmt:
    """``y = x(j) * z(j)`` over ``upper`` elements: a sum for each lane, then that of the lanes."""
    at, kept = Var("j"), Var("kept", own.mask)
    x, z = (VectorLoad(array, at, own.count, kept) for array in (own.x, own.z))
    left = LaneRange(ZERO, Binary("-", Var("upper"), at, "int64"), own.count)
    inside = own.lanes(Declare("kept", own.mask, left, COMPUTE), Assign("sums", own.binary("*", x, z), COMPUTE, "+"))
    zero = Const(0 if own.dtype == "int32" else 0.0, own.dtype)
    return block(
        Declare("sums", own.vector, Broadcast(zero, own.count), COMPUTE, mutable=True),
        Declare("total", own.dtype, zero, COMPUTE, mutable=True),
        For("j", ZERO, Var("upper"), block(inside), COMPUTE, step=own.count),
        Assign("total", LaneSum(Var("sums", own.vector)), COMPUTE, "+"),
        Store(own.y, ZERO, Var("total", own.dtype), COMPUTE),
    )


def mixed(count: int) -> Problem:
    """Vectors of floats of both sizes side by side: a register has as many lanes of the short ones as of the long."""
    own, short = Kernels("float64", count), Kernels("float32", count)
    w, v = kernels.vals("w", "float32"), kernels.vals("v", "float32")
    indices, kept = Var("at", own.indices), Var("kept", own.mask)
    body = own.lanes(
        Declare("at", own.indices, VectorLoad(own.c, ZERO, count), COMPUTE),
        Declare("kept", own.mask, LaneRange(Const(1), Const(count - 1), count), COMPUTE),
        VectorStore(own.y, ZERO, Gather(own.x, indices, kept), COMPUTE),
        VectorStore(v, ZERO, Gather(w, indices), COMPUTE),
        VectorStore(v, Const(count), Gather(w, indices, kept), COMPUTE),
        VectorStore(v, Const(2 * count), VectorLoad(w, ZERO, count, kept), COMPUTE),
        VectorStore(v, Const(3 * count), Keep(VectorLoad(w, ZERO, count), kept), COMPUTE),
    )
    inside = (np.arange(count) >= 1) & (np.arange(count) < count - 1)
    parameters = (output(own.y), output(v), operand(own.x), operand(w), operand(own.c))
    function: Function = replace(kernels.function(block(body), *parameters), name=f"mixed_{count}")
    gathered, plain = short.x_vals[own.c_crd], np.where(inside, short.x_vals[:count], 0)
    expected = {
        "y_vals": np.where(inside, own.x_vals[own.c_crd], 0),
        "v_vals": np.concatenate((gathered, np.where(inside, gathered, 0), plain, plain)).astype("float32"),
    }
    arguments: Arguments = {
        "x_vals": own.x_vals,
        "w_vals": short.x_vals,
        "x1_crd": own.c_crd,
        **{name: np.zeros_like(one) for name, one in expected.items()},
    }
    return Problem(f"mixed, {count} lanes", function, arguments, expected)
