"""The launches of a GPU kernel as a person reads them: grid, block, warps, lanes and shared memory (FEATURES T27)."""

from __future__ import annotations

from dataclasses import dataclass

from compiler.codegen.device_program import DeviceKernel, DeviceProgram
from compiler.loop_ir.build import sub
from compiler.loop_ir.expression_text import expression_text
from compiler.loop_ir.launch import shared_bytes
from compiler.loop_ir.nodes import For, LoopKind
from compiler.loop_ir.walk import statements


@dataclass(frozen=True, slots=True)
class Launch:
    """One launch. ``name`` is its kernel's in the text; ``grid`` the number of blocks, in the kernel's parameters.

    A block has ``threads`` threads: ``warps`` warps of ``lanes`` lanes, or, with no loop over warps (0), just as many
    ``lanes``. ``shared_bytes`` are the schedule's own shared memory in each block. ``block`` is the loop variable over
    blocks; ``warp_variables`` and ``thread_variables`` those of the loops inside, in the order of the text.
    ``command`` is the 0-based command that put the loop on the blocks; None for a launch that the lowering needs.
    """

    name: str
    grid: str
    threads: int
    warps: int
    lanes: int
    shared_bytes: int
    block: str
    warp_variables: tuple[str, ...]
    thread_variables: tuple[str, ...]
    command: int | None


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
        loop.variable,
        _variables(loop, LoopKind.GPU_WARP),
        _variables(loop, LoopKind.GPU_THREAD),
        loop.origin.command,
    )


def _variables(loop: For, kind: LoopKind) -> tuple[str, ...]:
    inside = [one.variable for one in statements(loop.body) if isinstance(one, For) and one.kind is kind]
    return tuple(dict.fromkeys(inside))
