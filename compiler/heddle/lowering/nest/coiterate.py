"""Sparse loops at one variable: a single iterator by position, or a merge of several (docs/sources.toml T45, T46)."""

from __future__ import annotations

from dataclasses import replace

from heddle.formats.levels.level import Range
from heddle.iteration_graph.algebra.lattice import Lattice, iterators
from heddle.iteration_graph.graph.nodes import Statement
from heddle.iteration_graph.graph.provenance import level_variables
from heddle.loop_ir.nodes import Assign, Reduction
from heddle.lowering.environment.loop_environment import LoopEnvironment, LowerStatement
from heddle.lowering.nest.append_bound import bound, bounded_counter
from heddle.lowering.nest.column_fill import ColumnVisits
from heddle.lowering.nest.merge_loops import over_lattice
from heddle.lowering.nest.minimum_loop import over_minimum
from heddle.lowering.nest.operand_iterators import OperandIterator, merge_lattice, operand_iterator
from heddle.lowering.nest.repeated_fill import combine_fill, count_visits, find_fill
from heddle.lowering.nest.single_iterator_loop import over_positions, over_repeated_coordinates
from heddle.lowering.nest.sparse_loop import SparseLoop
from heddle.notation.nodes import Access
from heddle.origin import Role


def lower_coiteration(
    environment: LoopEnvironment,
    loop: str,
    variable: str,
    body: Statement,
    lower: LowerStatement,
    reductions: tuple[Reduction, ...],
) -> None:
    """Emit the loop(s) over the underived ``variable``, driven by sparse levels, inside the window of ``loop``.

    ``environment`` belongs to this loop alone: what it says of coverage holds for the loop."""
    lattice = merge_lattice(environment, variable, body)
    window = None if loop == variable else environment.window(variable, loop)
    environment.restrict_writes(
        any(point.full and (point.any_of or not point.iterators) for point in lattice)
        or decides(environment, variable, lattice)
    )
    columns = environment.context.column_counts
    if columns is not None and variable in columns.fill.stored:
        stored = tuple(replace(point, full=False) for point in lattice if point.iterators)
        operands, only = _stored_operands(environment, variable, window, stored)
        visits = ColumnVisits(columns, variable)
        _over_stored(SparseLoop(environment, loop, variable, body, lower, stored, visits), operands, only, window)
        return
    fill = find_fill(environment, loop, variable, body, lattice)
    if fill is not None:
        operands, only = _stored_operands(environment, variable, window, fill.stored)
        counted = count_visits(environment, variable, only)
        _over_stored(SparseLoop(environment, loop, variable, body, lower, fill.stored, counted), operands, only, window)
        combine_fill(environment, fill, body, variable, window or environment.domain(variable), counted, lower)
        return
    sparse = SparseLoop(environment, loop, variable, body, lower, lattice)
    single = len(lattice) == 1 and len(lattice[0].iterators) == 1 and not lattice[0].full
    operands = {
        access: operand_iterator(environment, access, variable, window, single) for access in iterators(lattice)
    }
    if not single:
        counter = bounded_counter(environment, variable, body)
        if counter is not None and not any(point.full for point in lattice):
            segments = {access: iterator.segment for access, iterator in operands.items()}
            environment.emit(
                Assign(counter.name, bound(lattice, segments), environment.origin(Role.ASSEMBLY, variable), reduce="+")
            )
        else:
            _merge(sparse, operands, window or environment.domain(variable))
        return
    only = operands[next(iter(lattice[0].iterators))]
    if only.storage.repeats:
        over_repeated_coordinates(sparse, only)
    else:
        over_positions(sparse, only, reductions, checked=window is None)


def _merge(sparse: SparseLoop, operands: dict[Access, OperandIterator], domain: Range) -> None:
    if sparse.lattice[0].any_of:
        over_minimum(sparse, operands, domain)
    else:
        over_lattice(sparse, operands, domain)


def _stored_operands(
    environment: LoopEnvironment, variable: str, window: Range | None, stored: Lattice
) -> tuple[dict[Access, OperandIterator], OperandIterator | None]:
    """What iterates over the stored coordinates, and that of the operand that does so alone."""
    single = len(stored) == 1 and len(stored[0].iterators) == 1
    operands = {access: operand_iterator(environment, access, variable, window, single) for access in iterators(stored)}
    return operands, next(iter(operands.values())) if single else None


def _over_stored(
    sparse: SparseLoop, operands: dict[Access, OperandIterator], only: OperandIterator | None, window: Range | None
) -> None:
    """The loop over the stored coordinates alone."""
    if only is None:
        _merge(sparse, operands, window or sparse.environment.domain(sparse.variable))
    elif only.storage.repeats:
        over_repeated_coordinates(sparse, only)
    else:
        over_positions(sparse, only, (), checked=window is None)


def decides(environment: LoopEnvironment, variable: str, lattice: Lattice) -> bool:
    """The loop visits what the result stores: the entries of the operand whose pattern it shares."""
    if len(lattice) != 1 or len(lattice[0].iterators) != 1 or lattice[0].full:
        return False
    (access,) = lattice[0].iterators
    levels = enumerate(level_variables(environment.kernel.graph, access), start=1)
    return any(name == variable and environment.kernel.output.owner(level) == access for level, name in levels)
