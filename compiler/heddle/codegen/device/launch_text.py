"""The launches of a GPU kernel as a person reads them: grid, block, warps, lanes and shared memory
(docs/sources.toml T27)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heddle.codegen.device.program import DeviceKernel, DeviceProgram
from heddle.loop_ir.analysis.launch_shape import GPU_KINDS, shared_bytes
from heddle.loop_ir.build import sub
from heddle.loop_ir.nodes import For, LoopKind
from heddle.loop_ir.printing.expression_text import expression_text
from heddle.loop_ir.walk import statements


@dataclass(frozen=True, slots=True)
class LaunchLoop:
    """A loop on a GPU unit. ``name`` is its variable in the loops' text and in the workers of a trace, ``variable`` the
    one of the iteration graph that it comes from; None for a loop that the lowering added."""

    name: str
    unit: LoopKind
    variable: str | None


@dataclass(frozen=True, slots=True)
class Launch:
    """One launch. ``name`` is its kernel's in the text; ``grid`` the number of blocks, in the kernel's parameters.

    A block has ``threads`` threads: ``warps`` warps of ``lanes`` lanes, or, with no loop over warps (0), just as many
    ``lanes``. ``shared_bytes`` are the schedule's own shared memory in each block. ``loops`` are those on the units, in
    the order of the text, the one over blocks first. ``command`` is the 0-based command that put that loop on the
    blocks; None for a launch that the lowering needs.
    """

    name: str
    grid: str
    threads: int
    warps: int
    lanes: int
    shared_bytes: int
    loops: tuple[LaunchLoop, ...]
    command: int | None

    def names(self, unit: LoopKind) -> tuple[str, ...]:
        """The variables of the loops on ``unit``."""
        return tuple(loop.name for loop in self.loops if loop.unit is unit)


def launches_of(program: DeviceProgram) -> tuple[Launch, ...]:
    """The launches of ``program`` in the order in which the host starts them."""
    return tuple(_launch(kernel) for kernel in program.kernels)


def _launch(kernel: DeviceKernel) -> Launch:
    loop, shape = kernel.loop, kernel.shape
    return Launch(
        kernel.name,
        expression_text(sub(loop.upper, loop.lower)),
        shape.threads,
        shape.warps,
        shape.lanes,
        shared_bytes(loop),
        tuple(dict.fromkeys(_loops(loop))),
        loop.origin.command,
    )


def _loops(loop: For) -> Iterator[LaunchLoop]:
    for statement in statements(loop):
        if isinstance(statement, For) and statement.kind in GPU_KINDS:
            yield LaunchLoop(statement.variable, statement.kind, statement.origin.variable)
