"""What a node of a tree stores a row for: the distinct coordinates of the tensor in its modes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.algorithms.roles import roles_of
from heddle.algorithms.tensor_input import Input
from heddle.algorithms.tree import Node
from heddle.runtime.tensors.coordinates import Entries

Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Coordinates:
    """``columns`` has the coordinate of each row in each of its modes; rows ascend and differ."""

    columns: Mapping[int, Array]

    @property
    def count(self) -> int:
        return int(next(iter(self.columns.values())).size)

    def project(self, modes: Sequence[int], shape: Sequence[int]) -> tuple[Coordinates, Array]:
        """The distinct ones in ``modes``, and for each row here which of them is its own."""
        keys = np.zeros(self.count, np.int64)
        for mode in modes:
            if int(keys.max(initial=0)) >= 2**62 // max(shape[mode], 1):
                keys = np.unique(keys, return_inverse=True)[1].astype(np.int64)
            keys = keys * shape[mode] + self.columns[mode]
        _, first, number = np.unique(keys, return_index=True, return_inverse=True)
        return Coordinates({mode: self.columns[mode][first] for mode in modes}), number


def coordinates_of(tensor: Input) -> Coordinates:
    """Those of all entries."""
    return Coordinates(dict(enumerate(tensor.entries.columns)))


def derive(tensor: Input, tree: Node) -> dict[str, Input]:
    """By role the tensor that it multiplies, for roles of the tree: the dimensions are the rows of its result, the
    modes that are summed up, and, where it reads a node, that node's rows, each with a one."""
    order = len(tensor.shape)
    held: dict[tuple[int, ...], Coordinates] = {}
    inputs: dict[str, Input] = {}
    for role in roles_of(order, tree.modes, tree).values():
        if role.row is None or not (role.node or role.source):
            continue
        source = held[role.source] if role.source else coordinates_of(tensor)
        if role.node:
            held[role.node], rows = source.project(role.node, tensor.shape)
            size = held[role.node].count
        else:
            assert role.mode is not None
            rows, size = source.columns[role.mode], tensor.shape[role.mode]
        columns = [rows, *(source.columns[mode] for mode in role.summed)]
        shape = [size, *(tensor.shape[mode] for mode in role.summed)]
        values = tensor.entries.values
        if role.source:
            columns.append(np.arange(source.count))
            shape.append(source.count)
            values = np.ones(source.count)
        inputs[role.name] = Input(Entries(tuple(shape), tuple(columns), values), 0)
    return inputs


def counts(tensor: Input, modes: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """How many distinct coordinates each run of neighbouring ``modes`` has, of two and more."""
    count_by_modes: dict[tuple[int, ...], int] = {}
    above = {modes: coordinates_of(tensor).project(modes, tensor.shape)[0]}
    while above:
        count_by_modes.update((run, coordinates.count) for run, coordinates in above.items())
        below: dict[tuple[int, ...], Coordinates] = {}
        for run, coordinates in above.items():
            for shorter in (run[1:], run[:-1]):
                if len(shorter) > 1 and shorter not in below:
                    below[shorter] = coordinates.project(shorter, tensor.shape)[0]
        above = below
    return count_by_modes
