"""The dtypes of loop IR: the names NumPy uses, and the type of each expression."""

from __future__ import annotations

from heddle.loop_ir.nodes import (
    BOOL,
    INDEX,
    Array,
    ArrayRole,
    Binary,
    Broadcast,
    Call,
    Cast,
    Const,
    Expr,
    Gather,
    Keep,
    LaneRange,
    LaneSum,
    Load,
    MapSize,
    RegistersHold,
    Select,
    Unary,
    Var,
    VectorLoad,
    VectorMasks,
)

SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTEGERS = frozenset(SIGNED + UNSIGNED)
FLOATS = frozenset({"float32", "float64"})
COMPLEX = frozenset({"complex64", "complex128"})
DTYPES = INTEGERS | FLOATS | COMPLEX | {BOOL}

# C computes in int what is narrower than int; these results must be brought back to their own width.
NARROW = frozenset({BOOL, "int8", "uint8", "int16", "uint16"})

COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
LOGICAL = frozenset({"&&", "||"})
REDUCTIONS = frozenset({"+", "*", "min", "max", "&&", "||"})


def integer_range(dtype: str) -> tuple[int, int]:
    """The smallest and largest value of an integer dtype, both inclusive."""
    bits = int(dtype.removeprefix("u").removeprefix("int"))
    return (0, 2**bits - 1) if dtype.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def real_part(dtype: str) -> str:
    """The dtype of the real part of a complex dtype."""
    return {"complex64": "float32", "complex128": "float64"}[dtype]


def element_dtype(array: Array) -> str:
    """The dtype that a load of ``array`` has: index arrays widen to ``int64``."""
    return array.dtype if array.role in (ArrayRole.VALS, ArrayRole.WORKSPACE) else INDEX


def reduction_identity(operator: str, dtype: str) -> int | float | bool:
    """The value that leaves the other operand of a reduction unchanged."""
    match operator:
        case "+" | "*" if dtype == BOOL:
            return operator == "*"
        case "+":
            return 0
        case "*":
            return 1
        case "&&" | "||":
            return operator == "&&"
        case "min" | "max":
            if dtype in FLOATS:
                return float("inf") if operator == "min" else float("-inf")
            if dtype == BOOL:
                return operator == "min"
            return integer_range(dtype)[1 if operator == "min" else 0]
        case _:
            raise TypeError(f"no identity for {operator!r}")


def vector_dtype(element: str, lanes: int) -> str:
    """The dtype of a vector: ``float64x32``."""
    return f"{element}x{lanes}"


def lanes_of(dtype: str) -> int | None:
    """How many lanes a dtype has; None for scalars."""
    element, _, lanes = dtype.rpartition("x")  # complex64 is a scalar
    return int(lanes) if element in DTYPES else None


def lane_dtype(dtype: str) -> str:
    """The dtype of one lane; that of a scalar is its own."""
    return dtype if lanes_of(dtype) is None else dtype.rpartition("x")[0]


def dtype_of(expression: Expr) -> str:
    match expression:
        case Load(array=array):
            return element_dtype(array)
        case (
            Var()
            | Const()
            | Binary()
            | Unary()
            | Cast()
            | Select()
            | Call()
            | MapSize()
            | VectorMasks()
            | RegistersHold()
        ):
            return expression.dtype
        case Broadcast(value=value, lanes=lanes):
            return vector_dtype(dtype_of(value), lanes)
        case VectorLoad(array=array, lanes=lanes):
            return vector_dtype(array.dtype, lanes)
        case Gather(array=array, indices=indices):
            return vector_dtype(array.dtype, lanes_of(dtype_of(indices)) or 1)
        case LaneRange(lanes=lanes):
            return vector_dtype(BOOL, lanes)
        case Keep(value=value):
            return dtype_of(value)
        case LaneSum(operand=operand):
            return lane_dtype(dtype_of(operand))
        case _:
            raise TypeError(f"unexpected node {expression!r}")
