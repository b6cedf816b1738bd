"""Formats that sort the rows of a matrix (``sell(8,64)``): the loops visit its rows by their places.

``A(i,j)`` stands at the place of its row, ``i = rows[place]``, so that a loop over places visits rows in no order. What
finds a row at once goes along; a tensor that stores rows in order, and a result that is appended, cannot.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from heddle.diagnostics import CompileError, Diagnostic, Fix, Location, Part
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.printer import format_text
from heddle.iteration_graph.graph.blocks import Blocks
from heddle.iteration_graph.relations.sorted import SortedRelation
from heddle.names import Names
from heddle.notation.nodes import Access
from heddle.signature import Signature


def sorted_rows(signature: Signature, accesses: Iterable[Access], names: Names) -> tuple[SortedRelation, ...]:
    """A relation for every index variable whose places a tensor stores in the place of its coordinates.

    Raises CompileError ``format/sorted-rows`` where another tensor cannot follow the places.
    """
    known = [access for access in dict.fromkeys(accesses) if access.tensor in signature.tensors]
    relations: dict[str, SortedRelation] = {}
    for access in known:
        sorts = signature.tensors[access.tensor].format.sorts
        if sorts is not None and (variable := access.indices[sorts]) not in relations:
            _check_followed(signature, access, variable, known)
            relations[variable] = SortedRelation(variable, names.fresh(f"{variable}_place"), access)
    return tuple(relations.values())


def by_places(blocks: Blocks, rows: Sequence[SortedRelation]) -> Blocks:
    """``blocks``, those of sorted variables by their places."""
    places = {row.parent: row.place for row in rows}
    return {variable: replace(cut, whole=places.get(variable, variable)) for variable, cut in blocks.items()}


def _check_followed(signature: Signature, leader: Access, variable: str, accesses: Iterable[Access]) -> None:
    """Every other access must find the coordinate of ``variable`` wherever it lies."""
    sorted_dimension = leader.tensor, signature.tensors[leader.tensor].format.sorts
    for access in accesses:
        layout, written = signature.tensors[access.tensor].format, access.tensor == signature.result.name
        for dimension, index in enumerate(access.indices[: layout.dimensions]):
            if index != variable or (access.tensor, dimension) == sorted_dimension:
                continue
            levels = [level for level, stored in zip(layout.levels, layout.order, strict=True) if stored == dimension]
            walked = any(LEVEL_KINDS[level.kind].iterated for level in levels)
            if walked or dimension in layout.cuts or (written and not layout.is_dense):
                raise CompileError(_in_order(signature, leader, variable, access))


def _in_order(signature: Signature, leader: Access, variable: str, other: Access) -> Diagnostic:
    name, layout = leader.tensor, signature.tensors[leader.tensor].format
    sorted_by = "rows" if layout.sorts == 0 else "columns"
    actual = f"{other.tensor} ({format_text(signature.tensors[other.tensor].format)})"
    return Diagnostic(
        "format/sorted-rows",
        f"{name} ({format_text(layout)}) has its {sorted_by} sorted by their number of entries, so a loop visits "
        f"{variable} in no particular order, but {actual} needs {variable} in order. Store {name} as csr.",
        Location(Part.FORMAT, tensor=name),
        expected=f"tensors in which every {variable} is found at once",
        actual=actual,
        fixes=(Fix(f"Store {name} as csr", formats={name: "csr"}),),
    )
