"""y(i) = A(i,j) * x(j) with A in CSR as hand-built loop IR: the runtime's tests need no lowering."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.codegen.c import printer as c
from heddle.conversions import Conversion
from heddle.formats.format import Format, Level
from heddle.loop_ir.nodes import (
    Array,
    ArrayRole,
    Assign,
    Binary,
    Block,
    Const,
    Declare,
    For,
    Function,
    Load,
    Parameter,
    ParameterKind,
    Require,
    Store,
    Var,
)
from heddle.loop_ir.printing.source_text import SourceText
from heddle.notation.nodes import Assignment
from heddle.notation.parser import parse
from heddle.origin import Origin, Role
from heddle.plan import Plan, TensorSpec
from heddle.signature import Signature, TensorSignature

DENSE, COMPRESSED = Level("dense"), Level("compressed")
CSR, VECTOR, SCALAR = Format((DENSE, COMPRESSED), (0, 1)), Format((DENSE,), (0,)), Format((), ())
HERE = Origin(Role.COMPUTE)


@dataclass(frozen=True)
class HandMade:
    """Stands in for the result of a compile."""

    plan: Plan
    signature: Signature
    function: Function | None
    source: SourceText | None
    lowered_graph: None = None
    conversions: tuple[Conversion, ...] = ()
    decomposed: None = None

    @property
    def assignment(self) -> Assignment:
        return parse(self.plan.expression)


def spmv(target: str = "c", dtype: str = "float64", rows: int | None = None, **specs: TensorSpec) -> HandMade:
    """With an optional claim that A has ``rows`` rows, as the command ``bound`` makes it."""
    pos = Array("A2_pos", "int32", ArrayRole.POS, "A", 2)
    crd = Array("A2_crd", "int32", ArrayRole.CRD, "A", 2)
    a, x, y = (Array(f"{name}_vals", dtype, ArrayRole.VALS, name) for name in "Axy")
    product = Binary("*", Load(a, Var("jA")), Load(x, Load(crd, Var("jA"))), dtype)
    inner = For("jA", Load(pos, Var("i")), Load(pos, Binary("+", Var("i"), Const(1))), _add(product, dtype), HERE)
    row = Block(
        (Declare("sum", dtype, Const(0, dtype), HERE, True), inner, Store(y, Var("i"), Var("sum", dtype), HERE))
    )
    loop = For("i", Const(0), Var("A1_dimension"), row, HERE)
    claims = _claims(rows)
    function = Function(
        "kernel",
        (
            Parameter(ParameterKind.DIMENSION, "A1_dimension", "int64", "A", dimension=0),
            Parameter(ParameterKind.ARRAY, "y_vals", dtype, "y", y, output=True),
            Parameter(ParameterKind.ARRAY, "A2_pos", "int32", "A", pos),
            Parameter(ParameterKind.ARRAY, "A2_crd", "int32", "A", crd),
            Parameter(ParameterKind.ARRAY, "A_vals", dtype, "A", a),
            Parameter(ParameterKind.ARRAY, "x_vals", dtype, "x", x),
        ),
        Block((*claims, loop)),
        claims,
    )
    signature = Signature(
        {
            "y": TensorSignature("y", ("i",), VECTOR, dtype, True),
            "A": TensorSignature("A", ("i", "j"), CSR, dtype),
            "x": TensorSignature("x", ("j",), VECTOR, dtype),
        }
    )
    plan = Plan(
        "y(i) = A(i,j) * x(j)", tensors=specs, schedule=("unroll(j, 2)", "bound(i, ib, 3, MaxExact)"), target=target
    )
    return HandMade(plan, signature, function, c.generate(function) if target == "c" else None)


def scale(dtype: str) -> HandMade:
    """y(i) = alpha * x(i): a scalar passed by value."""
    x, y = (Array(f"{name}_vals", dtype, ArrayRole.VALS, name) for name in "xy")
    product = Binary("*", Var("alpha", dtype), Load(x, Var("i")), dtype)
    loop = For("i", Const(0), Var("x1_dimension"), Store(y, Var("i"), product, HERE), HERE)
    function = Function(
        "kernel",
        (
            Parameter(ParameterKind.SCALAR, "alpha", dtype, "alpha"),
            Parameter(ParameterKind.ARRAY, "y_vals", dtype, "y", y, output=True),
            Parameter(ParameterKind.DIMENSION, "x1_dimension", "int64", "x", dimension=0),
            Parameter(ParameterKind.ARRAY, "x_vals", dtype, "x", x),
        ),
        Block((loop,)),
    )
    signature = Signature(
        {
            "y": TensorSignature("y", ("i",), VECTOR, dtype, True),
            "alpha": TensorSignature("alpha", (), SCALAR, dtype),
            "x": TensorSignature("x", ("i",), VECTOR, dtype),
        }
    )
    return HandMade(Plan("y(i) = alpha * x(i)"), signature, function, c.generate(function))


def _add(product: Binary, dtype: str) -> Assign:
    return Assign("sum", product, HERE, "+")


def _claims(rows: int | None) -> tuple[Require, ...]:
    if rows is None:
        return ()
    condition = Binary("==", Var("A1_dimension"), Const(rows), "bool")
    origin = Origin(Role.GUARD, "i", command=1)
    return (Require(condition, 3, f"bound claims that i has {rows} values", origin),)
