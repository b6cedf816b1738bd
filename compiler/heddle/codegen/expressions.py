"""Expressions of loop IR in the C family of languages, with as few parentheses as the precedences allow."""

from __future__ import annotations

from heddle.codegen.identifiers import Identifiers
from heddle.codegen.literals import literal
from heddle.codegen.support import Support, spelled_operator
from heddle.diagnostics import InternalError
from heddle.loop_ir.dtypes import COMPARISONS, COMPLEX, FLOATS, INTEGERS, LOGICAL, NARROW, UNSIGNED, dtype_of
from heddle.loop_ir.functions import FUNCTIONS
from heddle.loop_ir.nodes import (
    BOOL,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Load,
    MapSize,
    RegistersHold,
    Select,
    Unary,
    Var,
    VectorMasks,
)

CONDITIONAL, OR, AND, EQUALITY, RELATIONAL, ADDITIVE, MULTIPLICATIVE, UNARY, PRIMARY = range(1, 10)

_PRECEDENCE = {
    "||": OR,
    "&&": AND,
    "==": EQUALITY,
    "!=": EQUALITY,
    "<": RELATIONAL,
    "<=": RELATIONAL,
    ">": RELATIONAL,
    ">=": RELATIONAL,
    "+": ADDITIVE,
    "-": ADDITIVE,
    "*": MULTIPLICATIVE,
    "/": MULTIPLICATIVE,
    "%": MULTIPLICATIVE,
}


