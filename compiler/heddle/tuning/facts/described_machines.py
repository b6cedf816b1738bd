"""Machines that are known by description: what rules choose for where the kernel will not run on this machine."""

from __future__ import annotations

from dataclasses import dataclass, replace

from heddle.runtime.native.machine_class import CLASSES
from heddle.tuning.facts.machine import Machine


@dataclass(frozen=True, slots=True)
class DescribedMachine:
    """A *described machine* is a name with facts that were written down and not measured.

    Attributes
    ----------
    name
        what a request calls it.
    title
        what a person reads in a list.
    note
        the sentence that stands before the reasons of the rules.
    machine
        what the rules are told.
    sets_threads
        the threads of a plan's run apply, as on a machine whose cores are there for kernels.
    """

    name: str
    title: str
    note: str
    machine: Machine
    sets_threads: bool

    def facts(self, threads: int | None) -> Machine:
        """``threads`` are those of a plan's run, None where it names none."""
        return replace(self.machine, threads=threads) if threads and self.sets_threads else self.machine


def _x86_64() -> Machine:
    """A processor of a person who reads this: AVX2, 16 MB of shared cache, 1 MB for each core."""
    described = next(known for known in CLASSES if known.name == "x86-64-v3")
    return Machine(
        threads=8,
        vector_bytes=described.vector_bytes,
        registers=described.registers,
        cache_bytes=16 << 20,
        gathers=described.gathers,
        core_cache_bytes=1 << 20,
        machine_class=described.name,
    )


def _browser() -> Machine:
    """WebAssembly: vectors of 16 bytes without gathers, one thread, caches that no page is told of."""
    return Machine(threads=1, vector_bytes=16, registers=16, cache_bytes=None)


DESCRIBED = (
    DescribedMachine("x86-64", "x86-64, 8 threads", "For a machine of the class x86-64-v3.", _x86_64(), True),
    DescribedMachine(
        "browser", "this browser", "For a browser: one thread, vectors of 16 bytes, no gathers.", _browser(), False
    ),
)


def described_machine(name: str) -> DescribedMachine | None:
    return next((known for known in DESCRIBED if known.name == name), None)
