"""Expressions of index notation -> loop IR expressions over loaded values."""

from __future__ import annotations

from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.iteration_graph.algebra.constants import constant
from heddle.iteration_graph.algebra.type_promotion import call_dtypes, literal, operation_dtype, promote
from heddle.loop_ir.dtypes import COMPLEX, FLOATS, INTEGERS, UNSIGNED, dtype_of
from heddle.loop_ir.nodes import BOOL, Binary, Call, Cast, Const, Expr, Load, Unary, Var
from heddle.loop_ir.nodes import Select as Choose
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.lowering.environment.values.elements import element
from heddle.lowering.environment.values.formulas import floor_division
from heddle.notation.functions import COMPARISONS, FUNCTIONS
from heddle.notation.nodes import (
    Access,
    Expression,
    IndexValue,
    Literal,
    Select,
    SizeValue,
    operands_of,
    with_operands,
)
from heddle.notation.nodes import Binary as BinaryExpression
from heddle.notation.nodes import Call as CallExpression
from heddle.notation.nodes import Unary as UnaryExpression


def compute(environment: LoopEnvironment, expression: Expression) -> Expr:
    """The value of an expression where all its accesses have positions. Dtypes promote as NumPy's do."""
    match expression:
        case Access() if expression in environment.context.accumulators.loaded:
            return environment.context.accumulators.loaded[expression]
        case Access(dtype=dtype):
            value = _stored_value(environment, expression)
            return value if dtype is None else convert(value, dtype)
        case Literal(value=value, dtype=None):
            return literal(value)
        case Literal(value=value, dtype=dtype):
            assert dtype is not None
            return Cast(
                typed_constant(value, dtype), dtype
            )  # a cast keeps its dtype among others, unlike a written constant
        case IndexValue(variable=variable):
            return environment.value(variable)
        case SizeValue(name=name):
            return environment.kernel.sizes[name]
        case Select(condition=condition, then=then, otherwise=otherwise):
            a, b = compute(environment, then), compute(environment, otherwise)
            dtype = promote(a, b)
            test = convert(compute(environment, condition), BOOL)
            return Choose(test, convert(a, dtype), convert(b, dtype), dtype)
        case _ if (folded := _written_constant(expression)) is not None:
            return literal(folded.value)
        case UnaryExpression(operator="!", operand=operand):
            return Unary("!", convert(compute(environment, operand), BOOL), BOOL)
        case UnaryExpression(operand=operand):
            return negate(compute(environment, operand))
        case BinaryExpression(operator=operator, left=left, right=right):
            return combine(operator, compute(environment, left), compute(environment, right))
        case CallExpression(function=function, arguments=arguments):
            return _call(environment, function, arguments)
        case _:
            raise TypeError(f"unexpected node {expression!r}")


def _stored_value(environment: LoopEnvironment, access: Access) -> Expr:
    """The value of a tensor or workspace as it is stored."""
    tensor, indices = access.tensor, access.indices
    if (workspace := environment.kernel.graph.workspaces.get(tensor)) is not None:
        return element(environment, access) if workspace.variables else Var(tensor, workspace.dtype)
    if not indices:
        return Var(tensor, environment.kernel.graph.signature.tensors[tensor].dtype)
    path = environment.path(access, len(indices))
    return Load(environment.kernel.values[tensor], _place(environment, access, path), path)


def _place(environment: LoopEnvironment, access: Access, path: tuple[str, ...]) -> Expr:
    """Where the value of a tensor stands: at the position of the innermost level, or where that says."""
    position = environment.position(access, len(access.indices))
    number = len(environment.kernel.graph.signature.tensors[access.tensor].format.levels)
    storage = environment.kernel.storages[access.tensor, number]
    kind = LEVEL_KINDS[storage.kind]
    if kind.value_places is None:
        return position
    (places,) = (array for array in storage.extra if array.role.value == kind.value_places)
    return Load(places, position, path)


def _written_constant(expression: Expression) -> Literal | None:
    """``-1`` and ``1 / 3``: computed here, so that they stay constants, which do not widen what they meet."""
    known: list[Literal] = []
    for part in operands_of(expression):
        literal = part if isinstance(part, Literal) else _written_constant(part)
        if literal is None or literal.dtype is not None:
            return None
        known.append(literal)
    return constant(with_operands(expression, known)) if known else None


def _call(environment: LoopEnvironment, function: str, arguments: tuple[Expression, ...]) -> Expr:
    values = [compute(environment, argument) for argument in arguments]
    dtypes, result_dtype = call_dtypes(function, values)
    if function in FUNCTIONS and (definition := FUNCTIONS[function].definition) is not None:
        same = all(dtype_of(value) == dtypes for value in values)
        return compute(environment, definition(*(a if same else CallExpression(dtypes, (a,)) for a in arguments)))
    values = [convert(value, dtypes) for value in values]
    if function not in FUNCTIONS or (function == "abs" and dtypes == BOOL):
        return values[0]
    if function in ("min", "max"):
        return Binary(function, values[0], values[1], result_dtype)
    return Call(function, tuple(values), result_dtype)


def typed_constant(value: int | float | complex | bool, dtype: str) -> Const:
    """A constant of ``dtype``, which holds ``value``."""
    if dtype in COMPLEX:
        return Const(complex(value), dtype)
    assert not isinstance(value, complex)
    if dtype in FLOATS:
        return Const(float(value), dtype)
    return Const(bool(value) if dtype == BOOL else int(value), dtype)


def convert(value: Expr, dtype: str) -> Expr:
    """``value`` as ``dtype``; constants change without a cast."""
    if dtype_of(value) == dtype:
        return value
    match value:
        case Const(value=number) if not isinstance(number, complex):
            if dtype in FLOATS:
                return Const(float(number), dtype)
            if dtype in COMPLEX:
                return Const(complex(number), dtype)
            if dtype == BOOL:
                return Const(bool(number), BOOL)
            if dtype in INTEGERS and float(number).is_integer():
                return Const(int(number), dtype)
            return Cast(value, dtype)
        case _ if dtype == BOOL:
            return Binary("!=", value, convert(Const(0, "int64"), dtype_of(value)), BOOL)
        case _:
            return Cast(value, dtype)


def negate(value: Expr) -> Expr:
    dtype = dtype_of(value)
    if dtype in UNSIGNED:  # wraps around, which a sign does not say
        return Binary("-", typed_constant(0, dtype), value, dtype)
    return Unary("-", value, dtype)


def combine(operator: str, left: Expr, right: Expr) -> Expr:
    """The value of a binary operation, in the dtype that NumPy gives it."""
    if operator in COMPARISONS:
        common = promote(left, right)
        if common == BOOL and operator not in ("==", "!="):
            common = "int64"  # false is less than true
        return Binary(operator, convert(left, common), convert(right, common), BOOL)
    if operator in ("&&", "||"):
        return Binary(operator, convert(left, BOOL), convert(right, BOOL), BOOL)
    dtype = operation_dtype(operator, left, right)
    if operator in ("//", "%"):
        return floor_division(operator, convert(left, dtype), convert(right, dtype), dtype)
    return Binary(operator, convert(left, dtype), convert(right, dtype), dtype)
