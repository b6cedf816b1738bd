"""Definitions to text, canonically spaced, one statement in each line. Parsing the text gives the same tree back."""

from __future__ import annotations

from heddle.comprehensions.language.nodes import (
    Apply,
    Binary,
    Cast,
    Choice,
    Clause,
    Definition,
    Exists,
    Extent,
    In,
    Invoke,
    Let,
    Name,
    Node,
    Number,
    Source,
    Statement,
    Type,
    Unary,
)
from heddle.comprehensions.language.scalars import word

_CHOICE, _OR, _AND, _COMPARISON, _SUM, _PRODUCT, _UNARY = range(7)
_LEVELS = {"||": _OR, "&&": _AND, "+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "%": _PRODUCT}


def to_text(source: Source) -> str:
    """All definitions."""
    return "\n\n".join(definition_text(definition) for definition in source.definitions)


def definition_text(definition: Definition) -> str:
    parameters = ", ".join(f"{_type(parameter.type)} {parameter.name}" for parameter in definition.parameters)
    results = ", ".join(
        result.name if result.type is None else f"{_type(result.type)} {result.name}" for result in definition.returns
    )
    body = "".join(f"    {statement_text(statement)}\n" for statement in definition.statements)
    return f"def {definition.name}({parameters}) -> ({results}) {{\n{body}}}"


def _type(type: Type) -> str:
    if not type.dimensions:
        return type.scalar
    return f"{type.scalar}({', '.join(expression_text(dimension) for dimension in type.dimensions)})"


def statement_text(statement: Statement | Invoke) -> str:
    if isinstance(statement, Invoke):
        targets = ", ".join(target.name for target in statement.targets)
        return f"({targets}) = {statement.function}({', '.join(argument.name for argument in statement.arguments)})"
    indices = f"({', '.join(index.name for index in statement.indices)})" if statement.indices else ""
    clauses = f" where {', '.join(map(_clause, statement.where))}" if statement.where else ""
    operator = statement.operator + "!" * statement.fresh
    return f"{statement.target}{indices} {operator} {expression_text(statement.expression)}{clauses}"


def _clause(clause: Clause) -> str:
    match clause:
        case In(variable=variable, lower=lower, upper=upper):
            return f"{variable} in {_at(lower, _SUM)}:{_at(upper, _SUM)}"
        case Exists(access=access):
            return f"exists {expression_text(access)}"
        case Let(name=name, expression=expression):
            return f"{name} = {expression_text(expression)}"
        case _:
            raise TypeError(f"unexpected clause {clause!r}")


def expression_text(node: Node) -> str:
    return _at(node, _CHOICE)


def _at(node: Node, least: int) -> str:
    """``node`` in parentheses when it binds less tightly than ``least``."""
    text, level = _spell(node)
    return text if level >= least else f"({text})"


def _spell(node: Node) -> tuple[str, int]:
    match node:
        case Number(value=value):
            return repr(value), _UNARY if value >= 0 else _UNARY - 1
        case Name(name=name):
            return name, _UNARY
        case Extent(tensor=tensor, dimension=dimension):
            return f"{tensor}.{dimension}", _UNARY
        case Apply(name=name, arguments=arguments):
            return f"{name}({', '.join(map(expression_text, arguments))})", _UNARY
        case Cast(dtype=dtype, operand=operand):
            return f"{word(dtype)}({expression_text(operand)})", _UNARY
        case Unary(operator=operator, operand=operand):
            return f"{operator}{_at(operand, _UNARY)}", _UNARY
        case Binary(operator=operator, left=left, right=right):
            level = _LEVELS.get(operator, _COMPARISON)
            chained = level + (level == _COMPARISON)
            return f"{_at(left, chained)} {operator} {_at(right, level + 1)}", level
        case Choice(condition=condition, then=then, otherwise=otherwise):
            return f"{_at(condition, _OR)} ? {expression_text(then)} : {expression_text(otherwise)}", _CHOICE
        case _:
            raise TypeError(f"unexpected node {node!r}")
