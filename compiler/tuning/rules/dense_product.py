"""A product of two dense operands, summed over what they share: matrix products, transposed, in batches and scaled by
numbers, and convolutions, whose windows are the rows that are copied (docs/kernels.md).

A tile of rows times a tile of columns stays in vector registers across the whole sum. The columns of a tile are copied
side by side first, once for all rows, so that the sum reads memory in order however the operand is stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from compiler.notation.nodes import Access, Expression, accesses, index_variables, variables_in
from compiler.notation.printer import to_text
from compiler.notation.program import Program as NotationProgram
from compiler.tuning.facts.machine import Machine
from compiler.tuning.facts.program import Program
from compiler.tuning.facts.scaled import (
    replace_part,
    scaled_factors,
    scaled_operand,
    scales_sums,
    summed_factor,
    without_sums,
)
from compiler.tuning.rules.proposal import Proposal
from compiler.tuning.rules.threads import ONE_THREAD, least_work, too_little

LEAST_ROWS = 8
"""Rows from which a copy of the columns is repaid: each value copied is multiplied so often."""

HIDDEN = 12
"""Sums in registers from which none waits for the one before: two begin in a cycle and take four or five. 6 rows times
2 vectors are 1.3 times as fast as 4 times 2, 1.4 to 1.6 times as 2 and 3 times 4 (128 × 1024 × 1024, float32, AVX2)."""

MOST_ROWS = 8
"""Rows of a tile at most: their values may lie in the same lines of a cache with eight ways (12 and 13 rows of 4096
bytes: 0.25 times as fast as 6)."""

REST = 2.2
"""What a row costs that is left over by tiles of rows, beside one in a tile: its sums are in memory (50 rows of 32
columns between 48 and 96, float32, AVX2)."""

MOST_COST = 2.2
"""Up to which a tile pays, where 1 is one vector of products in half a cycle, and columns that are left over cost as
many as a tile has: between 100 rows of 17 columns (2.0), which are twice as fast as dot products, and 9 rows of 9
columns (2.8 in tiles of 8 by 8), which are 0.67 times as fast."""


FIRST_CACHE = 32 << 10
"""Bytes that the copied columns may take: else the sum goes over parts of the rows (128 × 1024 × 1024 and 128 × 16384 ×
4096, float32, AVX2: 1.15 and 1.1 times as fast)."""


@dataclass(frozen=True, slots=True)
class _Roles:
    """``product`` is added up, ``whole`` what is computed of it before it is stored; None where that is the sum alone.
    Of its operands ``right`` alone has the ``column``, the contiguous variable of the result; both
    have what is ``summed``, in the order of the loops. ``outer`` variables are those of the result that ``right`` has,
    too, ``free`` those that it lacks: the last is cut into tiles of rows."""

    product: Expression
    whole: Expression | None
    left: Access
    right: Access
    summed: tuple[str, ...]
    column: str
    outer: tuple[str, ...]
    free: tuple[str, ...]


def dense_product(program: Program) -> Proposal | None:
    """Needs known sizes: small operands gain nothing from tiles, empty ones have none."""
    roles = _roles(program)
    if roles is None or not all(program.sizes.get(variable) for variable in index_variables(program.assignment)):
        return None
    sizes, row, column = program.sizes, roles.free[-1], roles.column
    tile = _tile(sizes[row], sizes[column], program.lanes, program.machine)
    if tile is None or sizes[row] < LEAST_ROWS or prod(sizes[loop] for loop in roles.summed) < program.lanes:
        return None
    rows, columns = tile
    names = program.names(also=program.order)
    parts = {v: (names.fresh(f"{v}0"), names.fresh(f"{v}1")) for v in (row, column)}
    (row0, row1), (column0, column1) = parts[row], parts[column]
    copies = (*(names.fresh(f"{loop}p") for loop in roles.summed), names.fresh(f"{column1}p"))
    row_copy, lane = names.fresh(f"{row1}w"), names.fresh(f"{column1}w")
    packed, sums = names.fresh("P"), names.fresh("w")
    first, *others = roles.summed
    part = _part(sizes[first], columns * program.element_bytes * prod(sizes[loop] for loop in others))
    parts_of_sum = (names.fresh(f"{first}0"), names.fresh(f"{first}1")) if part else (first,)
    summed = (parts_of_sum[-1], *others)
    copied, scaled = scaled_operand(roles.product, roles.right), scaled_operand(roles.product, roles.left)
    once = scaled != roles.left and sizes[column] > columns
    scaled_copy = Access(names.fresh("Q") if once else "", program.stored(roles.left))
    scaling = tuple(names.fresh(f"{variable}s") for variable in scaled_copy.indices) if once else ()
    product = replace_part(roles.product, copied, Access(packed, (*summed, column1)))
    product = replace_part(product, scaled, scaled_copy) if once else product
    commands = [
        *([_precompute(scaled, scaled_copy.indices, scaling, scaled_copy.tensor)] if once else ()),
        f"split({column}, {column0}, {column1}, {columns})",
        *(f"split({first}, {', '.join(parts_of_sum)}, {size})" for size in (part,) if size),
        f"reorder({', '.join((*roles.outer, column0, *parts_of_sum, *others, column1, *roles.free))})",
        _precompute(copied, (*summed, column1), copies, packed),
        f"split({row}, {row0}, {row1}, {rows})",
        f"reorder({', '.join((*roles.free[:-1], row0, *summed, row1, column1))})",
        _precompute(product, (row1, column1), (row_copy, lane), sums),
    ]
    commands += [f"unroll({loop}, {rows})" for loop in (row_copy, row1)]
    commands += [f"parallelize({loop}, CPUVector, NoRaces)" for loop in (lane, column1, *scaling[-1:])]
    reasons = [
        f"{rows} rows times {columns} columns of {program.target.tensor} stay in registers across the sum over "
        f"{', '.join(summed)}.",
        f"The {columns} columns of {roles.right.tensor} are copied side by side, once for all {sizes[row]} rows.",
    ]
    if part:
        reasons.append(f"The sum goes over {part} at a time: so many rows of the copy stay in the first cache.")
    if roles.whole is not None:
        reasons.append(
            f"What scales {to_text(roles.product)} in {to_text(roles.whole)} scales each sum once, not each product: "
            "last digits may differ."
        )
    if once:
        reasons.append(f"{roles.left.tensor} is scaled once, not once for each tile of columns.")
    threads = _threads(program, roles, column0, columns)
    if once and threads.schedule:
        commands.append(f"parallelize({scaling[0]}, CPUThread, NoRaces)")
    return Proposal(tuple(commands), tuple(reasons)).then(threads)


def _precompute(part: Expression, over: tuple[str, ...], copies: tuple[str, ...], workspace: str) -> str:
    return f"precompute({to_text(part)}, {{{', '.join(over)}}}, {{{', '.join(copies)}}}, {workspace})"


def _part(size: int, row: int) -> int | None:
    """How many of ``size`` rows of a copy, ``row`` bytes each, are one of equal parts that fit the first cache; None
    where all do."""
    parts = -(-size * row // FIRST_CACHE)
    return -(-size // parts) if parts > 1 else None


def _roles(program: Program) -> _Roles | None:
    assignment = program.assignment
    if assignment.operator not in ("=", "+=") or assignment.temporaries:
        return None
    whole = without_sums(assignment.expression)
    product = _summed_factor(program, whole)
    factors = scaled_factors(product)
    if factors is None:
        return None
    if any(not _is_formula(index, assignment.program) for access in factors for index in access.indices):
        return None
    if program.sparse or not program.is_dense(program.target):
        return None
    kept = program.stored(program.target)
    if not kept or any(len(set(access.indices)) < len(access.indices) for access in (program.target, *factors)):
        return None
    runs = {access: dict.fromkeys(variables_in(access, assignment.program)) for access in factors}
    right, left = sorted(factors, key=lambda access: kept[-1] not in runs[access])
    summed = tuple(variable for variable in runs[right] if variable not in kept)
    if kept[-1] in runs[left] or not summed or {*summed} != {*runs[left]} - {*kept}:
        return None
    outer = tuple(variable for variable in kept[:-1] if variable in runs[right])
    free = tuple(variable for variable in kept[:-1] if variable not in runs[right])
    whole_or_none = None if whole == product else whole
    return _Roles(product, whole_or_none, left, right, summed, kept[-1], outer, free) if free else None


def _summed_factor(program: Program, expression: Expression) -> Expression:
    dtypes = {name: tensor.dtype for name, tensor in program.signature.tensors.items()}
    if not scales_sums(expression, dtypes, program.signature.result.dtype):
        return expression
    return summed_factor(expression, program.target.indices, program.assignment.program)


def _is_formula(index: str, program: NotationProgram | None) -> bool:
    """Whether a coordinate is a variable, or computed of variables alone: nothing is looked up, and no condition says
    where it exists."""
    if program is None or index not in program.computed:
        return True
    return index not in program.lazy and not accesses(program.computed[index])


def _tile(rows: int, columns: int, lanes: int, machine: Machine) -> tuple[int, int] | None:
    """Rows and columns of a tile whose sums, with a vector of columns and one value, fit the registers: those that cost
    least. None where dot products cost less."""
    found: list[tuple[float, int, int]] = []
    for vectors in (2, 1):
        for height in range(2, 1 + min(MOST_ROWS, (machine.registers - 1) // vectors - 1)):
            width, sums = vectors * lanes, height * vectors
            full, reached = rows // height * height / rows, -(-columns // width) * width / columns
            loads = (height + vectors) / sums
            cost = reached * (full * max(loads, 1, HIDDEN / sums) + (1 - full) * REST)
            if full and cost <= MOST_COST:
                found.append((cost, -height, width))
    if not found:
        return None
    _, height, width = min(found)
    return -height, width


def _threads(program: Program, roles: _Roles, tiles: str, columns: int) -> Proposal:
    """Threads share the batch, else the tiles of columns: each has a copy of its own."""
    machine, loop = program.machine, roles.outer[0] if roles.outer else tiles
    if machine.threads < 2:
        return Proposal((), (ONE_THREAD,))
    work = prod(program.sizes[variable] for variable in index_variables(program.assignment))
    if work / program.lanes < least_work(machine):
        return Proposal((), (too_little(work, machine, 1 / program.lanes),))
    count = program.sizes[loop] if roles.outer else -(-program.sizes[roles.column] // columns)
    if count < machine.threads:
        return Proposal((), (f"{count} iterations of {loop} are too few for {machine.threads} threads.",))
    return Proposal((f"parallelize({loop}, CPUThread, NoRaces)",), (f"Threads share the iterations of {loop}.",))
