"""The checked interpreter: runs any function on small data and faults where a compiled kernel would go wrong.

It checks bounds, reads of elements that nothing has written, overflows of indices, the order of searched arrays, and
races between the iterations of parallel loops of every unit. It is the oracle of the generated code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.loop_ir.analysis.wrapping import wrapping_dtypes
from heddle.loop_ir.interpreter.evaluate import Machine, Scalar, Symbols
from heddle.loop_ir.interpreter.execute_launch import LaunchExecutor
from heddle.loop_ir.interpreter.execute_loops import Order
from heddle.loop_ir.interpreter.faults import UnwrittenElement
from heddle.loop_ir.interpreter.memory import Argument, bind_arrays, bind_scalars, obtained_arrays, write_back
from heddle.loop_ir.interpreter.trace import Event
from heddle.loop_ir.nodes import Function, Store
from heddle.loop_ir.nodes.expressions import AVX512, VectorUnit
from heddle.loop_ir.printing.printer import statement_lines
from heddle.loop_ir.verification.verify import verify
from heddle.loop_ir.walk import all_statements

STEP_LIMIT = 1_000_000


@dataclass(frozen=True, slots=True)
class Interpretation:
    """The outcome of one run: the kernel's ``status`` (0, or the code of the requirement that failed), the ``trace``
    (empty unless asked for), the number of loop iterations and filled elements, and for each output the indices of
    the elements that the kernel never wrote. ``obtained`` are the arrays that the kernel allocated, by parameter."""

    status: int
    trace: tuple[Event, ...]
    steps: int
    unwritten: Mapping[str, tuple[int, ...]]
    obtained: Mapping[str, NDArray[Any]]


def interpret(
    function: Function,
    arguments: Mapping[str, Argument],
    *,
    step_limit: int = STEP_LIMIT,
    trace: bool = False,
    events: list[Event] | None = None,
    order: Order = "forward",
    seed: int = 0,
    initialised: frozenset[str] = frozenset(),
    vectors: VectorUnit = AVX512,
) -> Interpretation:
    """Runs ``function``; outputs are written into the arrays of ``arguments``, elements never written stay as they are.

    ``arguments`` maps each parameter to an int, a float or a one-dimensional array of the parameter's dtype, except for
    the arrays that the kernel allocates. ``order`` and ``seed`` say how the iterations of parallel loops follow each
    other. Outputs start uninitialised unless ``initialised`` names them. ``vectors`` is what kernels may ask of the
    machine: they go other ways on one without masks, or with fewer registers. ``events`` is a list of the caller's that
    the trace is collected in, so that what came before a fault is there too. Raises a
    :class:`~heddle.loop_ir.interpreter.faults.Fault` at the first fault, ``InternalError`` for invalid loop IR and
    ``TypeError`` for arguments that do not fit.
    """
    lines = _verify(function)
    machine = Machine(
        step_limit, events if events is not None else [] if trace else None, vectors, wrapping_dtypes(function)
    )
    arrays = bind_arrays(function, arguments, initialised)
    symbols: Symbols = dict(arrays)
    dtypes = {parameter.name: parameter.dtype for parameter in function.parameters}
    for name, value in bind_scalars(function, arguments).items():
        slot = machine.new_slot()
        machine.scalars[slot] = value
        symbols[name] = Scalar(slot, dtypes[name], depth=0)
    kernel = LaunchExecutor(machine, symbols, lines, order, seed).body(function.body)
    with np.errstate(all="ignore"):  # IEEE 754 arithmetic goes on with infinities and NaNs, as the kernel does
        kernel()
    return Interpretation(
        machine.status,
        tuple(machine.events or ()),
        machine.steps,
        write_back(function, arguments, arrays),
        obtained_arrays(function, arrays),
    )


def check_written(function: Function, run: Interpretation) -> None:
    """Checks that a run that succeeded wrote every element of the outputs that the caller gave.

    Raises
    ------
    UnwrittenElement
        the first that nothing has written, at the last store to its array.
    """
    if run.status:
        return
    for parameter in function.parameters:
        if parameter.allocated or not run.unwritten.get(parameter.name):
            continue
        first, size = run.unwritten[parameter.name][0], len(run.unwritten[parameter.name])
        statements = list(all_statements(function))
        stores = [
            statement for statement in statements if isinstance(statement, Store) and statement.array == parameter.array
        ]
        raise UnwrittenElement(
            f"nothing writes element {first} of {parameter.name} ({size} in all)",
            [*statements[:1], *stores][-1],
            (),
            parameter.name,
            first,
        )


@lru_cache(maxsize=8)
def _verify(function: Function) -> tuple[int, ...]:
    """The lines of the text of valid loops, once for the runs of a kernel on several operands."""
    verify(function)
    return statement_lines(function)
