"""Sparse loops at one variable: a single iterator by position, or a merge of several (docs/sources.md T45, T46)."""

from __future__ import annotations

from heddle.formats.levels.level import Range
from heddle.iteration_graph.algebra.lattice import Lattice, iterators
from heddle.iteration_graph.analysis.repeated_fill import RepeatedFill
from heddle.iteration_graph.graph.nodes import Statement
from heddle.iteration_graph.graph.provenance import level_variables
from heddle.loop_ir.nodes import Assign, Reduction
from heddle.lowering.environment.loop_environment import LoopEnvironment, LowerStatement
from heddle.lowering.nest.append_bound import bound, bounded_counter
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
    environment.covers = environment.covers and (
        any(point.full and (point.any_of or not point.iterators) for point in lattice)
        or decides(environment, variable, lattice)
    )
    fill = find_fill(environment, loop, variable, body, lattice)
    if fill is not None:
        _lower_stored(environment, loop, variable, body, lower, lattice, fill)
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


def _lower_stored(
    environment: LoopEnvironment,
    loop: str,
    variable: str,
    body: Statement,
    lower: LowerStatement,
    lattice: Lattice,
    fill: RepeatedFill,
) -> None:
    """The loop over the stored coordinates alone, and behind it what the reduction combines for all others."""
    window = None if loop == variable else environment.window(variable, loop)
    single = len(fill.stored) == 1 and len(fill.stored[0].iterators) == 1
    operands = {
        access: operand_iterator(environment, access, variable, window, single) for access in iterators(fill.stored)
    }
    only = next(iter(operands.values())) if single else None
    visits = count_visits(environment, variable, only)
    sparse = SparseLoop(environment, loop, variable, body, lower, fill.stored, visits)
    domain = window or environment.domain(variable)
    if only is None:
        _merge(sparse, operands, domain)
    elif only.storage.repeats:
        over_repeated_coordinates(sparse, only)
    else:
        over_positions(sparse, only, (), checked=window is None)
    combine_fill(environment, fill, body, variable, domain, visits, lower)


def decides(environment: LoopEnvironment, variable: str, lattice: Lattice) -> bool:
    """The loop visits what the result stores: the entries of the operand whose pattern it shares."""
    if len(lattice) != 1 or len(lattice[0].iterators) != 1 or lattice[0].full:
        return False
    (access,) = lattice[0].iterators
    levels = enumerate(level_variables(environment.kernel.graph, access), start=1)
    return any(name == variable and environment.kernel.output.owner(level) == access for level, name in levels)
