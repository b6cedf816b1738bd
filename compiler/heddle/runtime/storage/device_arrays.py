"""Arrays in the memory of a GPU: CuPy's, and those of any other library with a ``__cuda_array_interface__``.

They are recognised by that interface, so that nothing here imports CuPy before one of them is seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from numpy.typing import NDArray

from heddle.runtime.memory import buffers
from heddle.runtime.storage.stored_tensor import LevelArrays, StoredTensor

DeviceArray = Any
"""A ``cupy.ndarray``."""
Allocate = Callable[[int, str], NDArray[Any]]
"""Makes an array of so many elements of a dtype, with any values."""


def is_device_array(operand: object) -> bool:
    """Whether ``operand`` is an array in the memory of a GPU."""
    return hasattr(operand, "__cuda_array_interface__")


def is_resident(operand: object) -> bool:
    """Whether ``operand`` is an array, or a sparse matrix of arrays, in the memory of a GPU."""
    return is_device_array(operand) or is_device_matrix(operand)


def is_device_matrix(operand: object) -> bool:
    """Whether ``operand`` is a sparse matrix of arrays in the memory of a GPU."""
    return hasattr(operand, "format") and is_device_array(getattr(operand, "data", None))


def host_array(array: Any) -> Any:
    """A copy in the host's memory of what lies on a GPU; anything else as it is."""
    return array.get() if is_device_array(array) else array


def moved_levels(tensor: StoredTensor, move: Callable[[Any], Any]) -> tuple[LevelArrays, ...]:
    """The levels of ``tensor`` with every array as ``move`` gives it."""

    def move_array(array: Any) -> Any:
        return None if array is None else move(array)

    return tuple(
        LevelArrays(
            move_array(level.pos),
            move_array(level.crd),
            {role: move_array(array) for role, array in level.extra.items()},
        )
        for level in tensor.levels
    )


def memory_beside(tensors: Iterable[StoredTensor]) -> Allocate:
    """Where the values of a result go: on the GPU as soon as an operand is there."""
    if not any(tensor.resident for tensor in tensors):
        return buffers.empty
    from heddle.runtime.devices import cuda

    return cuda.empty


def fill_with(target: Any, source: Any) -> None:
    """Copies ``source`` into ``target``, each of them on the host or on the GPU."""
    if is_device_array(target) and not is_device_array(source):
        target.set(source)
    else:
        target[...] = source.get() if is_device_array(source) and not is_device_array(target) else source


class HostReads:
    """What the host reads of an array on the GPU: single elements, such as how many entries there are, once each."""

    __slots__ = ("_array", "_known")

    def __init__(self, array: DeviceArray) -> None:
        self._array = array
        self._known: dict[int, NDArray[Any]] = {}

    def __getitem__(self, place: int | slice) -> NDArray[Any]:
        if isinstance(place, slice):
            part: NDArray[Any] = self._array[place].get()
            return part
        if place not in self._known:
            self._known[place] = self._array[place].get()
        return self._known[place]
