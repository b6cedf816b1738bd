"""Are the parts of a tensor those of its format? Each entry lies in one of them, in the first whose tests it passes:
kernels add parts up, and store without atomic additions where the tests say that no two parts meet in a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

import numpy as np

from heddle.counts import repeat
from heddle.fills.dtypes import same_fill
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.parts import FormatPart
from heddle.formats.printer import format_text
from heddle.formats.storage.level_check import malformed_error
from heddle.runtime.storage.stored_tensor import StoredTensor
from heddle.runtime.storage.unpack import to_coordinates
from heddle.runtime.storage.validate import validate
from heddle.runtime.tensors.coordinates import Array, Entries
from heddle.runtime.tensors.part_facts_check import check_facts
from heddle.runtime.tensors.part_quantities import Sorted, part_numbers, passes

_OF_THE_PLACE = ("row", "column", "along", "diagonal")
"""Quantities that other entries do not change."""


def validate_parts(whole: StoredTensor, parts: Sequence[StoredTensor], name: str) -> None:
    """Checks the ``parts`` of ``whole``, which messages call ``name``: their arrays, and where the entries lie. Parts
    that pad with values cannot tell a stored zero from padding; what their entries are counted by is then not checked.

    Raises
    ------
    CompileError
        ``runtime/malformed-tensor``.
    """
    composition = whole.format.composition
    if composition is None or len(parts) != len(composition.parts):
        expected = 1 if composition is None else len(composition.parts)
        _refuse(name, f"the number of its parts is {len(parts)}", f"{expected}, as its format says")
    for part, stored in zip(composition.parts, parts, strict=True):
        _check_part(part, whole, stored, name)
    coordinates = [to_coordinates(part)[0] for part in parts]
    columns = tuple(np.concatenate(column).astype(np.int64) for column in zip(*coordinates, strict=True))
    number = repeat(np.arange(len(parts)), [len(column[0]) for column in coordinates])
    order = np.lexsort((number, *columns[::-1]))
    columns, number = tuple(column[order] for column in columns), number[order]
    same = np.ones(max(number.size - 1, 0), dtype=bool)
    for column in columns:
        same &= column[1:] == column[:-1]
    _check_disjoint(composition.parts, columns, number, same, name)
    once = np.append(np.flatnonzero(~same), number.size - 1) if number.size else np.flatnonzero(~same)
    columns, number = tuple(column[once] for column in columns), number[once]
    entries = Sorted.of(Entries(whole.shape, columns, np.zeros(number.size, np.int8)))
    if any(_pads_with_values(part) for part in composition.parts):
        _check_places(composition.parts, entries, number, name)
    else:
        _check_numbers(composition.parts, entries, number, part_numbers(entries, composition), name)
    check_facts(whole, composition, parts, name)


def _check_part(part: FormatPart, whole: StoredTensor, stored: StoredTensor, name: str) -> None:
    for what, actual, expected in (
        ("the shape", stored.shape, whole.shape),
        ("the format", format_text(stored.format), format_text(part.format)),
        ("the type", stored.dtype, whole.dtype),
    ):
        if actual != expected:
            _refuse(name, f"{what} of its part {part.name} is {actual}", str(expected))
    if not same_fill(stored.fill, whole.fill, whole.dtype):
        _refuse(name, f"the fill of its part {part.name} is {stored.fill}", str(whole.fill))
    validate(stored, f"{name} in its part {part.name}")


def _check_disjoint(
    parts: Sequence[FormatPart], columns: tuple[Array, ...], number: Array, same: Array, name: str
) -> None:
    shared = np.flatnonzero(same & (number[1:] != number[:-1]))
    if shared.size:
        first, other = int(number[shared[0]]), int(number[shared[0] + 1])
        where = _place(columns, int(shared[0]))
        actual = f"entry {where} lies in parts {first} and {other}, {parts[first].name} and {parts[other].name}"
        _refuse(name, actual, "each entry in one part")


def _check_numbers(parts: Sequence[FormatPart], entries: Sorted, number: Array, expected: Array, name: str) -> None:
    wrong = np.flatnonzero(number != expected)
    if wrong.size:
        place = int(wrong[0])
        actual = f"entry {_place(entries.columns, place)} lies in part {number[place]}, {parts[number[place]].name}"
        right = int(expected[place])
        if right < 0:
            _refuse(name, f"{actual}, and passes the tests of none", "a part for every entry")
        _refuse(name, actual, f"it in part {right}, {parts[right].name}, whose tests it passes")


def _check_places(parts: Sequence[FormatPart], entries: Sorted, number: Array, name: str) -> None:
    for place, part in enumerate(parts):
        for test in part.tests:
            if test.quantity not in _OF_THE_PLACE:
                continue
            wrong = np.flatnonzero((number == place) & ~passes(entries, test))
            if wrong.size:
                actual = f"entry {_place(entries.columns, int(wrong[0]))} lies in part {place}, {part.name}"
                _refuse(name, f"{actual}, and fails its test of {test.quantity}", "entries that pass the tests")


def _pads_with_values(part: FormatPart) -> bool:
    return LEVEL_KINDS[part.format.levels[-1].kind].pads_with_values


def _place(columns: tuple[Array, ...], number: int) -> str:
    return f"({', '.join(str(int(column[number])) for column in columns)})"


def _refuse(name: str, actual: str, expected: str) -> NoReturn:
    raise malformed_error(name, actual, expected)
