"""A product of two dense operands, summed over what they share: matrix products, transposed, in batches and scaled by
numbers, and convolutions, whose windows are the rows that are copied (benchmarks/archive/kernels.md).

A tile of rows times a tile of columns stays in vector registers across the whole sum. The columns of a tile are copied
side by side first, once for all rows, so that the sum reads memory in order however the operand is stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from heddle.notation.nodes import Access, Expression, accesses, coordinate_variables, index_variables, variables_in
from heddle.notation.printer import to_text
from heddle.notation.program import Program as NotationProgram
from heddle.tuning.facts.program import Program
from heddle.tuning.facts.scaled import (
    replace_part,
    scaled_factors,
    scaled_operand,
    scales_sums,
    summed_factor,
    without_sums,
)
from heddle.tuning.rules.product_tiles import REST, REST_OF_WINDOWS, ProductTiles, cheapest_tiles, equal_part
from heddle.tuning.rules.proposal import Proposal
from heddle.tuning.rules.threads import ONE_THREAD, least_work, too_little

LEAST_ROWS = 8
"""Rows from which a copy of the columns is repaid: each value copied is multiplied so often."""

LEAST_ROWS_OF_WINDOWS = 4
"""The same where the columns are windows, which lanes copy (4 channels of 54 × 54: 0.4 of the time of loops on AVX-512,
0.6 on AVX2)."""

LEAST_LANES = 8
"""Of a vector that is cut in halves where a window has fewer columns (5 of 16 lanes: 0.6 of the time)."""

FEW_ROWS = 32
"""Rows below which a copy that turns its operand takes about as long as the sums (500 batches of 26 × 26 × 72, float32,
AVX-512: half of the time)."""


@dataclass(frozen=True, slots=True)
class _Roles:
    """``product`` is added up, ``whole`` what is computed of it before it is stored; None where that is the sum alone.
    Of its operands ``right`` alone has the ``column``, the contiguous variable of the result; both have what is
    ``summed``, in the order of the loops. ``outer`` variables are those of the result that ``right`` has, too, ``free``
    those that it lacks: the last is cut into tiles of rows."""

    product: Expression
    whole: Expression | None
    left: Access
    right: Access
    summed: tuple[str, ...]
    column: str
    outer: tuple[str, ...]
    free: tuple[str, ...]


def dense_product(program: Program, tiles: ProductTiles | None = None) -> Proposal | None:
    """Needs known sizes: small operands gain nothing from tiles, empty ones have none. ``tiles`` are those of a search,
    whether they pay or not; None for the cheapest."""
    roles = _roles(program)
    if roles is None or not all(program.sizes.get(variable) for variable in index_variables(program.assignment)):
        return None
    tiles = tiles or _cheapest(program, roles)
    return None if tiles is None else _tile(program, roles, tiles)


def _cheapest(program: Program, roles: _Roles) -> ProductTiles | None:
    rows, columns, lanes = program.sizes[roles.free[-1]], program.sizes[roles.column], program.lanes
    windows = _has_windows(program, roles)
    least = LEAST_ROWS_OF_WINDOWS if windows else LEAST_ROWS
    if rows < least or prod(program.sizes[loop] for loop in roles.summed) < lanes:
        return None
    while windows and columns <= lanes // 2 >= LEAST_LANES:
        lanes //= 2
    return cheapest_tiles(rows, columns, lanes, program.machine, REST_OF_WINDOWS if windows else REST)


def _tile(program: Program, roles: _Roles, tiles: ProductTiles) -> Proposal:
    sizes, row, column = program.sizes, roles.free[-1], roles.column
    rows, columns = tiles.rows, tiles.columns
    names = program.names(also=program.order)
    parts = {v: (names.fresh(f"{v}0"), names.fresh(f"{v}1")) for v in (row, column)}
    (row0, row1), (column0, column1) = parts[row], parts[column]
    copies = (*(names.fresh(f"{loop}p") for loop in roles.summed), names.fresh(f"{column1}p"))
    row_copy, lane = names.fresh(f"{row1}w"), names.fresh(f"{column1}w")
    packed, sums = names.fresh("P"), names.fresh("w")
    first, *others = roles.summed
    row_bytes = columns * program.element_bytes * prod(sizes[loop] for loop in others)
    part = tiles.depth or (equal_part(sizes[first], row_bytes) if tiles.packed else None)
    parts_of_sum = (names.fresh(f"{first}0"), names.fresh(f"{first}1")) if part else (first,)
    summed = (parts_of_sum[-1], *others)
    copied, scaled = scaled_operand(roles.product, roles.right), scaled_operand(roles.product, roles.left)
    once = scaled != roles.left and sizes[column] > columns
    scaled_copy = Access(names.fresh("Q") if once else "", program.list_stored_variables(roles.left))
    scaling = tuple(names.fresh(f"{variable}s") for variable in scaled_copy.indices) if once else ()
    copy = Access(packed, (*summed, column1))
    product = replace_part(roles.product, copied, copy) if tiles.packed else roles.product
    product = replace_part(product, scaled, scaled_copy) if once else product
    commands = [
        *([_precompute(scaled, scaled_copy.indices, scaling, scaled_copy.tensor)] if once else ()),
        f"split({column}, {column0}, {column1}, {columns})",
        *(f"split({first}, {', '.join(parts_of_sum)}, {size})" for size in (part,) if size),
        f"reorder({', '.join((*roles.outer, column0, *parts_of_sum, *others, column1, *roles.free))})",
        *((_precompute(copied, (*summed, column1), copies, packed),) if tiles.packed else ()),
        f"split({row}, {row0}, {row1}, {rows})",
        f"reorder({', '.join((*roles.free[:-1], row0, *summed, row1, column1))})",
        _precompute(product, (row1, column1), (row_copy, lane), sums),
    ]
    commands += [f"unroll({loop}, {rows})" for loop in (row_copy, row1)]
    copy_lane = copies[-1:] if tiles.packed and _has_windows(program, roles) else ()
    commands += [f"parallelize({loop}, CPUVector, NoRaces)" for loop in (lane, column1, *copy_lane, *scaling[-1:])]
    reasons = [
        f"{rows} rows times {columns} columns of {program.target.tensor} stay in registers across the sum over "
        f"{', '.join(summed)}.",
    ]
    if tiles.packed:
        copied_once = f"are copied side by side, once for all {sizes[row]} rows."
        reasons.append(f"The {columns} columns of {roles.right.tensor} {copied_once}")
        if _copies_dearly(program, roles, tiles):
            stored = f"{roles.right.tensor} is stored along {program.list_stored_variables(roles.right)[-1]}"
            reasons.append(
                f"{stored}, and {column} fills no tile: for {sizes[row]} rows its copy takes about as long as the "
                "sums, so that a library may be ahead."
            )
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


def _has_windows(program: Program, roles: _Roles) -> bool:
    """Whether neighbouring columns are windows that begin side by side, so that a C compiler leaves their copy one by
    one unless lanes are asked for."""
    along = coordinate_variables(program.list_stored_variables(roles.right)[-1], program.assignment.program)
    return roles.column in along and len(along) > 1


def _copies_dearly(program: Program, roles: _Roles, tiles: ProductTiles) -> bool:
    """Whether few rows use a copy that turns the operand and tests each of its columns."""
    along = coordinate_variables(program.list_stored_variables(roles.right)[-1], program.assignment.program)
    leftover = program.sizes[roles.column] % tiles.columns
    return roles.column not in along and bool(leftover) and program.sizes[roles.free[-1]] < FEW_ROWS


def _precompute(part: Expression, over: tuple[str, ...], copies: tuple[str, ...], workspace: str) -> str:
    return f"precompute({to_text(part)}, {{{', '.join(over)}}}, {{{', '.join(copies)}}}, {workspace})"


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
    result_loops = program.list_stored_variables(program.target)
    if not result_loops or any(len(set(access.indices)) < len(access.indices) for access in (program.target, *factors)):
        return None
    runs = {access: dict.fromkeys(variables_in(access, assignment.program)) for access in factors}
    right, left = sorted(factors, key=lambda access: result_loops[-1] not in runs[access])
    summed = tuple(variable for variable in runs[right] if variable not in result_loops)
    if result_loops[-1] in runs[left] or not summed or {*summed} != {*runs[left]} - {*result_loops}:
        return None
    outer = tuple(variable for variable in result_loops[:-1] if variable in runs[right])
    free = tuple(variable for variable in result_loops[:-1] if variable not in runs[right])
    whole_or_none = None if whole == product else whole
    return _Roles(product, whole_or_none, left, right, summed, result_loops[-1], outer, free) if free else None


def _summed_factor(program: Program, expression: Expression) -> Expression:
    dtypes = {name: tensor.computed_dtype for name, tensor in program.signature.tensors.items()}
    if not scales_sums(expression, dtypes, program.signature.result.dtype):
        return expression
    return summed_factor(expression, program.target.indices, program.assignment.program)


def _is_formula(index: str, program: NotationProgram | None) -> bool:
    """Whether a coordinate is a variable, or computed of variables alone: nothing is looked up, and no condition says
    where it exists."""
    if program is None or index not in program.computed:
        return True
    return index not in program.lazy and not accesses(program.computed[index])


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
