"""What a machine may offer through libraries of others, which are asked in a process each (``probes.py``)."""

from __future__ import annotations

from enum import StrEnum

from heddle_server.engine.cluster.resources import GPU, OPENCL


class Capability(StrEnum):
    """What is asked for. The first two are resources of runs."""

    OPENCL = OPENCL
    GPU = GPU
    MKL = "mkl"
