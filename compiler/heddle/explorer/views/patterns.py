"""A program of patterns -> what the page shows of its parameters: where their data may come from, and how it lies."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from heddle.explorer.views.compile_schema import TensorView
from heddle.explorer.views.patterns_schema import (
    AdditionsView,
    ArgumentView,
    LengthStepView,
    MemoryView,
    PatternsView,
    PatternView,
    TermTypeView,
    TermView,
)
from heddle.frontends.table import front_end_of
from heddle.loop_ir.nodes import LoopKind
from heddle.patterns.derived import argument_of
from heddle.patterns.described import describe
from heddle.patterns.program import Lowered, Program
from heddle.patterns.proposals import formats, propose
from heddle.patterns.syntax.nodes import ArrayTerm, Lambda, NatLambda
from heddle.patterns.syntax.printer import to_text as term_text
from heddle.patterns.term_types import term_types
from heddle.patterns.typing.claims import InRange
from heddle.patterns.typing.layout import fields, record_of, records, start_of
from heddle.patterns.typing.types import ArrayType, Type, element_at, names_of, to_text
from heddle.plan import Plan, TensorSpec
from heddle.result import CompileResult
from heddle.symbolic.evaluate import evaluate
from heddle.symbolic.facts import Facts
from heddle.symbolic.nodes import At, Length, Name, Sum, length, of_atom
from heddle.symbolic.printer import to_text as length_text
from heddle.symbolic.steps import RULES, Steps
from heddle.symbolic.walk import all_atoms, free_names
from heddle.targets import target_named

if TYPE_CHECKING:
    from heddle.symbolic.evaluate import Value

LENGTHS = (2, 0, 3, 2)
"""Of the rows of the running example."""


def patterns_view(result: CompileResult) -> PatternsView | None:
    """None for a plan in another language, and for one that does not compile."""
    if result.bound is None:
        return None
    program, plan = result.bound.program, result.plan
    offered = propose(program)
    return PatternsView(
        sizes=list(program.sizes),
        integers=list(program.integers),
        arguments=[_argument(name, type, plan, result.bound, offered[name]) for name, type in program.types],
        tree=_tree(program, plan),
        formats=formats(program),
        dimensions=_proposed_dimensions(program, offered),
        memory=[
            _memory(program, name, type, plan.expression) for name, type in program.types if _rows(type) and type.ragged
        ],
        types=[TermTypeView(span=type_.span, type=type_.type) for type_ in term_types(_recover_program(program, plan))],
    )


def _proposed_dimensions(program: Program, offered: Mapping[str, str]) -> dict[str, list[str]]:
    parts: dict[str, list[str]] = {}
    for name, text in offered.items():
        tensor, _, part = text.partition(".")
        if part:
            parts.setdefault(tensor, []).append(name)
    return {tensor: _dimensions_of_parts(program, tensor, names) for tensor, names in parts.items()}


def _recover_program(program: Program, plan: Plan) -> Program:
    """The program of the expression, which steps may have made another one of."""
    if program.text == plan.expression:
        return program
    checked: Program = front_end_of("patterns").read(plan.expression, plan.sizes)
    return checked


def _tree(program: Program, plan: Plan) -> list[PatternView]:
    written = program.text == plan.expression
    return [
        PatternView(
            place=entry.place,
            pattern=entry.pattern,
            text=entry.text,
            type=entry.type,
            variables=list(entry.variables),
            depth=entry.depth,
            span=entry.span if written else None,
        )
        for entry in describe(program, (LoopKind.SERIAL, *target_named(plan.target).units))
    ]


def _argument(name: str, type: Type, plan: Plan, lowered: Lowered, offered: str) -> ArgumentView:
    program = lowered.program
    derived = any(name in step.parameters for step in program.derivations)
    sources = (
        " and ".join(argument_of(name, plan.arguments, program.derivations)) if derived else plan.arguments.get(name)
    )
    buffers = [buffer for buffer in lowered.buffers if buffer.parameter == name]
    claims = [claim for claim in program.claims if isinstance(claim, InRange) and claim.array == name]
    named = names_of(type).union(*(free_names(claim.size) for claim in claims))
    return ArgumentView(
        parameter=name,
        type=to_text(type),
        argument=sources,
        proposed=offered,
        made=derived,
        sizes=[size for size in program.sizes if size in named],
        records=_terms(buffers[0].records) if len(buffers) == 1 else None,
        bytes=sum(np.dtype(field.dtype).itemsize for buffer in buffers for field, _ in buffer.fields),
    )


def _terms(count: Length) -> list[TermView] | None:
    """None for what is no polynomial over names."""
    terms: list[TermView] = []
    for monomial, coefficient in count.terms:
        if not all(isinstance(atom, Name) for atom, _ in monomial):
            return None
        sizes = [atom.name for atom, power in monomial if isinstance(atom, Name) for _ in range(power)]
        terms.append(TermView(coefficient=float(coefficient), sizes=sizes))
    return terms


def source_tensors(result: CompileResult) -> list[TensorView]:
    """The tensors that the arguments of a program are taken from, as operands of a run; those that the plan says
    nothing of are arrays of the parameter's own name, flat where its rows have different lengths."""
    if result.bound is None:
        return []
    program, plan = result.bound.program, result.plan
    views: dict[str, TensorView] = {}
    for name, type in program.types:
        tensor, _, part = argument_of(name, plan.arguments, program.derivations)[-1].partition(".")
        spec = plan.tensors.get(tensor, TensorSpec())
        dimensions = _dimensions(program, plan, tensor, type, part)
        if dimensions and (tensor not in views or part == "vals"):
            views[tensor] = TensorView(
                name=tensor,
                result=False,
                order=len(dimensions),
                dtype=spec.dtype or fields(record_of(type))[-1].dtype,
                format=spec.format or ("csr" if part else "dense"),
                dimensions=dimensions,
                levels=[],
            )
    return list(views.values())


