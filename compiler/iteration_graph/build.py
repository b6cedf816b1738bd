"""Concretize: index notation -> iteration graph (FEATURES T9).

``y(i) = A(i,j) * x(j)`` becomes ``∀i ∀j y(i) += A(i,j) * x(j)``. A sum that only a part of the expression needs
becomes a scalar workspace: ``y(i) = b(i) + A(i,j) * x(j)`` is ``∀i (y(i) = b(i) + t where ∀j t += A(i,j) * x(j))``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from compiler.iteration_graph.nodes import Assign, Forall, IterationGraph, Statement, Where, Workspace
from compiler.iteration_graph.order import default_order
from compiler.iteration_graph.terms import distribute, in_every_term, parted, variables_of
from compiler.names import Names
from compiler.notation.nodes import Access, Assignment, Binary, Expression, Literal, Unary, accesses, index_variables
from compiler.signature import Signature


def build(assignment: Assignment, signature: Signature) -> IterationGraph:
    """The iteration graph before any command, loops in the default order."""
    target = Access(assignment.target.tensor, assignment.target.indices)
    variables = index_variables(assignment)
    reductions = [v for v in variables if v not in target.indices]
    scopes = _Scopes(Names({*variables, *signature.tensors}))
    root = scopes.place(_bare(assignment.expression), reductions)
    free = [target.indices[dimension] for dimension in signature.result.format.order]
    inner = [v for producer in root.producers for v in producer.allvariables_of()]
    operands = [a for a in dict.fromkeys(root.all_accesses()) if a.tensor in signature.tensors]
    order = default_order(signature, operands, [*free, *root.sums, *inner])
    operator = "+=" if root.sums or assignment.operator == "+=" else "="
    statement = _nest(Assign(target, operator, root.expression), [*free, *root.sums], root.producers, order)
    workspaces = {name: Workspace(name, signature.result.dtype) for name in scopes.workspaces}
    return IterationGraph(statement, signature, workspaces=workspaces, underived=variables)


def _nest(assign: Assign, variables: list[str], producers: tuple[_Producer, ...], order: list[str]) -> Statement:
    statement: Statement = assign
    for producer in reversed(producers):
        total = Assign(Access(producer.target, ()), "+=", producer.scope.expression)
        statement = Where(statement, _nest(total, producer.scope.sums, producer.scope.producers, order))
    for variable in reversed([v for v in order if v in variables]):
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
    """The scalar workspace ``target`` holds the sum of ``scope``."""

    target: str
    scope: _Scope

    def allvariables_of(self) -> list[str]:
        return [*self.scope.sums, *(v for producer in self.scope.producers for v in producer.allvariables_of())]


@dataclass(slots=True)
class _Scopes:
    """Places the implicit sums: each stands around the largest product that it distributes over."""

    names: Names
    workspaces: list[str] = field(default_factory=list)

    def place(self, expression: Expression, variables: list[str]) -> _Scope:
        match expression:
            case Access() | Literal():
                used = variables_of(expression)
                return _Scope(expression, [v for v in variables if v in used])
            case Unary(operator=operator, operand=operand):
                inner = self.place(operand, variables)
                return _Scope(Unary(operator, inner.expression), inner.sums, inner.producers)
            case Binary(operator=operator, left=left, right=right):
                return self._binary(operator, left, right, variables)
            case _:
                raise TypeError(f"unexpected node {expression!r}")

    def _binary(self, operator: str, left: Expression, right: Expression, variables: list[str]) -> _Scope:
        used = variables_of(left), variables_of(right)
        shared = [v for v in variables if v in used[1] and (operator == "/" or v in used[0])]
        if operator == "*" and any(not in_every_term(left, v) and not in_every_term(right, v) for v in shared):
            return self.place(distribute(left, right), variables)
        if operator in "+-":
            whole = Binary(operator, left, right)
            mixed = next((v for v in shared if not in_every_term(whole, v)), None)
            if mixed is not None:
                return self.place(parted(whole, mixed), variables)
        separate = [v for v in variables if v not in shared]
        a, b = self.place(left, separate), self.place(right, separate)
        if operator in "+-":
            a, b = self._workspace(a), self._workspace(b)
        sums = {*a.sums, *b.sums, *shared}
        producers = a.producers + b.producers
        return _Scope(Binary(operator, a.expression, b.expression), [v for v in variables if v in sums], producers)

    def _workspace(self, scope: _Scope) -> _Scope:
        if not scope.sums:
            return scope
        name = self.names.fresh("t")
        self.workspaces.append(name)
        return _Scope(Access(name, ()), [], (_Producer(name, scope),))


def _bare(expression: Expression) -> Expression:
    """Without source spans: equal accesses are then equal nodes."""
    match expression:
        case Access(tensor=tensor, indices=indices):
            return Access(tensor, indices)
        case Literal(value=value):
            return Literal(value)
        case Unary(operator=operator, operand=operand):
            return Unary(operator, _bare(operand))
        case Binary(operator=operator, left=left, right=right):
            return Binary(operator, _bare(left), _bare(right))
        case _:
            raise TypeError(f"unexpected node {expression!r}")
