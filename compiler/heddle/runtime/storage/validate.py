"""Are the arrays of a tensor those of its format? Kernels trust them: a wrong position would be read from memory."""

from __future__ import annotations

from typing import NoReturn

import numpy as np

from heddle.formats.compositions import misplaced_levels
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.storage.level_check import Checked, LevelCheck, elements, malformed_error
from heddle.formats.storage.level_storage import Array
from heddle.index_width import index_dtype
from heddle.runtime.storage.stored_tensor import StoredTensor
from heddle.runtime.storage.unpack import behind_part


def validate(tensor: StoredTensor, name: str = "tensor") -> None:
    """Checks every array of ``tensor``: its dtype, its shape, positions that ascend, and coordinates that lie in their
    dimension in the order that the format promises. Time and memory are linear in the tensor (hashed levels sort).

    Raises
    ------
    CompileError
        ``runtime/malformed-tensor``, which says the level, the array and what is wrong with it.
    """
    format = tensor.format
    if len(tensor.shape) != format.dimensions or any(size < 0 for size in tensor.shape):
        _refuse(name, f"its shape is {tensor.shape}", f"{format.dimensions} sizes of at least 0")
    if len(tensor.levels) != len(format.levels):
        _refuse(name, f"it has the arrays of {len(tensor.levels)} levels", f"{len(format.levels)} levels")
    for misplaced in misplaced_levels(format):
        if misplaced.alone:  # it is a part of a sum: nothing else is packed in such a format
            continue
        _refuse(name, f"level {misplaced.number} cannot be there: {misplaced.reason}", misplaced.expected)
    sizes, checked = format.level_sizes(tensor.shape), Checked(1)
    for number, level in enumerate(format.levels, start=1):
        if level.kind not in LEVEL_KINDS:
            _refuse(name, f"level {number} is of the unknown kind {level.kind}", f"one of {', '.join(LEVEL_KINDS)}")
        checked = LEVEL_KINDS[level.kind].validate(
            LevelCheck(
                name,
                number,
                level,
                _arrays(tensor, number, name),
                tensor.levels[: number - 1],
                sizes[:number],
                tensor.shape[format.order[number - 1]],
                checked,
            )
        )
    behind = behind_part(tensor)
    if behind is not None:
        position, dimension, coordinate = behind
        actual = (
            f"position {position} has coordinate {coordinate} of dimension {dimension}, "
            "which is past the end of its part"
        )
        _refuse(name, actual, "coordinates inside their parts")
    _check_array(name, "vals", tensor.vals, tensor.dtype)
    if tensor.vals.size != checked.positions:
        _refuse(name, f"vals has {elements(tensor.vals.size)}", f"{checked.positions:,}")


def _arrays(tensor: StoredTensor, number: int, name: str) -> dict[str, Array]:
    """The arrays that the kind of level ``number`` (1-based) stores."""
    level, arrays = tensor.format.levels[number - 1], tensor.levels[number - 1]
    kind = LEVEL_KINDS[level.kind]
    level_arrays = {"pos": arrays.pos, "crd": arrays.crd, **arrays.extra}
    valid_arrays: dict[str, Array] = {}
    for role in kind.arrays_of(level):
        label, dtype = f"{role} of level {number}", kind.describe(role).dtype or index_dtype(tensor.wide)
        array = level_arrays.get(role)
        if array is None:
            _refuse(name, f"it has no {label}", f"an array of {dtype}")
        _check_array(name, label, array, dtype)
        valid_arrays[role] = array
    return valid_arrays


def _check_array(name: str, label: str, array: object, dtype: str) -> None:
    if not isinstance(array, np.ndarray) or array.ndim != 1 or array.dtype != np.dtype(dtype):
        actual = f"{array.dtype} of {array.ndim} dimensions" if isinstance(array, np.ndarray) else type(array).__name__
        _refuse(name, f"{label} is {actual}", f"a one-dimensional array of {dtype}")
    if not (array.flags.c_contiguous and array.flags.aligned and array.dtype.isnative):
        _refuse(name, f"the elements of {label} are not contiguous in memory", "a contiguous array")


def _refuse(name: str, actual: str, expected: str) -> NoReturn:
    raise malformed_error(name, actual, expected)
