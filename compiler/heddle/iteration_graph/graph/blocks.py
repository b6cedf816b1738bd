"""Blocked formats: the variables of their blocks, and accesses by these (``bcsr(4,4)``: ``A(i,j)`` is stored at
``i / 4, j / 4, i mod 4, j mod 4``)."""

from __future__ import annotations

from collections.abc import Iterable

from heddle.diagnostics import CompileError, Diagnostic, Fix, Location, Part
from heddle.formats.format import Cut
from heddle.formats.printer import format_text
from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, Series, Statement, Where
from heddle.iteration_graph.graph.relation import Block, Relation
from heddle.names import Names
from heddle.notation.nodes import Access, Expression, operands_of, with_operands
from heddle.signature import Signature

Blocks = dict[str, Block]
"""By the variable that is blocked; where its coordinates stand sorted, the blocks are of their places."""


def blocks_of(signature: Signature, accesses: Iterable[Access], names: Names) -> Blocks:
    """The blocks that the formats of all tensors make of the index variables.

    Raises CompileError ``format/conflicting-blocks`` when two tensors cut one variable in different ways.
    """
    wanted: dict[str, list[tuple[Access, Cut]]] = {}
    for access in accesses:
        if access.tensor not in signature.tensors:
            continue
        for dimension, cut in signature.tensors[access.tensor].format.cuts.items():
            wanted.setdefault(access.indices[dimension], []).append((access, cut))
    for variable, access_cuts in wanted.items():
        # Ranges with equally many entries are those of one tensor.
        if len({(cut.size, cut.parts, cut.even and (access.tensor, cut.number)) for access, cut in access_cuts}) > 1:
            cuts = dict.fromkeys((access.tensor, _cut_text(cut)) for access, cut in access_cuts)
            raise CompileError(_conflict(signature, variable, cuts))
    return {variable: _block(variable, access_cuts, names) for variable, access_cuts in wanted.items()}


def _block(variable: str, access_cuts: list[tuple[Access, Cut]], names: Names) -> Block:
    (access, cut), *_ = access_cuts
    ends = ("block", "inner") if cut.parts is None else ("part", "in")
    outer, inner = (names.fresh(f"{variable}_{end}") for end in ends)
    tensors = tuple(dict.fromkeys(access.tensor for access, _ in access_cuts))
    return Block(variable, outer, inner, cut, access, tensors)


def _cut_text(cut: Cut) -> str:
    """E.g. ``8``, ``4 parts`` or ``4 parts of its entries``."""
    return str(cut.size) if cut.parts is None else f"{cut.parts} parts{' of its entries' if cut.even else ''}"


def known_blocks(relations: Iterable[Relation]) -> Blocks:
    """The blocks that the relations of a graph make."""
    block_relations = [relation for relation in relations if relation.command is None]
    sorted_by = {child: relation.parents[0] for relation in block_relations for child in relation.children}
    blocks = [relation.block for relation in block_relations if relation.block is not None]
    return {sorted_by.get(block.whole, block.whole): block for block in blocks}


def _conflict(signature: Signature, variable: str, sizes: Iterable[tuple[str, str]]) -> Diagnostic:
    names = list(dict.fromkeys(tensor for tensor, _ in sizes))
    actual = " and ".join(f"{name} ({format_text(signature.tensors[name].format)}) into {size}" for name, size in sizes)
    keep = format_text(signature.tensors[names[0]].format)
    alike = [
        name
        for name in names[1:]
        if signature.tensors[name].order == signature.tensors[names[0]].order
        and signature.tensors[name].format != signature.tensors[names[0]].format
    ]
    how, instead = f"into blocks of different sizes: by {actual}", f"Use blocks of one size along {variable}"
    if "parts" in actual:
        how, instead = f"in different ways: by {actual}", f"Cut {variable} in one way, or one of them not at all"
    return Diagnostic(
        "format/conflicting-blocks",
        f"{variable} is cut {how}. One loop cannot follow both. {instead}.",
        Location(Part.FORMAT, tensor=names[-1]),
        expected=f"one way to cut {variable}",
        actual=actual,
        fixes=tuple(Fix(f"Store {name} as {keep}", formats={name: keep}) for name in alike),
    )


