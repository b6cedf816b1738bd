"""The diagonal of an operand in which an index repeats: the elements whose coordinates agree."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.library.operand_kinds import kind_of
from heddle.runtime.packing.pack import pack
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.operands import as_entries, as_operand
from heddle.runtime.tensors.tensor import Tensor


def diagonal(operand: object, variables: Sequence[str], name: str) -> object:
    """``operand`` over the distinct ``variables``, of which those that repeat are equal coordinates.

    Raises
    ------
    OperandError
        ``einsum/diagonal`` where dimensions of one variable differ in size.
    """
    kind = kind_of(operand, name)
    distinct = tuple(dict.fromkeys(variables))
    places = {variable: [n for n, other in enumerate(variables) if other == variable] for variable in distinct}
    for variable, dimensions in places.items():
        sizes = {kind.shape[dimension] for dimension in dimensions}
        if len(sizes) > 1:
            size_text = " and ".join(map(str, sorted(sizes)))
            raise OperandError(
                Diagnostic(
                    "einsum/diagonal",
                    f"{name} has dimensions of sizes {size_text} at the index {variable}, which repeats.",
                    Location(Part.INPUT, tensor=name),
                    expected="dimensions of one size",
                    actual=size_text,
                )
            )
    shape = tuple(kind.shape[dimensions[0]] for dimensions in places.values())
    known: Any = as_operand(operand, name)
    if isinstance(known, np.ndarray):
        return np.einsum(known, [distinct.index(variable) for variable in variables], list(range(len(distinct))))
    if isinstance(known, Tensor) and known.format.is_dense:
        return diagonal(known.to_numpy(), variables, name)
    entries = as_entries(known, name, kind.fill)
    agree = reduce(
        np.logical_and,
        (entries.columns[d] == entries.columns[first] for first, *others in places.values() for d in others),
    )
    columns = tuple(entries.columns[dimensions[0]][agree] for dimensions in places.values())
    layout = {1: "sparse", 2: "csr"}.get(len(shape), "csf")
    return pack(Entries(shape, columns, entries.values[agree], kind.fill), layout, name=name, fill=kind.fill)
