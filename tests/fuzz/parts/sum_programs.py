"""Programs over operands that are sums of parts: any expression, any composition that the grammar has, any schedule.

Beside the oracle of other programs they are run twice into the same memory, and where no entry is multiplied, operands
hold infinities: a padded slot that multiplies something, or a part that stores over another, shows.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

import numpy as np

import heddle as hd
from heddle.formats.composed.parser import is_composed
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.parser import parse_format
from heddle.notation.evaluation import evaluate
from heddle.notation.nodes import operand_accesses
from heddle.notation.parser import parse
from heddle.runtime.packing.pack import pack_operands
from tests.differential.operands import operand_sets
from tests.fuzz.check_program import check_program
from tests.fuzz.formats import draw_formats
from tests.fuzz.parts.compositions import draw_composition
from tests.fuzz.schedules import EXPRESSIONS, Program, scheduled


@dataclass(frozen=True, slots=True)
class Unread:
    """An operand of a program that stores ``sum`` in parts: its row r (or its element r, where it is a vector) is read
    only for entries of ``sum`` with the coordinate r in ``dimension``."""

    sum: str
    dense: str
    dimension: int


READ_BY_ENTRIES = {
    "y(i) = A(i,j) * x(j)": Unread("A", "x", 1),
    "C(i,k) = A(i,j) * B(j,k)": Unread("A", "B", 1),
    "C(i,k) = 2 * A(i,j) * B(j,k) + D(i,k)": Unread("A", "B", 1),
    "C(i,k) = A(i,j) * B(j,k) * D(i,k)": Unread("A", "B", 1),
    "y(i) += A(i,j) * x(j)": Unread("A", "x", 1),
    "y(i) = b(i) - A(i,j) * x(j)": Unread("A", "x", 1),
    "y(i) = (A(i,j) * x(j)) * 0.5": Unread("A", "x", 1),
    "y(i) = A(j,i) * x(j)": Unread("A", "x", 0),
    "y(j) = A(i,j) * x(i)": Unread("A", "x", 0),
    "y(i,j) = B(i,j,k) * c(k)": Unread("B", "c", 2),
    "A(i,k,l) = B(i,j,k) * C(j,l)": Unread("B", "C", 1),
}
"""Programs, each with the dense operand of which infinities are planted where no entry reads it."""
OTHERS = (
    *(one for one in EXPRESSIONS if ";" not in one),
    *("y(i) = A(i,j) * A(i,j)", "s = A(i,j)", "y(i) = max(j, abs(A(i,j)))", "C(i,j) += 2 * A(i,j)"),
)


def is_sum(program: Program) -> bool:
    """Whether an operand is stored as a sum of parts."""
    return any(is_composed(format) for format in program.formats.values())


def draw_sum_program(seed: int) -> Program:
    """A program with one operand in parts, of which the others and the result are mostly dense."""
    rng = random.Random(f"sums {seed}")
    expression = rng.choice((*READ_BY_ENTRIES, *OTHERS) if rng.random() < 0.5 else tuple(READ_BY_ENTRIES))
    accesses = operand_accesses(parse(expression))
    orders = {access.tensor: len(access.indices) for access in accesses if 1 <= len(access.indices) <= 3}
    unread = READ_BY_ENTRIES.get(expression)
    tensor = unread.sum if unread is not None else rng.choice(list(orders))
    formats = {tensor: draw_composition(rng, orders[tensor])}
    if unread is None and rng.random() < 0.3:
        drawn = draw_formats(rng, expression)
        drawn.pop(parse(expression).target.tensor, None)
        formats = drawn | formats
    dtype = rng.choice((*["float64"] * 8, "float32", "int32"))
    return scheduled(rng, Program(expression, formats, (), (), {}, dtype))


def check_sum(program: Program, seed: int, target: str) -> tuple[str, ...]:
    """The codes of the diagnostics that refuse the program; none when it is right."""
    return check_program(program, seed, target) or check_in_used_memory(program, seed, target)


def check_in_used_memory(program: Program, seed: int, target: str) -> tuple[str, ...]:
    """A program that was right once: again in the memory of its result, and beside infinities that nothing reads."""
    check_reused_memory(program, seed, target)
    check_unread_places(program, seed, target)
    return ()


def check_reused_memory(program: Program, seed: int, target: str) -> None:
    """Run a second time into memory that holds the first result, and after that numbers that are none."""
    assignment = parse(program.expression)
    kernel = hd.Kernel(hd.lower(program.plan(target)))
    for operands in list(operand_sets(assignment, seed))[:3]:
        arrays = {tensor: array.astype(program.dtype) for tensor, array in operands.arrays.items()}
        initial = None
        if assignment.operator != "=":
            initial = np.full([operands.sizes[index] for index in assignment.target.indices], 2, program.dtype)
        given = {} if initial is None else {assignment.target.tensor: initial}
        try:
            call = kernel.bind(**pack_operands({**arrays, **given}, kernel.signature))
        except hd.CompileError:
            continue  # what may be refused was asked before
        expected = evaluate(assignment, arrays, operands.sizes, initial)
        for _ in range(2):
            call.run()
            np.testing.assert_array_equal(call.output.to_numpy(), expected, err_msg=f"{operands.label}, run again")
            if program.dtype != "int32" and call.output.vals.size:
                call.output.vals[...] = np.nan


def check_unread_places(program: Program, seed: int, target: str) -> None:
    """The rows of an operand that no entry multiplies hold infinities and NaN, the values of others stay."""
    assignment = parse(program.expression)
    unread = READ_BY_ENTRIES.get(program.expression)
    if unread is None or program.dtype == "int32" or multiplies_padding(program, unread):
        return
    kernel = hd.Kernel(hd.lower(program.plan(target)))
    for operands in list(operand_sets(assignment, seed))[:2]:
        arrays = {tensor: array.astype(program.dtype) for tensor, array in operands.arrays.items()}
        by_coordinate = np.moveaxis(arrays[unread.sum], unread.dimension, 0)
        by_coordinate[::3] = 0
        initial = None
        if assignment.operator != "=":
            initial = np.full([operands.sizes[index] for index in assignment.target.indices], 2, program.dtype)
        expected = evaluate(assignment, arrays, operands.sizes, initial)
        planted = [place for place, entries in enumerate(by_coordinate) if not entries.any()]
        arrays[unread.dense][planted] = np.inf
        arrays[unread.dense][planted[::2]] = np.nan
        try:
            found = kernel(**arrays, **({} if initial is None else {assignment.target.tensor: initial}))
        except hd.CompileError:
            continue  # what may be refused was asked before
        np.testing.assert_array_equal(found.to_numpy(), expected, err_msg=f"{operands.label}, infinities unread")


def multiplies_padding(program: Program, unread: Unread) -> bool:
    """Whether a part keeps zeros as values, or a workspace may hold entries of the sum without what they are multiplied
    by, a place for each coordinate: these are multiplied as without parts."""
    if any(_keeps_entries(command, unread) for command in program.schedule):
        return True
    order = {access.tensor: len(access.indices) for access in operand_accesses(parse(program.expression))}
    composition = parse_format(program.formats[unread.sum], order[unread.sum], unread.sum).composition
    assert composition is not None
    innermost = (part.format.levels[-1].kind for part in composition.parts)
    return any(LEVEL_KINDS[kind].pads_with_values for kind in innermost)


def _keeps_entries(command: str, unread: Unread) -> bool:
    """Whether the command makes a workspace of entries alone: ``precompute(A(i,j), j, jw)``, and not of a product."""
    found = re.search(r"precompute\((.*)", command)
    if found is None:
        return False
    computed = found.group(1)
    return re.search(rf"\b{unread.sum}\w*\(", computed) is not None and f"{unread.dense}(" not in computed