def in_loops(variables: Iterable[str], blocks: Blocks) -> list[str]:
    """The variables with the blocks in the place of what they cut, and the coordinates inside the blocks behind all."""
    all_variables = list(variables)
    outer = [blocks[v].outer if v in blocks else v for v in all_variables]
    return [*outer, *(blocks[v].inner for v in all_variables if v in blocks)]


def by_blocks(statement: Statement, signature: Signature, blocks: Blocks) -> Statement:
    """The statement with every access to a blocked tensor by the variables of its levels."""
    match statement:
        case Forall(variable=variable, body=body):
            return Forall(variable, by_blocks(body, signature, blocks))
        case Where(consumer=consumer, producer=producer):
            return Where(by_blocks(consumer, signature, blocks), by_blocks(producer, signature, blocks))
        case Series(statements=statements):
            return Series(tuple(by_blocks(statement, signature, blocks) for statement in statements))
        case Assign(target=target, operator=operator, expression=expression):
            return Assign(
                _access(target, signature, blocks), operator, expression_by_blocks(expression, signature, blocks)
            )
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def expression_by_blocks(expression: Expression, signature: Signature, blocks: Blocks) -> Expression:
    """The same for an expression; an access that is no access of the program stays as it is."""
    if isinstance(expression, Access):
        layout = signature.tensors[expression.tensor].format if expression.tensor in signature.tensors else None
        fits = layout is None or (
            len(expression.indices) == layout.dimensions + len(layout.slots)
            and all(expression.indices[dimension] in blocks for dimension in layout.cuts)
        )
        return _access(expression, signature, blocks) if fits else expression
    parts = [expression_by_blocks(part, signature, blocks) for part in operands_of(expression)]
    return with_operands(expression, parts)


def as_written(expression: Expression, graph: IterationGraph) -> Expression:
    """An expression of the graph with every access to a blocked tensor by the variables of its dimensions."""
    if not isinstance(expression, Access):
        return with_operands(expression, [as_written(part, graph) for part in operands_of(expression)])
    known = graph.signature.tensors.get(expression.tensor)
    if known is None or not known.format.cuts or len(expression.indices) != len(known.format.order):
        return expression
    cuts = known_blocks(graph.relations)
    whole = {part: variable for variable, cut in cuts.items() for part in (cut.outer, cut.inner)}
    dimension_indices = dict(
        zip(known.format.order, (whole.get(index, index) for index in expression.indices), strict=True)
    )
    return Access(expression.tensor, tuple(dimension_indices[dimension] for dimension in sorted(dimension_indices)))


def _access(access: Access, signature: Signature, blocks: Blocks) -> Access:
    known = signature.tensors.get(access.tensor)
    if known is None or not known.format.cuts:
        return access
    indices = tuple(level_indices(access, signature, blocks))
    return Access(access.tensor, indices, dtype=access.dtype, background=access.background)


def level_indices(access: Access, signature: Signature, blocks: Blocks) -> list[str]:
    """The variable of each storage level of an access by dimensions, those of slots after them; without these, slots
    are told by the variable of their dimension."""
    format, indices = signature.tensors[access.tensor].format, list[str]()
    cut = format.cuts if blocks else {}
    slots = iter(access.indices[format.dimensions :])
    for number, (level, dimension) in enumerate(zip(format.levels, format.order, strict=True)):
        variable = access.indices[dimension]
        if level.holds_slots:
            variable = next(slots, variable)
        elif dimension in cut:
            variable = blocks[variable].inner if format.inside(number) else blocks[variable].outer
        indices.append(variable)
    return indices
