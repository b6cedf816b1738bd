"""What a child process may use."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from heddle.targets import Feature, Resource, target_named
from heddle_server.settings import Settings


@dataclass(frozen=True, slots=True)
class Limits:
    """Wall-clock and processor time in seconds, the rest in bytes or counts.

    ``bound_addresses``: the address space is bounded too, not only the memory in use. A GPU's driver reserves far more
    addresses than it uses. ``graphics``: it may open the devices that are made for graphics.
    """

    seconds: float
    memory_bytes: int
    output_bytes: int
    processor_seconds: int
    file_bytes: int = 1 << 30
    open_files: int = 1024
    threads: int = 8192
    processes: int = 64
    scratch_bytes: int = 512 << 20
    cache_bytes: int = 256 << 20
    bound_addresses: bool = True
    graphics: bool = False

    def to_document(self) -> dict[str, Any]:
        return asdict(self)


def run_limits(settings: Settings, target: str) -> Limits:
    """The limits of one timed run for a plan's target; its processor time leaves room for every thread."""
    known = target_named(target)
    return Limits(
        seconds=settings.run_seconds,
        memory_bytes=settings.run_memory_bytes,
        output_bytes=settings.run_output_bytes,
        processor_seconds=int(settings.run_seconds * 64) + 1,
        bound_addresses=Feature.UNLIMITED_ADDRESSES not in known.features,
        graphics=known.resource is not Resource.CPU,
    )
