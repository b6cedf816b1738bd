"""What was launched on a device: the shape of every launch of a call, with what is known of its kernel there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from heddle.codegen.device.program import DeviceKernel
from heddle.loop_ir.analysis.launch_shape import shared_bytes
from heddle.runtime.devices.occupancy import MULTIPROCESSORS, KernelFigures, occupancy
from heddle.runtime.kernels.offload.host_call import Started


@dataclass(frozen=True, slots=True)
class Launched:
    """``blocks`` blocks of ``threads`` threads: ``warps`` warps of ``lanes`` lanes, or, without warps (0), just lanes.

    ``shared_bytes`` are the schedule's own shared memory of a block. ``registers`` of a thread, and ``occupancy`` (the
    share of a multiprocessor's warps that can be resident at once, a model), are None where the device does not tell.
    Indices have ``index_bits`` bits, 32 or 64; ``beyond``: why 64, None with 32.
    """

    kernel: str
    blocks: int
    threads: int
    warps: int
    lanes: int
    shared_bytes: int
    registers: int | None
    occupancy: float | None
    index_bits: int
    beyond: str | None


Figures = Callable[[DeviceKernel], tuple[KernelFigures, str] | None]
"""What a device's compiler made of a kernel, and the architecture; None where it does not tell."""


def record_launches(started: Sequence[Started], figures: Figures) -> tuple[Launched, ...]:
    """Of the launches of one call."""
    return tuple(_record_launch(launch, figures(launch.kernel)) for launch in started)


def _record_launch(started: Started, known: tuple[KernelFigures, str] | None) -> Launched:
    kernel = started.kernel
    shape, registers, share = kernel.shape, None, None
    if known is not None:
        kernel_figures, architecture = known
        registers = kernel_figures.registers
        share = occupancy(kernel_figures, kernel.threads, architecture) if architecture in MULTIPROCESSORS else None
    return Launched(
        kernel.name,
        started.groups // kernel.groups,
        shape.threads,
        shape.warps,
        shape.lanes,
        shared_bytes(kernel.loop),
        registers,
        share,
        32 if started.beyond is None else 64,
        started.beyond,
    )