def _dimensions(program: Program, plan: Plan, tensor: str, type: Type, part: str) -> list[str]:
    """A name for each dimension; equal names are equal sizes."""
    if part:
        sources = {name: argument_of(name, plan.arguments, program.derivations) for name, _ in program.types}
        parts = [name for name, texts in sources.items() if any(text.startswith(f"{tensor}.") for text in texts)]
        return _dimensions_of_parts(program, tensor, parts)
    if isinstance(type, ArrayType) and any(level.ragged for level in _levels(type)):
        return [f"{tensor} elements"]
    return [length_text(level.size) for level in _levels(type)]


def _dimensions_of_parts(program: Program, tensor: str, parts: Sequence[str]) -> list[str]:
    """Of the matrix that the parameters ``parts`` are parts of: where their values are blocks, in single values."""
    types = [type for name, type in program.types if name in parts]
    rows = next((type.size for type in types if _rows(type)), None)
    claims = (claim for claim in program.claims if isinstance(claim, InRange) and claim.array in parts)
    columns = next((claim.size for claim in claims), None)
    blocks = next(([level.size for level in _levels(type)[2:]] for type in types if len(_levels(type)) == 4), [])
    return [
        "rows" if rows is None else length_text(rows * blocks[0] if blocks else rows),
        f"{tensor} columns" if columns is None else length_text(columns * blocks[1] if blocks else columns),
    ]


def _rows(type: Type) -> TypeGuard[ArrayType]:
    return isinstance(type, ArrayType) and isinstance(type.element, ArrayType)


def _levels(type: Type) -> list[ArrayType]:
    return [type, *_levels(type.element)] if isinstance(type, ArrayType) else []


def _memory(program: Program, name: str, type: ArrayType, text: str) -> MemoryView:
    variable = type.variable
    place = length(variable)
    row = records(element_at(type, place))
    steps = Steps()
    start = start_of(type, place, Facts().assume_range(variable, 0, type.size), steps)
    rows, starts = _example(type, variable, row, start)
    count = len(rows)
    closed = not any(isinstance(atom, Sum) for atom in all_atoms(start))
    loop = count * (count - 1) // 2
    flat = fields(record_of(type))
    return MemoryView(
        name=name,
        type=to_text(type),
        variable=variable,
        length=length_text(row),
        data=any(isinstance(atom, At) for atom in all_atoms(row)),
        spans=_spans(name, text),
        rows=rows,
        starts=starts,
        start=_with_plain_sums(length_text(start)),
        sum=length_text(of_atom(Sum("k", length(0), place, records(element_at(type, length("k")))))),
        steps=[
            LengthStepView(
                rule=step.rule,
                why=RULES[step.rule],
                before=_with_plain_sums(step.before),
                after=_with_plain_sums(step.after),
            )
            for step in steps.steps
        ],
        strategy=dict(program.strategies).get(name, "auto"),
        additions=AdditionsView(loop=loop, memo=count, closed=0 if closed else None),
        bytes=flat[0].stride * np.dtype(flat[0].dtype).itemsize,
        bytes_apart=sum(np.dtype(field.dtype).itemsize for field in flat),
    )


def _with_plain_sums(text: str) -> str:
    """Bound variables of sums as ``k``, which the sum is written with, rather than by their own names."""
    return text if re.search(r"\bk\b", text) else text.replace("k0'", "k")


def _example(type: ArrayType, variable: str, row: Length, start: Length) -> tuple[list[int], list[int]]:
    """Lengths and starts of rows for the lengths of the running example; all sizes are its number of rows."""
    asked = [atom for atom in all_atoms(row) if isinstance(atom, At)]
    offsets = np.concatenate(([0], np.cumsum(LENGTHS)))
    indices: dict[str, set[str]] = {}
    for atom in asked:
        indices.setdefault(atom.array, set()).add(atom.index.key)
    arrays = {array: offsets if len(index) > 1 else np.array(LENGTHS) for array, index in indices.items()}
    names: dict[str, Value] = dict.fromkeys(free_names(type.size) | free_names(row) | free_names(start), len(LENGTHS))
    try:
        count = int(evaluate(type.size, names, arrays))
        lengths = _numbers(row, {**names, variable: np.arange(count)}, arrays, count)
        starts = _numbers(start, {**names, variable: np.arange(count + 1)}, arrays, count + 1)
    except (IndexError, KeyError, ZeroDivisionError):
        return [], []
    if count > 4 * len(LENGTHS) or min(lengths, default=0) < 0:
        return [], []
    return lengths, starts


def _numbers(whole: Length, names: dict[str, Value], arrays: dict[str, NDArray[Any]], count: int) -> list[int]:
    values = np.broadcast_to(np.asarray(evaluate(whole, names, arrays)), (count,))
    return [int(value) for value in values]


def _spans(name: str, text: str) -> list[tuple[int, int]]:
    """Where the expression says the length of the rows of the parameter ``name``: in its type and in those of others
    that spell it alike, whose rows would no longer fit."""
    term = front_end_of("patterns").parse(text).term
    size_texts: dict[str, tuple[str, tuple[int, int]]] = {}
    while isinstance(term, NatLambda | Lambda):
        annotation = term.annotation if isinstance(term, Lambda) else None
        if isinstance(annotation, ArrayTerm) and isinstance(annotation.element, ArrayTerm):
            size = annotation.element.size
            size_texts[term.parameter] = (term_text(size), size.span)
        term = term.body
    if name not in size_texts:  # a step has made this parameter
        return []
    return [span for spelled, span in size_texts.values() if spelled == size_texts[name][0]]
