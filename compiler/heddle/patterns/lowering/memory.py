"""Data in memory: reading arrays of records, writing to them, and values that a term keeps."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from heddle.loop_ir.dtypes import INTEGERS
from heddle.loop_ir.nodes import (
    INDEX,
    Allocate,
    Array,
    ArrayRole,
    Expr,
    Load,
    LoopKind,
    MemorySpace,
    Store,
)
from heddle.origin import Role
from heddle.patterns.lowering.emitter import Emitter
from heddle.patterns.lowering.evaluator import Evaluator
from heddle.patterns.lowering.scalars import convert
from heddle.patterns.lowering.scopes import Stored
from heddle.patterns.lowering.values import ArrayValue, PairValue, ScalarValue, Value
from heddle.patterns.lowering.visit import visit
from heddle.patterns.syntax.nodes import Span
from heddle.patterns.syntax.problem import problem
from heddle.patterns.typing.layout import Field, fields, lies_together, record_of, start_of
from heddle.patterns.typing.types import ArrayType, Index, Pair, Type, element_at, to_text
from heddle.symbolic.build import at
from heddle.symbolic.nodes import Length, Sum, length
from heddle.symbolic.walk import all_atoms, free_names


@dataclass(frozen=True, slots=True)
class Memo:
    """The array ``name`` of ``size + 1`` integers: ``starts`` for ``variable`` from 0 to ``size``, which the runtime
    adds up before the kernel runs."""

    name: str
    variable: str
    starts: Length
    size: Length


@dataclass(slots=True)
class Starts:
    """Where rows start, by the strategy of their array: ``auto``, ``closed``, ``memo`` or ``loop``."""

    emitter: Emitter
    sizes: frozenset[str]
    strategies: dict[str, str] = field(default_factory=dict)
    memos: dict[str, Memo] = field(default_factory=dict)

    def start(self, type: ArrayType, place: Length, owner: str) -> Length:
        """How many records lie in front of the element at ``place`` of an array that belongs to ``owner``."""
        facts = self.emitter.facts
        if not type.ragged:
            return (
                place * self.start(type.element, type.element.size, owner)
                if isinstance(type.element, ArrayType)
                else place
            )
        strategy = self.strategies.get(owner, "auto")
        if strategy in ("loop", "memo"):
            whole = self._write_sum(type, place)
        else:
            whole = start_of(type, place, facts)
        if not any(isinstance(atom, Sum) for atom in all_atoms(whole)):
            return whole
        if strategy in ("auto", "memo"):
            memo = self._memo(type, owner)
            if memo is not None:
                return at(memo.name, place)
        return whole

    def _write_sum(self, type: ArrayType, place: Length) -> Length:
        """The sum as it is written, with no rule applied."""
        from heddle.symbolic.nodes import of_atom

        variable = "k0'"
        inner = element_at(type, length(variable))
        if not isinstance(inner, ArrayType) or isinstance(inner.element, ArrayType):
            return start_of(type, place, self.emitter.facts)
        return of_atom(Sum(variable, length(0), place, inner.size))

    def _memo(self, type: ArrayType, owner: str) -> Memo | None:
        variable = "row'"
        facts = self.emitter.facts.assume_range(variable, 0, type.size)
        starts = start_of(type, length(variable), facts)
        if not any(isinstance(atom, Sum) for atom in all_atoms(starts)):
            starts = self._write_sum(type, length(variable))
        if not free_names(starts) <= self.sizes | {variable}:
            return None
        key = f"{starts.key} of {type.size.key}"
        known = self.memos.get(key)
        if known is None:
            name = self.emitter.names.fresh(f"{owner}_start")
            known = self.memos[key] = Memo(name, variable, starts, type.size)
            self.emitter.arrays[name] = Stored(Array(name, INDEX, ArrayRole.VALS), type.size + 1)
        return known


@dataclass(slots=True)
class Guard:
    """Tells whether an array is read elsewhere than at the place that is written."""

    writing: Length | None = None
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class Region:
    """Data of ``type`` in memory, from record ``base`` on: an array for each field of its records."""

    type: Type
    base: Length
    arrays: tuple[tuple[Field, Array], ...]
    owner: str
    starts: Starts
    parameter: bool = False
    guard: Guard | None = None
    named: str = "i"
    under: Region | None = None
    """Rows of which these are the columns."""
    column: Length | None = None
    """Which of them this is; None for all."""

    def turn(self) -> Region | None:
        """The columns of rows, one after the other; None where a length depends on a position."""
        type = self.type
        rows = type.element if isinstance(type, ArrayType) else None
        if not isinstance(type, ArrayType) or not isinstance(rows, ArrayType) or type.ragged or rows.ragged:
            return None
        return replace(self, type=replace(rows, element=replace(type, element=rows.element)), under=self)

    def element(self, place: Length) -> Region:
        assert isinstance(self.type, ArrayType)
        if self.under is not None:
            if self.column is None:
                return replace(self, type=self.type.element, column=place)
            return replace(self.under, guard=self.guard).element(place).element(self.column)
        start = self.starts.start(self.type, place, self.owner)
        inner = element_at(self.type, place, self.starts.emitter.facts)
        return replace(self, type=inner, base=self.base + start)

    def half(self, number: int) -> Region:
        """One field of a record that is a pair."""
        assert isinstance(self.type, Pair)
        arrays = tuple(
            (replace(field, path=field.path[1:]), array) for field, array in self.arrays if field.path[:1] == (number,)
        )
        return replace(self, type=self.type.first if number == 1 else self.type.second, arrays=arrays)

    def address(self) -> Length:
        ((field, _),) = self.arrays
        return self.base * field.stride + field.offset

    def read(self) -> Value:
        match self.type:
            case ArrayType(size=size, variable=variable):
                named = variable if variable.isidentifier() and variable != "_" else self.named
                return ArrayValue(size, lambda place: self.element(place).read(), named=named)
            case Pair():
                return PairValue(self.half(1).read(), self.half(2).read())
            case _:
                return self._scalar()

    def _scalar(self) -> ScalarValue:
        ((field, array),) = self.arrays
        where = self.address()
        if self.guard is not None and self.guard.writing != where:
            self.guard.elsewhere = True
        emitter = self.starts.emitter
        expression: Expr = Load(array, emitter.expression(where))
        known = array.name in emitter.arrays and array.dtype in INTEGERS
        source = (self.owner, _full_path(self, field)) if self.parameter else None
        size = self.type.size if isinstance(self.type, Index) else None
        return ScalarValue(expression, field.dtype, at(array.name, where) if known else None, size=size, source=source)


def _full_path(region: Region, field: Field) -> tuple[int, ...]:
    return region.starts.emitter.paths.get(region.arrays[0][1].name, field.path)


def store(evaluator: Evaluator, value: Value, region: Region, span: Span) -> None:
    """Writes ``value`` to ``region``."""
    match value:
        case ScalarValue():
            if region.guard is not None:
                region.guard.writing = None
            ((field, array),) = region.arrays
            where = evaluator.emitter.expression(region.address())
            converted_value = convert(value, field.dtype)
            evaluator.emitter.emit(Store(array, where, converted_value, evaluator.emitter.origin()))
        case PairValue(first=first, second=second):
            store(evaluator, first, region.half(1), span)
            store(evaluator, second, region.half(2), span)
        case ArrayValue(into=into) if into is not None:
            into(region)
        case ArrayValue():
            assert isinstance(region.type, ArrayType)

            def write(place: Length, element: Value) -> None:
                store(evaluator, element, region.element(place), span)

            def note(place: Length) -> None:
                inner = region.element(place)
                if region.guard is not None and not isinstance(inner.type, ArrayType | Pair):
                    region.guard.writing = inner.address()

            visit(evaluator, value, write, span, about=note)
        case _:
            raise evaluator.mismatch("function", "A function is not data", "data", value, span)


def check_record(type: Type, span: Span) -> None:
    """Refuses data that have no place in memory: arrays of pairs of which a field is an array."""
    if not lies_together(record_of(type)):
        raise problem(
            "record",
            "Pairs that lie together in memory have scalars as fields, and here a field is an array.",
            span,
            expected="an array of pairs of scalars, or a pair of arrays",
            actual=to_text(type),
            hint="Make one array of each field, with .1 and .2.",
        )


def allocate(
    evaluator: Evaluator, type: Type, name_hint: str, space: MemorySpace, starts: Starts, span: Span
) -> Region:
    """Memory for data of ``type`` that lives until the loop around ends."""
    emitter = evaluator.emitter
    record = record_of(type)
    check_record(type, span)
    name = emitter.names.fresh(name_hint)
    size = starts.start(type, type.size, name) if isinstance(type, ArrayType) else length(1)
    on_gpu = LoopKind.GPU_BLOCK in emitter.kinds()
    if not on_gpu:
        space = MemorySpace.GLOBAL
    if on_gpu and size.constant is None:
        raise problem(
            "local-size",
            f"Memory of a work-group or a thread has a size that is a number, and this is {to_text(type)}.",
            span,
            expected="a length that is a number",
            actual=to_text(type),
            hint="First cut it into pieces of a fixed size, with splitUp(64) around it.",
        )
    arrays: list[tuple[Field, Array]] = []
    for leaf in fields(record):
        array = Array(
            name if not leaf.path else emitter.names.fresh(f"{name}_{leaf.path[-1]}"),
            leaf.dtype,
            ArrayRole.WORKSPACE,
        )
        emitter.emit(Allocate(array, emitter.expression(size), emitter.origin(Role.INIT), space=space))
        arrays.append((replace(leaf, stride=1, offset=0), array))
    return Region(type, length(0), tuple(arrays), name, starts)


def materialize(
    evaluator: Evaluator, value: Value, space: MemorySpace, starts: Starts, span: Span, name_hint: str = "kept"
) -> Value:
    """``value`` computed here, and what reads it from memory."""
    match value:
        case ScalarValue(literal=True):
            return value
        case ScalarValue(expression=expression, dtype=dtype):
            return replace(value, expression=evaluator.emitter.declare(name_hint, expression, dtype))
        case PairValue(first=first, second=second):
            return PairValue(
                materialize(evaluator, first, space, starts, span, name_hint),
                materialize(evaluator, second, space, starts, span, name_hint),
            )
        case _:
            region = allocate(evaluator, evaluator.type_of(value), name_hint, space, starts, span)
            store(evaluator, value, region, span)
            return region.read()
