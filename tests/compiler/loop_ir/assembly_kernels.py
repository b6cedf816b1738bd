"""``A(i,j) = B(i,j) + C(i,j)``, all in CSR, with the result assembled by the kernel in every way that loop IR has."""

from __future__ import annotations

from dataclasses import replace

from heddle.loop_ir.nodes import (
    BOOL,
    INDEX,
    Allocate,
    AllocateMap,
    AllocateResult,
    Array,
    ArrayRole,
    Assign,
    ClearMap,
    Const,
    Declare,
    Expr,
    For,
    Function,
    Grow,
    If,
    Load,
    LoopKind,
    Map,
    MapSize,
    Parameter,
    Scan,
    Slot,
    Sort,
    SortMap,
    Stmt,
    Store,
    Unary,
    Var,
)
from tests.compiler.loop_ir.kernels import (
    ASSEMBLY,
    AT_I,
    AT_J,
    COLUMNS,
    COMPUTE,
    INIT,
    ONE,
    ROWS,
    ZERO,
    add,
    block,
    crd,
    dimension,
    function,
    operand,
    output,
    pos,
    vals,
    workspace,
)

POS, CRD, VALS = pos("A", 2), crd("A", 2), vals("A")
W, MARK, LIST = workspace("w"), workspace("mark", BOOL), Array("list", "int32", ArrayRole.CRD)
TABLE = Map("table", "float64")
N, M, P, Q, COUNT, START = Var("A1_dimension"), Var("A2_dimension"), Var("p"), Var("q"), Var("count"), Var("start")
TRUE, FALSE = Const(True, BOOL), Const(False, BOOL)


def allocated(array: Array) -> Parameter:
    return replace(output(array), allocated=True)


def _parameters(pos_array: Array) -> tuple[Parameter, ...]:
    operands = [operand(array) for name in "BC" for array in (pos(name, 2), crd(name, 2), vals(name))]
    return (
        dimension(N.name, "A", 0),
        dimension(M.name, "A", 1),
        allocated(pos_array),
        allocated(CRD),
        allocated(VALS),
        *operands,
    )


def _entries(name: str, *body: Stmt) -> For:
    """``body`` for each entry of row i of an operand, with its position ``p`` and its coordinate ``j``."""
    position, coordinate = pos(name, 2), Declare("j", INDEX, Load(crd(name, 2), P), COLUMNS)
    return For("p", Load(position, AT_I), Load(position, add(AT_I, ONE)), block(coordinate, *body), COLUMNS)


def _note() -> If:
    """Puts ``j`` into the row's list when it is new there."""
    new = block(
        Store(MARK, AT_J, TRUE, ASSEMBLY), Store(LIST, COUNT, AT_J, ASSEMBLY), Assign("count", ONE, ASSEMBLY, "+")
    )
    return If(Unary("!", Load(MARK, AT_J), BOOL), new, ASSEMBLY)


def _each_listed(*body: Stmt) -> For:
    return For("q", ZERO, COUNT, block(Declare("j", INDEX, Load(LIST, Q), ASSEMBLY), *body), ASSEMBLY)


def _rows(kind: LoopKind, private: tuple[Allocate | AllocateMap, ...], *body: Stmt) -> tuple[Stmt, ...]:
    """The loop over rows; a serial one has its workspaces in front."""
    if kind is LoopKind.SERIAL:
        return (block(*private, For("i", ZERO, N, block(*body), ROWS)),)
    return (For("i", ZERO, N, block(*body), ROWS, kind, private=private),)


