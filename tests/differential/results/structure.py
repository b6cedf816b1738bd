"""What must hold of the arrays of an assembled tensor, whatever its values are (docs/sources.toml T3, T4)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

import heddle as hd
from heddle.runtime.tensors.composite import Composite


def check_structure(tensor: hd.Tensor, context: str) -> None:
    """Dense, compressed and singleton levels: each ``pos`` grows from 0 to the number of entries, coordinates lie in
    their dimension, and those of one segment are in order and each there once."""
    if isinstance(tensor, Composite):  # the index arrays are those of an operand
        for part in tensor.parts:
            hd.validate(hd.Tensor(part.shape, part.format, part.dtype, part.levels, part.vals, part.fill))
        return
    levels, positions = tensor.format.levels, 1
    for number, (level, arrays) in enumerate(zip(levels, tensor.levels, strict=True), start=1):
        size, where = tensor.format.level_sizes(tensor.shape)[number - 1], f"level {number}, {context}"
        match level.kind:
            case "dense":
                positions *= size
            case "compressed":
                assert arrays.pos is not None, where
                assert arrays.crd is not None, where
                assert len(arrays.pos) == positions + 1, f"pos has {len(arrays.pos)} entries, {where}"
                assert arrays.pos[0] == 0, where
                assert (np.diff(arrays.pos) >= 0).all(), f"pos {arrays.pos} falls, {where}"
                positions = int(arrays.pos[-1])
                last = number
                while last < len(levels) and levels[last].kind == "singleton":
                    last += 1
                _check_segments(tensor, arrays.pos, range(number, last + 1), where)
            case "singleton":
                pass  # checked with the compressed level above
            case _:
                raise TypeError(f"unexpected level {level!r}")
    assert tensor.vals.size == positions, f"{tensor.vals.size} values for {positions} positions, {context}"


def _check_segments(tensor: hd.Tensor, pos: NDArray[np.int32], group: range, where: str) -> None:
    """The coordinates of the levels in ``group``, read together, grow strictly within each segment of ``pos``; where a
    level is unordered, they differ."""
    parents = np.repeat(np.arange(len(pos) - 1), np.diff(pos))
    columns = [parents]
    for number in group:
        coordinates = tensor.levels[number - 1].crd
        assert coordinates is not None, where
        assert len(coordinates) == len(parents), f"crd has {len(coordinates)} of {len(parents)} entries, {where}"
        size = tensor.format.level_sizes(tensor.shape)[number - 1]
        assert ((coordinates >= 0) & (coordinates < size)).all(), f"crd {coordinates} leaves 0..{size}, {where}"
        columns.append(coordinates)
    entries = list(zip(*(column.tolist() for column in columns), strict=True))
    if all(tensor.format.levels[number - 1].ordered for number in group):
        assert all(one < other for one, other in pairwise(entries)), f"entries {entries}, {where}"
    assert len(set(entries)) == len(entries), f"entries {entries}, {where}"


def same_arrays(one: hd.Tensor, other: hd.Tensor) -> bool:
    """Whether two tensors have the same arrays, entry by entry."""
    own, others = one.arrays(), other.arrays()
    return list(own) == list(others) and all(np.array_equal(own[key], others[key], equal_nan=True) for key in own)
