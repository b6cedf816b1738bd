"""Expressions and searches of a host program as Python closures over one call's values."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import InternalError
from heddle.loop_ir.nodes import (
    Array,
    Binary,
    Cast,
    Const,
    Expr,
    Load,
    Search,
    SearchKind,
    Select,
    Unary,
    Var,
)
from heddle.runtime.kernels.offload.host_call import Call
from heddle.runtime.storage.device_arrays import HostReads

Value = Callable[[Call], Any]


def search_of(search: Search) -> Value:
    """The position that a search finds, in an array that the host has."""
    name, kind = search.array.name, search.kind
    lower, upper, wanted = value_of(search.lower), value_of(search.upper), value_of(search.value)

    def find(call: Call) -> int:
        first, last, value = lower(call), upper(call), wanted(call)
        part = _host_array(call, name)[first:last]
        if kind is SearchKind.BEFORE:
            return int(max(first, first + np.searchsorted(part, value, "right") - 1))
        return int(first + np.searchsorted(part, value, "left"))

    return find


def _load(array: Array, place: Value) -> Value:
    def load(call: Call) -> Any:
        if array.name in call.host:
            return call.host[array.name][place(call)].item()
        return call.device.read(call.memory[array.name], place(call), array.dtype)

    return load


def _host_array(call: Call, name: str) -> NDArray[Any] | HostReads:
    if name not in call.host:
        raise InternalError(f"the host reads {name}, which only the device has")
    return call.host[name]


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "min": min,
    "max": max,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def value_of(expression: Expr) -> Value:
    """The value of an expression over scalars, and elements of arrays of the host or the device."""
    match expression:
        case Const(value=value):
            return lambda call: value
        case Var(name=name):
            return lambda call: call.scalars[name]
        case Load(array=array, index=index):
            return _load(array, value_of(index))
        case Binary(operator="&&", left=left, right=right):
            first, second = value_of(left), value_of(right)
            return lambda call: first(call) and second(call)
        case Binary(operator="||", left=left, right=right):
            first, second = value_of(left), value_of(right)
            return lambda call: first(call) or second(call)
        case Binary(operator=name, left=left, right=right) if name in _OPERATORS:
            first, second, compute = value_of(left), value_of(right), _OPERATORS[name]
            return lambda call: compute(first(call), second(call))
        case Unary(operator="-", operand=operand):
            inner = value_of(operand)
            return lambda call: -inner(call)
        case Unary(operator="!", operand=operand):
            inner = value_of(operand)
            return lambda call: not inner(call)
        case Cast(operand=operand, dtype=dtype):
            inner = value_of(operand)
            return lambda call: np.dtype(dtype).type(inner(call)).item()
        case Select(condition=condition, then=then, otherwise=otherwise):
            test, yes, no = value_of(condition), value_of(then), value_of(otherwise)
            return lambda call: yes(call) if test(call) else no(call)
        case _:
            raise InternalError(f"the host of a GPU does not compute {expression!r}")