class ExpressionPrinter:
    """Prints expressions. A target overrides what it spells differently."""

    def __init__(self, identifiers: Identifiers, support: Support) -> None:
        self._identifiers = identifiers
        self._support = support

    def text(self, expression: Expr, precedence: int = 0) -> str:
        """The text, in parentheses when it binds less tightly than ``precedence``."""
        text, strength = self._render(expression)
        return text if strength >= precedence else f"({text})"

    def value(self, expression: Expr) -> str:
        """The text of what is stored into a variable, which itself converts a truth value to 0 or 1."""
        match expression:
            case Cast(operand=operand, dtype=dtype) if dtype in INTEGERS and dtype_of(operand) == BOOL:
                return self.text(operand, PRIMARY)
            case _:
                return self.text(expression)

    def subscript(self, array: str, index: Expr) -> str:
        return f"{self._identifiers.spell(array)}[{self.text(index)}]"

    def negation(self, condition: Expr) -> str:
        """The text of ``!condition``, with an integer comparison turned round."""
        flipped = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
        match condition:
            case Binary(operator=operator, left=left, right=right) if (
                operator in flipped and dtype_of(left) in INTEGERS
            ):
                return self._binary(Binary(flipped[operator], left, right, condition.dtype))[0]
            case Unary(operator="!", operand=operand):
                return self.text(operand)
            case _:
                return f"!{self.text(condition, UNARY)}"

    def _render(self, expression: Expr) -> tuple[str, int]:
        match expression:
            case Var(name=name):
                return self._identifiers.spell(name), PRIMARY
            case Const():
                return self._constant(expression)
            case VectorMasks():
                return self._support.register_facts("VECTOR_MASKS"), PRIMARY
            case RegistersHold(size=size):
                self._support.register_facts("VECTOR_BYTES")
                return f"{self._support.register_facts('REGISTERS_HOLD')}({size})", PRIMARY
            case MapSize(map=table):
                return f"{self._identifiers.spell(table.name)}.size", PRIMARY
            case Binary():
                return self._binary(expression)
            case Unary(operator=operator, operand=operand, dtype=dtype):
                self._support.integer(dtype)
                inner = f"{operator}{self._wide(operand, UNARY + 1 if operator == '-' else UNARY)}"
                return self._narrow(inner, dtype) if operator == "-" and dtype in NARROW else (inner, UNARY)
            case Load(array=array, index=index):
                return self.subscript(array.name, index), PRIMARY
            case Cast(operand=operand, dtype=dtype):
                return f"({self._support.type(dtype)}){self.text(operand, UNARY)}", UNARY
            case Select(condition=condition, then=then, otherwise=otherwise):
                parts = (self.text(condition, CONDITIONAL + 1), self.text(then), self.text(otherwise, CONDITIONAL))
                return f"{parts[0]} ? {parts[1]} : {parts[2]}", CONDITIONAL
            case Call(function="abs", arguments=(operand,), dtype=dtype) if dtype in UNSIGNED:
                return self._render(operand)
            case Call():
                return self._call(expression), PRIMARY
            case _:
                raise TypeError(f"unexpected node {expression!r}")

    def _constant(self, constant: Const) -> tuple[str, int]:
        if constant.dtype == BOOL:
            self._support.header("stdbool.h")
        elif constant.dtype in COMPLEX:
            self._support.header("complex.h")
            text = literal(constant)
            return text, PRIMARY if text.startswith("__") else ADDITIVE
        text = literal(constant)
        return text, UNARY if text.startswith("-") else PRIMARY

    def _binary(self, expression: Binary) -> tuple[str, int]:
        left, right, dtype = expression.left, expression.right, self.computed_dtype(expression)
        operator = spelled_operator(expression.operator, dtype)
        if operator in ("min", "max"):
            return f"{self._support.select(operator, dtype)}({self.text(left)}, {self.text(right)})", PRIMARY
        self._support.integer(expression.dtype)
        precedence = _PRECEDENCE[operator]
        if operator in LOGICAL:
            # gcc warns about && inside || without parentheses, and readers stumble over it too.
            inner = EQUALITY if operator == "||" else precedence
            sides = [self.text(side, precedence if _is_same(side, operator) else inner) for side in (left, right)]
            return f"{sides[0]} {operator} {sides[1]}", precedence
        if operator in COMPARISONS:
            return f"{self.text(left, ADDITIVE)} {operator} {self.text(right, ADDITIVE)}", precedence
        if operator in ("/", "%") or _has_native_width(left, dtype) or _has_native_width(right, dtype):
            first = self.text(left, precedence)
        else:
            first = f"({self._support.type(dtype)}){self.text(left, UNARY)}"
        second = self.text(right, precedence + 1)
        text = f"{first} {operator} {second}"
        return self._narrow(f"({text})", dtype) if dtype in NARROW else (text, precedence)

    def computed_dtype(self, expression: Expr) -> str:
        """The dtype in which the language computes ``expression``."""
        return dtype_of(expression)

    def _wide(self, operand: Expr, precedence: int) -> str:
        """The operand of a unary operator, converted first when C would compute it in a narrower type."""
        dtype = self.computed_dtype(operand)
        if dtype in ("int64", "uint64") and not isinstance(operand, Const) and not _has_native_width(operand, dtype):
            return f"({self._support.type(dtype)}){self.text(operand, UNARY)}"
        return self.text(operand, precedence)

    def _narrow(self, text: str, dtype: str) -> tuple[str, int]:
        return f"({self._support.type(dtype)}){text}", UNARY

    def _call(self, call: Call) -> str:
        name, dtype = call.function, dtype_of(call.arguments[0])
        arguments = ", ".join(self.text(argument) for argument in call.arguments)
        if dtype in INTEGERS:
            if name != "abs":
                raise InternalError(f"{name} of {dtype}")
            return f"{self._support.absolute(dtype)}({arguments})"
        suffix = "f" if dtype in ("float32", "complex64") else ""
        if dtype in COMPLEX:
            self._support.header("complex.h")
            return f"c{name}{suffix}({arguments})"
        if dtype in FLOATS:
            self._support.header("math.h")
            return f"{FUNCTIONS[name].c}{suffix}({arguments})"
        raise InternalError(f"{name} of {dtype}")


def _is_same(expression: Expr, operator: str) -> bool:
    return isinstance(expression, Binary) and expression.operator == operator


def _has_native_width(expression: Expr, dtype: str) -> bool:
    """Whether C computes ``expression`` in the type of ``dtype``, so that an operation on it cannot overflow earlier.

    Index arrays of 32 bits and small constants are ``int`` in C although they are ``int64`` in loop IR.
    """
    if dtype not in INTEGERS or dtype in NARROW:
        return True
    match expression:
        case Const(value=value):
            return dtype == "int32" or (dtype == "int64" and abs(value) >= 2**31)
        case Load(array=array):
            return array.dtype == dtype
        case Binary(operator="/" | "//" | "%", left=left, right=right):
            # Printed as they are: a quotient or a remainder of ints is an int.
            return _has_native_width(left, dtype) or _has_native_width(right, dtype)
        case Select(then=then, otherwise=otherwise):
            return _has_native_width(then, dtype) or _has_native_width(otherwise, dtype)
        case _:
            return True
