"""What a run needs of a worker, by its target, and what a machine offers."""

from __future__ import annotations

from typing import Any

from compiler.plan import DEFAULT_TARGET
from compiler.runtime.devices import cuda, opencl_devices

CPU, OPENCL, GPU = "cpu", "opencl", "gpu"

RESOURCE_OF_TARGET = {"c": CPU, "opencl": OPENCL, "cuda": GPU, "interpreter": CPU}


def target_of(plan: dict[str, Any]) -> str:
    """Of a plan's canonical document, which leaves the default out."""
    return str(plan.get("target", DEFAULT_TARGET))


def targets_of(resources: frozenset[str]) -> tuple[str, ...]:
    """The targets whose runs a worker with these resources can do."""
    return tuple(target for target, resource in RESOURCE_OF_TARGET.items() if resource in resources)


def offered_here() -> tuple[str, ...]:
    """Asks the drivers, which is native code of others: call it in a child process."""
    here = {CPU: True, OPENCL: bool(opencl_devices.devices()), GPU: cuda.missing() is None}
    return tuple(resource for resource, offered in here.items() if offered)
