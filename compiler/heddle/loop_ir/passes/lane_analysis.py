"""How the scalars and subscripts of a loop over vector lanes follow the lane: what vectors can compute.

Three things vary from lane to lane: values; subscripts that grow by one, of which the first says all; and subscripts
that were loaded, one for each lane, by which elements are gathered or scattered. A test of the last two masks what
follows it.
"""

from __future__ import annotations

from dataclasses import dataclass

from heddle.loop_ir.dtypes import dtype_of
from heddle.loop_ir.nodes import (
    INDEX,
    Array,
    ArrayRole,
    Assign,
    Binary,
    Block,
    Cast,
    Const,
    Declare,
    Expr,
    For,
    If,
    Load,
    Stmt,
    Store,
    Unary,
    Var,
)
from heddle.loop_ir.walk import statements, subexpressions, written_arrays

ITEM_BYTES = {"float32": 4, "float64": 8, "int32": 4}  # int64 scalars are indices


@dataclass(frozen=True, slots=True)
class Loaded:
    """A subscript of each lane, loaded from consecutive elements of ``array``; ``index`` is that of the first lane."""

    array: Array
    index: Expr


class LaneLoop:
    """The statements of one loop over lanes. ``sound``: they are straight-line code that vectors can compute."""

    def __init__(self, loop: For) -> None:
        self.variable = loop.variable
        self.body = loop.body.statements if isinstance(loop.body, Block) else (loop.body,)
        self._steps: dict[str, int | None] = {loop.variable: 1}
        self.vectors: set[str] = set()
        """Scalars of the body that hold another value in each lane."""
        self.loaded: dict[str, Loaded] = {}
        """Scalars of the body that hold another subscript in each lane."""
        self._stored = {
            name for statement in self.body for inner in statements(statement) for name in written_arrays(inner)
        }
        self._sums = {reduction.name for reduction in loop.reductions if reduction.operator == "+"}
        self.dtype = next(
            (result for statement in self.body if (result := _dtype_of_result(statement)) is not None), None
        )
        self.sound = self.dtype in ITEM_BYTES and all(self._takes(statement) for statement in self.body)

    @property
    def growing(self) -> tuple[str, ...]:
        """The scalars of the body that grow by one from lane to lane."""
        return tuple(name for name, step in self._steps.items() if step == 1 and name != self.variable)

    def step(self, index: Expr) -> int | None:
        """What an index grows by from lane to lane, where that is 0 or 1; None otherwise."""
        match index:
            case Const():
                return 0
            case Var(name=name):
                return self._steps.get(name, 0)
            case Binary(operator="+", left=left, right=right):
                steps = self.step(left), self.step(right)
                return None if None in steps or sum(steps) > 1 else sum(steps)  # type: ignore[arg-type]
            case Binary(operator="-", left=left, right=right):
                return self.step(left) if self.step(right) == 0 else None
            case Load(array=array, index=inner):
                return 0 if self.step(inner) == 0 and array.name not in self._stored else None
            case Binary(left=left, right=right):
                return 0 if self.step(left) == 0 and self.step(right) == 0 else None
            case _:
                return None

    def is_scalar(self, value: Expr) -> bool:
        """Whether all lanes have the same value."""
        return not any(isinstance(part, Var) and part.name in self.vectors for part in subexpressions(value)) and all(
            self.step(part) == 0 for part in subexpressions(value) if isinstance(part, Var | Load)
        )

    def is_gathered(self, index: Expr) -> bool:
        """Whether each lane has its own loaded subscript."""
        return isinstance(index, Var) and index.name in self.loaded

    def _takes(self, statement: Stmt) -> bool:
        match statement:
            case Declare(
                name=name,
                dtype="int64",
                value=Load(array=array, index=index) | Cast(operand=Load(array=array, index=index)),
                mutable=False,
            ) if self.step(index) == 1 and array.dtype == "int32" and array.name not in self._stored:
                self._steps[name] = None
                self.loaded[name] = Loaded(array, index)
                return True
            case Declare(name=name, dtype=dtype, value=value, mutable=False):
                if dtype == INDEX:
                    self._steps[name] = self.step(value)
                    return self._steps[name] is not None
                if not self.is_scalar(value):
                    self.vectors.add(name)
                return dtype == self.dtype and self._computes(value)
            case Store(index=index, value=value, array=array, reduce=reduce, atomic=False):
                plain = reduce in (None, "+", "*") and array.dtype == self.dtype
                scattered = self.is_gathered(index) and array.role is not ArrayRole.WORKSPACE
                return plain and (self.step(index) == 1 or scattered) and self._computes(value)
            case Assign(name=name, value=value, reduce="+"):
                return name in self._sums and self._computes(value)
            case If(otherwise=None):
                return self._takes_masked(statement)
            case _:
                return False

    def _takes_masked(self, statement: If) -> bool:
        """A sum into the workspace of the loop, where tests of one kind hold: all of loaded subscripts, or all of
        growing ones."""
        conditions, store = split_tests(statement)
        if store is None or store.reduce != "+" or store.array.role is not ArrayRole.WORKSPACE:
            return False
        if store.index != Var(self.variable) or self._workspaces(store.value) or not self._takes(store):
            return False
        if all(self.masks(condition) for condition in conditions):
            return all(self._is_readable(part) for part in subexpressions(store.value))
        parts = [part.name for part in subexpressions(store.value) if isinstance(part, Var)]
        if not all(self._bounds(condition) for condition in conditions) or self.vectors.union(self.loaded) & {*parts}:
            return False
        growing = {
            condition.operator[0]
            for condition in conditions
            if isinstance(condition, Binary) and self.step(condition.left) == 1
        }
        return len(growing) < 2 or not self._loads_shared(store.value)

    def masks(self, condition: Expr) -> bool:
        """Whether a test compares loaded subscripts with what all lanes share."""
        match condition:
            case Binary(operator="<" | "<=" | ">" | ">=", left=left, right=right):
                return self.is_gathered(left) and self.step(right) == 0
            case _:
                return False

    def _bounds(self, condition: Expr) -> bool:
        """Whether a test holds for all lanes when it does for the first and the last."""
        match condition:
            case Binary(operator="<" | "<=" | ">" | ">=", left=left, right=right):
                return self.step(left) in (0, 1) and self.step(right) == 0
            case _:
                return False

    def _loads_shared(self, value: Expr) -> bool:
        """Whether an element is read that all lanes share, which may not be there where no lane passes all tests."""
        return any(isinstance(part, Load) and self.step(part.index) == 0 for part in subexpressions(value))

    def _is_readable(self, part: Expr) -> bool:
        """Whether a load below a mask may be done for all lanes: gathers are masked themselves, and the elements that
        stand next to the loaded subscripts are there, too."""
        match part:
            case Load(array=array, index=index) if not self.is_gathered(index):
                beside = (load.index == index and load.array.tensor == array.tensor for load in self.loaded.values())
                return any(beside) and array.role is ArrayRole.VALS
            case _:
                return True

    def _workspaces(self, value: Expr) -> bool:
        return any(isinstance(part, Load) and part.array.role is ArrayRole.WORKSPACE for part in subexpressions(value))

    def _computes(self, value: Expr) -> bool:
        """Whether the value is of the one dtype, made by operations that vectors have."""
        if dtype_of(value) != self.dtype:
            return False
        if self.is_scalar(value):
            return True
        match value:
            case Var():
                return True
            case Load(index=index):
                return self.step(index) == 1 or self.is_gathered(index)
            case Binary(operator="+" | "-" | "*" | "/", left=left, right=right):
                integer = self.dtype == "int32"
                return not (integer and value.operator == "/") and self._computes(left) and self._computes(right)
            case Unary(operator="-", operand=operand):
                return self._computes(operand)
            case _:
                return False


def _dtype_of_result(statement: Stmt) -> str | None:
    """Of what a statement of the body stores, or adds to a scalar outside of the loop."""
    for inner in statements(statement):
        match inner:
            case Store(array=array):
                return array.dtype
            case Assign(value=value):
                return dtype_of(value)
            case _:
                continue
    return None


def split_tests(statement: If) -> tuple[list[Expr], Store | None]:
    """The tests around the one store of a conditional, outermost first; None where there is more in it."""
    conditions: list[Expr] = []
    inner: Stmt = statement
    while True:
        match inner:
            case If(condition=condition, then=then, otherwise=None):
                conditions.append(condition)
                inner = then
            case Block(statements=(only,)):
                inner = only
            case Store():
                return conditions, inner
            case _:
                return conditions, None
