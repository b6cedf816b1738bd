"""Terms of a sum that are summed apart: over loops of their own, where one loop would merge what they store.

In ``y(i) = A(i,j) * x(j) + B(i,j) * x(j)`` nothing of the one term is read by the other. One loop over ``j`` would
visit the union of both patterns, with a case for every set of operands that may be there; ``y(i) = A(i,j1) * x(j1) +
B(i,j2) * x(j2)`` says the same and walks each operand by itself. Terms that read the same sparse operand stay together,
so that it is walked once.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.iteration_graph.algebra.terms import signed_terms
from heddle.iteration_graph.algebra.type_promotion import expression_dtype, held_dtype
from heddle.iteration_graph.build.sum_distribution import add_terms, variables_of
from heddle.loop_ir.dtypes import FLOATS
from heddle.names import Names
from heddle.notation.nodes import (
    Access,
    Assignment,
    Binary,
    Expression,
    Reduce,
    Unary,
    accesses,
    bound_variables,
    index_variables,
    operands_of,
    with_operands,
)
from heddle.notation.rename import rename_variables
from heddle.signature import Signature

MOST_PATTERNS_TOGETHER = 2
"""Different sets of operands whose terms share a loop because they share an operand: more cases than that are slower
than walking the operand again."""

_Term = tuple[bool, Expression]


@dataclass(frozen=True, slots=True)
class SumsApart:
    """The expression whose terms have variables of their own, and the variable that each of these stands for."""

    expression: Expression
    copies: dict[str, str]


def sums_apart(assignment: Assignment, signature: Signature, names: Names, together: Set[str]) -> SumsApart | None:
    """What ``assignment`` computes with its sums apart, implicit and explicit ones; None where no loop would merge what
    terms store.

    ``together``: the variables that keep one loop, since a schedule speaks of it.
    """
    target, expression = assignment.target, assignment.expression
    explicit = {*bound_variables(expression), *target.indices}
    summed = index_variables(assignment) if assignment.operator in ("=", "+=") else ()  # min= takes terms together
    sums = [variable for variable in summed if variable not in explicit]
    written = signature.temporaries.get(target.tensor, signature.result).dtype
    rewriting = _Rewriting(signature, written, names, together)
    rewritten = rewriting.separate(rewriting.explicit(expression), sums)
    return SumsApart(rewritten, rewriting.copies) if rewriting.copies else None


@dataclass(frozen=True, slots=True)
class _Rewriting:
    signature: Signature
    written: str
    """The dtype of the result. Sums of another one stay together: each would be rounded, or wrap around, by itself."""
    names: Names
    together: Set[str]
    copies: dict[str, str] = field(default_factory=dict)

    def explicit(self, expression: Expression) -> Expression:
        """The sums that are written as such: ``sum(j, a + b)`` is ``sum(j1, a) + sum(j2, b)``."""
        expression = with_operands(expression, [self.explicit(part) for part in operands_of(expression)])
        if not isinstance(expression, Reduce) or expression.operator != "+":
            return expression
        variable = expression.variable
        groups, shared = self._divide(signed_terms(expression.operand), (variable,))
        if not shared or not all(variable in variables_of(term) for group in groups for _, term in group):
            return expression
        sums: list[Expression] = []
        for group in groups:
            renaming = {variable: self._fresh(variable)}
            sums.append(Reduce("+", renaming[variable], rename_variables(add_terms(group), renaming)))
        return add_terms([(False, term) for term in sums])

    def separate(self, expression: Expression, sums: Sequence[str]) -> Expression:
        """The sums over the variables that are missing on the left: each is around the terms that have them."""
        match expression:
            case _ if not sums:
                return expression
            case Binary(operator="+" | "-"):
                return self._terms_apart(expression, sums)
            case Unary(operator="-", operand=operand):
                return Unary("-", self.separate(operand, sums))
            case Binary(operator="*", left=left, right=right) if not variables_of(left) & {*sums}:
                return Binary("*", left, self.separate(right, sums))
            case Binary(operator="*" | "/" as operator, left=left, right=right) if not variables_of(right) & {*sums}:
                return Binary(operator, self.separate(left, sums), right)
            case _:
                return expression

    def _terms_apart(self, expression: Expression, sums: Sequence[str]) -> Expression:
        terms = signed_terms(expression)
        groups, shared = self._divide(terms, sums)
        if not shared:
            inside = [(sign, self.separate(term, sums)) for sign, term in terms]
            return expression if inside == terms else add_terms(inside)
        placed: list[Expression] = []
        for group in groups:
            renaming = {variable: self._fresh(variable) for variable in shared if _has(group, variable)}
            placed.append(rename_variables(add_terms(group), renaming))
        return add_terms([(False, term) for term in placed])

    def _divide(self, terms: Sequence[_Term], sums: Sequence[str]) -> tuple[list[list[_Term]], list[str]]:
        """The terms in groups that are summed apart, and the variables that several groups have; none where they are
        better off together."""
        groups = self._groups(terms, sums)
        shared = [
            variable
            for variable in sums
            if sum(_has(group, variable) for group in groups) > 1
            and any(self._store(term, [variable]) for _, term in terms)
        ]
        if self.together & {*shared} or not self._exact([term for _, term in terms]):
            return groups, []
        return groups, shared

    def _exact(self, terms: Sequence[Expression]) -> bool:
        """Whether sums of some terms are of the dtype that the sum of all is."""
        dtypes = {expression_dtype(term) for term in terms}
        held = {held_dtype(term, self.written, summed=True) for term in terms}
        return held == {self.written} and len(dtypes) == 1 and (dtypes == {self.written} or dtypes <= {*FLOATS})

    def _groups(self, terms: Sequence[_Term], sums: Sequence[str]) -> list[list[_Term]]:
        """The terms that share a loop: those without a sparse operand, and those that read a same one."""
        by_pattern: dict[frozenset[Access], list[_Term]] = {}
        for term in terms:
            by_pattern.setdefault(self._store(term[1], sums), []).append(term)
        together: list[list[frozenset[Access]]] = []
        for pattern in by_pattern:
            joined = [patterns for patterns in together if any(pattern & other for other in patterns)]
            if not joined:
                together.append([pattern])
                continue
            joined[0] += [*(pattern for patterns in joined[1:] for pattern in patterns), pattern]
            together = [patterns for patterns in together if patterns not in joined[1:]]
        groups: list[list[_Term]] = []
        for patterns in together:
            parts = [by_pattern[pattern] for pattern in patterns]
            groups += parts if len(parts) > MOST_PATTERNS_TOGETHER else [[term for group in parts for term in group]]
        return groups

    def _store(self, term: Expression, variables: Sequence[str]) -> frozenset[Access]:
        """The operands of a term with a level at one of ``variables`` whose coordinates are listed."""
        return frozenset(access for access in accesses(term) if self._lists(access, variables))

    def _lists(self, access: Access, variables: Sequence[str]) -> bool:
        if access.tensor not in self.signature.tensors:
            return False
        format = self.signature.tensors[access.tensor].format
        levels = zip(format.order, format.levels, strict=True)
        return any(access.indices[n] in variables and LEVEL_KINDS[level.kind].iterated for n, level in levels)

    def _fresh(self, variable: str) -> str:
        """The next of ``j1``, ``j2``, …: ``j`` itself is the loop of all terms, for schedules that speak of it."""
        number = sum(of == variable for of in self.copies.values()) + 1
        copy = self.names.fresh(f"{variable}{number}")
        self.copies[copy] = variable
        return copy


def _has(group: Sequence[_Term], variable: str) -> bool:
    return any(variable in variables_of(term) for _, term in group)
