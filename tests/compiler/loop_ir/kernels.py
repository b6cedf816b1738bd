"""Loop IR written by hand: the kernels on which interpreter, generated C and NumPy are compared."""

from __future__ import annotations

from heddle.loop_ir.nodes import (
    BOOL,
    INDEX,
    Allocate,
    Array,
    ArrayRole,
    Assign,
    Binary,
    Block,
    Const,
    Declare,
    Expr,
    Fill,
    For,
    Function,
    If,
    Load,
    LoopKind,
    Parameter,
    ParameterKind,
    Reduction,
    Require,
    Search,
    SearchKind,
    Stmt,
    Store,
    Var,
    While,
)
from heddle.origin import Origin, Role

INIT, COMPUTE = Origin(Role.INIT), Origin(Role.COMPUTE, "j", "A", 2)
ROWS, COLUMNS, BOUNDS = Origin(Role.COMPUTE, "i"), Origin(Role.COMPUTE, "j"), Origin(Role.BOUNDS, "f", command=1)
GUARD, RECOVERY = Origin(Role.GUARD, "i", command=2), Origin(Role.RECOVERY, "i", "A", 1, 1)
SEARCH, REDUCTION = Origin(Role.SEARCH, "i", "A", 2, 1), Origin(Role.REDUCTION, "j")
ASSEMBLY = Origin(Role.ASSEMBLY, "i", "y", 1)

AT_I, AT_J, AT_K, N, M = Var("i"), Var("j"), Var("k"), Var("y1_dimension"), Var("C2_dimension")
ZERO, ONE = Const(0), Const(1)


def pos(tensor: str, level: int, dtype: str = "int32") -> Array:
    return Array(f"{tensor}{level}_pos", dtype, ArrayRole.POS, tensor, level)


def crd(tensor: str, level: int, dtype: str = "int32") -> Array:
    return Array(f"{tensor}{level}_crd", dtype, ArrayRole.CRD, tensor, level)


def vals(tensor: str, dtype: str = "float64") -> Array:
    return Array(f"{tensor}_vals", dtype, ArrayRole.VALS, tensor)


def workspace(name: str, dtype: str = "float64") -> Array:
    return Array(name, dtype, ArrayRole.WORKSPACE)


def dimension(name: str, tensor: str, number: int) -> Parameter:
    return Parameter(ParameterKind.DIMENSION, name, INDEX, tensor, dimension=number)


def operand(array: Array) -> Parameter:
    return Parameter(ParameterKind.ARRAY, array.name, array.dtype, array.tensor or array.name, array)


def output(array: Array) -> Parameter:
    return Parameter(ParameterKind.ARRAY, array.name, array.dtype, array.tensor or array.name, array, output=True)


def add(left: Expr, right: Expr, dtype: str = INDEX) -> Binary:
    return Binary("+", left, right, dtype)


def mul(left: Expr, right: Expr, dtype: str = INDEX) -> Binary:
    return Binary("*", left, right, dtype)


def less(left: Expr, right: Expr) -> Binary:
    return Binary("<", left, right, BOOL)


def block(*statements: Stmt) -> Block:
    return Block(statements)


def function(body: Block, *parameters: Parameter, requirements: tuple[Require, ...] = ()) -> Function:
    return Function("kernel", parameters, body, requirements)


A_POS, A_CRD, A_VALS = pos("A", 2), crd("A", 2), vals("A")
X_VALS, Y_VALS = vals("x"), vals("y")
SPMV_PARAMETERS = (
    dimension("y1_dimension", "y", 0),
    output(Y_VALS),
    operand(A_POS),
    operand(A_CRD),
    operand(A_VALS),
    operand(X_VALS),
)


def product(position: Expr, column: Expr) -> Expr:
    """``A.vals[i, jA] * x.vals[j]``."""
    return mul(Load(A_VALS, position, ("i", "jA")), Load(X_VALS, column, ("j",)), "float64")


def spmv(kind: LoopKind = LoopKind.SERIAL, unroll: int | None = None) -> Function:
    """``y(i) = A(i,j) * x(j)``, A in CSR, with the row sum in a register."""
    inner = block(
        Declare("j", INDEX, Load(A_CRD, Var("jA"), ("i", "jA")), COLUMNS),
        Assign("sum", product(Var("jA"), AT_J), COMPUTE, "+"),
    )
    row = block(
        Declare("sum", "float64", Const(0.0, "float64"), REDUCTION, mutable=True),
        For("jA", Load(A_POS, AT_I, ("i",)), Load(A_POS, add(AT_I, ONE), ("i + 1",)), inner, COLUMNS, unroll=unroll),
        Store(Y_VALS, AT_I, Var("sum", "float64"), COMPUTE, path=("i",)),
    )
    return function(block(For("i", ZERO, N, row, ROWS, kind)), *SPMV_PARAMETERS)


