"""Which text a launch takes: that with indices of 32 bits, or, where the sizes of this call ask for it, of 64."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.codegen.device.program import DeviceKernel, DeviceProgram
from heddle.codegen.device.short_indices import beyond
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.storage.level_storage import Contents
from heddle.loop_ir.analysis.index_knowledge import Ranges
from heddle.loop_ir.analysis.index_ranges import ranges_of
from heddle.loop_ir.analysis.intervals import Interval, exactly
from heddle.loop_ir.analysis.launch_facts import LaunchFacts
from heddle.loop_ir.nodes import Array, ArrayRole, Function
from heddle.runtime.kernels.offload.host_call import Call
from heddle.runtime.storage.device_arrays import HostReads
from heddle.runtime.tensors.tensor import Tensor

WIDE_OPERANDS = "a tensor has positions or coordinates of 64 bits"


@dataclass(slots=True, eq=False)
class Launching:
    """One launch of a program, again and again: the last choice is kept as long as the sizes are the same."""

    kernel: DeviceKernel
    number: int
    wide: Callable[[], DeviceProgram]
    _known: tuple[Mapping[str, int | float | bool], LaunchFacts] | None = None
    _choice: tuple[Ranges, str | None] | None = field(default=None)

    def chosen(self, call: Call) -> tuple[DeviceKernel, str | None]:
        """The kernel, and why its indices have 64 bits; None where they have 32."""
        if self.kernel.short is None:
            return self.kernel, WIDE_OPERANDS
        if self._choice is None or self._known != (call.scalars, call.facts):
            scalars = call.scalars.items()
            facts = call.facts.facts({name: exactly(value) for name, value in scalars if isinstance(value, int)})
            ranges = ranges_of(self.kernel.loop, facts)
            self._known = dict(call.scalars), call.facts.copy()
            self._choice = ranges, beyond(self.kernel.loop, self.kernel.short, ranges)
        ranges, reason = self._choice
        call.facts.launched(ranges)
        if reason is None:
            return self.kernel, None
        program = self.wide()
        call.device.also(program)
        return program.kernels[self.number], reason


def launches(program: DeviceProgram, wide: Callable[[], DeviceProgram]) -> Iterator[Launching]:
    """Those of ``program``, in the order of its kernels; ``wide`` gives its text with indices of 64 bits."""
    return (Launching(kernel, number, wide) for number, kernel in enumerate(program.kernels))


def operand_facts(
    function: Function,
    tensors: Mapping[str, Tensor],
    output: Tensor,
    arrays: Mapping[str, NDArray[Any] | HostReads],
    sizes: Mapping[str, int],
) -> LaunchFacts:
    """What the formats of ``tensors`` and ``output`` promise of the index ``arrays`` that a call of ``function`` reads,
    by parameter; ``sizes`` are those of all of its arrays."""
    facts = LaunchFacts(sizes=dict(sizes))
    for parameter in function.parameters:
        array = parameter.array
        if array is not None and array.role is not ArrayRole.VALS and parameter.name in arrays:
            tensor = tensors.get(parameter.tensor, output)
            facts.contents[parameter.name] = _content(array, tensor, arrays[parameter.name], sizes[parameter.name])
    return facts


def _content(array: Array, tensor: Tensor, elements: NDArray[Any] | HostReads, count: int) -> Interval | None:
    if count == 0:
        return None
    size, sizes = tensor.format.level_sizes(tensor.shape)[array.level - 1], tensor.levels[array.level - 1]
    contents = LEVEL_KINDS[tensor.format.levels[array.level - 1].kind].describe(array.role).contents
    match contents:
        case Contents.POSITIONS if sizes.crd is not None:
            return Interval(0, int(sizes.crd.size))
        case Contents.POSITIONS | Contents.ASCENDING:
            return Interval(min(0, _element(elements, 0)), max(0, _element(elements, count - 1)))
        case Contents.PLACES:
            return Interval(0, count)
        case Contents.COORDINATES:
            return Interval(-1, size)  # -1: a free slot, or no run; ``size``: padding
        case Contents.FLAGS:
            return Interval(0, 1)
        case _:
            raise TypeError(f"unexpected contents {contents!r}")


def _element(elements: NDArray[Any] | HostReads, place: int) -> int:
    return int(np.asarray(elements[place]).item())
