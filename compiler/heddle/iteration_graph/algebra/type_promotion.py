"""The dtype of an operation on two values: NumPy's promotion, constants being weak (NEP 50)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from heddle.loop_ir.dtypes import COMPLEX, FLOATS, INTEGERS, UNSIGNED, dtype_of, real_part
from heddle.loop_ir.nodes import Const, Expr, Var
from heddle.notation.functions import COMPARISONS, FUNCTIONS, FunctionSpec
from heddle.notation.nodes import (
    Access,
    Expression,
    IndexValue,
    Literal,
    Reduce,
    Select,
    SizeValue,
    accesses,
    operands_of,
)
from heddle.notation.nodes import Binary as BinaryExpression
from heddle.notation.nodes import Call as CallExpression
from heddle.notation.nodes import Unary as UnaryExpression


def promote(left: Expr, right: Expr) -> str:
    a, b = dtype_of(left), dtype_of(right)
    if isinstance(left, Const) and not isinstance(right, Const):
        return _weak(left, b)
    if isinstance(right, Const) and not isinstance(left, Const):
        return _weak(right, a)
    return promote_dtypes(a, b)


def _weak(constant: Const, dtype: str) -> str:
    """A constant does not widen a dtype of its own kind."""
    match constant.value:
        case bool():
            return dtype
        case int():
            return "int64" if dtype == "bool" else dtype
        case float():
            return dtype if dtype in FLOATS or dtype in COMPLEX else "float64"
        case complex():
            if dtype in COMPLEX:
                return dtype
            return "complex64" if dtype == "float32" else "complex128"
        case _:
            raise TypeError(f"unexpected constant {constant!r}")


def _any_constant(dtype: str) -> Const:
    """A constant of the kind of ``dtype``: what it does to the other operand depends on the kind alone."""
    if dtype == "bool":
        return Const(True, dtype)
    return Const(1j if dtype in COMPLEX else 1.0 if dtype in FLOATS else 1, dtype)


def read_dtype(dtype: str, result: str) -> str:
    """The dtype in which an operand of ``dtype`` is computed with for a result that is declared as ``result``: the
    result's where it holds all values of the operand, as ``np.multiply(a, b, dtype=result)`` has it, and real numbers
    as such for a complex result."""
    wide = real_part(result) if result in COMPLEX and dtype not in COMPLEX else result
    return wide if promote_dtypes(dtype, wide) == wide else dtype


def infer_dtype(expression: Expression, dtypes: Mapping[str, str]) -> str | None:
    """The dtype that an expression is computed in; None when it has no operands."""
    value = make_typed(expression, dtypes)
    return None if isinstance(value, Const) else dtype_of(value)


def expression_dtype(expression: Expression) -> str | None:
    """The dtype of a part of an iteration graph, whose accesses know theirs; None where one does not."""
    try:
        return dtype_of(make_typed(expression, {}))
    except KeyError:
        return None


def held_dtype(expression: Expression, around: str, summed: bool) -> str:
    """The dtype of a workspace for a part of what is assigned to a tensor of dtype ``around``: the wider one of what it
    holds and the tensor's. Truth values count where they are summed."""
    dtype = expression_dtype(expression) or around
    return around if promote_dtypes(dtype, around) == around and (dtype != "bool" or summed) else dtype


def explicit_dtype(reduction: Reduce, around: str) -> str:
    """The dtype of a workspace for an explicit reduction inside of what is assigned to a tensor of dtype ``around``.
    Integers have their type, as they have in a statement of their own: they wrap around in the same way, and nothing
    to reduce gives the same neutral element. Floats are rounded to the wider type alone."""
    dtype = expression_dtype(reduction)
    if dtype in INTEGERS or dtype == "bool":
        return dtype
    return held_dtype(reduction.operand, around, reduction.operator in ("+", "*"))


def wrapping_reduction(expression: Expression, tensor: str, whole: str | None = None) -> Reduce | None:
    """A reduction of integers of ``tensor`` whose value is brought to another dtype around it, in the end to ``whole``:
    what parts of the tensor give may wrap around apart, so that it is not their sum."""
    whole = whole or expression_dtype(expression)

    def search(part: Expression) -> Reduce | None:
        if isinstance(part, Reduce) and any(access.tensor == tensor for access in accesses(part)):
            dtype = expression_dtype(part)
            if dtype in INTEGERS and dtype != whole and expression_dtype(part.operand) != "bool":
                return part
        return next((reduction for inner in operands_of(part) if (reduction := search(inner)) is not None), None)

    return search(expression)


def make_typed(expression: Expression, dtypes: Mapping[str, str], seen: dict[int, Expr] | None = None) -> Expr:
    """A stand-in with the dtype of the expression; a constant stands for literals alone. An access that does not know
    its dtype takes it from ``dtypes`` (KeyError where it is not there). ``seen`` has what was found of parts of one
    expression already, by their identity: who asks of each part would otherwise look at the same ones again."""
    if seen is None:
        return _make_typed(expression, dtypes, None)
    stand_in = seen.get(id(expression))
    if stand_in is None:
        stand_in = seen[id(expression)] = _make_typed(expression, dtypes, seen)
    return stand_in


