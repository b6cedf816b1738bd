"""The parallel units that each target has."""

from __future__ import annotations

from compiler.loop_ir.nodes import LoopKind

_CPU = (LoopKind.CPU_THREAD, LoopKind.CPU_VECTOR)
_GPU = (LoopKind.GPU_BLOCK, LoopKind.GPU_WARP, LoopKind.GPU_THREAD)

UNITS: dict[str, tuple[LoopKind, ...]] = {"c": _CPU, "interpreter": (*_CPU, *_GPU), "cuda": _GPU, "opencl": _GPU}

GPU_TARGETS = tuple(target for target, units in UNITS.items() if units == _GPU)
"""The targets whose loops all run on GPU units."""
