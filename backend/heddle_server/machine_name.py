"""A processor's name with the class of machines that its kernels were compiled for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heddle.runtime.native.machine_class import NATIVE


def machine_name(facts: Mapping[str, Any]) -> str:
    """E.g. ``AMD EPYC 9354 (x86-64-v4)``; ``… held to x86-64-v3`` where HEDDLE_MARCH names the class. Facts of before
    name none."""
    told = facts.get("machine_class")
    if told is None:
        return str(facts["cpu"])
    return f"{facts['cpu']} ({told})" if facts.get("march", NATIVE) == NATIVE else f"{facts['cpu']} held to {told}"