def spmv_by_position(size: int, kind: LoopKind = LoopKind.CPU_THREAD) -> Function:
    """SpMV over equal pieces of the nonzeros: one search per piece, then ``while`` past empty rows, atomic sums."""
    nonzeros = Load(A_POS, N)
    piece = block(
        Declare("begin", INDEX, mul(Var("f0"), Const(size)), BOUNDS),
        Declare("end", INDEX, Binary("min", add(Var("begin"), Const(size)), nonzeros), BOUNDS),
        Search("i", SearchKind.BEFORE, A_POS, ZERO, add(N, ONE), Var("begin"), SEARCH),
        For(
            "fposA",
            Var("begin"),
            Var("end"),
            block(
                While(
                    Binary("==", Var("fposA"), Load(A_POS, add(AT_I, ONE)), BOOL),
                    block(Assign("i", ONE, RECOVERY, "+")),
                    RECOVERY,
                ),
                Declare("j", INDEX, Load(A_CRD, Var("fposA")), RECOVERY),
                Store(Y_VALS, AT_I, product(Var("fposA"), AT_J), COMPUTE, "+", atomic=True, path=("i",)),
            ),
            COLUMNS,
        ),
    )
    pieces = Binary("//", add(nonzeros, Const(size - 1)), Const(size))
    return function(
        block(
            Fill(Y_VALS, N, Const(0.0, "float64"), INIT),
            For("f0", ZERO, pieces, piece, Origin(Role.COMPUTE, "f0", command=1), kind),
        ),
        *SPMV_PARAMETERS,
    )


def spmm(kind: LoopKind = LoopKind.CPU_THREAD, inner: LoopKind = LoopKind.CPU_VECTOR) -> Function:
    """``C(i,k) = A(i,j) * B(j,k)`` with vector lanes over k."""
    c, b = vals("C"), vals("B")
    target = add(mul(AT_I, M), AT_K)
    value = mul(Load(A_VALS, Var("jA")), Load(b, add(mul(AT_J, M), AT_K), ("j", "k")), "float64")
    lanes = For("k", ZERO, M, block(Store(c, target, value, COMPUTE, "+", path=("i", "k"))), COMPUTE, inner)
    row = block(
        For("k", ZERO, M, block(Store(c, target, Const(0.0, "float64"), INIT, path=("i", "k"))), INIT),
        For(
            "jA",
            Load(A_POS, AT_I),
            Load(A_POS, add(AT_I, ONE)),
            block(Declare("j", INDEX, Load(A_CRD, Var("jA")), COLUMNS), lanes),
            COLUMNS,
        ),
    )
    return function(
        block(For("i", ZERO, Var("C1_dimension"), row, ROWS, kind)),
        dimension("C1_dimension", "C", 0),
        dimension("C2_dimension", "C", 1),
        output(c),
        operand(A_POS),
        operand(A_CRD),
        operand(A_VALS),
        operand(b),
    )


