"""Concretize: index notation -> iteration graph (FEATURES T9).

``y(i) = A(i,j) * x(j)`` becomes ``∀i ∀j y(i) += A(i,j) * x(j)``. A sum that only a part of the expression needs
becomes a scalar workspace: ``y(i) = b(i) + A(i,j) * x(j)`` is ``∀i (y(i) = b(i) + t where ∀j t += A(i,j) * x(j))``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from compiler.iteration_graph.nodes import Assign, Forall, IterationGraph, Statement, Where, Workspace
from compiler.iteration_graph.order import default_order
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
    inner = [v for producer in root.producers for v in producer.all_variables()]
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

    def all_variables(self) -> list[str]:
        return [*self.scope.sums, *(v for producer in self.scope.producers for v in producer.all_variables())]


@dataclass(slots=True)
class _Scopes:
    """Places the implicit sums: each stands around the largest product that it distributes over."""

    names: Names
    workspaces: list[str] = field(default_factory=list)

    def place(self, expression: Expression, variables: list[str]) -> _Scope:
        match expression:
            case Access() | Literal():
                used = _variables(expression)
                return _Scope(expression, [v for v in variables if v in used])
            case Unary(operator=operator, operand=operand):
                inner = self.place(operand, variables)
                return _Scope(Unary(operator, inner.expression), inner.sums, inner.producers)
            case Binary(operator=operator, left=left, right=right):
                return self._binary(operator, left, right, variables)
            case _:
                raise TypeError(f"unexpected node {expression!r}")

    def _binary(self, operator: str, left: Expression, right: Expression, variables: list[str]) -> _Scope:
        used = _variables(left), _variables(right)
        shared = [v for v in variables if v in used[1] and (operator == "/" or v in used[0])]
        if operator == "*" and any(not _in_every_term(left, v) and not _in_every_term(right, v) for v in shared):
            return self.place(_distribute(left, right), variables)
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


def _in_every_term(expression: Expression, variable: str) -> bool:
    """Whether every additive term contains the variable, so that its sum may stand around all of them."""
    match expression:
        case Binary(operator="+" | "-", left=left, right=right):
            return _in_every_term(left, variable) and _in_every_term(right, variable)
        case Binary(operator="*", left=left, right=right):
            return _in_every_term(left, variable) or _in_every_term(right, variable)
        case Unary(operand=operand):
            return _in_every_term(operand, variable)
        case _:
            return variable in _variables(expression)


def _distribute(left: Expression, right: Expression) -> Expression:
    """``(a + b) * c`` as ``a * c + b * c``: some of the terms are summed and others are not."""
    match left, right:
        case Binary(operator="+" | "-" as operator, left=a, right=b), _:
            return Binary(operator, Binary("*", a, right), Binary("*", b, right))
        case _, Binary(operator="+" | "-" as operator, left=a, right=b):
            return Binary(operator, Binary("*", left, a), Binary("*", left, b))
        case Unary(operator=operator, operand=operand), _:
            return Unary(operator, Binary("*", operand, right))
        case _, Unary(operator=operator, operand=operand):
            return Unary(operator, Binary("*", left, operand))
        case Binary(operator="*", left=a, right=b), _ if _is_sum(b):
            return Binary("*", a, _distribute(b, right))
        case Binary(operator="*", left=a, right=b), _:
            return Binary("*", b, _distribute(a, right))
        case _, Binary(operator="*"):
            return _distribute(right, left)
        case _:
            raise TypeError(f"nothing to distribute in {left!r} * {right!r}")


def _is_sum(expression: Expression) -> bool:
    match expression:
        case Binary(operator="+" | "-"):
            return True
        case Binary(operator="*", left=left, right=right):
            return _is_sum(left) or _is_sum(right)
        case Unary(operand=operand):
            return _is_sum(operand)
        case _:
            return False


def _variables(expression: Expression) -> set[str]:
    return {index for access in accesses(expression) for index in access.indices}


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
