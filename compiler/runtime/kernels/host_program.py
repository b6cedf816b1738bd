"""What the host does for a GPU kernel: the statements of its body as Python closures over one call's values."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from compiler.codegen.device.program import DeviceKernel, DeviceProgram
from compiler.diagnostics import InternalError
from compiler.loop_ir.analysis.launch_facts import LaunchFacts
from compiler.loop_ir.build import sub
from compiler.loop_ir.dtypes import integer_range
from compiler.loop_ir.nodes import (
    INDEX_OVERFLOW,
    Allocate,
    AllocateResult,
    Array,
    Binary,
    Cast,
    Comment,
    Const,
    Declare,
    Expr,
    Fill,
    For,
    Load,
    Require,
    Scan,
    Search,
    SearchKind,
    Select,
    Stmt,
    Unary,
    Var,
)
from compiler.runtime.kernels.index_choice import Launching, launches
from compiler.runtime.storage.device_arrays import HostReads

Scalar = int | float | bool


class Device(Protocol):
    """Where the launches run. Memory is whatever the device hands out. Work is queued and done in order; reading waits
    for it."""

    def allocate(self, count: int, dtype: str, zero: bool) -> Any:
        """Memory for ``count`` elements of ``dtype``, all zero or with any content."""
        ...

    def fill(self, memory: Any, count: int, value: Scalar, dtype: str) -> None:
        """Sets the first ``count`` elements to ``value``."""
        ...

    def launch(self, kernel: DeviceKernel, groups: int, arguments: list[Any]) -> None:
        """Starts ``groups`` blocks (work-groups) of ``kernel.threads`` threads; the arguments are in the order of the
        kernel's parameters."""
        ...

    def also(self, program: DeviceProgram) -> None:
        """Builds the kernels of another text of the same program; they have other names."""
        ...

    def read(self, memory: Any, place: int, dtype: str) -> Scalar:
        """The element number ``place``, counted from 0."""
        ...

    def scan(self, memory: Any, count: int, dtype: str) -> int:
        """The inclusive prefix sum of integers, in place; returns the last one, which may be more than ``dtype`` holds:
        then the memory has no meaning."""
        ...


@dataclass(frozen=True, slots=True)
class Started:
    """A launch of ``groups`` work-groups; ``beyond``: why its indices have 64 bits, None where they have 32."""

    kernel: DeviceKernel
    groups: int
    beyond: str | None


@dataclass(slots=True, eq=False)
class Call:
    """The values of one call: ``scalars`` by name, ``host`` arrays of operands, and arrays in the device's ``memory``.
    ``facts`` are what is known of arrays of indices; ``started`` collects the launches."""

    device: Device
    scalars: dict[str, Scalar]
    host: Mapping[str, NDArray[Any] | HostReads]
    memory: dict[str, Any]
    facts: LaunchFacts = field(default_factory=LaunchFacts)
    started: list[Started] = field(default_factory=list)


Value = Callable[[Call], Any]
Passed = tuple[tuple[str, type[np.generic] | None], ...]
"""The arguments of a kernel by name, with the types of those that are scalars."""
Step = Callable[[Call], int]
"""Returns a status: 0 to go on."""


def host_program(program: DeviceProgram, wide: Callable[[], DeviceProgram]) -> Step:
    """The host's part: returns 0, or the status of the first claim that does not hold. ``wide`` gives the text with
    indices of 64 bits, for launches whose sizes need it."""
    kernels = launches(program, wide)
    made = (_step(statement, kernels) for statement in program.function.body.statements)
    steps = [step for step in made if step is not None]

    def run(call: Call) -> int:
        for step in steps:
            status = step(call)
            if status:
                return status
        return 0

    return run