def by_list(kind: LoopKind = LoopKind.CPU_THREAD, clean: bool = True, pos_dtype: str = "int32") -> Function:
    """Count, prefix sum, fill; each row through dense values, marks and a sorted list of the touched coordinates.
    Unless ``clean``, a row leaves its values in the workspace."""
    positions = pos("A", 2, pos_dtype)
    marks = (Allocate(MARK, M, INIT, zero=True), Allocate(LIST, M, INIT))
    count = Declare("count", INDEX, ZERO, ASSEMBLY, mutable=True)
    symbolic = _rows(
        kind,
        marks,
        count,
        *(_entries(name, _note()) for name in "BC"),
        Store(positions, add(AT_I, ONE), COUNT, ASSEMBLY),
        _each_listed(Store(MARK, AT_J, FALSE, ASSEMBLY)),
    )
    target = add(START, Q)
    numeric = _rows(
        kind,
        (Allocate(W, M, INIT, zero=True), *marks),
        count,
        *(_entries(name, _note(), Store(W, AT_J, Load(vals(name), P), COMPUTE, "+")) for name in "BC"),
        Sort(LIST, ZERO, COUNT, ASSEMBLY),
        Declare("start", INDEX, Load(positions, AT_I), ASSEMBLY),
        _each_listed(
            Store(CRD, target, AT_J, ASSEMBLY),
            Store(VALS, target, Load(W, AT_J), COMPUTE),
            Store(MARK, AT_J, FALSE, ASSEMBLY),
            *((Store(W, AT_J, Const(0.0, "float64"), INIT),) if clean else ()),
        ),
    )
    return function(
        block(
            AllocateResult(positions, add(N, ONE), INIT),
            Store(positions, ZERO, ZERO, INIT),
            *symbolic,
            Scan(positions, add(N, ONE), ASSEMBLY),
            AllocateResult(CRD, Load(positions, N), INIT),
            AllocateResult(VALS, Load(positions, N), INIT),
            *numeric,
        ),
        *_parameters(positions),
    )


def _sum_into_table(*then: Stmt) -> tuple[Stmt, ...]:
    slot = Slot("slot", TABLE, AT_J, ASSEMBLY)
    return (
        *(
            _entries(name, slot, Store(TABLE.vals, Var("slot"), Load(vals(name), P), COMPUTE, "+"), *then)
            for name in "BC"
        ),
    )


def _copy_table(start: Expr) -> For:
    target = add(start, Q)
    return For(
        "q",
        ZERO,
        MapSize(TABLE),
        block(Store(CRD, target, Load(TABLE.keys, Q), ASSEMBLY), Store(VALS, target, Load(TABLE.vals, Q), COMPUTE)),
        ASSEMBLY,
    )


def by_growing() -> Function:
    """One serial pass that appends; each row through a hash map, and the result's arrays grow."""
    end = Var("end")
    row = (
        *_sum_into_table(),
        SortMap(TABLE, ASSEMBLY),
        Declare("start", INDEX, Load(POS, AT_I), ASSEMBLY),
        Declare("end", INDEX, add(START, MapSize(TABLE)), ASSEMBLY),
        Grow(CRD, end, ASSEMBLY),
        Grow(VALS, end, ASSEMBLY),
        _copy_table(START),
        ClearMap(TABLE, ASSEMBLY),
        Store(POS, add(AT_I, ONE), end, ASSEMBLY),
    )
    return function(
        block(
            AllocateResult(POS, add(N, ONE), INIT),
            AllocateResult(CRD, ONE, INIT),
            AllocateResult(VALS, ONE, INIT),
            Store(POS, ZERO, ZERO, INIT),
            AllocateMap(TABLE, INIT),
            For("i", ZERO, N, block(*row), ROWS),
        ),
        *_parameters(POS),
    )


def by_map(kind: LoopKind = LoopKind.CPU_THREAD) -> Function:
    """Count, prefix sum, fill; each row through a hash map that a worker keeps."""
    private = (AllocateMap(TABLE, INIT),)
    new = Assign("count", ONE, ASSEMBLY, "+")
    keys = (
        _entries(name, Slot("slot", TABLE, AT_J, ASSEMBLY, "fresh"), If(Var("fresh", BOOL), block(new), ASSEMBLY))
        for name in "BC"
    )
    symbolic = _rows(
        kind,
        private,
        Declare("count", INDEX, ZERO, ASSEMBLY, mutable=True),
        *keys,
        Store(POS, add(AT_I, ONE), COUNT, ASSEMBLY),
        ClearMap(TABLE, ASSEMBLY),
    )
    numeric = _rows(
        kind,
        private,
        *_sum_into_table(),
        SortMap(TABLE, ASSEMBLY),
        _copy_table(Load(POS, AT_I)),
        ClearMap(TABLE, ASSEMBLY),
    )
    return function(
        block(
            AllocateResult(POS, add(N, ONE), INIT),
            Store(POS, ZERO, ZERO, INIT),
            *symbolic,
            Scan(POS, add(N, ONE), ASSEMBLY),
            AllocateResult(CRD, Load(POS, N), INIT),
            AllocateResult(VALS, Load(POS, N), INIT),
            *numeric,
        ),
        *_parameters(POS),
    )


KERNELS = {
    "list in parallel": by_list(),
    "list serially": by_list(LoopKind.SERIAL),
    "growing": by_growing(),
    "map in parallel": by_map(),
    "map serially": by_map(LoopKind.SERIAL),
}
