"""Terms and types as text, in one spelling."""

from __future__ import annotations

from heddle.patterns.syntax.nodes import (
    Annotated,
    Apply,
    ArrayTerm,
    Binary,
    Choice,
    Element,
    IndexTerm,
    Lambda,
    Let,
    NatLambda,
    Negative,
    Number,
    Operator,
    PairTerm,
    PairTypeTerm,
    Projection,
    ScalarTerm,
    Term,
    Truth,
    TypeTerm,
    Variable,
)

_STRENGTH = {
    "||": 1,
    "&&": 2,
    "==": 3,
    "!=": 3,
    "<": 3,
    "<=": 3,
    ">": 3,
    ">=": 3,
    "+": 4,
    "-": 4,
    "*": 5,
    "/": 5,
    "%": 5,
}
_CHOICE, _UNARY, _INDEXED, _APPLIED = 0, 6, 7, 8


def to_text(term: Term) -> str:
    """``term`` as text that parses to an equal one."""
    return _text(term, -1)


def _text(term: Term, strength: int) -> str:
    precedence, text = _with_strength(term)
    return f"({text})" if precedence < strength else text


def _with_strength(term: Term) -> tuple[int, str]:
    match term:
        case Variable(name=name):
            return 9, name
        case Number(text=text):
            return 9, text
        case Truth(value=value):
            return 9, str(value).lower()
        case Operator(operator=operator):
            return 9, operator
        case Lambda(parameter=name, annotation=annotation, body=body):
            typed = "" if annotation is None else f": {type_text(annotation)}"
            return 9, f"fun({name}{typed} => {_text(body, -1)})"
        case NatLambda(parameter=name, body=body):
            return 9, f"nFun({name} => {_text(body, -1)})"
        case Apply(function=function, arguments=(argument,), pipe=True):
            return -1, f"{_text(argument, -1 if _is_pipe(argument) else _CHOICE)} :>> {_text(function, _APPLIED)}"
        case Apply(function=function, arguments=arguments):
            return 9, f"{_text(function, _APPLIED)}({', '.join(_text(argument, -1) for argument in arguments)})"
        case Projection(pair=pair, number=number):
            return 9, f"{_text(pair, _APPLIED)}.{number}"
        case Element(array=array, index=index):
            return _INDEXED, f"{_text(array, _INDEXED)}@{_text(index, _APPLIED)}"
        case Binary(operator=operator, left=left, right=right):
            precedence = _STRENGTH[operator]
            return precedence, f"{_text(left, precedence)} {operator} {_text(right, precedence + 1)}"
        case Negative(operand=operand):
            return _UNARY, f"-{_text(operand, _UNARY)}"
        case Choice(condition=condition, then=then, otherwise=otherwise):
            return _CHOICE, f"{_text(condition, 1)} ? {_text(then, _CHOICE)} : {_text(otherwise, _CHOICE)}"
        case PairTerm(first=first, second=second):
            return 9, f"({_text(first, -1)}, {_text(second, -1)})"
        case Let(name=name, value=value, body=body):
            return -2, f"let {name} = {_text(value, -1)} in {_text(body, -2)}"
        case Annotated(term=inner, annotation=annotation):
            return 9, f"({_text(inner, -1)} : {type_text(annotation)})"
        case _:
            raise TypeError(f"unexpected term {term!r}")


def _is_pipe(term: Term) -> bool:
    return isinstance(term, Apply) and term.pipe


def type_text(term: TypeTerm) -> str:
    match term:
        case ScalarTerm(name=name):
            return name
        case IndexTerm(size=size):
            return f"idx({to_text(size)})"
        case PairTypeTerm(first=first, second=second):
            return f"({type_text(first)}, {type_text(second)})"
        case ArrayTerm(element=element, size=size, variable=variable):
            text = to_text(size)
            plain = isinstance(size, Variable | Number)
            inside = type_text(element) if variable is None else f"{variable} -> {type_text(element)}"
            return f"[{inside}]_{text if plain else '{' + text + '}'}"
        case _:
            raise TypeError(f"unexpected type {term!r}")
