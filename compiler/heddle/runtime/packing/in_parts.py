"""Entries to the parts of a composition: each goes to the first part whose tests it passes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from heddle.advice import AllowSlots
from heddle.diagnostics import CompileError, Diagnostic, Fix, Location, OperandError, Part
from heddle.formats.format import Format
from heddle.formats.levels.parts import starts_of
from heddle.formats.parts import Composition, FormatPart
from heddle.formats.printer import format_text
from heddle.index_width import index_dtype, needs_wide
from heddle.runtime.memory import buffers
from heddle.runtime.packing.other_layouts import other_layouts, stored_otherwise
from heddle.runtime.packing.request import Pack, Request
from heddle.runtime.tensors.composite import Composite
from heddle.runtime.tensors.coordinates import Array, Entries, sort_and_sum
from heddle.runtime.tensors.operands import as_entries
from heddle.runtime.tensors.part_quantities import Sorted, part_numbers, piece_numbers
from heddle.runtime.tensors.tensor import LevelArrays, Tensor
from heddle.runtime.tensors.value_types import as_dtype


def divide(request: Request, pack: Pack) -> Composite:
    """The operand of ``request`` as a sum of parts, each packed by ``pack``.

    Raises
    ------
    CompileError
        ``runtime/undivided`` for an entry that fits no part, and what packing a part raises.
    """
    composition = request.format.composition
    assert composition is not None
    operand = as_entries(request.operand, request.name, request.fill)
    operand = Entries(operand.shape, operand.columns, as_dtype(operand.values, request.dtype, request.name))
    entries = Sorted.of(sort_and_sum(operand, tuple(range(len(operand.shape)))))
    number = part_numbers(entries, composition)
    _check_divided(entries, number, request)
    parts = []
    for place, part in enumerate(composition.parts):
        try:
            parts.append(_pack(entries, np.flatnonzero(number == place), part, request, pack))
        except CompileError as error:
            raise stored_otherwise(error, request.name, partial(_other_sums, request.format, place)) from None
    return Composite(operand.shape, request.format, request.dtype, tuple(parts), request.fill, checked=True)


def _check_divided(entries: Sorted, number: Array, request: Request) -> None:
    left = np.flatnonzero(number < 0)
    if left.size == 0:
        return
    first = tuple(int(column[left[0]]) for column in entries.columns)
    text = format_text(request.format)
    rest = "csr" if len(first) == 2 else "coo"
    raise OperandError(
        Diagnostic(
            code="runtime/undivided",
            message=f"{left.size:,} of the {entries.size:,} entries of {request.name} pass the tests of no part, the "
            f"first one at {first}. Add a last part without a test.",
            location=Location(Part.INPUT, tensor=request.name),
            expected="a part for every entry",
            actual=f"{left.size:,} entries without one",
            fixes=(Fix(f"Use {text} + {rest} for {request.name}", formats={request.name: f"{text} + {rest}"}),),
        )
    )


def _other_sums(format: Format, place: int, advice: AllowSlots) -> list[Format]:
    """The sums in which one part is stored as ``advice`` says."""
    composition = format.composition
    assert composition is not None
    part, parts = composition.parts[place], composition.parts
    return [
        replace(format, composition=Composition((*parts[:place], replace(part, format=other), *parts[place + 1 :])))
        for other in other_layouts(part.format, advice)
    ]


def _pack(entries: Sorted, chosen: Array, part: FormatPart, request: Request, pack: Pack) -> Tensor:
    cut = next((test.arguments for test in part.tests if test.quantity == "piece"), None)
    if cut is not None and _by_ranges(part.format):
        return _in_ranges(entries, chosen, part.format, request, *cut)
    columns = tuple(column[chosen] for column in entries.entries.columns)
    part_entries = Entries(entries.entries.shape, columns, entries.entries.values[chosen])
    starts = {
        dimension: _even_starts(entries, dimension, cut.parts)
        for dimension, cut in part.format.cuts.items()
        if cut.parts is not None and cut.even
    }
    return pack(Request(part_entries, part.format, request.dtype, request.fill, request.name, starts=starts))


def _even_starts(entries: Sorted, dimension: int, parts: int) -> Array:
    """Where so many ranges with about equally many entries begin, of all entries: the same ones in every part."""
    key = ("starts", (dimension, parts))
    if key not in entries.known:
        size = entries.entries.shape[dimension]
        entries.known[key] = starts_of(entries.columns[dimension], size, parts, even=True)
    return entries.known[key]


def _by_ranges(format: Format) -> bool:
    """Whether pieces stand by ranges of columns first, so that rows are not in order."""
    kinds = [level.kind for level in format.levels]
    return kinds == ["compressed", "padded"] and not format.levels[0].ordered and format.order == (0, 1)


def _in_ranges(entries: Sorted, chosen: Array, format: Format, request: Request, ranges: int, longest: int) -> Tensor:
    """Pieces of rows that end where a range of columns does, all of the first range in front of those of the next."""
    width = format.levels[1].parameter
    assert width is not None
    part, number = (number[chosen] for number in piece_numbers(entries, ranges, longest))
    rows, columns = (column[chosen] for column in entries.columns)
    values = entries.entries.values[chosen]
    order = np.argsort(part, kind="stable")  # by row and column within each range, as they were
    part, number, rows, columns, values = (column[order] for column in (part, number, rows, columns, values))
    starts = np.ones(rows.size, dtype=bool)
    if rows.size:
        starts[1:] = (part[1:] != part[:-1]) | (rows[1:] != rows[:-1]) | (number[1:] != number[:-1])
    piece = np.cumsum(starts) - 1
    pieces = int(piece[-1]) + 1 if rows.size else 0
    places = np.arange(rows.size)
    slots = piece * width + (places - places[starts][piece] if rows.size else places)
    size = request.format.level_sizes(entries.entries.shape)[1]
    index = index_dtype(needs_wide((*entries.entries.shape, pieces * width)))
    crd = np.full(pieces * width, size, dtype=index)
    crd[slots] = columns
    stored = buffers.zeros(pieces * width, request.dtype)
    if request.fill != 0:
        stored[...] = request.fill
    stored[slots] = values
    levels = (
        LevelArrays(np.array([0, pieces], dtype=index), rows[starts].astype(index)),
        LevelArrays(crd=crd, extra={"width": np.array([width], dtype=index)}),
    )
    shape = entries.entries.shape
    return Tensor(shape, format, request.dtype, levels, stored, request.fill, checked=True)
