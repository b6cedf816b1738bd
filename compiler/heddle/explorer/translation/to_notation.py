"""A program of patterns as index notation, where it means the same: its arrays as parts of tensors, its positions as
index variables, its parallel maps and pieces as commands of the schedule."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial

from heddle.explorer.translation.agreement import check_agreement
from heddle.explorer.translation.bridged import Bridged, BridgeStep, no_bridge
from heddle.explorer.translation.reading import Reading
from heddle.explorer.translation.sums import check_entries, implicit, uncut
from heddle.explorer.translation.symbols import ArraySymbol, Index, Over, PairSymbol, Position, ScalarSymbol, Symbol
from heddle.notation.nodes import Access, Assignment, Expression, IndexValue, accesses, operands_of
from heddle.notation.printer import to_text
from heddle.patterns.derived import argument_of
from heddle.patterns.lowering.parameters import peel
from heddle.patterns.program import Program
from heddle.patterns.proposals import formats, propose
from heddle.patterns.typing.layout import fields, record_of
from heddle.patterns.typing.types import ArrayType, Pair, Type
from heddle.patterns.typing.types import to_text as type_text
from heddle.pipeline import lower
from heddle.plan import Plan, TensorSpec

PARTS = ("pos", "lengths", "crd", "vals", "entries")


@dataclass(slots=True)
class _Tensors:
    """``columns`` has the tensor whose entries a position counts."""

    specs: dict[str, TensorSpec] = field(default_factory=dict)
    columns: dict[str, str] = field(default_factory=dict)
    steps: list[BridgeStep] = field(default_factory=list)


def in_notation(plan: Plan) -> Bridged:
    """``plan``, which is in patterns, as a plan of index notation with the schedule of the same loops.

    Raises
    ------
    CompileError
        what is wrong with the plan, or ``bridge/none``.
    """
    result = lower(plan)
    result.raise_errors()
    assert result.bound is not None
    program = result.bound.program
    functions, body = peel(program.term)
    tensors = _Tensors()
    reading = Reading({function.parameter for function in functions})
    names: dict[str, Symbol] = {size: ArraySymbol(partial(_no_element, size)) for size in program.sizes}
    for name, type in program.types:
        names[name] = _parameter(plan, program, name, type, tensors)
    reading.taken |= tensors.specs.keys()
    value = reading.term(body, names)
    target: list[str] = []
    while isinstance(value, ArraySymbol):
        index = reading.fresh(value)
        if index.over is not None:
            raise no_bridge(
                "The rows of the result have different lengths.", "a dense result", type_text(program.result)
            )
        target.append(index.name)
        value = value.element(index)
    if not isinstance(value, ScalarSymbol):
        raise no_bridge("The result is not an array of numbers.", "numbers", type_text(program.result))
    read = uncut(value.expression, reading.merged)
    _check_cut(read, reading)
    cut = {whole.name: piece for (piece, _), whole in reading.merged.items()}
    check_entries(read, {cut.get(name, name): tensor for name, tensor in tensors.columns.items()})
    if _positions(read):
        raise no_bridge("The number of a position is computed with.", "elements of arrays", to_text(read))
    expression = implicit(read)
    result_name = next(
        candidate for candidate in ("y", "r", "result") if candidate not in {*tensors.specs, *reading.taken}
    )
    assignment = Assignment(Access(result_name, tuple(target)), "=", expression)
    text = to_text(assignment)
    notation_plan = Plan(
        text,
        tensors.specs,
        (),
        plan.target,
        {name: source for name, source in plan.inputs.items() if name in tensors.specs},
        plan.run,
    )
    check_agreement(result.bound, assignment, _match_parameters(plan, program))
    schedule, notes = _schedule(notation_plan, reading, target)
    steps = [
        *tensors.steps,
        BridgeStep("Every element of the result", to_text(Assignment(assignment.target, "=", read))),
        BridgeStep("Sums as index notation writes them", text),
    ]
    return Bridged(replace(notation_plan, schedule=schedule), tuple(steps), notes)


def _no_element(size: str, at: Position) -> Symbol:
    raise no_bridge(f"{size} is computed with.", "elements of arrays", size)


def _match_parameters(plan: Plan, program: Program) -> dict[str, str]:
    """The tensor, or the part of one, that each parameter is."""
    offered = propose(program)
    tensor_parts: dict[str, str] = {}
    for name, _ in program.types:
        texts = argument_of(name, plan.arguments, program.derivations)
        if len(texts) > 1:
            raise no_bridge(f"{name} is made of {' and '.join(texts)}.", "one tensor, or a part of one", name)
        tensor_parts[name] = offered[name] if texts[0] == name else texts[0]
    return tensor_parts


def _parameter(plan: Plan, program: Program, name: str, type: Type, tensors: _Tensors) -> Symbol:
    tensor_parts = _match_parameters(plan, program)
    tensor, _, part = tensor_parts[name].partition(".")
    dtype = fields(record_of(type))[-1].dtype
    spec = plan.tensors.get(tensor, TensorSpec())
    if not part:
        if _is_ragged(type) or isinstance(record_of(type), Pair):
            raise no_bridge(
                f"{name}: {type_text(type)} is not a part of a format.", "a dense array, or rows by offsets", name
            )
        tensors.specs[tensor] = TensorSpec(dtype=dtype, shape=spec.shape)
        return _dense(tensor, (), type)
    if part not in PARTS:
        raise no_bridge(f"{name} is {tensor_parts[name]}, a part that has no reading.", ", ".join(PARTS), part)
    layouts = {formats(program).get(tensor, "csr"), spec.format or "csr"} - {"csr"}
    format = next(iter(layouts), "csr")
    if format not in ("csr", "ell"):
        raise no_bridge(f"{tensor} is stored as {format}.", "csr, ell or dense", format)
    tensors.steps.append(BridgeStep(f"{name} is {tensor_parts[name]}", f"{name}: {type_text(type)}"))
    if part in ("vals", "entries"):
        tensors.specs[tensor] = TensorSpec(format=format, dtype=dtype, shape=spec.shape)
    if part in ("pos", "lengths"):
        return ArraySymbol(partial(_no_element, name))

    def row(at: Position) -> Symbol:
        if not isinstance(at, Index) or at.over is not None:
            raise no_bridge(f"Rows of {name} are not taken one after another.", "a map over rows", name)
        over = Over(tensor, at.name)

        def entry(place: Position) -> Symbol:
            if not isinstance(place, Index) or place.over != over:
                raise no_bridge(f"Entries of {name} are not taken one after another.", "a sum over a row", name)
            tensors.columns[place.name] = tensor
            column = ScalarSymbol(IndexValue(place.name), Index(place.name))
            value = ScalarSymbol(Access(tensor, (at.name, place.name)))
            return PairSymbol(column, value) if part == "entries" else column if part == "crd" else value

        return ArraySymbol(entry, over)

    return ArraySymbol(row)


def _is_ragged(type: Type) -> bool:
    return isinstance(type, ArrayType) and (type.ragged or _is_ragged(type.element))


def _dense(tensor: str, indices: tuple[str, ...], type: Type) -> Symbol:
    if not isinstance(type, ArrayType):
        return ScalarSymbol(Access(tensor, indices))

    def element(at: Position) -> Symbol:
        if not isinstance(at, Index) or at.over is not None:
            raise no_bridge(f"{tensor} is read at a position that is no coordinate.", "an index variable", tensor)
        return _dense(tensor, (*indices, at.name), type.element)

    return ArraySymbol(element)


def _positions(expression: Expression) -> bool:
    return isinstance(expression, IndexValue) or any(_positions(part) for part in operands_of(expression))


def _check_cut(expression: Expression, reading: Reading) -> None:
    """Whatever was cut into pieces is whole again."""
    for (piece, other), whole in reading.merged.items():
        if any(index == whole.name for access in accesses(expression) for index in access.indices):
            raise no_bridge(
                "Pieces of an array are not put together again.",
                "join, or a sum over pieces and their elements",
                f"{piece}, {other}",
            )


def _schedule(plan: Plan, reading: Reading, target: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The commands that make the same loops, as far as they apply, and what is left out."""
    wanted: list[str] = []
    for name in target:
        cut = reading.splits.get(name)
        pieces = (f"{name}0", f"{name}1")
        if cut is not None and cut.startswith("split"):
            wanted.append(f"split({name}, {pieces[0]}, {pieces[1]}, {cut.split()[1]})")
        outer = pieces[0] if cut is not None else name
        if name in reading.piece_loops or name in reading.parallel:
            wanted.append(f"parallelize({outer}, CPUThread, NoRaces)")
    schedule: list[str] = []
    notes: list[str] = []
    for command in wanted:
        if lower(replace(plan, schedule=(*schedule, command))).ok:
            schedule.append(command)
        else:
            notes.append(f"{command} does not apply here and is left out.")
    if any(name not in target for name in reading.splits):
        notes.append("The pieces of sums are left out: the sum is one loop.")
    return tuple(schedule), tuple(notes)
