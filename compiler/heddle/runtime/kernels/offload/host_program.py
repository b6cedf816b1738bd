"""What the host does for a GPU kernel: the statements of its body as Python closures over one call's values."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from heddle.codegen.device.program import DeviceProgram
from heddle.diagnostics import InternalError
from heddle.loop_ir.build import sub
from heddle.loop_ir.dtypes import integer_range
from heddle.loop_ir.nodes import (
    INDEX_OVERFLOW,
    Allocate,
    AllocateResult,
    Comment,
    Declare,
    Fill,
    For,
    Require,
    Scan,
    Search,
    Stmt,
)
from heddle.runtime.kernels.call_invariants import find_call_invariants
from heddle.runtime.kernels.offload.host_call import Call, Started
from heddle.runtime.kernels.offload.host_values import Value, search_of, value_of
from heddle.runtime.kernels.offload.index_choice import Launching, launches
from heddle.runtime.kernels.offload.launch_arguments import Passing

Step = Callable[[Call], int]
"""Returns a status: 0 to go on."""


def host_program(program: DeviceProgram, wide: Callable[[], DeviceProgram]) -> Step:
    """The host's part: returns 0, or the status of the first claim that does not hold. ``wide`` gives the text with
    indices of 64 bits, for launches whose sizes need it."""
    kernels = launches(program, wide)
    body, settled = program.function.body.statements, find_call_invariants(program.function)
    step_pairs = [(_step(statement, kernels), once) for statement, once in zip(body, settled, strict=True)]
    steps = [step for step, _ in step_pairs if step is not None]
    again = [step for step, once in step_pairs if step is not None and not once]
    names = [
        statement.name
        for statement, once in zip(body, settled, strict=True)
        if once and isinstance(statement, Declare | Search)
    ]

    def run(call: Call) -> int:
        known = call.settled
        call.scalars |= known
        for step in again if known else steps:
            status = step(call)
            if status:
                return status
        if not known:
            known |= {name: call.scalars[name] for name in names}
        return 0

    return run


def _step(statement: Stmt, kernels: Iterator[Launching]) -> Step | None:
    match statement:
        case Comment():
            return None
        case Declare(name=name, value=value):
            return _declare(name, value_of(value))
        case Search():
            return _declare(statement.name, search_of(statement))
        case Require(condition=condition, code=code):
            holds = value_of(condition)
            return lambda call: 0 if holds(call) else code
        case Allocate(array=array, size=size, zero=zero):
            count = value_of(size)

            def allocate(call: Call) -> int:
                elements = count(call)
                call.memory[array.name] = call.device.allocate(elements, array.dtype, zero)
                call.facts.record_allocation(array, elements, zero)
                return 0

            return allocate
        case AllocateResult(array=array, size=size):
            count = value_of(size)

            def obtain(call: Call) -> int:
                elements = count(call)
                call.memory[array.name] = call.device.allocate(elements, array.dtype, False)
                call.facts.record_allocation(array, elements, False)
                return 0

            return obtain
        case Scan(array=array, size=size):
            count, largest = value_of(size), integer_range(array.dtype)[1]

            def scan(call: Call) -> int:
                total = call.device.scan(call.memory[array.name], count(call), array.dtype)
                call.facts.record_scan(array, total)
                return INDEX_OVERFLOW if total > largest else 0

            return scan
        case Fill(array=array, size=size, value=value):
            count, filled = value_of(size), value_of(value)

            def fill(call: Call) -> int:
                wanted = filled(call)
                call.device.fill(call.memory[array.name], count(call), wanted, array.dtype)
                call.facts.record_fill(array, wanted)
                return 0

            return fill
        case For():
            return _launch(next(kernels))
        case _:
            raise InternalError(f"the host of a GPU does not run {type(statement).__name__}")


def _declare(name: str, value: Value) -> Step:
    def declare(call: Call) -> int:
        call.scalars[name] = value(call)
        return 0

    return declare


def _launch(launching: Launching) -> Step:
    loop = launching.kernel.loop
    blocks = value_of(sub(loop.upper, loop.lower))
    passing: dict[str, Passing] = {}  # by kernel: that with indices of 32 bits, perhaps that of 64

    def launch(call: Call) -> int:
        kernel, beyond = launching.chosen(call)
        groups = blocks(call) * kernel.groups
        call.started.append(Started(kernel, max(0, groups), beyond))
        if groups > 0:
            if kernel.name not in passing:
                passing[kernel.name] = Passing(kernel)
            call.device.launch(kernel, groups, passing[kernel.name].arguments(call))
        return 0

    return launch
