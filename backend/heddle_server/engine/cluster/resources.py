"""What a run needs of a worker, by its target."""

from __future__ import annotations

from typing import Any

from heddle.targets import DEFAULT_TARGET, TARGETS, Resource

CPU, OPENCL, GPU = Resource.CPU.value, Resource.OPENCL.value, Resource.GPU.value

RESOURCE_OF_TARGET: dict[str, str] = {target.name: target.resource.value for target in TARGETS}


def target_of(plan: dict[str, Any]) -> str:
    """Of a plan's canonical document, which leaves the default out."""
    return str(plan.get("target", DEFAULT_TARGET))


def targets_of(resources: frozenset[str]) -> tuple[str, ...]:
    """The targets whose runs a worker with these resources can do."""
    return tuple(target for target, resource in RESOURCE_OF_TARGET.items() if resource in resources)
