"""A part of a plan's own inputs that is small enough to be followed step by step: whole rows of the real data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from heddle.explorer.cost_report.run import Operands
from heddle.measuring.inputs.make_inputs import Operand, make_inputs
from heddle.plan import Plan
from heddle.result import CompileResult
from heddle.runtime.tensors.coordinates import Entries
from heddle.signature import Signature, TensorSignature
from heddle_server.services.compiling.account_data import dense_operand, variable_groups
from heddle_server.services.compiling.storage_worker import MAX_FILE_BYTES, expected_entries

BUDGETS = (3000, 800, 200)
"""Entries of the tensor that is cut, tried in turn until a run can be followed."""
FEWEST = 16
"""Entries that a part has at least: the first rows and columns of a large tensor may be empty."""
MOST_ROWS, FEWEST_ROWS = 512, 8
MOST_CELLS = 4_000_000
"""Elements of an operand, zeros included."""
MOST_GENERATED = 4_000_000
"""Entries of a generator that are made to be cut."""
AROUND = 4
"""The size of a dimension that only dense operands have."""


@dataclass(frozen=True, slots=True)
class Cut:
    """``sizes`` by group of index variables. Of the group ``rows`` every ``stride``-th coordinate stays, of the others
    the first ones."""

    rows: str
    stride: int
    sizes: Mapping[str, int]

    def stride_of(self, group: str) -> int:
        return self.stride if group == self.rows else 1


def input_parts(plan: Plan, result: CompileResult, paths: Mapping[str, str]) -> Iterator[tuple[Operands, str]]:
    """Parts of the plan's inputs with what they are, in words, the largest first; nothing where the plan names no
    data, or data that are too large to be read for this.

    Raises
    ------
    CompileError
        for inputs that cannot be made or do not fit.
    """
    assignment, signature = result.assignment, result.signature
    if assignment is None or signature is None or _is_program(result) or _too_large(plan, paths.values()):
        return
    main = main_input(plan, signature)
    if main is None:
        return
    inputs = make_inputs(plan, assignment, signature, paths)
    groups = variable_groups(assignment)
    full = {groups[variable]: size for variable, size in inputs.sizes.items() if variable in groups}
    before = None
    for budget in BUDGETS:
        cut = choose_cut(main, signature, inputs.operands[main.name], groups, full, budget)
        if cut == before:
            continue
        before = cut
        operands = {
            tensor.name: dense_operand(
                cut_operand(inputs.operands[tensor.name], [groups[variable] for variable in tensor.indices], cut),
                tensor.fill,
            )
            for tensor in signature.inputs
        }
        if all(prod(np.shape(operand)) <= MOST_CELLS for operand in operands.values()):
            yield operands, describe_cut(main, groups, full, cut)


def main_input(plan: Plan, signature: Signature) -> TensorSignature | None:
    """The tensor that is cut: the first operand with an input that is not dense, else the first with one."""
    named = [tensor for tensor in signature.inputs if tensor.name in plan.inputs and tensor.order > 0]
    return next((tensor for tensor in named if not tensor.format.is_dense), named[0] if named else None)


def choose_cut(
    main: TensorSignature,
    signature: Signature,
    operand: Operand,
    groups: Mapping[str, str],
    full: Mapping[str, int],
    budget: int,
) -> Cut:
    """The largest part of ``operand`` with about ``budget`` entries. Every n-th row where nothing ties rows to another
    dimension, so that long rows stay as frequent as they are; else the first rows and columns."""
    mine = [groups[variable] for variable in main.indices]
    rows = mine[0]
    sparse = [tensor for tensor in signature.inputs if not tensor.format.is_dense or tensor is main]
    real = {groups[variable] for tensor in sparse for variable in tensor.indices}
    tied = mine.count(rows) > 1 or any(
        tensor is not main and rows in (groups[variable] for variable in tensor.indices) and not tensor.format.is_dense
        for tensor in sparse
    )
    sizes = {group: size if group in real else min(size, AROUND) for group, size in full.items()}
    columns = operand.columns if isinstance(operand, Entries) else np.nonzero(operand)
    columns = tuple(np.asarray(column) for column in columns)
    around = prod(size for group, size in sizes.items() if group not in real)
    wanted = max(1, budget // max(1, around))
    row_count = min(sizes[rows], MOST_ROWS)
    others = [group for group in mine if group != rows]
    while True:
        stride = 1 if tied else max(1, sizes[rows] // row_count)
        cut = Cut(rows, stride, {**sizes, rows: min(row_count, -(-full[rows] // stride))})
        cells = prod(cut.sizes[group] for group in mine)
        inside = _select_inside(columns, mine, cut)
        if int(np.count_nonzero(inside)) <= wanted and cells <= MOST_CELLS:
            return cut
        widest = max(others, key=lambda group: sizes[group], default=None)
        if row_count > FEWEST_ROWS:
            row_count = max(FEWEST_ROWS, row_count * 3 // 4)
        elif widest is not None and sizes[widest] > FEWEST_ROWS:
            # Of rows far apart, the first columns may hold nothing.
            tied = True
            sizes[widest] = max(FEWEST_ROWS, sizes[widest] // 2)
        else:
            return cut


def cut_operand(operand: Operand, groups: list[str], cut: Cut) -> Operand:
    """What stays of ``operand``, whose dimensions have ``groups``."""
    shape = tuple(cut.sizes[group] for group in groups)
    if isinstance(operand, np.ndarray):
        ranges = tuple(
            slice(0, size * cut.stride_of(group), cut.stride_of(group))
            for group, size in zip(groups, shape, strict=True)
        )
        return np.ascontiguousarray(operand[ranges])
    inside = _select_inside(operand.columns, groups, cut)
    columns = tuple(
        column[inside] // cut.stride_of(group) for group, column in zip(groups, operand.columns, strict=True)
    )
    return Entries(shape, columns, operand.values[inside])


def describe_cut(main: TensorSignature, groups: Mapping[str, str], full: Mapping[str, int], cut: Cut) -> str:
    """``every 28th row``, ``first 64 × 64 of 1,000 × 1,000``, ``all of it``."""
    mine = [groups[variable] for variable in main.indices]
    changed = [group for group in mine if cut.sizes[group] != full[group]]
    if not changed:
        return "all of it"
    if cut.stride > 1:
        return f"every {_ordinal(cut.stride)} row"
    if changed == [cut.rows]:
        return f"first {cut.sizes[cut.rows]:,} rows"
    return f"first {' × '.join(f'{cut.sizes[group]:,}' for group in mine)} of {_shape(mine, full)}"


def _shape(groups: Iterable[str], sizes: Mapping[str, int]) -> str:
    return " × ".join(f"{sizes[group]:,}" for group in groups)


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"


def _select_inside(columns: tuple[Any, ...], groups: list[str], cut: Cut) -> Any:
    """Which entries stay."""
    inside = np.ones(columns[0].size if columns else 0, dtype=bool)
    for group, column in zip(groups, columns, strict=True):
        stride = cut.stride_of(group)
        inside &= (column < cut.sizes[group] * stride) & (column % stride == 0)
    return inside


def _is_program(result: CompileResult) -> bool:
    """Languages that compute their sizes from shapes keep them together; what is cut would no longer fit."""
    assignment = result.assignment
    return assignment is not None and assignment.program is not None


def _too_large(plan: Plan, paths: Iterable[str]) -> bool:
    if any(Path(path).stat().st_size > MAX_FILE_BYTES for path in paths):
        return True
    generated = [source for source in plan.inputs.values() if "generator" in source]
    return any(expected_entries(source, _shape_of(source)) > MOST_GENERATED for source in generated)


def _shape_of(source: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple(int(size) for size in source.get("shape") or ())
