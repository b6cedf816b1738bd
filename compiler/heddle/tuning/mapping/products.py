"""The dense products among the statements of a program, each in tiles as if it stood alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from heddle.iteration_graph.algebra.lattice import FULL
from heddle.iteration_graph.analysis.iterated import lattice_at
from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, Statement, Where
from heddle.iteration_graph.graph.provenance import assignments, coordinates, variables
from heddle.iteration_graph.graph.sequence import in_order
from heddle.notation.nodes import Access, Expression, accesses, variables_in
from heddle.notation.printer import to_text
from heddle.plan import Plan, TensorSpec
from heddle.tuning.facts.machine import Machine
from heddle.tuning.facts.program import Program, program_of
from heddle.tuning.facts.scaled import scaled_factors, summed_factor
from heddle.tuning.mapping.writer import Writer
from heddle.tuning.rules.dense_product import dense_product
from heddle.tuning.rules.product_tiles import ProductTiles


@dataclass(frozen=True, slots=True)
class _Product:
    """``expression``, a product of two operands that may be scaled, added up into the element ``indices`` of
    ``target``. ``within`` are the loops around a number that another expression uses; none where the statement is the
    sum itself."""

    target: str
    indices: tuple[str, ...]
    expression: Expression
    within: tuple[str, ...] = ()


def tile_products(writer: Writer, machine: Machine, tiles: ProductTiles | None = None) -> tuple[str, ...]:
    """Tries the commands of each product whose tiles pay, or of all with these ``tiles``; the reasons for those that
    the program allows."""
    reasons: list[str] = []
    for part in in_order(writer.graph.statement):
        product, known = _product(writer.graph, part), dict(writer.sizes)
        graph, commands = writer.graph, list(writer.commands)
        if product is not None and product.within:
            product, copies = _take_apart(writer, product)
            known |= {copy: known[loop] for loop, copy in copies.items() if loop in known}
        alone = None if product is None else _alone(writer, machine, product, known)
        proposal = None if alone is None else dense_product(alone, tiles)
        if proposal is not None and writer.try_commands(*proposal.schedule) is None:
            reasons += proposal.reasons
        else:
            writer.graph, writer.commands = graph, commands
    return tuple(dict.fromkeys(reasons))


def _product(graph: IterationGraph, statement: Statement) -> _Product | None:
    loops: list[str] = []
    while isinstance(statement, Forall):
        loops.append(statement.variable)
        statement = statement.body
    match statement:
        case Assign(target=target, operator="+=", expression=expression):
            summed = _is_product(graph, expression, target.indices)
            return _Product(target.tensor, target.indices, expression) if summed else None
        case Where(producer=producer):
            while isinstance(producer, Forall):
                producer = producer.body
            match producer:
                case Assign(target=Access(tensor=number, indices=()), operator="+=", expression=expression):
                    named = number in graph.signature.temporaries
                    summed = not named and _is_product(graph, expression, loops) and _visit_all(graph, loops)
                    return _Product(number, (), expression, tuple(loops)) if summed else None
    return None


def _is_product(graph: IterationGraph, expression: Expression, elements: Sequence[str]) -> bool:
    """Whether two operands are multiplied in what is added up into each of ``elements``."""
    return scaled_factors(summed_factor(expression, elements, graph.signature.program)) is not None


def _visit_all(graph: IterationGraph, loops: Sequence[str]) -> bool:
    """Whether elements are computed at all coordinates: the sum of each is then needed, and not at those alone that a
    sparse operand stores."""
    return all(lattice_at(graph, loop) == FULL for loop in loops if loop in coordinates(graph))


def _take_apart(writer: Writer, product: _Product) -> tuple[_Product | None, dict[str, str]]:
    """Makes the sum an array of its own: its statement, None where that is refused, and the names of its loops."""
    program = writer.graph.signature.program
    used = set(variables_in(product.expression, program))
    over = tuple(loop for loop in product.within if loop in used)
    name, *copies = writer.fresh("S", *(f"{loop}w" for loop in over))
    text = to_text(product.expression)
    if writer.try_commands(f"precompute({text}, {{{', '.join(over)}}}, {{{', '.join(copies)}}}, {name})") is not None:
        return None, {}
    sums = (assign for _, assign in assignments(writer.graph.statement) if assign.target.tensor == name)
    apart = next(
        (_Product(name, assign.target.indices, assign.expression) for assign in sums if assign.operator == "+="), None
    )
    return apart, dict(zip(over, copies, strict=True))


def _alone(writer: Writer, machine: Machine, product: _Product, sizes: Mapping[str, int]) -> Program | None:
    """The product as a program of its own, whose loops have the names that they have here."""
    graph, specs = writer.graph, dict[str, TensorSpec]()
    computed = {} if graph.signature.program is None else graph.signature.program.computed
    for access in (Access(product.target, product.indices), *accesses(product.expression)):
        if any(index not in sizes and index not in computed for index in access.indices):
            return None
        shape = tuple(sizes.get(index, 1) for index in access.indices)
        tensor, workspace = graph.signature.tensors.get(access.tensor), graph.workspaces.get(access.tensor)
        spec = TensorSpec() if tensor is None else writer.plan.tensors.get(access.tensor, TensorSpec())
        known = tensor or workspace or graph.signature.temporaries.get(access.tensor)
        dtype = None if known is None else known.dtype
        specs[access.tensor] = replace(spec, shape=shape, dtype=dtype)
    text = f"{to_text(Access(product.target, product.indices))} = {to_text(product.expression)}"
    alone = program_of(Plan(text, specs, target=writer.plan.target), machine=machine)
    reserved = {*variables(graph), *graph.signature.tensors, *graph.signature.temporaries, *graph.workspaces}
    assignment = replace(alone.assignment, program=graph.signature.program)
    return replace(alone, assignment=assignment, sizes=sizes, taken=frozenset(reserved))
