"""How temporaries are stored whose format nobody declares: like the operand that decides where they have a value.

``e(i,j) = P(i,j) * A(i,j)`` is 0 wherever ``P`` stores nothing, so that ``e`` is stored as ``P`` is. A sum of sparse
operands is stored as its first one. Everything else is dense.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from heddle.formats.assembled_levels import can_be_assembled
from heddle.formats.format import Format
from heddle.iteration_graph.algebra.absent_operands import simplify
from heddle.iteration_graph.build.bind import bind
from heddle.iteration_graph.graph.sections import reading_stored_temporaries
from heddle.names import Names
from heddle.notation.nodes import Access, Assignment, Expression, Literal, accesses, index_variables
from heddle.signature import Signature


@dataclass(frozen=True, slots=True)
class PatternFormat:
    """The temporary ``tensor`` is stored as the operand ``like`` is."""

    tensor: str
    like: str
    format: Format


def infer_temporary_formats(
    assignment: Assignment, signature: Signature, declared: Collection[str]
) -> tuple[PatternFormat, ...]:
    """The temporaries that need not be dense, without those whose format is ``declared``."""
    patterns: list[PatternFormat] = []
    for statement in assignment.temporaries if assignment.program is None else ():
        target = statement.target
        distinct = len(set(target.indices)) == len(target.indices) > 0
        if target.tensor in declared or statement.operator != "=" or not distinct:
            continue
        like = _deciding_access(statement, reading_stored_temporaries(signature))
        if like is not None:
            layout = _format_like(target, like, signature)
            patterns.append(PatternFormat(target.tensor, like.tensor, layout))
            signature = with_pattern_formats(signature, patterns[-1:])
    return tuple(patterns)


def with_pattern_formats(signature: Signature, formats: Collection[PatternFormat]) -> Signature:
    """``signature`` with temporaries stored as inferred."""
    stored = {
        pattern.tensor: replace(signature.temporaries[pattern.tensor], format=pattern.format) for pattern in formats
    }
    return replace(signature, temporaries={**signature.temporaries, **stored}) if stored else signature


def _deciding_access(statement: Assignment, signature: Signature) -> Access | None:
    """The sparse operand outside of whose coordinates the statement computes nothing; the first one of a sum."""
    bound = bind(statement, signature, Names({*index_variables(statement), *signature.tensors, *signature.temporaries}))
    sparse = [access for access in dict.fromkeys(accesses(bound)) if _may_decide(statement.target, access, signature)]
    for access in sparse:
        if _is_nothing(bound, frozenset((access,))):
            return access
    return sparse[0] if sparse and _is_nothing(bound, frozenset(sparse)) else None


def _may_decide(target: Access, access: Access, signature: Signature) -> bool:
    """Whether the target could be stored as the operand is: both have the same coordinates, in levels that a kernel can
    assemble."""
    tensor = signature.tensors.get(access.tensor)
    if tensor is None or tensor.format.is_dense or tensor.format.composition is not None or tensor.fill != 0:
        return False
    levels = tensor.format.levels
    same = set(access.indices) == set(target.indices) and len(access.indices) == len(target.indices)
    return same and all(can_be_assembled(levels, number) for number in range(len(levels)))


def _is_nothing(expression: Expression, absent: frozenset[Access]) -> bool:
    rest = simplify(expression, absent, {})
    return isinstance(rest, Literal) and rest.value == 0


def _format_like(target: Access, access: Access, signature: Signature) -> Format:
    """The format of the operand, whose levels come in the same order where the target's dimensions do not."""
    layout = reading_stored_temporaries(signature).tensors[access.tensor].format
    return replace(layout, order=tuple(target.indices.index(access.indices[d]) for d in layout.order))
