"""What machine a result was measured on."""

from __future__ import annotations

import os
import platform
from typing import TYPE_CHECKING

import numpy as np
import psutil
import scipy

from heddle.diagnostics import CompileError
from heddle.runtime.native import cpu, loaded_wake, machine_class, parallel_region, toolchain
from heddle.runtime.native.quiet_moment import Spread as QuietSpread
from heddle_server.engine import stream

if TYPE_CHECKING:
    from heddle.measuring.schema import MklFacts
    from heddle_server.schema.run import MachineFacts, Spread


def machine_facts(mkl: MklFacts | None = None, gpu: str | None = None) -> MachineFacts:
    """Facts as they are now; bandwidths as far as they have been measured. ``mkl`` is known once MKL is loaded, and
    ``gpu`` once its driver was asked.

    Raises
    ------
    CompileError
        ``runtime/unknown-machine-class``.
    """
    try:
        c_compiler = toolchain.discover()
        compiler: str | None = c_compiler.describe()
        flags = " ".join((*c_compiler.flags, *c_compiler.link))
        bandwidths, waking, loaded = stream.spreads(), parallel_region.spreads(), loaded_wake.spreads()
    except CompileError:
        compiler, flags, bandwidths, waking, loaded = None, "", {}, {}, {}
    return {
        "cpu": cpu.model(),
        "machine_class": machine_class.in_force().name,
        "march": machine_class.march(),
        "cores": cpu.available_cores(),
        "memory_bytes": int(psutil.virtual_memory().total),
        "os": f"{platform.system()} {platform.release()}",
        "compiler": compiler,
        "compiler_flags": flags,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "mkl": mkl,
        "gpu": gpu,
        "stream_triad_gbps": {str(threads): each.median for threads, each in bandwidths.items()},
        "stream_triad": {str(threads): _show(each) for threads, each in bandwidths.items()},
        "waking_ns": {str(threads): _show(each, 1e9) for threads, each in waking.items()},
        "loaded_waking_ns": {str(threads): _show(each, 1e9) for threads, each in loaded.items()},
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
    }


def _show(spread: QuietSpread, unit: float = 1.0) -> Spread:
    low, middle, high = (float(f"{unit * each:.4g}") for each in (spread.low, spread.median, spread.high))
    return {"median": middle, "low": low, "high": high, "times": spread.times}
