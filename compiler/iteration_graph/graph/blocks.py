"""Blocked formats: the variables of their blocks, and accesses by these (``bcsr(4,4)``: ``A(i,j)`` is stored at
``i / 4, j / 4, i mod 4, j mod 4``)."""

from __future__ import annotations

from collections.abc import Iterable

from compiler.diagnostics import CompileError, Diagnostic, Fix, Location, Part
from compiler.formats.printer import format_text
from compiler.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, Series, Statement, Where
from compiler.iteration_graph.graph.relation import Block, Relation
from compiler.names import Names
from compiler.notation.nodes import Access, Expression, operands_of, with_operands
from compiler.signature import Signature

Blocks = dict[str, Block]
"""By the variable that is blocked; where its coordinates stand sorted, the blocks are of their places."""


def blocks_of(signature: Signature, accesses: Iterable[Access], names: Names) -> Blocks:
    """The blocks that the formats of all tensors make of the index variables.

    Raises CompileError ``format/conflicting-blocks`` when two tensors cut one variable into blocks of different sizes.
    """
    wanted: dict[str, list[tuple[str, int]]] = {}
    for access in accesses:
        if access.tensor not in signature.tensors:
            continue
        for dimension, size in signature.tensors[access.tensor].format.blocks.items():
            wanted.setdefault(access.indices[dimension], []).append((access.tensor, size))
    for variable, sizes in wanted.items():
        if len({size for _, size in sizes}) > 1:
            raise CompileError(_conflict(signature, variable, dict.fromkeys(sizes)))
    return {
        variable: Block(
            variable,
            names.fresh(f"{variable}_block"),
            names.fresh(f"{variable}_inner"),
            sizes[0][1],
            tuple(dict.fromkeys(tensor for tensor, _ in sizes)),
        )
        for variable, sizes in wanted.items()
    }


def known_blocks(relations: Iterable[Relation]) -> Blocks:
    """The blocks that the relations of a graph make."""
    made = [relation for relation in relations if relation.command is None]
    sorted_by = {child: relation.parents[0] for relation in made for child in relation.children}
    blocks = [relation.block for relation in made if relation.block is not None]
    return {sorted_by.get(block.whole, block.whole): block for block in blocks}


def check_unblocked(signature: Signature) -> None:
    """Raises CompileError ``format/blocks-in-program``: the temporaries of a program have no blocks to follow."""
    blocked = next((tensor for tensor in signature.tensors.values() if tensor.format.blocks), None)
    if blocked is not None:
        text = format_text(blocked.format)
        raise CompileError(
            Diagnostic(
                "format/blocks-in-program",
                f"{blocked.name} is stored in blocks ({text}), which the temporaries of several statements cannot "
                f"follow. Store {blocked.name} without blocks.",
                Location(Part.FORMAT, tensor=blocked.name),
                expected="tensors that are not stored in blocks",
                found=text,
                fixes=(Fix(f"Store {blocked.name} dense", formats={blocked.name: "dense"}),),
            )
        )


def _conflict(signature: Signature, variable: str, sizes: Iterable[tuple[str, int]]) -> Diagnostic:
    names = list(dict.fromkeys(tensor for tensor, _ in sizes))
    found = " and ".join(f"{name} ({format_text(signature.tensors[name].format)}) into {size}" for name, size in sizes)
    keep = format_text(signature.tensors[names[0]].format)
    alike = [name for name in names[1:] if signature.tensors[name].order == signature.tensors[names[0]].order]
    return Diagnostic(
        "format/conflicting-blocks",
        f"{variable} is cut into blocks of different sizes: by {found}. One loop cannot follow both. "
        f"Use blocks of one size along {variable}.",
        Location(Part.FORMAT, tensor=names[-1]),
        expected=f"one block size along {variable}",
        found=found,
        fixes=tuple(Fix(f"Store {name} as {keep}", formats={name: keep}) for name in alike),
    )


def in_loops(variables: Iterable[str], blocks: Blocks) -> list[str]:
    """The variables with the blocks in the place of what they cut, and the coordinates inside the blocks behind all."""
    found = list(variables)
    outer = [blocks[v].outer if v in blocks else v for v in found]
    return [*outer, *(blocks[v].inner for v in found if v in blocks)]


def by_blocks(statement: Statement, signature: Signature, blocks: Blocks) -> Statement:
    """The statement with every access to a blocked tensor by the variables of its levels."""
    match statement:
        case Forall(variable=variable, body=body):
            return Forall(variable, by_blocks(body, signature, blocks))
        case Where(consumer=consumer, producer=producer):
            return Where(by_blocks(consumer, signature, blocks), by_blocks(producer, signature, blocks))
        case Series(statements=statements):
            return Series(tuple(by_blocks(one, signature, blocks) for one in statements))
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
            and all(expression.indices[dimension] in blocks for dimension in layout.blocks)
        )
        return _access(expression, signature, blocks) if fits else expression
    parts = [expression_by_blocks(part, signature, blocks) for part in operands_of(expression)]
    return with_operands(expression, parts)


def as_written(expression: Expression, graph: IterationGraph) -> Expression:
    """An expression of the graph with every access to a blocked tensor by the variables of its dimensions."""
    if not isinstance(expression, Access):
        return with_operands(expression, [as_written(part, graph) for part in operands_of(expression)])
    known = graph.signature.tensors.get(expression.tensor)
    if known is None or not known.format.blocks or len(expression.indices) != len(known.format.order):
        return expression
    cuts = known_blocks(graph.relations)
    whole = {part: variable for variable, cut in cuts.items() for part in (cut.outer, cut.inner)}
    found = dict(zip(known.format.order, (whole.get(index, index) for index in expression.indices), strict=True))
    return Access(expression.tensor, tuple(found[dimension] for dimension in sorted(found)))


def _access(access: Access, signature: Signature, blocks: Blocks) -> Access:
    known = signature.tensors.get(access.tensor)
    if known is None or not known.format.blocks:
        return access
    indices = tuple(level_indices(access, signature, blocks))
    return Access(access.tensor, indices, dtype=access.dtype, background=access.background)


def level_indices(access: Access, signature: Signature, blocks: Blocks) -> list[str]:
    """The variable of each storage level of an access by dimensions, those of slots after them; without these, slots
    are told by the variable of their dimension."""
    format, indices = signature.tensors[access.tensor].format, list[str]()
    cut = format.blocks if blocks else {}
    slots = iter(access.indices[format.dimensions :])
    for level, dimension in zip(format.levels, format.order, strict=True):
        variable = access.indices[dimension]
        if level.holds_slots:
            variable = next(slots, variable)
        elif dimension in cut:
            variable = blocks[variable].outer if level.size is None else blocks[variable].inner
        indices.append(variable)
    return indices
