"""The interpreter's events -> steps: one per executed statement, with the coordinates that it computes at."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from heddle.explorer.views.trace.trace_schema import (
    TraceFillView,
    TraceLoadView,
    TraceStepView,
    TraceStoreView,
    TraceValue,
)
from heddle.loop_ir.interpreter.trace import (
    AllocateEvent,
    CaseEvent,
    Event,
    FillEvent,
    LoadEvent,
    LoopEvent,
    MergeEvent,
    ScalarEvent,
    StoreEvent,
)
from heddle.loop_ir.nodes import (
    ArrayRole,
    Assign,
    Block,
    Declare,
    For,
    Function,
    Gather,
    Lanes,
    Load,
    ParameterKind,
    Scatter,
    Stmt,
    Store,
    Var,
    VectorLoad,
    VectorStore,
)
from heddle.loop_ir.walk import all_statements, children, declared_names, expressions, statements, subexpressions
from heddle.notation.nodes import Access, Assignment, operand_accesses

Kind = Literal["iteration", "assign", "store", "fill", "test"]
EXACT = 2**53  # JSON's numbers are doubles: larger integers would be rounded.


@dataclass(frozen=True, slots=True)
class Storage:
    """The index variables of a tensor's dimensions, and by dimension the coordinate of each position of its values."""

    variables: tuple[str, ...]
    columns: tuple[list[int], ...]

    def at(self, position: int) -> dict[str, int]:
        return {
            variable: column[position]
            for variable, column in zip(self.variables, self.columns, strict=True)
            if position < len(column)
        }


@dataclass(frozen=True, slots=True)
class Program:
    """What the steps need to know of the kernel: the expression's ``variables``, and each other tuple by statement."""

    variables: tuple[str, ...]
    lines: tuple[int, ...]
    c_lines: tuple[int, ...] | None
    in_scope: tuple[tuple[str, ...], ...]
    computes: tuple[bool, ...]
    storages: Mapping[str, Storage]


def program_of(
    function: Function,
    assignment: Assignment,
    variables: tuple[str, ...],
    columns: Mapping[str, tuple[list[int], ...]],
    lines: tuple[int, ...],
    c_lines: tuple[int, ...] | None,
) -> Program:
    """``variables`` are the expression's index variables, ``columns`` the coordinates of each tensor's positions."""
    by_tensor: dict[str, list[Access]] = {}
    for access in dict.fromkeys((assignment.target, *operand_accesses(assignment))):
        by_tensor.setdefault(access.tensor, []).append(access)
    storages = {
        parameter.name: Storage(tensor_accesses[0].indices, columns[parameter.tensor])
        for parameter in function.parameters
        if parameter.array is not None and parameter.array.role is ArrayRole.VALS
        # Where a tensor is accessed in several ways, a position does not say by which.
        if len(tensor_accesses := by_tensor.get(parameter.tensor, [])) == 1
    }
    scopes = tuple(tuple(v for v in variables if v in names) for names in _scopes(function.body, frozenset()))
    return Program(variables, lines, c_lines, scopes, computing_statements(function), storages)


def computing_statements(function: Function, without: str | None = None) -> tuple[bool, ...]:
    """For each statement by number whether it computes with values of operands: the work that has to be done. The
    values of the tensor ``without`` do not count as such."""
    values = _values(function, without)
    return tuple(_computes(statement, values) for statement in all_statements(function))


def steps_of(program: Program, events: Iterable[Event]) -> Iterator[TraceStepView]:
    """The events in their order: a statement's loads belong to what it does with them."""
    values: dict[str, int] = {}
    for event, loads in group(events):
        if not isinstance(event, MergeEvent | CaseEvent):
            yield _step(program, event, loads, values)


def group(events: Iterable[Event]) -> Iterator[tuple[Event, list[LoadEvent]]]:
    """What each statement did, with what it loaded for that; a step for each group but those that tell of a merge."""
    pending: list[LoadEvent] = []
    for event in events:
        if pending and (
            isinstance(event, MergeEvent | CaseEvent)
            or (pending[0].statement, pending[0].worker) != (event.statement, event.worker)
        ):
            yield pending[0], pending
            pending = []
        if isinstance(event, LoadEvent):
            pending.append(event)
        else:
            yield event, pending
            pending = []
    if pending:
        yield pending[0], pending


