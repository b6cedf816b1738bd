"""Seconds that a device spends on a call, without what the host needs to launch it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from heddle.runtime.devices import cuda
from heddle.runtime.kernels.bound_call import BoundCall

AHEAD_BYTES = 512 << 20
"""A GPU takes some 0.2 ms to write them: long enough for the host to queue a call behind."""


def busy(target: str) -> Callable[[], None]:
    """Queues work on the GPU of ``cuda`` that a call is timed after: the call's launches are then all there when the
    first one begins, so that the host's time for them is not measured, and the GPU's caches hold nothing of the last
    call. Other targets time their launches on the device on their own."""
    if target != "cuda":
        return lambda: None
    memory = cuda.gpu().empty(AHEAD_BYTES, "uint8")
    return lambda: memory.fill(0)


def of_call(call: BoundCall, ahead: Callable[[], None]) -> Callable[[], float]:
    """Runs the kernel; returns the seconds of its fills and launches on its device, by events: on a GPU by one pair
    around all of them, gaps included, as :func:`between_events` times another library's call."""
    device = call.device
    assert device is not None

    def run() -> float:
        device.seconds()
        ahead()
        call.compute()
        return device.seconds()

    return run


def of_graph(cupy: Any, call: BoundCall, ahead: Callable[[], None]) -> Callable[[], float] | None:
    """The seconds of the same fills and launches where the GPU starts them as one CUDA graph; None where they are
    none."""
    assert call.device is not None
    graph = call.device.graph()
    return None if graph is None else between_events(cupy, graph.launch, ahead)


def of_host(finish: Callable[[], Any], call: Callable[[], Any]) -> Callable[[], float]:
    """Runs a call with nothing queued before it; returns the seconds that its caller waits, launches included."""

    def run() -> float:
        finish()
        began = time.perf_counter()
        call()
        finish()
        return time.perf_counter() - began

    return run


def between_events(cupy: Any, call: Callable[[], Any], ahead: Callable[[], None]) -> Callable[[], float]:
    """The same of what ``call`` queues on CuPy's current stream."""

    def run() -> float:
        start, end = cupy.cuda.Event(), cupy.cuda.Event()
        ahead()
        start.record()
        call()
        end.record()
        end.synchronize()
        return float(cupy.cuda.get_elapsed_time(start, end)) * 1e-3

    return run
