"""The rules of vectors: what the texts of all machines can say of them, and no more."""

from __future__ import annotations

from heddle.loop_ir.dtypes import COMPARISONS, FLOATS, dtype_of, lane_dtype, lanes_of, vector_dtype
from heddle.loop_ir.nodes import (
    BOOL,
    Assign,
    Binary,
    Block,
    Broadcast,
    Declare,
    Expr,
    Gather,
    Keep,
    LaneRange,
    Lanes,
    LaneSum,
    Scatter,
    Unary,
    Var,
    VectorLoad,
    VectorStore,
)
from heddle.loop_ir.printing.printer import headline
from heddle.loop_ir.verification.rule_error import RuleError

ELEMENTS = FLOATS | {"int32"}
"""What vectors hold, except for masks."""

_NODES = Var | Broadcast | VectorLoad | Gather | LaneRange | Keep | Binary | Unary
"""The expressions that may be vectors."""


def check_vector(expression: Expr, lanes: int | None) -> None:
    """The rules of an expression that is a vector where there are ``lanes``; its parts are checked before."""
    dtype = dtype_of(expression)
    element = lane_dtype(dtype)
    if element not in ELEMENTS | {BOOL}:
        raise RuleError(f"no vector holds {element}")
    if not isinstance(expression, _NODES):
        raise RuleError(f"there is no vector of a {type(expression).__name__}")
    if lanes is None and not isinstance(expression, Broadcast):
        raise RuleError(f"{dtype} among no lanes")
    if lanes is not None and lanes_of(dtype) != lanes:
        raise RuleError(f"{dtype} among {lanes} lanes")
    match expression:
        case Broadcast() if element == BOOL:
            raise RuleError("a mask is a range of lanes, or comparisons of vectors of int32 joined by '&&'")
        case Binary(operator=operator, left=left, right=right):
            of = dtype_of(left)
            if operator == "&&" and any(not isinstance(side, Binary) for side in (left, right)):
                raise RuleError("'&&' joins comparisons of vectors, not masks that have a name or are a range")
            if operator in COMPARISONS and lane_dtype(of) != "int32":
                raise RuleError(f"'{operator}' does not compare {of}: vectors of int32 only")
            allowed = {"+": ELEMENTS, "-": ELEMENTS, "*": ELEMENTS, "/": FLOATS, "&&": {BOOL}}
            if operator not in COMPARISONS and lane_dtype(of) not in allowed.get(operator, ()):
                raise RuleError(f"'{operator}' does not take {of}")
        case VectorLoad(mask=mask) | Gather(mask=mask) | Keep(mask=mask) if mask is not None:
            if dtype_of(mask) != vector_dtype(BOOL, lanes or 0):
                raise RuleError(f"a mask must be {vector_dtype(BOOL, lanes or 0)}, found {dtype_of(mask)}")
            if not isinstance(mask, Var):
                raise RuleError("a mask that is used has a name")
        case _:
            pass


def check_lane_sum(value: LaneSum) -> None:
    lanes = lanes_of(dtype_of(value.operand))
    if not isinstance(value.operand, Var) or lanes is None or lanes & (lanes - 1):
        raise RuleError("the lanes of something that is not a declared vector of 2, 4, 8 … are summed")


def check_reduction(reduce: str, dtype: str) -> None:
    """Of a vector into what was there."""
    if reduce not in ("+", "*") or lane_dtype(dtype) == BOOL:
        raise RuleError(f"the reduction '{reduce}' does not take {dtype}")


def check_assigned(assign: Assign, dtype: str, lanes: int | None) -> None:
    """``dtype`` is that of the scalar or vector, whose value is checked before."""
    if lanes_of(dtype) is None:
        if lanes is not None:
            raise RuleError(f"the scalar '{assign.name}' is assigned among lanes")
    elif lanes is None and assign.reduce is not None:
        raise RuleError(f"the vector '{assign.name}' is combined outside of lanes")


def check_lanes(lanes: Lanes) -> None:
    """Of what is inside of lanes: straight-line code, so that there are no lanes inside of lanes."""
    if lanes.count < 2:
        raise RuleError(f"{lanes.count} lanes")
    for statement in lanes.body.statements if isinstance(lanes.body, Block) else (lanes.body,):
        if not isinstance(statement, Declare | Assign | VectorStore | Scatter):
            what = "a block" if isinstance(statement, Block) else f"`{headline(statement)}`"
            raise RuleError(f"lanes do not take {what}")
        if isinstance(statement, Declare) and statement.mutable:
            raise RuleError(f"'{statement.name}' is mutable, but declared among lanes")