def _step(program: Program, event: Event, loads: list[LoadEvent], values: dict[str, int]) -> TraceStepView:
    """``values`` holds the last value of each index scalar; this step's is added."""
    kind: Kind = "test"
    changed: dict[str, TraceValue] = {}
    store: TraceStoreView | None = None
    fill: TraceFillView | None = None
    match event:
        case LoopEvent(variable=name, value=start):
            kind, changed[name], values[name] = "iteration", start, start
        case ScalarEvent(name=name, value=value):
            kind, changed[name] = "assign", trace_value(value)
            if isinstance(value, int):
                values[name] = value
        case StoreEvent(array=array, index=index, value=value, atomic=atomic):
            kind, store = "store", TraceStoreView(array=array, index=index, value=trace_value(value), atomic=atomic)
        case FillEvent(array=array, size=size, value=value):
            kind, fill = "fill", TraceFillView(array=array, size=size, value=trace_value(value))
        case AllocateEvent(array=array, size=size):
            kind, fill = "fill", TraceFillView(array=array, size=size, value=None)
        case LoadEvent():
            pass
        case _:
            raise TypeError(f"unexpected event {event!r}")
    number = event.statement
    return TraceStepView(
        statement=number,
        line=program.lines[number],
        c_line=program.c_lines[number] if program.c_lines is not None else None,
        kind=kind,
        worker=dict(event.worker),
        changed=changed,
        loads=[TraceLoadView(array=load.array, index=load.index, value=trace_value(load.value)) for load in loads],
        store=store,
        fill=fill,
        visit=_visit(program, event, loads, values) if program.computes[number] and kind != "test" else None,
    )


def _visit(program: Program, event: Event, loads: list[LoadEvent], values: Mapping[str, int]) -> dict[str, int]:
    """The coordinates: those that the kernel has as scalars here, and those of the values that it loads and stores."""
    coordinates = {name: values[name] for name in program.in_scope[event.statement]}
    for access in (*loads, event):
        if isinstance(access, LoadEvent | StoreEvent) and access.array in program.storages:
            coordinates = {**program.storages[access.array].at(access.index), **coordinates}
    return {variable: coordinates[variable] for variable in program.variables if variable in coordinates}


def trace_value(value: Any) -> TraceValue:
    """A number as JSON can hold it."""
    if isinstance(value, np.generic):
        value = value.item()
    match value:
        case bool():
            return value
        case int():
            return value if abs(value) <= EXACT else str(value)
        case float():
            return value if math.isfinite(value) else str(value)
        case complex():
            return str(value)
        case _:
            raise TypeError(f"unexpected value {value!r}")


def _scopes(statement: Stmt, outside: frozenset[str]) -> Iterator[frozenset[str]]:
    """The scalars in scope at each statement, in the order of ``walk.statements``."""
    inside = outside
    if not isinstance(statement, Block):
        yield outside
        inside = outside.union(declared_names(statement))
    for child in children(statement):
        if isinstance(statement, Lanes):
            # What is declared there is known of the first lane alone.
            yield from (outside for _ in statements(child))
            continue
        yield from _scopes(child, inside)
        if isinstance(statement, Block) and not isinstance(child, For):
            inside = inside.union(declared_names(child))


def _values(function: Function, without: str | None) -> frozenset[str]:
    """The names of operands' values: their arrays and scalars, and what one statement loads for others."""
    values = {
        parameter.name
        for parameter in function.parameters
        if parameter.tensor != without
        and (
            parameter.kind is ParameterKind.SCALAR
            or (parameter.array is not None and parameter.array.role is ArrayRole.VALS)
        )
    }
    fetched = {
        statement.name
        for statement in all_statements(function)
        if isinstance(statement, Declare) and _fetches(statement, values)
    }
    return frozenset(values | fetched)


def _fetches(statement: Stmt, values: Collection[str]) -> bool:
    return isinstance(statement, Declare) and isinstance(statement.value, Load) and statement.value.array.name in values


def _computes(statement: Stmt, values: frozenset[str]) -> bool:
    """Whether the statement computes with operands' ``values``, not only with sums made of them before."""
    if not isinstance(statement, Declare | Assign | Store | VectorStore | Scatter) or _fetches(statement, values):
        return False
    parts = [part for expression in expressions(statement) for part in subexpressions(expression)]
    if any(isinstance(part, Load | VectorLoad | Gather) and part.array.name in values for part in parts):
        return True
    if any(isinstance(part, Var) and part.name in values for part in parts):
        return True
    # y(i) = 3 has no operand at all.
    value_parts = subexpressions(statement.value)
    return isinstance(statement, Store) and not any(isinstance(part, Load | Var) for part in value_parts)
