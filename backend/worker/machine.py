"""What machine a result was measured on."""

from __future__ import annotations

import os
import platform
from typing import TYPE_CHECKING

import numpy as np
import psutil
import scipy

from backend.worker import stream
from compiler.diagnostics import CompileError
from compiler.runtime.native import cpu, machine_class, toolchain

if TYPE_CHECKING:
    from backend.schema.run import MachineFacts, MklFacts


def machine_facts(mkl: MklFacts | None = None) -> MachineFacts:
    """Facts as they are now; bandwidths as far as they have been measured. ``mkl`` is known once MKL is loaded.

    Raises:
        CompileError: ``runtime/unknown-machine-class``.
    """
    try:
        compiler: str | None = toolchain.discover().describe()
        bandwidths = stream.stored()
    except CompileError:
        compiler, bandwidths = None, {}
    return {
        "cpu": cpu.model(),
        "machine_class": machine_class.in_force().name,
        "march": machine_class.march(),
        "cores": cpu.available_cores(),
        "memory_bytes": int(psutil.virtual_memory().total),
        "os": f"{platform.system()} {platform.release()}",
        "compiler": compiler,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "mkl": mkl,
        "stream_triad_gbps": bandwidths,
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
    }
