"""The memory of one interpreted run: arrays that know what was written, and the arguments they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.loop_ir.interpreter.arithmetic import convert
from heddle.loop_ir.interpreter.races import Shadow
from heddle.loop_ir.nodes import Array, Function, Parameter

Argument = int | float | complex | bool | np.generic | NDArray[Any]


class Uninitialised:
    """The content of an element that nothing has written yet."""

    def __repr__(self) -> str:
        return "uninitialised"


UNINITIALISED = Uninitialised()


@dataclass(slots=True)
class Storage:
    """One array while it lives. ``depth`` is the number of parallel loops around its declaration: accesses from
    deeper inside may race. ``writable`` arrays may hold uninitialised elements."""

    array: Array
    depth: int
    writable: bool
    cells: list[Any]
    shadow: Shadow = field(default_factory=Shadow)


@dataclass(slots=True)
class Table:
    """A map while it lives: the slot of each key, and ``keys`` and ``vals`` by slot."""

    keys: Storage
    vals: Storage
    slots: dict[int, int] = field(default_factory=dict)

    def add(self, key: int, value: Any) -> int:
        """The slot of a new key."""
        slot = self.slots[key] = len(self.slots)
        self.keys.cells.append(key)
        self.vals.cells.append(value)
        return slot

    def sort(self) -> None:
        """Renumbers the slots so that the keys ascend."""
        order = sorted(range(len(self.slots)), key=self.keys.cells.__getitem__)
        self.keys.cells = [self.keys.cells[slot] for slot in order]
        self.vals.cells = [self.vals.cells[slot] for slot in order]
        self.slots = {key: slot for slot, key in enumerate(self.keys.cells)}

    def clear(self) -> None:
        self.slots = {}
        self.keys.cells = []
        self.vals.cells = []


def bind_arrays(
    function: Function, arguments: Mapping[str, Argument], initialised: frozenset[str]
) -> dict[str, Storage]:
    """The parameter arrays. Outputs start uninitialised unless ``initialised`` names them; those that the kernel
    allocates have no elements yet."""
    arrays = {}
    for parameter in function.parameters:
        if parameter.array is None:
            continue
        if parameter.allocated:
            arrays[parameter.name] = Storage(parameter.array, 0, True, [])
            continue
        argument = _argument(parameter, arguments)
        if not isinstance(argument, np.ndarray) or argument.ndim != 1 or argument.dtype != parameter.dtype:
            actual = (
                f"{argument.ndim}-d {argument.dtype}" if isinstance(argument, np.ndarray) else type(argument).__name__
            )
            raise TypeError(f"{parameter.name} must be a 1-d array of {parameter.dtype}, found {actual}")
        if parameter.output and parameter.name not in initialised:
            cells: list[Any] = [UNINITIALISED] * len(argument)
        else:
            # NumPy scalars round to single precision on their own; Python's own numbers are faster for the rest.
            cells = list(argument) if parameter.dtype in ("float32", "complex64") else argument.tolist()
        arrays[parameter.name] = Storage(parameter.array, 0, parameter.output, cells)
    return arrays


def bind_scalars(function: Function, arguments: Mapping[str, Argument]) -> dict[str, Any]:
    """The dimensions and scalar operands."""
    scalars = {}
    for parameter in function.parameters:
        if parameter.array is None:
            argument = _argument(parameter, arguments)
            if isinstance(argument, np.ndarray):
                raise TypeError(f"{parameter.name} must be a scalar of {parameter.dtype}, found an array")
            scalars[parameter.name] = convert(argument, parameter.dtype)
    return scalars


def write_back(
    function: Function, arguments: Mapping[str, Argument], arrays: Mapping[str, Storage]
) -> dict[str, tuple[int, ...]]:
    """Copies the outputs into the caller's arrays. Returns, per output, the elements that nothing has written, also
    those of arrays that the kernel allocated."""
    unwritten = {}
    for parameter in function.parameters:
        if not parameter.output:
            continue
        cells = arrays[parameter.name].cells
        missing = tuple(index for index, value in enumerate(cells) if value is UNINITIALISED)
        if missing:
            unwritten[parameter.name] = missing
        if parameter.allocated:
            continue
        target = arguments[parameter.name]
        assert isinstance(target, np.ndarray)
        if missing:
            for index, value in enumerate(cells):
                if value is not UNINITIALISED:
                    target[index] = value
        else:
            target[:] = cells
    return unwritten


def obtained_arrays(function: Function, arrays: Mapping[str, Storage]) -> dict[str, NDArray[Any]]:
    """What the kernel allocated, by parameter; elements that nothing has written are zero."""
    obtained = {}
    for parameter in function.parameters:
        if parameter.allocated:
            cells = arrays[parameter.name].cells
            values = [0 if value is UNINITIALISED else value for value in cells]
            obtained[parameter.name] = np.array(values, dtype=parameter.dtype)
    return obtained


def _argument(parameter: Parameter, arguments: Mapping[str, Argument]) -> Argument:
    try:
        return arguments[parameter.name]
    except KeyError:
        raise TypeError(f"missing argument {parameter.name}") from None
