"""What the rules know of the machine that will run the kernel."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.diagnostics import CompileError
from heddle.runtime.native import cpu, loaded_wake, machine_class, parallel_region
from heddle.runtime.native.quiet_moment import Spread
from heddle.runtime.native.threads import get_num_threads


@dataclass(frozen=True, slots=True)
class Machine:
    """``vector_bytes`` of one register, of which there are ``registers``; ``cache_bytes`` of the last cache,
    ``core_cache_bytes`` of the largest that a core has to itself. ``gathers``: eight elements from anywhere are loaded
    into a register faster than one by one. ``region_seconds`` are those of a parallel region that does nothing, on all
    ``threads``, which sleep before it: the median of quiet moments, whose ``region_spread`` is not there before the
    first. ``loaded_seconds`` are what the threads cost a short kernel while other programs keep all cores busy, with
    ``loaded_spread`` where that was measured. ``machine_class`` is the name of its class; None for a machine that
    belongs to none, of which no rule says where it was measured."""

    threads: int
    vector_bytes: int
    registers: int
    cache_bytes: int | None
    gathers: bool = False
    core_cache_bytes: int | None = None
    machine_class: str | None = None
    region_seconds: float = parallel_region.USUAL_SECONDS
    region_spread: Spread | None = None
    loaded_seconds: float = loaded_wake.USUAL_SECONDS
    loaded_spread: Spread | None = None

    def core_caches(self, count: float) -> float | None:
        """The bytes of ``count`` caches that a core has to itself; None where their size is not known."""
        return None if self.core_cache_bytes is None else count * self.core_cache_bytes

    def lanes(self, element_bytes: int) -> int:
        """Values in one vector register."""
        return max(1, self.vector_bytes // element_bytes)


def this_machine(threads: int | None = None, measure: bool = False) -> Machine:
    """The machine that this process runs on, with the registers of the class in force, and with as many ``threads`` as
    asked for, else as kernels here run on (:func:`heddle.get_num_threads`). ``measure``: what a parallel region
    costs, on a quiet machine and on a busy one, is measured where it is not known yet.

    Raises
    ------
    CompileError
        ``runtime/unknown-machine-class``.
    """
    wanted = threads or _threads_of_kernels()
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
        region_seconds=(parallel_region.measure_region if measure else parallel_region.recall_region)(threads),
        region_spread=parallel_region.spreads().get(threads),
        loaded_seconds=(loaded_wake.measure_wake if measure else loaded_wake.recall_wake)(threads),
        loaded_spread=loaded_wake.spreads().get(threads),
    )


def _threads_of_kernels() -> int:
    """One per core where no kernel runs, for what another machine will run."""
    try:
        return get_num_threads()
    except CompileError:
        return cpu.available_cores()
