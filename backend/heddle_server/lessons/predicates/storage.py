"""storage.*: how a tensor lies in memory."""

from __future__ import annotations

import numpy as np

from heddle.explorer.cost_report.account import entries as filled
from heddle.formats.printer import format_text
from heddle.runtime.storage.unpack import position_coordinates, positions_by_level, to_coordinates
from heddle.runtime.tensors.composite import Composite
from heddle.runtime.tensors.tensor import Tensor
from heddle_server.lessons.condition import Value
from heddle_server.lessons.evidence import Evidence, Unknown
from heddle_server.lessons.predicates.predicate import TENSOR, predicate


@predicate("storage.bytes", "bytes", TENSOR)
def size_in_bytes(evidence: Evidence, tensor: str) -> Value:
    """Bytes of all arrays of the tensor, its values included."""
    return evidence.tensor(tensor).nbytes


@predicate("storage.entries", "entries", TENSOR)
def entries(evidence: Evidence, tensor: str) -> Value:
    """Entries of the tensor that are not its fill value, whatever its format stores besides."""
    return int(np.count_nonzero(filled(evidence.tensor(tensor))))


@predicate("storage.stored", "values", TENSOR)
def stored(evidence: Evidence, tensor: str) -> Value:
    """Values that are stored, padding included."""
    return evidence.tensor(tensor).stored


@predicate("storage.padding", "share", TENSOR)
def padding(evidence: Evidence, tensor: str) -> Value:
    """Share of the stored values that are padding: no entry of the tensor."""
    storage = evidence.tensor(tensor)
    held = int(np.count_nonzero(filled(storage)))
    return 1 - held / storage.stored if storage.stored else 0.0


@predicate("storage.parts", "parts", TENSOR)
def parts(evidence: Evidence, tensor: str) -> Value:
    """Parts of the format that store the tensor: 1 where the format is a single one."""
    storage = evidence.tensor(tensor)
    return len(storage.parts) if isinstance(storage, Composite) else 1


@predicate("storage.share", "share", TENSOR, ("part", "number"))
def share(evidence: Evidence, tensor: str, part: float) -> Value:
    """Share of the tensor's entries that a part stores, counted from 1."""
    storage = evidence.tensor(tensor)
    held = storage.parts if isinstance(storage, Composite) else (storage,)
    if not 1 <= part <= len(held):
        raise Unknown(f"{tensor} is stored in {len(held)} parts")
    counts = [int(np.count_nonzero(filled(each))) for each in held]
    return counts[int(part) - 1] / sum(counts) if sum(counts) else 0.0


def _of_levels(evidence: Evidence, tensor: str) -> Tensor:
    storage = evidence.tensor(tensor)
    if isinstance(storage, Composite):
        raise Unknown(f"{tensor} is stored in {len(storage.parts)} parts, each with levels of its own")
    return storage


@predicate("storage.positions", "positions", TENSOR, ("level", "number"))
def positions(evidence: Evidence, tensor: str, level: float) -> Value:
    """Positions at a level, counted from 1: the nodes that the level has in the coordinate tree."""
    counts = positions_by_level(_of_levels(evidence, tensor))
    if not 1 <= level <= len(counts):
        raise Unknown(f"this format has {len(counts)} levels")
    return counts[int(level) - 1]


@predicate("storage.filled", "coordinates", TENSOR, ("dimension", "number"))
def coordinates(evidence: Evidence, tensor: str, dimension: float) -> Value:
    """How many coordinates of a dimension, counted from 1, have an entry: rows that are not empty for dimension 1."""
    array = filled(evidence.tensor(tensor))
    if not 1 <= dimension <= array.ndim:
        raise Unknown(f"{tensor} has {array.ndim} dimensions")
    return len(np.unique(np.nonzero(array)[int(dimension) - 1]))


@predicate("storage.format", "text", TENSOR)
def format_of(evidence: Evidence, tensor: str) -> Value:
    """The format in its shortest spelling, for example csr."""
    return format_text(evidence.tensor(tensor).format)


@predicate("storage.segment", "position", TENSOR, ("value", "number"))
def segment(evidence: Evidence, tensor: str, value: float) -> Value:
    """The coordinate in the first dimension of the value at a position of vals, counted from 0."""
    levels = _of_levels(evidence, tensor)
    columns, _ = to_coordinates(levels)
    if int(value) >= len(columns[0]):
        raise Unknown(f"{tensor} has {len(columns[0])} values")
    return int(position_coordinates(levels)[0][int(value)])


PREDICATES = (size_in_bytes, entries, stored, padding, parts, share, positions, coordinates, format_of, segment)
