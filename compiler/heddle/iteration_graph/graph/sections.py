"""Sections: what computes one tensor of a program in which temporaries are stored sparsely.

A temporary that stores some coordinates alone is computed as a result is, whole, before another statement reads it as
an operand. So the graph of its section has it as its result. Loops that several statements share have no sections.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from heddle.iteration_graph.graph.nodes import IterationGraph, Statement, Where
from heddle.iteration_graph.graph.provenance import remember_with_tags
from heddle.iteration_graph.graph.sequence import computed_by
from heddle.signature import Signature


class SectionKind(Enum):
    """Whether a section computes an array over all coordinates, a temporary that is stored, or what the caller gets."""

    DENSE = "dense"
    STORED = "stored"
    RESULT = "result"


@dataclass(frozen=True, slots=True)
class Section:
    """``graph`` computes ``tensor``."""

    kind: SectionKind
    tensor: str
    graph: IterationGraph


def reading_stored_temporaries(signature: Signature) -> Signature:
    """``signature`` as the statements see it: temporaries that are stored are read like operands."""
    stored = {name: signature.temporaries[name] for name in signature.stored_temporaries}
    return replace(signature, tensors={**signature.tensors, **stored}) if stored else signature


@remember_with_tags
def split_sections(graph: IterationGraph) -> tuple[Section, ...]:
    """The sections in the order in which they run; the graph itself is the only one where no temporary is stored."""
    stored, sections, statement = graph.signature.stored_temporaries, list[Section](), graph.statement
    while stored and isinstance(statement, Where):
        *_, name = computed_by(statement.producer)
        if name not in graph.signature.temporaries:
            break  # a workspace of the result
        kind = SectionKind.STORED if name in stored else SectionKind.DENSE
        sections.append(Section(kind, name, _section_graph(graph, kind, name, statement.producer)))
        statement = statement.consumer
    if not sections:
        return (Section(SectionKind.RESULT, graph.signature.result.name, graph),)
    last = graph.with_statement(statement)
    return (*sections, Section(SectionKind.RESULT, graph.signature.result.name, last))


def _section_graph(graph: IterationGraph, kind: SectionKind, name: str, statement: Statement) -> IterationGraph:
    section_graph = replace(graph, statement=statement, assemble=None, bare=None)
    if kind is SectionKind.DENSE:
        return section_graph
    tensors = graph.signature.tensors
    operands = {tensor.name: tensor for tensor in tensors.values() if not tensor.is_result and tensor.name != name}
    results = {name: replace(tensors[name], is_result=True)}
    signature = replace(graph.signature, tensors={**results, **operands}, accumulates=False, result_first=False)
    return replace(section_graph, signature=signature)


def replace_section(graph: IterationGraph, number: int, changed: IterationGraph) -> IterationGraph:
    """``graph`` with its section ``number`` as it is in ``changed``, and all that ``changed`` derived for that."""
    sections = split_sections(graph)
    statement = changed.statement if number == len(sections) - 1 else sections[-1].graph.statement
    for place in range(len(sections) - 2, -1, -1):
        producer = changed.statement if place == number else sections[place].graph.statement
        statement = Where(statement, producer)
    return replace(
        changed,
        statement=statement,
        signature=graph.signature,
        assemble=graph.assemble,
        pattern_operands=graph.pattern_operands,
        bare=graph.bare,
    )
