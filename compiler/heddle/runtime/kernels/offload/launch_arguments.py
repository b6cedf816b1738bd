"""What a launch passes to its kernel, call after call: mostly the very same as the last time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import is_, itemgetter
from typing import Any

import numpy as np

from heddle.codegen.device.program import DeviceKernel
from heddle.runtime.devices.arguments import Arguments
from heddle.runtime.kernels.offload.host_call import Call

_Taken = Callable[[Mapping[str, Any]], tuple[Any, ...]]


class Passing:
    """The arguments of one kernel. A kernel over many parts has five arrays for each, so that to compare them must take
    less time than to pass them."""

    def __init__(self, kernel: DeviceKernel) -> None:
        scalars = [argument for argument in kernel.arguments if argument.array is None]
        self._types = {
            scalar.name: np.dtype("uint8" if scalar.dtype == "bool" else scalar.dtype).type for scalar in scalars
        }
        self._order = [argument.name for argument in kernel.arguments]
        self._arrays = [argument.name for argument in kernel.arguments if argument.array is not None]
        whole = [name for name, kind in self._types.items() if issubclass(kind, np.integer)]
        self._memory = _taking(self._arrays)
        self._integers = _taking(whole)
        # Equal floats may differ: 0.0 and -0.0.
        self._others = _taking([name for name in self._types if name not in whole])
        self._known: tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]] | None = None
        self._last = Arguments()

    def arguments(self, call: Call) -> Arguments:
        """Those of ``call``; the list of the last time where all of them are the same."""
        memory, integers, others = self._memory(call.memory), self._integers(call.scalars), self._others(call.scalars)
        if (
            self._known is None
            or integers != self._known[1]
            or not all(map(is_, memory, self._known[0]))
            or not all(map(is_, others, self._known[2]))
        ):
            held = dict(zip(self._arrays, memory, strict=True))
            types = self._types
            values = (held[name] if name in held else types[name](call.scalars[name]) for name in self._order)
            self._known, self._last = (memory, integers, others), Arguments(values)
        return self._last


def _taking(names: Sequence[str]) -> _Taken:
    """A function that takes the values of these names out of a mapping."""
    match names:
        case []:
            return lambda _: ()
        case [name]:
            return lambda mapping: (mapping[name],)
        case _:
            return itemgetter(*names)
