"""Concretize: index notation -> iteration graph (docs/sources.toml T9).

``y(i) = A(i,j) * x(j)`` becomes ``∀i ∀j y(i) += A(i,j) * x(j)``. A sum that only a part of the expression needs
becomes a scalar workspace: ``y(i) = b(i) + A(i,j) * x(j)`` is ``∀i (y(i) = b(i) + t where ∀j t += A(i,j) * x(j))``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from heddle.iteration_graph.algebra.constants import identity
from heddle.iteration_graph.algebra.lattice import elsewhere
from heddle.iteration_graph.algebra.result_fill import with_temporary_fill
from heddle.iteration_graph.algebra.type_promotion import (
    explicit_dtype,
    expression_dtype,
    held_dtype,
    wrapping_reduction,
)
from heddle.iteration_graph.build.bind import bind
from heddle.iteration_graph.build.format_relations import cut_by
from heddle.iteration_graph.build.scheduled_variables import NO_NAMES, NamesOfCommands
from heddle.iteration_graph.build.sorted_rows import by_places, sorted_rows
from heddle.iteration_graph.build.start_order import Nest, start_order
from heddle.iteration_graph.build.sum_distribution import (
    add_terms,
    check_terms,
    distribute,
    group_terms,
    in_every_term,
    variables_of,
)
from heddle.iteration_graph.build.sums_apart import sums_apart
from heddle.iteration_graph.graph.blocks import Blocks, blocks_of, by_blocks, in_loops
from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, Series, Statement, Where, Workspace
from heddle.iteration_graph.graph.sections import reading_stored_temporaries
from heddle.iteration_graph.graph.slots import check_slots_around, slots_of, with_slots
from heddle.names import Names
from heddle.notation.alpha_renaming import ties
from heddle.notation.functions import ASSIGNMENTS, COMPARISONS, REDUCING
from heddle.notation.nodes import (
    Access,
    Assignment,
    Binary,
    Call,
    Expression,
    IndexValue,
    Literal,
    Reduce,
    Select,
    SizeValue,
    Span,
    Unary,
    accesses,
    bound_variables,
    index_variables,
    operands_of,
    statements,
    with_operands,
)
from heddle.notation.printer import to_text
from heddle.notation.rename import rename_variables
from heddle.signature import Signature


def build(assignment: Assignment, signature: Signature, said: NamesOfCommands = NO_NAMES) -> IterationGraph:
    """The iteration graph before any command, loops in the default order. Every statement has loops of its own (a
    program's are renamed apart); a temporary's are the producer of a workspace for all that follows. ``said``: what the
    commands that follow speak of."""
    computed = signature.program.computed if signature.program is not None else ()
    names = Names({*index_variables(assignment), *signature.tensors, *signature.temporaries, *computed})
    signature = reading_stored_temporaries(signature)
    graphs: list[IterationGraph] = []
    for statement in statements(assignment):
        graphs.append(_statement(statement, signature, names, said))
        if statement.target.tensor in signature.stored_temporaries:
            signature = with_temporary_fill(signature, graphs[-1], statement.target.tensor)
    *before, last = graphs
    graph = last
    for earlier in reversed(before):
        graph = replace(
            graph,
            statement=Where(graph.statement, earlier.statement),
            relations=(*earlier.relations, *graph.relations),
            workspaces={**earlier.workspaces, **graph.workspaces},
            underived=(*earlier.underived, *graph.underived),
            copies={**earlier.copies, **graph.copies},
            started=(*earlier.started, *graph.started),
        )
    if not before:
        return graph
    temporaries = {
        temporary.target.tensor: Workspace(
            temporary.target.tensor, signature.temporaries[temporary.target.tensor].dtype, temporary.target.indices
        )
        for temporary in assignment.temporaries
        if temporary.target.tensor not in signature.stored_temporaries
    }
    same: dict[str, str] = {}
    if assignment.program is None:  # a program says how far each of its loops runs
        same = {variable: other for variable, other in ties(assignment).items() if variable != other}
    copies = {copy: same.get(variable, variable) for copy, variable in graph.copies.items()}
    return replace(graph, workspaces={**temporaries, **graph.workspaces}, copies={**copies, **same})


def build_series(
    assignments: Iterable[Assignment], signature: Signature, said: NamesOfCommands = NO_NAMES
) -> IterationGraph:
    """The iteration graph of statements that combine into one result one after the other; no two share a variable."""
    all_assignments = list(assignments)
    names = Names({*(v for assignment in all_assignments for v in index_variables(assignment)), *signature.tensors})
    graphs = [_statement(assignment, signature, names, said) for assignment in all_assignments]
    return replace(
        graphs[0],
        statement=Series(tuple(graph.statement for graph in graphs)) if len(graphs) > 1 else graphs[0].statement,
        relations=tuple(relation for graph in graphs for relation in graph.relations),
        workspaces={name: workspace for graph in graphs for name, workspace in graph.workspaces.items()},
        underived=tuple(variable for graph in graphs for variable in graph.underived),
        copies={copy: variable for graph in graphs for copy, variable in graph.copies.items()},
        started=tuple(order for graph in graphs for order in graph.started),
    )


def _statement(assignment: Assignment, signature: Signature, names: Names, said: NamesOfCommands) -> IterationGraph:
    bound = bind(assignment, signature, names)
    slots = slots_of(signature, assignment.operator, bound, names, _wrapping(bound))
    statement = replace(assignment, expression=with_slots(bound, slots))
    apart = None
    if not slots and signature.program is None:
        apart = sums_apart(statement, signature, names, said.spoken)
    if apart is not None and not apart.copies.keys() & said.new:
        with names.scope():
            merged = _nest_loops(statement, signature, names)
        if not merged.relations and _sums_are_inside(merged, statement.target, apart.copies.values()):
            graph = _nest_loops(replace(statement, expression=apart.expression), signature, names)
            return replace(graph, copies={**graph.copies, **apart.copies})
    return _nest_loops(statement, signature, names)


def _sums_are_inside(graph: IterationGraph, target: Access, sums: Iterable[str]) -> bool:
    """Whether each element of the result is summed up at once: each of several sums can then be a number of its own."""
    loops = graph.started[0].loops if graph.started else ()
    around = max((loops.index(index) for index in target.indices if index in loops), default=-1)
    return all(variable not in loops or loops.index(variable) > around for variable in sums)


def _nest_loops(assignment: Assignment, signature: Signature, names: Names) -> IterationGraph:
    """The loops of a statement whose expression is bound."""
    expression = assignment.expression
    target = Access(assignment.target.tensor, assignment.target.indices)
    variables = index_variables(Assignment(target, "=", expression, program=signature.program))
    reductions = [v for v in variables if v not in target.indices and v not in bound_variables(expression)]
    written = signature.temporaries.get(target.tensor, signature.result)
    scopes = _Scopes(names, written.dtype, signature.program is not None, assignment.expression.span)
    root, operator = _root(scopes, assignment.operator, expression, reductions)
    free = list(dict.fromkeys(target.indices[dimension] for dimension in written.format.order))
    inner = [v for producer in root.producers for v in producer.allvariables_of()]
    operands = [a for a in dict.fromkeys(root.all_accesses()) if a.tensor in signature.tensors]
    rows = sorted_rows(signature, [target, *operands], names)
    blocks = by_places(blocks_of(signature, [target, *operands], names), rows)
    led = [target, *operands] if signature.result_first and target.tensor == signature.result.name else operands
    wishes = [*free, *root.sums, *inner]
    order = start_order(signature, target, led, _nests(root, [*free, *root.sums], scopes, blocks), wishes, blocks)
    dtype = written.dtype
    filled = not written.format.is_dense and any(tensor.fill != 0 for tensor in signature.inputs)
    nothing = elsewhere(root.expression) if filled else None
    target = replace(target, dtype=dtype, background=_start(operator, nothing, dtype))
    assign, loops = Assign(target, operator, root.expression), [*free, *root.sums]
    statement = by_blocks(_nest(assign, loops, root.producers, order.loops, blocks), signature, blocks)
    check_slots_around(statement, signature)
    return IterationGraph(
        statement,
        signature,
        (*rows, *(cut_by(block) for block in blocks.values())),
        workspaces=scopes.workspaces,
        underived=(*variables, *scopes.copies),
        copies=scopes.copies,
        started=() if len(order.loops) < 2 else (order,),
    )


def _wrapping(expression: Expression) -> dict[str, str]:
    """By tensor: why its slots cannot be added up one after the other."""
    reasons: dict[str, str] = {}
    for tensor in dict.fromkeys(access.tensor for access in accesses(expression)):
        reduction = wrapping_reduction(expression, tensor)
        if reduction is not None:
            dtype = expression_dtype(reduction)
            reasons[tensor] = f"{to_text(reduction)} may wrap around in {dtype} before it is used, as its slots do not"
    return reasons


def _start(operator: str, nothing: Literal | None, dtype: str) -> Literal | None:
    """What the target holds before anything is assigned to it, and where nothing is; None where that is never read.
    ``nothing`` is what the expression is there, where a sparse result can have that as its fill."""
    if operator != "=":
        start = identity(ASSIGNMENTS[operator], dtype)
        return None if start is None else Literal(start, None, dtype)
    return Literal(0 if nothing is None else nothing.value, None, dtype)


def _root(scopes: _Scopes, operator: str, expression: Expression, reductions: list[str]) -> tuple[_Scope, str]:
    """The scope of the whole right-hand side, and the operator that it is assigned with."""
    if operator not in ("=", "+="):
        return scopes.whole(expression, reductions), operator
    if operator == "=" and isinstance(expression, Reduce) and (expression.operator == "+" or not reductions):
        # The result itself is what the reduction adds up in.
        inner = scopes.enter_reduction(expression)
        return replace(inner, sums=[*reductions, *inner.sums]), REDUCING[expression.operator]
    root = scopes.place(expression, reductions)
    return root, "+=" if root.sums else operator


def _nests(scope: _Scope, variables: list[str], scopes: _Scopes, blocks: Blocks) -> list[Nest]:
    """The nest of a scope over ``variables``, then those of what it reads."""
    accesses = tuple(access for access in scope.all_accesses() if access.tensor not in scopes.workspaces)
    nests = [Nest(tuple(in_loops(variables, blocks)), accesses)]
    for producer in scope.producers:
        nests += _nests(producer.scope, producer.scope.sums, scopes, blocks)
    return nests


def _nest(
    assign: Assign, variables: list[str], producers: tuple[_Producer, ...], order: Sequence[str], blocks: Blocks
) -> Statement:
    statement: Statement = assign
    for producer in reversed(producers):
        total = Assign(producer.target, producer.operator, producer.scope.expression)
        statement = Where(statement, _nest(total, producer.scope.sums, producer.scope.producers, order, blocks))
    loops = in_loops(variables, blocks)
    for variable in reversed([v for v in order if v in loops]):
        statement = Forall(variable, statement)
    return statement


@dataclass(frozen=True, slots=True)
class _Scope:
    """An expression, the variables summed over all of it, and the workspaces that it reads."""

    expression: Expression
    sums: list[str]
    producers: tuple[_Producer, ...] = ()

    def all_accesses(self) -> list[Access]:
        nested = [a for producer in self.producers for a in producer.scope.all_accesses()]
        return accesses(self.expression) + nested


@dataclass(frozen=True, slots=True)
class _Producer:
    """The scalar workspace ``target`` holds what ``operator`` combines of ``scope``."""

    target: Access
    operator: str
    scope: _Scope

    def allvariables_of(self) -> list[str]:
        return [*self.scope.sums, *(v for producer in self.scope.producers for v in producer.allvariables_of())]


@dataclass(slots=True)
class _Scopes:
    """Places the implicit sums: each is around the largest product that it distributes over."""

    names: Names
    dtype: str
    together: bool = False
    """Reductions that stand directly in each other are one, over several variables."""
    span: Span | None = None
    """Where the expression stands in the text."""
    workspaces: dict[str, Workspace] = field(default_factory=dict)
    copies: dict[str, str] = field(default_factory=dict)
    """The loop variables of terms that are summed apart, and the variable of the expression that each stands for."""

    def enter_reduction(self, reduction: Reduce) -> _Scope:
        """What an explicit reduction combines, and the variables that it does so over."""
        variables, operand = [reduction.variable], reduction.operand
        while self.together and isinstance(operand, Reduce) and operand.operator == reduction.operator:
            variables, operand = [*variables, operand.variable], operand.operand
        return self.whole(operand, variables)

    def place(self, expression: Expression, variables: list[str]) -> _Scope:
        match expression:
            case Access() | Literal() | IndexValue() | SizeValue():
                used = variables_of(expression)
                return _Scope(expression, [v for v in variables if v in used])
            case Unary(operator=operator, operand=operand):
                inner = self.place(operand, variables)
                return _Scope(Unary(operator, inner.expression), inner.sums, inner.producers)
            case Binary(operator=operator, left=left, right=right):
                if operator in COMPARISONS or operator in ("//", "%", "&&", "||"):
                    return self._term(expression, variables)
                return self._binary(operator, left, right, variables)
            case Call() | Reduce() | Select():
                return self._term(expression, variables)
            case _:
                raise TypeError(f"unexpected node {expression!r}")

    def whole(self, expression: Expression, variables: list[str]) -> _Scope:
        """Reduced over ``variables`` as it stands."""
        lifted, producers = self._lift(expression)
        return _Scope(lifted, variables, producers)

    def _term(self, expression: Expression, variables: list[str]) -> _Scope:
        """What no sum distributes over stays whole; its variables are summed around it."""
        used = variables_of(expression)
        return self.whole(expression, [v for v in variables if v in used])

    def _lift(self, expression: Expression) -> tuple[Expression, tuple[_Producer, ...]]:
        """The expression with a workspace for every reduction in it."""
        if isinstance(expression, Reduce):
            dtype = explicit_dtype(expression, self.dtype)
            producer = self._producer(self.enter_reduction(expression), REDUCING[expression.operator], dtype)
            return producer.target, (producer,)
        parts = [self._lift(part) for part in operands_of(expression)]
        producers = tuple(producer for _, part_producers in parts for producer in part_producers)
        return with_operands(expression, [part for part, _ in parts]), producers

    def _binary(self, operator: str, left: Expression, right: Expression, variables: list[str]) -> _Scope:
        used = variables_of(left), variables_of(right)
        shared = [v for v in variables if v in used[1] and (operator == "/" or v in used[0])]
        if operator == "*" and any(not in_every_term(left, v) and not in_every_term(right, v) for v in shared):
            check_terms(Binary(operator, left, right), self.span)
            return self.place(distribute(left, right), variables)
        if operator in "+-":
            whole = Binary(operator, left, right)
            mixed = next((v for v in shared if not in_every_term(whole, v)), None)
            if mixed is not None:
                check_terms(whole, self.span)
                return self._groups(group_terms(whole, mixed, variables), variables)
        separate = [v for v in variables if v not in shared]
        a, b = self.place(left, separate), self.place(right, separate)
        if operator in "+-":
            a, b = self._workspace(a), self._workspace(b)
        sums = {*a.sums, *b.sums, *shared}
        producers = a.producers + b.producers
        return _Scope(Binary(operator, a.expression, b.expression), [v for v in variables if v in sums], producers)

    def _groups(self, groups: list[Expression], variables: list[str]) -> _Scope:
        """The sum of parts that share no sums, each with loops of its own, or of two whose terms all share them."""
        if len(groups) == 2:
            return self._binary("+", groups[0], groups[1], variables)
        placed: list[_Scope] = []
        visited: set[str] = set()
        for group in groups:
            summed = [v for v in variables if v in variables_of(group)]
            copies = {v: self.names.fresh(v) for v in summed if v in visited}
            visited.update(summed)
            self.copies.update({copy: self.copies.get(v, v) for v, copy in copies.items()})
            renamed = rename_variables(group, copies)
            placed.append(self._workspace(self.place(renamed, [copies.get(v, v) for v in summed])))
        total = add_terms([(False, scope.expression) for scope in placed])
        return _Scope(total, [], tuple(producer for scope in placed for producer in scope.producers))

    def _workspace(self, scope: _Scope) -> _Scope:
        if not scope.sums:
            return scope
        producer = self._producer(scope, "+=", held_dtype(scope.expression, self.dtype, summed=True))
        return _Scope(producer.target, [], (producer,))

    def _producer(self, scope: _Scope, operator: str, dtype: str) -> _Producer:
        name = self.names.fresh("t")
        start = identity(ASSIGNMENTS[operator], dtype)
        assert start is not None
        self.workspaces[name] = Workspace(name, dtype)
        return _Producer(Access(name, (), dtype=dtype, background=Literal(start, None, dtype)), operator, scope)
