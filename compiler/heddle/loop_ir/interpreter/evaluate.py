"""Expressions of loop IR as Python closures over the memory of one run, each compiled once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn

from heddle.loop_ir.dtypes import COMPARISONS, dtype_of
from heddle.loop_ir.interpreter import arithmetic
from heddle.loop_ir.interpreter.faults import IntegerFault, OutOfBounds, StepLimitExceeded, UninitialisedRead
from heddle.loop_ir.interpreter.memory import UNINITIALISED, Storage, Table
from heddle.loop_ir.interpreter.races import Shadow
from heddle.loop_ir.interpreter.site import Site, Worker
from heddle.loop_ir.interpreter.trace import Event, LoadEvent
from heddle.loop_ir.nodes import (
    INDEX,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    LaneSum,
    Load,
    MapSize,
    RegistersHold,
    Select,
    Unary,
    Var,
    VectorMasks,
)
from heddle.loop_ir.nodes.expressions import AVX512, VectorUnit

Closure = Callable[[], Any]

_LIMIT = 2**63


@dataclass(slots=True)
class Scalar:
    """A scalar in scope: its slot, and the number of parallel loops around the declaration that it belongs to."""

    slot: int
    dtype: str
    depth: int
    mutable: bool = False
    shadow: Shadow = field(default_factory=Shadow)


Symbols = dict[str, Scalar | Storage | Table]
"""What the names in scope stand for."""


@dataclass(slots=True)
class Machine:
    """The state that all closures of one run share. ``events`` is None when nothing is traced; ``vectors`` is
    what kernels may ask of it. Integers of the dtypes ``wrapping`` wrap around."""

    step_limit: int
    events: list[Event] | None = None
    vectors: VectorUnit = AVX512
    wrapping: frozenset[str] = frozenset()
    scalars: list[Any] = field(default_factory=list)
    worker: Worker = ()
    instances: int = 0
    steps: int = 0
    status: int = 0

    @property
    def checked(self) -> frozenset[str]:
        """The dtypes of scalars that indices are computed in, which must not overflow."""
        return frozenset({INDEX}) - self.wrapping

    @property
    def checked_lanes(self) -> frozenset[str]:
        """The same of vectors, of which indices may have 32 bits."""
        return frozenset({INDEX, "int32"}) - self.wrapping

    def new_slot(self) -> int:
        self.scalars.append(None)
        return len(self.scalars) - 1

    def tick(self, site: Site, steps: int) -> None:
        """Counts loop iterations and filled elements."""
        self.steps += steps
        if self.steps > self.step_limit:
            site.fail(StepLimitExceeded, f"the kernel takes more than {self.step_limit} steps")


class Evaluator:
    """Compiles the expressions of one statement: ``site`` is what their faults report."""

    def __init__(self, machine: Machine, symbols: Symbols, site: Site) -> None:
        self._machine = machine
        self._symbols = symbols
        self._site = site
        self._depth = site.depth
        self._checked, self._checked_lanes = machine.checked, machine.checked_lanes

    def compile(self, expression: Expr) -> Closure:
        match expression:
            case Var(name=name):
                return self._variable(name)
            case Const(value=value, dtype=dtype):
                constant = arithmetic.convert(value, dtype)
                return lambda: constant
            case Binary():
                return self._binary(expression)
            case Unary(operator="!", operand=operand):
                inner = self.compile(operand)
                return lambda: not inner()
            case Unary(operand=operand, dtype=dtype):
                inner, negate = self.compile(operand), arithmetic.negation(dtype, self._fail, self._checked)
                return lambda: negate(inner())
            case Load():
                return self._load(expression)
            case MapSize(map=table):
                return self._size(table.name)
            case VectorMasks():
                return lambda: self._machine.vectors.masks
            case RegistersHold(size=size):
                return lambda: size <= self._machine.vectors.held_bytes
            case LaneSum(operand=operand):
                vector, lane = self._variable(operand.name), dtype_of(expression)  # type: ignore[union-attr]
                return lambda: arithmetic.lane_sum(vector(), lane, self._fail, self._checked_lanes)
            case Cast(operand=operand, dtype=dtype):
                inner, cast = self.compile(operand), arithmetic.cast(dtype_of(operand), dtype, self._fail)
                return lambda: cast(inner())
            case Select(condition=condition, then=then, otherwise=otherwise):
                test, first, second = self.compile(condition), self.compile(then), self.compile(otherwise)
                return lambda: first() if test() else second()
            case Call(function=name, arguments=arguments):
                compiled = [self.compile(argument) for argument in arguments]
                function = arithmetic.call(name, dtype_of(arguments[0]), self._fail, self._checked)
                return lambda: function(*(argument() for argument in compiled))
            case _:
                raise TypeError(f"unexpected node {expression!r}")

    def _fail(self, detail: str) -> NoReturn:
        self._site.fail(IntegerFault, detail)

    def _variable(self, name: str) -> Closure:
        symbol = self._symbols[name]
        assert isinstance(symbol, Scalar)
        scalars, slot = self._machine.scalars, symbol.slot
        if not symbol.mutable or symbol.depth >= self._depth:
            return lambda: scalars[slot]
        machine, shadow, site = self._machine, symbol.shadow, self._site

        def run_shared() -> Any:
            conflict = shadow.read(0, machine.worker, site)
            if conflict is not None:
                site.race(conflict, "a read", name, None)
            return scalars[slot]

        return run_shared

    def _size(self, name: str) -> Closure:
        table = self._symbols[name]
        assert isinstance(table, Table)
        return lambda: len(table.slots)

    def _binary(self, expression: Binary) -> Closure:
        operator, dtype = expression.operator, expression.dtype
        left, right = self.compile(expression.left), self.compile(expression.right)
        if operator == "&&":
            return lambda: left() and right()
        if operator == "||":
            return lambda: left() or right()
        if operator in COMPARISONS:
            return comparison(operator, left, right, dtype_of(expression.left))
        if dtype in self._checked and operator in ("+", "-", "*"):
            return self._index_arithmetic(operator, left, right)
        if dtype == "float64" and operator == "*":
            return lambda: left() * right()
        operation = arithmetic.binary_operation(operator, dtype, self._fail, self._checked)
        return lambda: operation(left(), right())

    def _index_arithmetic(self, operator: str, left: Closure, right: Closure) -> Closure:
        fail = self._fail

        def total() -> int:
            value: int = left() + right()
            if not -_LIMIT <= value < _LIMIT:
                fail(f"'+' overflows int64: {value}")
            return value

        def difference() -> int:
            value: int = left() - right()
            if not -_LIMIT <= value < _LIMIT:
                fail(f"'-' overflows int64: {value}")
            return value

        def product() -> int:
            value: int = left() * right()
            if not -_LIMIT <= value < _LIMIT:
                fail(f"'*' overflows int64: {value}")
            return value

        return {"+": total, "-": difference, "*": product}[operator]

    def _load(self, load: Load) -> Closure:
        storage = self._symbols[load.array.name]
        assert isinstance(storage, Storage)
        name, site, events = load.array.name, self._site, self._machine.events
        index, fetch = self.compile(load.index), self.fetcher(storage)
        if events is None:
            return lambda: fetch(index())

        def run_traced() -> Any:
            position = index()
            value = fetch(position)
            events.append(LoadEvent(site.number, site.line, site.worker(), name, position, value))
            return value

        return run_traced

    def fetcher(self, storage: Storage) -> Callable[[int], Any]:
        """The function that loads one element, with all checks."""
        name, site, machine = storage.array.name, self._site, self._machine
        may_race = storage.depth < self._depth

        def operand(position: int) -> Any:
            if 0 <= position < bound:
                return cells[position]
            return out_of_bounds(site, "load", name, position, bound)

        def run_written(position: int) -> Any:
            if not 0 <= position < len(storage.cells):
                out_of_bounds(site, "load", name, position, len(storage.cells))
            if may_race:
                conflict = storage.shadow.read(position, machine.worker, site)
                if conflict is not None:
                    site.race(conflict, "a read", name, position)
            value = storage.cells[position]
            if value is UNINITIALISED:
                site.fail(UninitialisedRead, f"{name}[{position}] is read before it is written", name, position)
            return value

        if storage.writable:
            return run_written
        cells, bound = storage.cells, len(storage.cells)
        return operand


def out_of_bounds(site: Site, what: str, name: str, index: int, bound: int) -> NoReturn:
    site.fail(OutOfBounds, f"{what} of {name}[{index}], which has {bound} elements", name, index, bound)


def comparison(operator: str, left: Closure, right: Closure, dtype: str) -> Closure:
    """The truth value of two operands of ``dtype``."""
    compare = arithmetic.COMPARE[operator]
    if dtype in ("float32", "complex64"):
        return lambda: bool(compare(left(), right()))  # NumPy has its own bool
    match operator:
        case "==":
            return lambda: left() == right()
        case "<":
            return lambda: left() < right()
        case _:
            return lambda: compare(left(), right())
