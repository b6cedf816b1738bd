"""Questions about the provenance graph: roots, leaves, who is determined where (docs/sources.toml T7, T8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar, TypeVarTuple

from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, Series, Statement, Where
from heddle.iteration_graph.graph.positions import Positions
from heddle.iteration_graph.graph.relation import Coordinates, Relation
from heddle.iteration_graph.graph.storage_order import stored_variables
from heddle.notation.nodes import Access, accesses, coordinate_variables, with_computed

Given = TypeVarTuple("Given")
Answer = TypeVar("Answer")
Question = Callable[[IterationGraph, *Given], Answer]


_UNKNOWN = object()


def remember(question: Question[*Given, Answer]) -> Question[*Given, Answer]:
    """The same question, which a graph answers once: passes ask it for every loop, access and level. It must be about
    what :meth:`~heddle.iteration_graph.graph.nodes.IterationGraph.with_tags` keeps."""

    def ask(graph: IterationGraph, *arguments: *Given) -> Answer:
        key = (question, *arguments)
        answer: Answer = graph.memo.get(key, _UNKNOWN)
        if answer is _UNKNOWN:
            answer = graph.memo[key] = question(graph, *arguments)
        return answer

    ask.__doc__ = question.__doc__
    return ask


def remember_with_tags(question: Question[*Given, Answer]) -> Question[*Given, Answer]:
    """The same for a question about the tags of loops, too."""

    def ask(graph: IterationGraph, *arguments: *Given) -> Answer:
        key = (question, *arguments)
        answer: Answer = graph.tag_memo.get(key, _UNKNOWN)
        if answer is _UNKNOWN:
            answer = graph.tag_memo[key] = question(graph, *arguments)
        return answer

    ask.__doc__ = question.__doc__
    return ask


def relation_above(graph: IterationGraph, variable: str) -> Relation | None:
    """The relation that derived ``variable``; None for an underived one."""
    return graph.above.get(variable)


def relation_below(graph: IterationGraph, variable: str) -> Relation | None:
    """The relation that replaced ``variable``; None for a loop variable."""
    return graph.below.get(variable)


def roots(graph: IterationGraph, variable: str) -> tuple[str, ...]:
    """The underived variables that ``variable`` comes from, outermost first."""
    above = relation_above(graph, variable)
    if above is None:
        return (variable,)
    origins: dict[str, None] = {}
    for parent in above.parents:
        origins.update(dict.fromkeys(roots(graph, parent)))
    return tuple(origins)


@remember
def all_loops(graph: IterationGraph) -> tuple[str, ...]:
    """The :func:`loop_variables` of the whole graph."""
    return tuple(loop_variables(graph.statement))


@remember
def all_assignments(graph: IterationGraph) -> tuple[tuple[tuple[str, ...], Assign], ...]:
    """The :func:`assignments` of the whole graph."""
    return tuple(assignments(graph.statement))


@remember
def all_paths(graph: IterationGraph) -> tuple[tuple[str, ...], ...]:
    """The :func:`loops` of the whole graph."""
    return tuple(loops(graph.statement))


@remember
def coordinates(graph: IterationGraph) -> list[str]:
    """The variables that storage levels hold: underived ones, and those of the blocks that formats make of them. Those
    of which a part moved to a producer are known nowhere any more, and left out."""
    blocked = [part for relation in graph.relations if relation.block is not None for part in relation.block.parts]
    present = set(all_loops(graph))
    return [variable for variable in (*graph.underived, *blocked) if set(leaves(graph, variable)) <= present]


def level_roots(graph: IterationGraph, variable: str) -> tuple[str, ...]:
    """Like ``roots``, but up to the variables of blocks only, which have levels of their own."""
    above = relation_above(graph, variable)
    if above is None or above.block is not None:
        return (variable,)
    return tuple(dict.fromkeys(root for parent in above.parents for root in level_roots(graph, parent)))


@remember
def leaves(graph: IterationGraph, variable: str) -> tuple[str, ...]:
    """The loop variables that determine ``variable``."""
    below = relation_below(graph, variable)
    if below is None:
        parts = coordinate_variables(variable, graph.signature.program)
        return parts if parts == (variable,) else _all_leaves(graph, parts)
    return _all_leaves(graph, below.children)


def _all_leaves(graph: IterationGraph, variables: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(leaf for variable in variables for leaf in leaves(graph, variable)))


def is_computed(graph: IterationGraph, variable: str) -> bool:
    """Whether a coordinate is a formula of index variables, which no loop runs over."""
    program = graph.signature.program
    return program is not None and variable in program.computed


def closure(graph: IterationGraph, known: set[str]) -> set[str]:
    """Everything that is determined once the loop variables ``known`` are."""
    determined = set(known)
    for relation in reversed(graph.relations):
        if all(child in determined for child in relation.children):
            determined |= set(relation.parents)
    program = graph.signature.program
    if program is not None:
        determined |= {name for name in program.computed if set(coordinate_variables(name, program)) <= determined}
    return determined


def grows_with(graph: IterationGraph, variable: str, loop: str | None) -> bool:
    """Whether ``variable`` never falls while the innermost loop around it, ``loop``, runs: no part of it starts over
    because that is fused, and it is not sorted by something else."""
    below = relation_below(graph, variable)
    if below is None:
        return True
    if not below.monotone:
        return loop not in leaves(graph, variable)
    return all(grows_with(graph, child, loop) for child in below.children)


def out_of_order(graph: IterationGraph, variable: str) -> str | None:
    """The variable below ``variable`` whose loops do not give it in ascending order; None where all do."""
    below = relation_below(graph, variable)
    if below is None:
        return None
    if not below.ascending:
        return below.children[0]
    return next((order for child in below.children if (order := out_of_order(graph, child)) is not None), None)


def is_consecutive(graph: IterationGraph, variable: str, loop: str) -> bool:
    """Whether a run of ``loop``, which ``variable`` comes from, gives it values without gaps: the loop is the inside of
    each cut, so that no other run has a value in between."""
    below = relation_below(graph, variable)
    if variable == loop or below is None:
        return variable == loop
    inner = below.is_window(set(below.children))
    return inner is not None and is_consecutive(graph, inner, loop)


def is_position(graph: IterationGraph, variable: str) -> bool:
    """Position space starts at ``pos`` and is inherited by what is split or fused from it; numbers of what comes in
    turn are none."""
    above = relation_above(graph, variable)
    if above is None:
        return False
    match above.space:
        case Positions():
            return True
        case Coordinates():
            return False
        case None:
            return not above.in_turn and any(is_position(graph, parent) for parent in above.parents)


def has_constant_range(graph: IterationGraph, variable: str) -> bool:
    """Whether the commands alone say how often the loop runs: the inside of a split, the parts of a division."""
    above = relation_above(graph, variable)
    parents = None if above is None else above.constant_size(variable)
    return parents is not None and all(has_constant_range(graph, parent) for parent in parents)


def walked_positions(graph: IterationGraph) -> list[Positions]:
    """The positions that variables run over, in the order of the commands."""
    return [relation.space for relation in graph.relations if isinstance(relation.space, Positions)]


def position_relation(graph: IterationGraph, variable: str) -> Positions | None:
    """The positions on the way down from an underived variable to its loops, if any."""
    below = relation_below(graph, variable)
    while below is not None:
        if isinstance(below.space, Positions):
            return below.space
        following = [relation_below(graph, child) for child in below.children]
        relations = [r for child in below.children if (r := position_relation(graph, child)) is not None]
        if relations:
            return relations[0]
        below = None if len(following) != 1 else following[0]
    return None


def single_steps(graph: IterationGraph, variable: str) -> list[str]:
    """``variable`` and, below it, the loops that take its single steps inside ever smaller tiles."""
    steps = [variable]
    while (below := relation_below(graph, steps[-1])) is not None:
        inner = below.is_window(set(below.children))
        if inner is None:
            break
        steps.append(inner)
    return steps


def variables(graph: IterationGraph) -> list[str]:
    """All index variables: underived first, then derived in the order of the commands."""
    derived = [child for relation in graph.relations for child in relation.children]
    return [*graph.underived, *derived]


def loops(statement: Statement) -> Iterator[tuple[str, ...]]:
    """The paths of loop variables from the root to each assignment."""
    match statement:
        case Forall(variable=variable, body=body):
            for path in loops(body):
                yield (variable, *path)
        case Where(consumer=consumer, producer=producer):
            yield from loops(producer)
            yield from loops(consumer)
        case Series(statements=statements):
            for part in statements:
                yield from loops(part)
        case Assign():
            yield ()
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def loop_variables(statement: Statement) -> list[str]:
    """Every loop variable once, in the order of the nest."""
    return list(dict.fromkeys(variable for path in loops(statement) for variable in path))


def assignments(statement: Statement) -> list[tuple[tuple[str, ...], Assign]]:
    """Each assignment with the loop variables around it, outermost first."""
    match statement:
        case Forall(variable=variable, body=body):
            return [((variable, *path), assign) for path, assign in assignments(body)]
        case Where(consumer=consumer, producer=producer):
            return assignments(producer) + assignments(consumer)
        case Series(statements=statements):
            return [assignment for statement in statements for assignment in assignments(statement)]
        case Assign():
            return [((), statement)]
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def remembered_below(question: Callable[[IterationGraph, Statement], Answer]) -> Question[Statement, Answer]:
    """The same question about a statement of a graph, answered once for each: loops ask it of what is inside them. The
    memory keeps the statement, by whose identity it is found."""

    def ask(graph: IterationGraph, statement: Statement) -> Answer:
        key = (question, id(statement))
        answers: tuple[Statement, Answer] | None = graph.memo.get(key)
        if answers is None or answers[0] is not statement:
            answers = graph.memo[key] = statement, question(graph, statement)
        return answers[1]

    ask.__doc__ = question.__doc__
    return ask


@remembered_below
def find_assignments(graph: IterationGraph, statement: Statement) -> tuple[Assign, ...]:
    """The assignments below a statement, in their order."""
    match statement:
        case Forall(body=body):
            return find_assignments(graph, body)
        case Where(consumer=consumer, producer=producer):
            return find_assignments(graph, producer) + find_assignments(graph, consumer)
        case Series(statements=statements):
            return tuple(assign for statement in statements for assign in find_assignments(graph, statement))
        case Assign():
            return (statement,)
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


@remembered_below
def operand_accesses(graph: IterationGraph, statement: Statement) -> tuple[Access, ...]:
    """Accesses to operand tensors below a statement, each distinct one once, in order of appearance."""
    match statement:
        case Forall(body=body):
            return operand_accesses(graph, body)
        case Assign(expression=expression):
            read = with_computed(accesses(expression), graph.signature.program)
            return tuple(dict.fromkeys(access for access in read if access.tensor in graph.signature.tensors))
        case _:
            parts = (operand_accesses(graph, assign) for assign in find_assignments(graph, statement))
            return tuple(dict.fromkeys(access for part in parts for access in part))


def reads(statement: Statement, tensor: str) -> list[Access]:
    """The accesses by which the statement reads ``tensor``, each distinct one once."""
    read_accesses = (access for _, assign in assignments(statement) for access in accesses(assign.expression))
    return list(dict.fromkeys(access for access in read_accesses if access.tensor == tensor))


@remember
def level_variables(graph: IterationGraph, access: Access) -> list[str]:
    """The index variable of each storage level, outermost level first; accesses to workspaces and to tensors in blocks
    are by level. It is one of ``coordinates``, except for workspaces."""
    if access.tensor not in graph.signature.tensors:
        return list(access.indices)
    return stored_variables(graph.signature, access)


def last_leaf(graph: IterationGraph, root: str) -> str:
    """The loop in which the coordinate of ``root`` becomes known."""
    root_leaves = leaves(graph, root)
    for path in all_paths(graph):
        if all(leaf in path for leaf in root_leaves):
            return max(root_leaves, key=path.index)
    return root_leaves[-1]
