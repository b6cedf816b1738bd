"""One call of a GPU kernel as its host sees it: its values, and the device that the launches run on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from numpy.typing import NDArray

from heddle.codegen.device.program import DeviceKernel, DeviceProgram
from heddle.loop_ir.analysis.launch_facts import LaunchFacts
from heddle.runtime.devices.arguments import Arguments
from heddle.runtime.storage.device_arrays import HostReads

Scalar = int | float | bool


class Device(Protocol):
    """Where the launches run. Memory is whatever the device hands out. Work is queued and done in order; reading waits
    for it."""

    def allocate(self, count: int, dtype: str, zero: bool) -> Any:
        """Memory for ``count`` elements of ``dtype``, all zero or with any content."""
        ...

    def fill(self, memory: Any, count: int, value: Scalar, dtype: str) -> None:
        """Sets the first ``count`` elements to ``value``."""
        ...

    def launch(self, kernel: DeviceKernel, groups: int, arguments: Arguments) -> None:
        """Starts ``groups`` blocks (work-groups) of ``kernel.threads`` threads; the arguments are in the order of the
        kernel's parameters. The very same list comes again where they are the same."""
        ...

    def also(self, program: DeviceProgram) -> None:
        """Builds the kernels of another text of the same program; they have other names."""
        ...

    def read(self, memory: Any, place: int, dtype: str) -> Scalar:
        """The element number ``place``, counted from 0."""
        ...

    def scan(self, memory: Any, count: int, dtype: str) -> int:
        """The inclusive prefix sum of integers, in place; returns the last one, which may be more than ``dtype`` holds:
        then the memory has no meaning."""
        ...


@dataclass(frozen=True, slots=True)
class Started:
    """A launch of ``groups`` work-groups; ``beyond``: why its indices have 64 bits, None where they have 32."""

    kernel: DeviceKernel
    groups: int
    beyond: str | None


@dataclass(slots=True, eq=False)
class Call:
    """The values of one call: ``scalars`` by name, ``host`` arrays of operands, and arrays in the device's ``memory``.
    ``facts`` are what is known of arrays of indices; ``started`` collects the launches. ``settled`` belongs to all
    calls with the same operands: the first one that succeeds leaves there what the others need not compute."""

    device: Device
    scalars: dict[str, Scalar]
    host: Mapping[str, NDArray[Any] | HostReads]
    memory: dict[str, Any]
    facts: LaunchFacts = field(default_factory=LaunchFacts)
    started: list[Started] = field(default_factory=list)
    settled: dict[str, Scalar] = field(default_factory=dict)
