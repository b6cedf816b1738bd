"""A dense result each of whose elements is a function of a sum: ``H(i,f) = relu(sum(j, A(i,j) * Z(j,f)) + b(f))``.

The sum is that of SpMM, and its columns stay in registers as there; a loop over the tile then applies the function.
"""

from __future__ import annotations

from dataclasses import replace

from heddle.notation.nodes import Access, Expression, Reduce, accesses, operands_of
from heddle.tuning.facts.program import Program
from heddle.tuning.rules.prefetching import asked_ahead
from heddle.tuning.rules.proposal import Proposal
from heddle.tuning.rules.register_tiles import LEAST_AHEAD, column_tiles, first_width, tile_widths
from heddle.tuning.rules.threads import on_threads


def inner_sums(program: Program) -> Proposal | None:
    """Needs one sum of a plain product with one sparse operand, which has the result's rows, and contiguous columns."""
    reduction = _inner_sum(program)
    if reduction is None or not program.is_dense(program.target):
        return None
    product = replace(program, assignment=replace(program.assignment, expression=reduction))
    driver = product.driver
    column = product.column(driver) if driver is not None else None
    if driver is None or column is None or len(product.factors or ()) < 2:
        return None
    stored = product.list_stored_variables(driver)
    if program.target.indices != (stored[0], column) or stored[1:] != (reduction.variable,):
        return None
    if not all(program.is_dense(access) for access in accesses(program.assignment.expression) if access != driver):
        return None
    fitting, size = tile_widths(program, 1), program.sizes.get(column)
    width = fitting[-1] if size is None else first_width(size, fitting, fitting)
    if width is None:
        return None
    names = program.names(also=program.order)
    cut, _, lane = column_tiles(program, column, width, names)
    copy, workspace = names.fresh(f"{lane}w"), names.fresh("w")
    spelled = " * ".join(map(_spell, product.factors or ()))
    commands = (
        *cut,
        f"precompute({spelled}, {lane}, {copy}, {workspace})",
        f"reorder({reduction.variable}, {copy})",
        f"parallelize({copy}, CPUVector, NoRaces)",
        f"parallelize({lane}, CPUVector, NoRaces)",
    )
    reason = f"{width} columns of {column} stay in registers across the sum over {reduction.variable}."
    dense = next(access for access in product.factors or () if column in access.indices)
    inside = replace(dense, indices=(*dense.indices[:-1], names.fresh(f"{column}w")))
    ahead = asked_ahead(product, driver, dense, _spell(inside), program.machine.core_caches(LEAST_AHEAD))
    threads = on_threads(product, driver, names, cost=1 / program.lanes)
    return Proposal(commands, (reason,)).then(ahead).then(threads)


def _inner_sum(program: Program) -> Reduce | None:
    """The only reduction, a sum inside a larger expression; None where there is another number."""
    assignment = program.assignment
    if assignment.operator != "=" or assignment.temporaries or assignment.program is not None:
        return None
    reductions = _reductions(assignment.expression)
    if len(reductions) != 1 or assignment.expression == reductions[0] or reductions[0].operator != "+":
        return None
    return reductions[0]


def _reductions(expression: Expression) -> list[Reduce]:
    inside = [reduction for operand in operands_of(expression) for reduction in _reductions(operand)]
    return [expression, *inside] if isinstance(expression, Reduce) else inside


def _spell(access: Access) -> str:
    return f"{access.tensor}({','.join(access.indices)})"