def _step(statement: Stmt, kernels: Iterator[Launching]) -> Step | None:
    match statement:
        case Comment():
            return None
        case Declare(name=name, value=value):
            return _declared(name, _value(value))
        case Search():
            return _declared(statement.name, _search(statement))
        case Require(condition=condition, code=code):
            holds = _value(condition)
            return lambda call: 0 if holds(call) else code
        case Allocate(array=array, size=size, zero=zero):
            count = _value(size)

            def allocate(call: Call) -> int:
                elements = count(call)
                call.memory[array.name] = call.device.allocate(elements, array.dtype, zero)
                call.facts.allocated(array, elements, zero)
                return 0

            return allocate
        case AllocateResult(array=array, size=size):
            count = _value(size)

            def obtain(call: Call) -> int:
                elements = count(call)
                call.memory[array.name] = call.device.allocate(elements, array.dtype, False)
                call.facts.allocated(array, elements, False)
                return 0

            return obtain
        case Scan(array=array, size=size):
            count, largest = _value(size), integer_range(array.dtype)[1]

            def scan(call: Call) -> int:
                total = call.device.scan(call.memory[array.name], count(call), array.dtype)
                call.facts.scanned(array, total)
                return INDEX_OVERFLOW if total > largest else 0

            return scan
        case Fill(array=array, size=size, value=value):
            count, filled = _value(size), _value(value)

            def fill(call: Call) -> int:
                wanted = filled(call)
                call.device.fill(call.memory[array.name], count(call), wanted, array.dtype)
                call.facts.filled(array, wanted)
                return 0

            return fill
        case For():
            return _launch(next(kernels))
        case _:
            raise InternalError(f"the host of a GPU does not run {type(statement).__name__}")


def _declared(name: str, value: Value) -> Step:
    def declare(call: Call) -> int:
        call.scalars[name] = value(call)
        return 0

    return declare


def _launch(launching: Launching) -> Step:
    loop = launching.kernel.loop
    blocks = _value(sub(loop.upper, loop.lower))
    passed: dict[str, Passed] = {}  # by kernel: that with indices of 32 bits, perhaps that of 64

    def launch(call: Call) -> int:
        kernel, beyond = launching.chosen(call)
        groups = blocks(call) * kernel.groups
        call.started.append(Started(kernel, max(0, groups), beyond))
        if groups > 0:
            if kernel.name not in passed:
                passed[kernel.name] = _passed(kernel)
            scalars, memory = call.scalars, call.memory
            values = [memory[name] if kind is None else kind(scalars[name]) for name, kind in passed[kernel.name]]
            call.device.launch(kernel, groups, values)
        return 0

    return launch


def _passed(kernel: DeviceKernel) -> Passed:
    return tuple(
        (one.name, None if one.array is not None else np.dtype("uint8" if one.dtype == "bool" else one.dtype).type)
        for one in kernel.arguments
    )


def _search(search: Search) -> Value:
    name, kind = search.array.name, search.kind
    lower, upper, wanted = _value(search.lower), _value(search.upper), _value(search.value)

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


def _value(expression: Expr) -> Value:
    match expression:
        case Const(value=value):
            return lambda call: value
        case Var(name=name):
            return lambda call: call.scalars[name]
        case Load(array=array, index=index):
            return _load(array, _value(index))
        case Binary(operator="&&", left=left, right=right):
            first, second = _value(left), _value(right)
            return lambda call: first(call) and second(call)
        case Binary(operator="||", left=left, right=right):
            first, second = _value(left), _value(right)
            return lambda call: first(call) or second(call)
        case Binary(operator=name, left=left, right=right) if name in _OPERATORS:
            first, second, compute = _value(left), _value(right), _OPERATORS[name]
            return lambda call: compute(first(call), second(call))
        case Unary(operator="-", operand=operand):
            inner = _value(operand)
            return lambda call: -inner(call)
        case Unary(operator="!", operand=operand):
            inner = _value(operand)
            return lambda call: not inner(call)
        case Cast(operand=operand, dtype=dtype):
            inner = _value(operand)
            return lambda call: np.dtype(dtype).type(inner(call)).item()
        case Select(condition=condition, then=then, otherwise=otherwise):
            test, yes, no = _value(condition), _value(then), _value(otherwise)
            return lambda call: yes(call) if test(call) else no(call)
        case _:
            raise InternalError(f"the host of a GPU does not compute {expression!r}")