def _make_typed(expression: Expression, dtypes: Mapping[str, str], seen: dict[int, Expr] | None) -> Expr:
    match expression:
        case Access(tensor=tensor, dtype=known):
            return Var(tensor, known or dtypes[tensor])
        case Literal(value=value, dtype=None):
            return literal(value)
        case Literal(dtype=dtype):
            assert dtype is not None
            return Var("", dtype)
        case IndexValue() | SizeValue():
            return Var("", "int64")
        case Select(then=then, otherwise=otherwise):
            a, b = make_typed(then, dtypes, seen), make_typed(otherwise, dtypes, seen)
            dtype = promote(a, b)
            return _any_constant(dtype) if isinstance(a, Const) and isinstance(b, Const) else Var("", dtype)
        case UnaryExpression(operator="!"):
            return Var("", "bool")
        case UnaryExpression(operand=operand):
            return make_typed(operand, dtypes, seen)
        case BinaryExpression(operator=operator, left=left, right=right):
            a, b = make_typed(left, dtypes, seen), make_typed(right, dtypes, seen)
            dtype = "bool" if operator in COMPARISONS or operator in ("&&", "||") else operation_dtype(operator, a, b)
            return _any_constant(dtype) if isinstance(a, Const) and isinstance(b, Const) else Var("", dtype)
        case CallExpression(function=function, arguments=arguments):
            values = [make_typed(argument, dtypes, seen) for argument in arguments]
            dtype = call_dtypes(function, values)[1]
            constant = function in FUNCTIONS and all(isinstance(value, Const) for value in values)
            return _any_constant(dtype) if constant else Var("", dtype)
        case Reduce(operator=operator, operand=operand):
            inner = make_typed(operand, dtypes, seen)
            return Var("", reduced_dtype(operator, dtype_of(inner)))
        case _:
            raise TypeError(f"unexpected node {expression!r}")


def reduced_dtype(operator: str, dtype: str) -> str:
    """What an explicit reduction gives: ``any`` and ``all`` a truth value; the sum of truth values counts them."""
    if operator in ("||", "&&"):
        return "bool"
    return "int64" if dtype == "bool" and operator in ("+", "*") else dtype


def call_dtypes(function: str, arguments: Sequence[Expr]) -> tuple[str, str]:
    """The dtype that the arguments of a function are brought to, and that of its result."""
    if function not in FUNCTIONS:
        return function, function  # a conversion has the name of its dtype
    spec, value = FUNCTIONS[function], arguments[0]
    for other in arguments[1:]:
        dtype = promote(value, other)
        both = isinstance(value, Const) and isinstance(other, Const)
        value = _any_constant(dtype) if both else Var("", dtype)
    dtype = _accept(spec, dtype_of(value))
    return dtype, real_part(dtype) if spec.result == "real" and dtype in COMPLEX else dtype


def _accept(spec: FunctionSpec, dtype: str) -> str:
    """``dtype``, or what an integer or truth value becomes where the function does not take it."""
    if kind_of(dtype) in spec.kinds or dtype in COMPLEX:
        return dtype
    return "int64" if dtype == "bool" and "i" in spec.kinds else "float64"


def kind_of(dtype: str) -> str:
    """NumPy's letter: b, i, u, f or c."""
    return dtype[0]


def literal(value: int | float | complex | bool) -> Const:
    """A literal as NumPy types it."""
    match value:
        case bool():
            return Const(value, "bool")
        case int():
            return Const(value, "int64")
        case float():
            return Const(value, "float64")
        case complex():
            return Const(value, "complex128")
        case _:
            raise TypeError(f"unexpected literal {value!r}")


def operation_dtype(operator: str, left: Expr, right: Expr) -> str:
    """``/`` is true division: integers give float64."""
    dtype = promote(left, right)
    return "float64" if operator == "/" and (dtype in INTEGERS or dtype == "bool") else dtype


def promote_dtypes(a: str, b: str) -> str:
    """The smallest dtype that holds the values of both (``uint64`` with a signed integer is ``float64``)."""
    if a == b:
        return a
    if a == "bool" or b == "bool":
        return b if a == "bool" else a
    if a in INTEGERS and b in INTEGERS:
        return _integers(a, b)
    bits = max(_float_bits(a), _float_bits(b))
    if a in COMPLEX or b in COMPLEX:
        return f"complex{2 * bits}"
    return f"float{bits}"


def _integers(a: str, b: str) -> str:
    if (a in UNSIGNED) == (b in UNSIGNED):
        return a if _bits(a) >= _bits(b) else b
    unsigned, signed = (a, b) if a in UNSIGNED else (b, a)
    if _bits(signed) > _bits(unsigned):
        return signed
    return "float64" if unsigned == "uint64" else f"int{2 * _bits(unsigned)}"


def _bits(dtype: str) -> int:
    return int("".join(letter for letter in dtype if letter.isdigit()))


def _float_bits(dtype: str) -> int:
    """The float width that holds a dtype: small integers fit float32 as NumPy has it."""
    if dtype in COMPLEX:
        return _bits(dtype) // 2
    if dtype in FLOATS:
        return _bits(dtype)
    return 32 if _bits(dtype) <= 16 else 64
