"""What the verifier accepts and refuses of workspaces, allocated results and maps; and how these are printed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heddle.diagnostics import InternalError
from heddle.loop_ir.nodes import (
    INDEX,
    Allocate,
    AllocateMap,
    AllocateResult,
    Array,
    ArrayRole,
    ClearMap,
    Const,
    Declare,
    Expr,
    Fill,
    For,
    Function,
    Grow,
    If,
    LoopKind,
    Map,
    MapSize,
    Parameter,
    ParameterKind,
    Scan,
    Slot,
    Sort,
    SortMap,
    Stmt,
    Store,
    Var,
)
from heddle.loop_ir.passes.simplify import simplify
from heddle.loop_ir.printing.printer import print_flat, print_structured
from heddle.loop_ir.verification.verify import verify
from tests.compiler.loop_ir import assembly_kernels, kernels
from tests.compiler.loop_ir.assembly_kernels import TRUE, allocated
from tests.compiler.loop_ir.kernels import COMPUTE, ONE, ZERO, add, block

R, Y, C = kernels.crd("R", 1), kernels.vals("y"), kernels.crd("x", 1)
W, LIST = kernels.workspace("w"), Array("list", "int32", ArrayRole.CRD)
TABLE = Map("table", "float64")
N, THREADS = Var("n"), LoopKind.CPU_THREAD
PARAMETERS = (
    Parameter(ParameterKind.DIMENSION, "n", INDEX, "y", dimension=0),
    kernels.output(Y),
    kernels.operand(C),
)
NEW = AllocateMap(TABLE, COMPUTE)
SLOT = Slot("slot", TABLE, ZERO, COMPUTE)
RESULT = AllocateResult(R, N, COMPUTE)


def loop(*body: Stmt, kind: LoopKind = THREADS, private: tuple[Allocate | AllocateMap, ...] = ()) -> For:
    return For("i", ZERO, N, block(*body), COMPUTE, kind, private=private)


def value(expression: Expr) -> Declare:
    return Declare("value", INDEX, expression, COMPUTE)


@pytest.mark.parametrize("name", assembly_kernels.KERNELS)
def test_hand_written_kernels_are_valid(name: str) -> None:
    verify(assembly_kernels.KERNELS[name])
    verify(simplify(assembly_kernels.KERNELS[name]))


def test_what_one_iteration_allocates_it_may_grow() -> None:
    body = (Allocate(LIST, ONE, COMPUTE), Grow(LIST, N, COMPUTE))
    verify(Function("kernel", PARAMETERS, block(loop(*body))))
    verify(Function("kernel", PARAMETERS, block(loop(body[1], private=(body[0],)))))


BROKEN: list[tuple[str, tuple[Stmt, ...]]] = [
    ("'R1_crd' is never allocated", ()),
    ("the result 'R1_crd' is used before it is allocated", (Store(R, ZERO, ZERO, COMPUTE), RESULT)),
    ("'R1_crd' is not a result that is still to be allocated", (RESULT, RESULT)),
    ("'y_vals' is not a result that is still to be allocated", (RESULT, AllocateResult(Y, N, COMPUTE))),
    ("the result 'R1_crd' is allocated inside a nested block", (If(TRUE, block(RESULT), COMPUTE),)),
    ("'R1_crd' is declared again", (Declare("R1_crd", INDEX, ZERO, COMPUTE), RESULT)),
    ("'y_vals' cannot grow: the kernel did not allocate it", (RESULT, Grow(Y, N, COMPUTE))),
    ("the array 'x1_crd' is read-only", (RESULT, Grow(C, N, COMPUTE))),
    ("'R1_crd' grows inside a parallel loop whose iterations share it", (RESULT, loop(Grow(R, N, COMPUTE)))),
    ("a size must be int64, found bool", (RESULT, Grow(R, TRUE, COMPUTE))),
    ("a prefix sum of 'y_vals' of float64", (RESULT, Scan(Y, N, COMPUTE))),
    ("the array 'x1_crd' is read-only", (RESULT, Scan(C, N, COMPUTE))),
    ("a kernel cannot stop inside a parallel loop", (RESULT, loop(Scan(R, N, COMPUTE)))),
    ("a sort of 'y_vals' of float64", (RESULT, Sort(Y, ZERO, N, COMPUTE))),
    ("a bound must be int64, found bool", (RESULT, Sort(R, ZERO, TRUE, COMPUTE))),
    ("the map 'table' is not allocated", (RESULT, SLOT)),
    ("the map 'table' is not allocated", (RESULT, value(MapSize(TABLE)))),
    ("'table' is not the map that was declared", (RESULT, NEW, SortMap(Map("table", "float32"), COMPUTE))),
    ("'table' is declared again", (RESULT, NEW, NEW)),
    ("'table' is a map, not a scalar", (RESULT, NEW, value(Var("table")))),
    ("the array 'table_keys' is read-only", (RESULT, NEW, Store(TABLE.keys, ZERO, ZERO, COMPUTE))),
    ("a key of 'table' must be int64, found bool", (RESULT, NEW, replace(SLOT, key=TRUE))),
    ("'slot' is declared again", (RESULT, NEW, SLOT, SLOT)),
    ("'n' is declared again", (RESULT, NEW, replace(SLOT, new="n"))),
    ("the map 'table' changes inside a parallel loop whose iterations share it", (RESULT, NEW, loop(SLOT))),
    ("the map 'table' changes inside a parallel loop", (RESULT, NEW, loop(ClearMap(TABLE, COMPUTE)))),
    ("a loop on NotParallel has no private workspaces", (RESULT, loop(kind=LoopKind.SERIAL, private=(NEW,)))),
    ("'i' is not declared", (RESULT, loop(private=(Allocate(W, Var("i"), COMPUTE),)))),
    ("the array 'w' is neither", (RESULT, loop(private=(Allocate(W, N, COMPUTE),)), Fill(W, N, ZERO, COMPUTE))),
    ("'w' grows inside a parallel loop", (RESULT, Allocate(W, N, COMPUTE), loop(Grow(W, N, COMPUTE)))),
]


@pytest.mark.parametrize(("message", "body"), BROKEN)
def test_broken_rules(message: str, body: tuple[Stmt, ...]) -> None:
    with pytest.raises(InternalError) as caught:
        verify(Function("kernel", (*PARAMETERS, allocated(R)), block(*body)))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "parameter", [replace(PARAMETERS[0], allocated=True), replace(kernels.operand(R), allocated=True)]
)
def test_only_output_arrays_are_allocated(parameter: Parameter) -> None:
    with pytest.raises(InternalError, match=f"'{parameter.name}' is allocated, but not an output array"):
        verify(Function("kernel", (parameter,), block()))


def test_the_size_of_a_private_workspace_is_folded() -> None:
    private = (Allocate(W, add(Const(2), Const(3)), COMPUTE),)
    body = loop(Store(W, Var("i"), Const(1.0, "float64"), COMPUTE), private=private)
    simple = simplify(Function("kernel", PARAMETERS, block(body))).body.statements[0]
    assert isinstance(simple, For)
    assert simple.private == (Allocate(W, Const(5), COMPUTE),)


def test_text() -> None:
    """One line per statement; the structured form names tensors and levels."""
    body = loop(
        Grow(LIST, N, COMPUTE),
        Sort(LIST, ZERO, N, COMPUTE),
        replace(SLOT, new="fresh"),
        value(MapSize(TABLE)),
        SortMap(TABLE, COMPUTE),
        ClearMap(TABLE, COMPUTE),
        private=(Allocate(LIST, ONE, COMPUTE, zero=True), NEW),
    )
    kernel = Function("kernel", (PARAMETERS[0], allocated(R)), block(RESULT, body, Scan(R, N, COMPUTE)))
    verify(kernel)
    assert print_flat(kernel).text == (
        "def kernel(n: int64, out allocated R1_crd: int32[]):\n"
        "    R1_crd = allocate_result(int32, n)\n"
        "    for i in [0, n) on CPUThread private(list = allocate(int32, 1, zero), table = map(float64)):\n"
        "        grow(list, n)\n"
        "        sort(list[0:n])\n"
        "        slot, fresh = slot(table, 0)\n"
        "        value = size(table)\n"
        "        sort(table)\n"
        "        clear(table)\n"
        "    prefix_sum(R1_crd[0:n])\n"
    )
    assert "    R.level1.crd = allocate_result(int32, n)\n" in print_structured(kernel).text
