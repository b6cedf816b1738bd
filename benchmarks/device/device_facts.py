"""What a target runs on here, for results that are kept: without the service's packages, so that it works on a bare
machine with a GPU."""

from __future__ import annotations

import os
import platform
from typing import Any

import numpy as np
import scipy

from heddle.measuring.baselines import cusparse_library
from heddle.runtime.devices import cuda
from heddle.runtime.native import cpu


def device_facts(target: str) -> dict[str, Any]:
    """The processor, versions, and the device of ``target``.

    Raises
    ------
    CompileError
        ``runtime/no-cuda`` or ``runtime/no-opencl`` where there is none.
    """
    facts = {
        "cpu": cpu.model(),
        "cores": cpu.available_cores(),
        "os": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
    }
    match target:
        case "cuda":
            return {**facts, "device": gpu_facts(cuda.gpu())}
        case "opencl":
            from heddle.runtime.devices.opencl_devices import choose

            device = choose()
            return {**facts, "device": {"name": device.name, "platform": device.platform, "version": device.version}}
        case _:
            from heddle.runtime.native import toolchain

            return {**facts, "compiler": toolchain.discover().describe()}


def gpu_facts(cupy: Any) -> dict[str, Any]:
    """Of CuPy's current GPU."""
    properties = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)
    return {
        "name": properties["name"].decode(),
        "multiprocessors": properties["multiProcessorCount"],
        "memory_bytes": properties["totalGlobalMem"],
        "driver": cupy.cuda.runtime.driverGetVersion(),
        "cuda": cupy.cuda.runtime.runtimeGetVersion(),
        "cupy": cupy.__version__,
        "cusparse": _cusparse(cupy),
    }


def _cusparse(cupy: Any) -> int | str:
    """Its version, or why it is not here: CuPy installs without it."""
    problem = cusparse_library.missing()
    if problem is not None:
        return problem
    version: int = cupy.cuda.cusparse.getVersion(cupy.cuda.device.get_cusparse_handle())
    return version