def vector_union() -> Function:
    """``y(i) = a(i) + b(i)``, both compressed, into a dense result: a two-finger merge and its two tails."""

    def tail(name: str) -> While:
        position = Var(f"i{name}")
        return While(
            less(position, Var(f"{name}_end")),
            block(
                Store(Y_VALS, Load(crd(name, 1), position), Load(vals(name), position), COMPUTE),
                Assign(f"i{name}", ONE, ROWS, "+"),
            ),
            ROWS,
        )

    def coordinate(name: str) -> Declare:
        return Declare(f"i_{name}", INDEX, Load(crd(name, 1), Var(f"i{name}")), ROWS)

    def only(name: str) -> Store:
        return Store(Y_VALS, AT_I, Load(vals(name), Var(f"i{name}")), COMPUTE)

    def at(name: str) -> Binary:
        return Binary("==", Var(f"i_{name}"), AT_I, BOOL)

    both = add(Load(vals("a"), Var("ia")), Load(vals("b"), Var("ib")), "float64")
    merge = block(
        coordinate("a"),
        coordinate("b"),
        Declare("i", INDEX, Binary("min", Var("i_a"), Var("i_b")), ROWS),
        If(
            Binary("&&", at("a"), at("b"), BOOL),
            block(Store(Y_VALS, AT_I, both, COMPUTE)),
            COMPUTE,
            If(at("a"), block(only("a")), COMPUTE, block(only("b"))),
        ),
        If(at("a"), block(Assign("ia", ONE, ROWS, "+")), ROWS),
        If(at("b"), block(Assign("ib", ONE, ROWS, "+")), ROWS),
    )
    starts: list[Stmt] = []
    for name in ("a", "b"):
        starts.append(Declare(f"i{name}", INDEX, Load(pos(name, 1), ZERO), BOUNDS, mutable=True))
        starts.append(Declare(f"{name}_end", INDEX, Load(pos(name, 1), ONE), BOUNDS))
    more = Binary("&&", less(Var("ia"), Var("a_end")), less(Var("ib"), Var("b_end")), BOOL)
    body = block(Fill(Y_VALS, N, Const(0.0, "float64"), INIT), *starts, While(more, merge, ROWS), tail("a"), tail("b"))
    operands = [operand(make(name)) for name in ("a", "b") for make in (_pos1, _crd1, vals)]
    return function(body, dimension("y1_dimension", "y", 0), output(Y_VALS), *operands)


def _pos1(tensor: str) -> Array:
    return pos(tensor, 1)


def _crd1(tensor: str) -> Array:
    return crd(tensor, 1)


def dot(kind: LoopKind = LoopKind.CPU_THREAD, operator: str = "+", dtype: str = "float64") -> Function:
    """``y = x(i)`` reduced with ``operator`` in a scalar that the iterations share."""
    from heddle.loop_ir.dtypes import reduction_identity

    x, y = vals("x", dtype), vals("y", dtype)
    loop = For(
        "i",
        ZERO,
        Var("x1_dimension"),
        block(Assign("total", Load(x, AT_I), COMPUTE, operator)),
        ROWS,
        kind,
        reductions=(Reduction("total", operator),),
    )
    body = block(
        Declare("total", dtype, Const(reduction_identity(operator, dtype), dtype), REDUCTION, mutable=True),
        loop,
        Store(y, ZERO, Var("total", dtype), COMPUTE),
    )
    return function(body, dimension("x1_dimension", "x", 0), output(y), operand(x))


def histogram(operator: str = "+", dtype: str = "float64", kind: LoopKind = LoopKind.CPU_THREAD) -> Function:
    """``y(c(i)) operator= x(i)`` with atomic updates; ``y`` starts at the identity of ``operator``."""
    from heddle.loop_ir.dtypes import reduction_identity

    x, y, c = vals("x", dtype), vals("y", dtype), crd("x", 1)
    update = Store(y, Load(c, AT_I), Load(x, AT_I), COMPUTE, operator, atomic=True)
    body = block(
        Fill(y, N, Const(reduction_identity(operator, dtype), dtype), INIT),
        For("i", ZERO, Var("x1_dimension"), block(update), ROWS, kind),
    )
    parameters = (dimension("y1_dimension", "y", 0), dimension("x1_dimension", "x", 0))
    return function(body, *parameters, output(y), operand(c), operand(x))


def row_workspace(kind: LoopKind = LoopKind.CPU_THREAD) -> Function:
    """``y(i) = sum over j of A(i,j)`` through a row workspace that lives inside the parallel loop."""
    w = workspace("w")
    row = block(
        Allocate(w, Var("x1_dimension"), INIT),
        Fill(w, Var("x1_dimension"), Const(0.0, "float64"), INIT),
        For(
            "jA",
            Load(A_POS, AT_I),
            Load(A_POS, add(AT_I, ONE)),
            block(Store(w, Load(A_CRD, Var("jA")), product(Var("jA"), Load(A_CRD, Var("jA"))), COMPUTE, "+")),
            COLUMNS,
        ),
        Store(Y_VALS, AT_I, Const(0.0, "float64"), INIT),
        For("j", ZERO, Var("x1_dimension"), block(Store(Y_VALS, AT_I, Load(w, AT_J), COMPUTE, "+")), COLUMNS),
    )
    return function(block(For("i", ZERO, N, row, ROWS, kind)), dimension("x1_dimension", "x", 0), *SPMV_PARAMETERS)
