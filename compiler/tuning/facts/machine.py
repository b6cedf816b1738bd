"""What the rules know of the machine that will run the kernel."""

from __future__ import annotations

import os
from dataclasses import dataclass

from compiler.runtime.native import cpu, machine_class, parallel_region


@dataclass(frozen=True, slots=True)
class Machine:
    """``vector_bytes`` of one register, of which there are ``registers``; ``cache_bytes`` of the last cache,
    ``core_cache_bytes`` of the largest that a core has to itself. ``gathers``: eight elements from anywhere are loaded
    into a register faster than one by one. ``region_seconds`` are those of a parallel region that does nothing, on all
    ``threads``. ``machine_class`` is the name of its class; None for a machine that belongs to none, of which no rule
    says where it was measured."""

    threads: int
    vector_bytes: int
    registers: int
    cache_bytes: int | None
    gathers: bool = False
    core_cache_bytes: int | None = None
    machine_class: str | None = None
    region_seconds: float = parallel_region.USUAL_SECONDS

    def core_caches(self, count: float) -> float | None:
        """The bytes of ``count`` caches that a core has to itself; None where their size is not known."""
        return None if self.core_cache_bytes is None else count * self.core_cache_bytes

    def lanes(self, element_bytes: int) -> int:
        """Values in one vector register."""
        return max(1, self.vector_bytes // element_bytes)


def this_machine(threads: int | None = None, measure: bool = False) -> Machine:
    """The machine that this process runs on, with the registers of the class in force, and with as many ``threads`` as
    asked for, else as OMP_NUM_THREADS says, else one per core. ``measure``: what a parallel region costs is measured
    where it is not known yet.

    Raises:
        CompileError: ``runtime/unknown-machine-class``.
    """
    asked = os.environ.get("OMP_NUM_THREADS", "")
    wanted = threads or (int(asked) if asked.isdigit() and int(asked) else cpu.available_cores())
    told = machine_class.in_force()
    threads = min(wanted, cpu.available_cores())
    return Machine(
        threads,
        told.vector_bytes,
        told.registers,
        cpu.last_level_cache_bytes(),
        told.gathers and cpu.gathers_fast(),
        cpu.core_cache_bytes(),
        machine_class=told.name,
        region_seconds=(parallel_region.measured if measure else parallel_region.known)(threads),
    )
