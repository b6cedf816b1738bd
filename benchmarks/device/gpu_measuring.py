"""Measures one kernel on one matrix: every schedule and every algorithm of cuSPARSE, each verified first."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import heddle as hd
from benchmarks.device import device_clock
from benchmarks.device.gpu_kernels import Kernel
from heddle.measuring.baselines import cusparse_library
from heddle.measuring.baselines.cusparse_library import Refused
from heddle.runtime.tensors.tensor import Tensor
from heddle.schedule.gpu_templates import Commands

WARM_UP = 3
COPY_BYTES = 1 << 30
MEMORY = Path("/proc/meminfo")
COMPARED = 1 << 24
"""Elements that are compared at once, so that what it takes is small next to the result."""
TOLERANCE = 1e-9
"""Relative, for sums of float64 in any order: operands are positive."""
ROOM = 1.25
"""Memory that has to be free, in that of the operands and results: for workspaces and temporaries."""


@dataclass(frozen=True)
class Gpu:
    """``cupy`` with what keeps it busy before a timed call, and the samples that are taken of each."""

    cupy: Any
    ahead: Callable[[], None]
    rounds: int

    def median_ms(self, call: Callable[[], float]) -> float:
        for _ in range(WARM_UP):
            call()
        return float(np.median([call() for _ in range(self.rounds)])) * 1e3


def why_too_large(kernel: Kernel, cupy: Any) -> str | None:
    """Whether the GPU or the host lacks the memory for a kernel, before anything of it is made."""
    cupy.get_default_memory_pool().free_all_blocks()
    free = {"GPU": cupy.cuda.runtime.memGetInfo()[0], "host": _available()}
    needed = kernel.nbytes * ROOM
    short = [f"the {place} has {have / 1e9:.1f} GB free" for place, have in free.items() if needed > have]
    return f"it needs {needed / 1e9:.1f} GB, and {' and '.join(short)}" if short else None


def _available() -> int:
    """Bytes that the host has for us; where Linux tells, with what it keeps of files."""
    if MEMORY.exists():
        for entry in MEMORY.read_text().splitlines():
            if entry.startswith("MemAvailable:"):
                return int(entry.split()[1]) << 10
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def measured(kernel: Kernel, gpu: Gpu) -> dict[str, Any]:
    """Milliseconds of every schedule and of every algorithm of cuSPARSE, and for those that have none the reason:
    ``refused``, or ``wrong``, the names of those whose result is not what SciPy computes."""
    operands = kernel.operands()
    expected = gpu.cupy.asarray(kernel.expected(operands))
    there = {name: tensor.on_gpu() for name, tensor in operands.items()}
    row: dict[str, Any] = {
        "kernel": kernel.name,
        "bytes": sum(tensor.nbytes for tensor in there.values()) + expected.nbytes,
        "ours_ms": {},
        "ours_graph_ms": {},
        "ours_call_ms": {},
        "cusparse": {},
        "refused": {},
        "wrong": [],
    }
    for name, schedule in kernel.schedules.items():
        try:
            found = _ours(kernel, schedule, there, expected, gpu)
        except (hd.CompileError, MemoryError) as error:
            row["refused"][name] = str(error)
            continue
        if found is None:
            row["wrong"].append(name)
        else:
            row["ours_ms"][name], row["ours_graph_ms"][name], row["ours_call_ms"][name] = found
    if kernel.opponents is not None:
        _theirs(kernel, there, expected, gpu, row)
    return row


def _ours(
    kernel: Kernel, schedule: Commands, there: Mapping[str, Tensor], expected: Any, gpu: Gpu
) -> tuple[float, float | None, float] | None:
    """Milliseconds of the GPU, of the same launches in a CUDA graph, where they are one, and of a caller; None where
    the result is wrong."""
    call = hd.compile(kernel.expression, dict(kernel.formats), schedule, "cuda").bind(**there)
    call.output.vals.fill(np.nan)  # the memory may hold another schedule's result
    call.run()
    if not agree(gpu.cupy, call.output.vals, expected):
        return None
    finish = gpu.cupy.cuda.get_current_stream().synchronize
    on_gpu = gpu.median_ms(device_clock.of_call(call, gpu.ahead))
    of_graph = device_clock.of_graph(gpu.cupy, call, gpu.ahead)
    in_graph = None if of_graph is None else gpu.median_ms(of_graph)
    return on_gpu, in_graph, gpu.median_ms(device_clock.of_host(finish, call.compute))


def _theirs(kernel: Kernel, there: Mapping[str, Tensor], expected: Any, gpu: Gpu, row: dict[str, Any]) -> None:
    problem = cusparse_library.missing()
    if problem is not None:
        row["refused"]["cuSPARSE"] = problem
        return
    assert kernel.opponents is not None
    for opponent in kernel.opponents(gpu.cupy, there):
        if isinstance(opponent, Refused):
            row["refused"][f"cuSPARSE {opponent.algorithm}"] = opponent.reason
            continue
        opponent.result().fill(np.nan)
        opponent.run()
        if not agree(gpu.cupy, opponent.result(), expected):
            row["wrong"].append(f"cuSPARSE {opponent.algorithm}")
            continue
        middle = gpu.median_ms(device_clock.between_events(gpu.cupy, opponent.run, gpu.ahead))
        waited = gpu.median_ms(device_clock.of_host(gpu.cupy.cuda.get_current_stream().synchronize, opponent.run))
        figures = {"ms": middle, "call_ms": waited, "preparation_ms": opponent.preparation_ms}
        row["cusparse"][opponent.algorithm] = figures


def agree(cupy: Any, found: Any, expected: Any) -> bool:
    """Whether every element on the GPU is as expected; ``expected`` is flat, ``found`` in the same order."""
    flat = found.reshape(-1)
    return flat.size == expected.size and all(
        bool(cupy.allclose(flat[first : first + COMPARED], expected[first : first + COMPARED], TOLERANCE, TOLERANCE))
        for first in range(0, expected.size, COMPARED)
    )


def bandwidth(gpu: Gpu) -> float:
    """GB/s of a copy, both directions counted."""
    source = gpu.cupy.zeros(COPY_BYTES // 8, "float64")
    target = gpu.cupy.empty_like(source)
    copy = device_clock.between_events(gpu.cupy, lambda: gpu.cupy.copyto(target, source), gpu.ahead)
    return 2 * source.nbytes / gpu.median_ms(copy) / 1e6
