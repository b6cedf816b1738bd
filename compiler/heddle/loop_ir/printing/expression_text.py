"""Expressions of loop IR as Python-like text, flat (``A_vals[jA]``) or structured (``A.vals[i, jA]``)."""

from __future__ import annotations

from heddle.loop_ir.dtypes import FLOATS
from heddle.loop_ir.nodes import (
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

_CONDITIONAL, _OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _SIGN, _PRIMARY = range(1, 10)

_SPELLINGS = {"&&": ("and", _AND), "||": ("or", _OR), "+": ("+", _SUM), "-": ("-", _SUM)}
_SPELLINGS |= {operator: (operator, _PRODUCT) for operator in ("*", "/", "//", "%")}
_SPELLINGS |= {operator: (operator, _COMPARE) for operator in ("==", "!=", "<", "<=", ">", ">=")}


def expression_text(expression: Expr, structured: bool = False, precedence: int = 0) -> str:
    """The text, in parentheses when it binds less tightly than ``precedence``."""
    text, binding = _render(expression, structured)
    return text if binding >= precedence else f"({text})"


def element_text(array: Array, index: Expr, path: tuple[str, ...], structured: bool) -> str:
    """An array element; the structured form names coordinates and positions where ``path`` gives them."""
    subscript = ", ".join(path) if structured and path else expression_text(index, structured)
    return f"{array_text(array, structured)}[{subscript}]"


def slice_text(array: Array, index: Expr, lanes: int, path: tuple[str, ...], structured: bool, mask: str = "") -> str:
    """The elements of ``lanes`` lanes from ``index`` on, ``B_vals[kB:+32]``; with a ``mask`` those that it keeps."""
    text = element_text(array, index, path, structured)
    return f"{text[:-1]}:+{lanes}{mask}]"


def array_text(array: Array, structured: bool) -> str:
    if not structured or array.tensor is None or array.role is ArrayRole.WORKSPACE:
        return array.name
    if array.role is ArrayRole.VALS:
        return f"{array.tensor}.vals"
    return f"{array.tensor}.level{array.level}.{array.role.value}"


def _render(expression: Expr, structured: bool) -> tuple[str, int]:
    def text(operand: Expr, precedence: int = 0) -> str:
        return expression_text(operand, structured, precedence)

    match expression:
        case Var(name=name):
            return name, _PRIMARY
        case Const(value=bool() as value):
            return str(value), _PRIMARY
        case Const(value=value, dtype=dtype):
            text_of_value = repr(float(value.real) if dtype in FLOATS else value)
            return text_of_value, _SIGN if text_of_value.startswith("-") else _PRIMARY
        case Binary(operator="min" | "max" as operator, left=left, right=right):
            return f"{operator}({text(left)}, {text(right)})", _PRIMARY
        case Binary(operator=operator, left=left, right=right):
            spelling, binding = _SPELLINGS.get(operator, (operator, _PRODUCT))  # the verifier prints what it refuses
            # Comparisons do not chain; the other operators group to the left.
            first = text(left, binding + 1 if binding == _COMPARE else binding)
            return f"{first} {spelling} {text(right, binding + 1)}", binding
        case Unary(operator="-", operand=operand):
            return f"-{text(operand, _SIGN + 1)}", _SIGN
        case Unary(operand=operand):
            return f"not {text(operand, _NOT)}", _NOT
        case Load(array=array, index=index, path=path):
            return element_text(array, index, path, structured), _PRIMARY
        case MapSize(map=table):
            return f"size({table.name})", _PRIMARY
        case Cast(operand=operand, dtype=dtype):
            return f"{dtype}({text(operand)})", _PRIMARY
        case Select(condition=condition, then=then, otherwise=otherwise):
            parts = text(then, _CONDITIONAL + 1), text(condition, _CONDITIONAL + 1), text(otherwise, _CONDITIONAL)
            return f"{parts[0]} if {parts[1]} else {parts[2]}", _CONDITIONAL
        case Broadcast(value=value):
            return _render(value, structured)
        case VectorLoad(array=array, index=index, lanes=lanes, mask=mask, path=path):
            return slice_text(array, index, lanes, path, structured, _where(mask, structured)), _PRIMARY
        case Gather(array=array, indices=indices, mask=mask):
            return f"{array_text(array, structured)}[{text(indices)}{_where(mask, structured)}]", _PRIMARY
        case LaneRange(lower=lower, upper=upper):
            return f"lanes_between({text(lower)}, {text(upper)})", _PRIMARY
        case VectorMasks():
            return "vector_masks", _PRIMARY
        case RegistersHold(size=size):
            return f"registers_hold({size})", _PRIMARY
        case Keep(value=value, mask=mask):
            return f"keep({text(value)}, {text(mask)})", _PRIMARY
        case LaneSum(operand=operand):
            return f"lane_sum({text(operand)})", _PRIMARY
        case Call(function=function, arguments=arguments):
            return f"{function}({', '.join(text(argument) for argument in arguments)})", _PRIMARY
        case _:
            raise TypeError(f"unexpected node {expression!r}")


def _where(mask: Expr | None, structured: bool) -> str:
    return "" if mask is None else f" if {expression_text(mask, structured)}"
