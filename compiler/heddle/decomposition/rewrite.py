"""An expression over a sum of parts as one statement for each part (Ye et al. 2023, format decomposition).

With ``A = A0 + A1``, ``y(i) = b(i) + A(i,j) * x(j)`` is ``y(i) += b(i)``, ``y(i) += A0(i,j) * x(j)``, ``y(i) +=
A1(i,j) * x(j)``: each entry is in one part, and elsewhere a product is zero. The same holds for every operator whose
neutral value the expression has where A stores nothing: ``d(i) = min(j, A(i,j) + x(j))`` where A is filled with inf.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from heddle.decomposition.decomposed import Decomposed, PartOperand
from heddle.decomposition.facts import deciding_dimensions, has_unique_rows, visits_all
from heddle.decomposition.legal import check_distributes, check_result, composed_operand, reads
from heddle.formats.format import Format, Level
from heddle.iteration_graph.build.sum_distribution import add_terms
from heddle.names import Names
from heddle.notation.functions import REDUCING
from heddle.notation.nodes import (
    Access,
    Assignment,
    Binary,
    Expression,
    IndexValue,
    Reduce,
    Unary,
    index_variables,
    operands_of,
    with_operands,
)
from heddle.notation.program import Program
from heddle.signature import PartSignature, Signature, SumOfParts


def decompose(assignment: Assignment, signature: Signature) -> Decomposed | None:
    """The statements that ``assignment`` becomes; None where no operand is a sum of parts.

    Raises
    ------
    CompileError
        ``format/composed``, ``format/not-decomposable``.
    """
    tensor = composed_operand(assignment, signature)
    if tensor is None or tensor.format.composition is None:
        return None
    operator, expression = _combine(assignment)
    with_parts, rest = _separate(expression, tensor.name, operator)
    if with_parts is not None:
        check_distributes(assignment, with_parts, operator, signature, tensor.name)
    result = signature.result
    in_parts = result.format.composition is not None
    if in_parts:
        check_result(result, tensor, rest)
    names = Names({*index_variables(assignment), *signature.tensors, *signature.temporaries})
    tensors = {name: operand for name, operand in signature.tensors.items() if name != tensor.name}
    statements: list[Assignment] = []
    if rest is not None:
        statements.append(Assignment(assignment.target, operator, rest))
    # What is not read has indices of its own, which no loop runs over.
    loops = dict.fromkeys((*index_variables(assignment), *tensor.indices))
    parts: list[PartOperand] = []
    signed: list[PartSignature] = []
    for number, part in enumerate(tensor.format.composition.parts):
        name = names.fresh(f"{tensor.name}_{part.name}")
        apart = {variable: names.fresh(f"{variable}_{part.name}") for variable in loops}
        indices = tuple(apart[index] for index in tensor.indices)
        tensors[name] = replace(tensor, name=name, indices=indices, format=part.format)
        parts.append(PartOperand(name, part))
        signed.append(PartSignature(part.name, name, apart, has_unique_rows(tensor.format.composition, number)))
        if with_parts is None:
            continue
        target = replace(assignment.target, indices=tuple(apart[index] for index in assignment.target.indices))
        statements.append(Assignment(target, operator, _reading(with_parts, tensor.name, name, apart)))
    decided_by = deciding_dimensions(tensor.format.composition, tensor.order)
    full = tuple(part.name for part in tensor.format.composition.parts if visits_all(part.format, decided_by))
    summed = SumOfParts(tensor.name, tuple(signed), decided_by, full, tensor.format.composition.macro)
    if in_parts:
        values = Format((Level("dense"),) * result.order, tuple(range(result.order)))
        tensors[result.name] = replace(result, format=values, patterns=tuple(part.name for part in parts))
    program = _of_parts(signature.program, tensor.name, signed)
    signature = replace(signature, tensors=tensors, sum=summed, program=program)
    return Decomposed(tensor.name, tensor.order, tuple(parts), tuple(statements), signature)


def _of_parts(program: Program | None, tensor: str, parts: Sequence[PartSignature]) -> Program | None:
    """What the language says of loops and coordinates, for those of each part, too. Every part has the whole size."""
    if program is None:
        return None
    first = parts[0].operand
    sizes = {
        name: (first, source[1]) if not isinstance(source, int) and source[0] == tensor else source
        for name, source in program.sizes.items()
    }
    extents, computed, lazy = dict(program.extents), dict(program.computed), set(program.lazy)
    for part in parts:
        for name, copy in part.variables.items():
            if name in program.extents:
                extents[copy] = _reading(program.extents[name], tensor, part.operand, part.variables)
            if name in program.computed:
                computed[copy] = _reading(program.computed[name], tensor, part.operand, part.variables)
            if name in program.lazy:
                lazy.add(copy)
    return replace(program, sizes=sizes, extents=extents, computed=computed, lazy=frozenset(lazy))


def _combine(assignment: Assignment) -> tuple[str, Expression]:
    """The operator that combines what several statements compute, and what is computed."""
    expression = assignment.expression
    if assignment.operator != "=":
        return assignment.operator, expression
    if isinstance(expression, Reduce) and expression.operator != "+":
        return REDUCING[expression.operator], expression
    return "+=", expression


def _separate(expression: Expression, name: str, operator: str) -> tuple[Expression | None, Expression | None]:
    """The terms that read ``name``, and the others. A program may declare an operand that it does not read."""
    if not reads(expression, name):
        return None, expression
    if operator != "+=":
        return expression, None
    terms = list(_terms(expression, False))
    named_terms = [term for term in terms if reads(term[1], name)]
    others = [term for term in terms if not reads(term[1], name)]
    return add_terms(named_terms), add_terms(others) if others else None


def _terms(expression: Expression, negated: bool) -> Iterator[tuple[bool, Expression]]:
    match expression:
        case Binary(operator="+" | "-" as operator, left=left, right=right):
            yield from _terms(left, negated)
            yield from _terms(right, negated != (operator == "-"))
        case Unary(operand=operand):
            yield from _terms(operand, not negated)
        case _:
            yield negated, expression


def _reading(expression: Expression, tensor: str, name: str, apart: Mapping[str, str]) -> Expression:
    """The expression over other variables, with ``name`` read in the place of ``tensor``."""
    match expression:
        case Access():
            indices = tuple(apart[index] for index in expression.indices)
            return Access(name if expression.tensor == tensor else expression.tensor, indices)
        case IndexValue(variable=variable):
            return IndexValue(apart.get(variable, variable))
        case Reduce(operator=operator, variable=variable, operand=operand):
            return Reduce(operator, apart[variable], _reading(operand, tensor, name, apart))
        case _:
            parts = [_reading(part, tensor, name, apart) for part in operands_of(expression)]
            return with_operands(expression, parts)
