"""How much memory the workspaces of a kernel take on operands of known sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from heddle.loop_ir.nodes import (
    Allocate,
    AllocateMap,
    ArrayRole,
    Binary,
    Cast,
    Const,
    Declare,
    Expr,
    For,
    Function,
    Grow,
    LoopKind,
    Select,
    Stmt,
    Var,
)
from heddle.loop_ir.walk import children

OPERATORS: Mapping[str, Callable[[int, int], int]] = {
    "+": int.__add__,
    "-": int.__sub__,
    "*": int.__mul__,
    "min": min,
    "max": max,
    "//": lambda left, right: left // right if right else 0,
    "%": lambda left, right: left % right if right else 0,
}


class _UntoldError(Exception):
    """A size that only the running kernel knows."""


@dataclass(slots=True)
class _Counted:
    known: dict[str, int]
    threads: int
    bytes: int = 0


def workspace_bytes(function: Function, sizes: Mapping[str, int], threads: int) -> int | None:
    """Bytes of all workspaces that ``function`` declares, where its scalar parameters have ``sizes``; those inside of a
    loop on threads once for each of them. None where a size depends on more, as that of a map or of what grows."""
    counted = _Counted(dict(sizes), threads)
    try:
        _count(function.body, counted, 1)
    except _UntoldError:
        return None
    return counted.bytes


def _count(statement: Stmt, counted: _Counted, copies: int) -> None:
    match statement:
        case Allocate(array=array, size=size):
            counted.bytes += copies * _value(size, counted.known) * np.dtype(array.dtype).itemsize
        case AllocateMap():
            raise _UntoldError
        case Grow(array=array) if array.role is ArrayRole.WORKSPACE:
            raise _UntoldError
        case Declare(name=name, value=value, mutable=False):
            try:
                counted.known[name] = _value(value, counted.known)
            except _UntoldError:
                counted.known.pop(name, None)
        case For(kind=kind, private=private):
            copies = counted.threads if kind is LoopKind.CPU_THREAD else copies
            for declaration in private:
                _count(declaration, counted, copies)
        case _:
            pass
    for inner in children(statement):
        _count(inner, counted, copies)


def _value(expression: Expr, known: Mapping[str, int]) -> int:
    match expression:
        case Const(value=int() as value):
            return int(value)
        case Var(name=name) if name in known:
            return known[name]
        case Cast(operand=operand):
            return _value(operand, known)
        case Binary(operator=operator, left=left, right=right) if operator in OPERATORS:
            return OPERATORS[operator](_value(left, known), _value(right, known))
        case Select(condition=Const(value=chosen), then=then, otherwise=otherwise):
            return _value(then if chosen else otherwise, known)
        case _:
            raise _UntoldError
