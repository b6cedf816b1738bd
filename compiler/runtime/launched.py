"""What was launched on a device: the shape of every launch of a call, with what is known of its kernel there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from compiler.codegen.device_program import DeviceKernel
from compiler.loop_ir.launch import shared_bytes
from compiler.runtime.occupancy import MULTIPROCESSORS, KernelFigures, occupancy


@dataclass(frozen=True, slots=True)
class Launched:
    """``blocks`` blocks of ``threads`` threads: ``warps`` warps of ``lanes`` lanes, or, without warps (0), just lanes.

    ``shared_bytes`` are the schedule's own shared memory of a block. ``registers`` of a thread, and ``occupancy`` (the
    share of a multiprocessor's warps that can be resident at once, a model), are None where the device does not tell.
    """

    kernel: str
    blocks: int
    threads: int
    warps: int
    lanes: int
    shared_bytes: int
    registers: int | None
    occupancy: float | None


Figures = Callable[[DeviceKernel], tuple[KernelFigures, str] | None]
"""What a device's compiler made of a kernel, and the architecture; None where it does not tell."""


def launched(geometry: Sequence[tuple[DeviceKernel, int]], figures: Figures) -> tuple[Launched, ...]:
    """Of the launches of one call, each with its number of work-groups."""
    return tuple(_launched(kernel, groups, figures(kernel)) for kernel, groups in geometry)


def _launched(kernel: DeviceKernel, groups: int, known: tuple[KernelFigures, str] | None) -> Launched:
    shape, registers, share = kernel.shape, None, None
    if known is not None:
        found, architecture = known
        registers = found.registers
        share = occupancy(found, kernel.threads, architecture) if architecture in MULTIPROCESSORS else None
    blocks = groups // kernel.groups
    return Launched(
        kernel.name, blocks, shape.threads, shape.warps, shape.lanes, shared_bytes(kernel.loop), registers, share
    )
