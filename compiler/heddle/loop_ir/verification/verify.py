"""The rules that every function of loop IR keeps; breaking one is a defect of the pass before."""

from __future__ import annotations

import re

from heddle.diagnostics import InternalError
from heddle.loop_ir.dtypes import INTEGERS, REDUCTIONS, dtype_of, element_dtype, lane_dtype, lanes_of, vector_dtype
from heddle.loop_ir.nodes import (
    BOOL,
    INDEX,
    INDEX_OVERFLOW,
    Allocate,
    AllocateMap,
    AllocateResult,
    Assign,
    Barrier,
    Block,
    Break,
    ClearMap,
    Combine,
    CombineRuns,
    Comment,
    Continue,
    Declare,
    Expr,
    Fill,
    For,
    Function,
    Grow,
    If,
    Insert,
    Lanes,
    LaneSum,
    LoopKind,
    OpenTable,
    Parameter,
    ParameterKind,
    Prefetch,
    Require,
    Scan,
    Scatter,
    Search,
    Single,
    Slot,
    Sort,
    SortMap,
    Stmt,
    Store,
    Var,
    VectorStore,
    While,
)
from heddle.loop_ir.printing.printer import headline
from heddle.loop_ir.verification.rule_error import RuleError
from heddle.loop_ir.verification.scope import Scope, Symbol
from heddle.loop_ir.verification.verify_gpu import check_launches
from heddle.loop_ir.verification.verify_memory import MemoryStatement, check_memory, check_private, check_table
from heddle.loop_ir.verification.verify_vectors import check_assigned, check_lane_sum, check_lanes, check_reduction
from heddle.loop_ir.walk import all_statements, declared_names

MAXIMAL_UNROLL = 65534  # gcc's own limit

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def verify(function: Function, *, launched: bool = True) -> None:
    """Checks scopes, types, and what may stand where. Raises :class:`InternalError` with the statement at fault. Before
    it is ``launched``, a function has its loops on GPU units where any parallel loop may stand."""
    _Verifier(function, launched).run()


class _Verifier:
    def __init__(self, function: Function, launched: bool) -> None:
        self._function = function
        self._launched = launched
        self._scope = Scope()
        self._loops: list[LoopKind] = []

    def run(self) -> None:
        try:
            _check_identifier(self._function.name)
            for parameter in self._function.parameters:
                self._parameter(parameter)
            _check_requirements(self._function)
            if self._launched:
                check_launches(self._function)
        except RuleError as error:
            raise InternalError(f"invalid loop IR in '{self._function.name}': {error}") from None
        self._body(self._function.body)
        if self._scope.unallocated:
            names = ", ".join(f"'{name}'" for name in self._scope.unallocated)
            raise InternalError(f"invalid loop IR in '{self._function.name}': {names} is never allocated")

    def _parameter(self, parameter: Parameter) -> None:
        _check_identifier(parameter.name)
        array = parameter.array
        if (parameter.kind is ParameterKind.ARRAY) != (array is not None):
            raise RuleError(f"the parameter '{parameter.name}' is {parameter.kind} and has array {array!r}")
        if parameter.kind is ParameterKind.DIMENSION and parameter.dtype != INDEX:
            raise RuleError(f"the dimension '{parameter.name}' is {parameter.dtype}, not {INDEX}")
        if array is not None and (array.name != parameter.name or array.dtype != parameter.dtype):
            raise RuleError(f"the parameter '{parameter.name}' and its array '{array.name}' differ in name or dtype")
        if parameter.allocated:
            if array is None or not parameter.output:
                raise RuleError(f"the parameter '{parameter.name}' is allocated, but not an output array")
            self._scope.unallocated[parameter.name] = array
        else:
            self._scope.declare(parameter.name, Symbol(parameter.dtype, parameter.output, array))

    def _body(self, body: Stmt) -> None:
        self._scope.enter()
        for statement in body.statements if isinstance(body, Block) else (body,):
            if isinstance(statement, Block):
                self._body(statement)
                continue
            try:
                self._statement(statement)
            except RuleError as error:
                raise InternalError(f"invalid loop IR: {error}, in `{headline(statement)}`") from None
        self._scope.leave()

    def _statement(self, statement: Stmt) -> None:
        scope = self._scope
        match statement:
            case Declare(name=name, dtype=dtype, value=value, mutable=mutable):
                scope.expect(value, dtype, f"the value of '{name}'")
                self._declare(name, Symbol(dtype, mutable))
            case Assign():
                self._assign(statement)
            case Store():
                self._store(statement)
            case Search(name=name, array=array, lower=lower, upper=upper, value=value):
                scope.array(array)
                if array.dtype not in INTEGERS:
                    raise RuleError(f"a search in '{array.name}' of {array.dtype}")
                for operand in (lower, upper, value):
                    scope.expect(operand, INDEX, "an operand of a search")
                self._declare(name, Symbol(INDEX, mutable=True))
            case Fill(array=array, size=size, value=value):
                scope.array(array, written=True)
                scope.expect(size, INDEX, "a size")
                scope.expect(value, element_dtype(array), f"the value for '{array.name}'")
            case (
                Allocate()
                | AllocateResult()
                | Grow()
                | Scan()
                | Sort()
                | AllocateMap()
                | Slot()
                | SortMap()
                | ClearMap()
            ):
                self._memory(statement)
            case Lanes():
                self._lanes(statement)
            case VectorStore(array=array, index=index):
                scope.expect(index, INDEX, f"the first index of '{array.name}'")
                self._vector_store(statement)
            case Scatter(array=array, indices=indices):
                self._vector_store(statement)
                scope.expect(indices, vector_dtype("int32", scope.lanes or 0), f"the indices of '{array.name}'")
            case For():
                self._for(statement)
            case While(condition=condition, body=body):
                scope.expect(condition, BOOL, "a condition")
                self._loop(LoopKind.SERIAL, body)
            case If(condition=condition, then=then, otherwise=otherwise):
                scope.expect(condition, BOOL, "a condition")
                self._body(then)
                if otherwise is not None:
                    self._body(otherwise)
            case Break():
                if not self._loops or self._loops[-1] is not LoopKind.SERIAL:
                    raise RuleError("a break outside a serial loop")
            case Continue():
                if not self._loops:
                    raise RuleError("a continue outside a loop")
            case Require(condition=condition, code=code):
                scope.expect(condition, BOOL, "a condition")
                if any(kind is not LoopKind.SERIAL for kind in self._loops):
                    raise RuleError("a kernel cannot stop inside a parallel loop")
                if code <= 0 and code != INDEX_OVERFLOW:
                    raise RuleError(f"the status {code} is not positive")
            case Single(body=body):
                self._body(body)
            case Combine(name=name, operator=operator):
                self._combine(name, operator)
            case CombineRuns(name=name, key=key, head=head, operator=operator):
                self._combine(name, operator)
                scope.expect(Var(key), INDEX, "the key of a run")
                self._declare(head, Symbol(BOOL, mutable=False))
            case OpenTable() | Insert():
                check_table(scope, statement, self._depth())
            case Prefetch(array=array, index=index):
                scope.array(array)
                scope.expect(index, INDEX, "the place of a prefetch")
            case Barrier() | Comment():
                pass
            case _:
                raise RuleError(f"{type(statement).__name__} is not a statement of loop IR")

    def _declare(self, name: str, symbol: Symbol) -> None:
        _check_identifier(name)
        self._scope.declare(name, symbol)

    def _memory(self, statement: MemoryStatement) -> None:
        for name in declared_names(statement):
            _check_identifier(name)
        check_memory(self._scope, statement, self._depth())

    def _depth(self) -> int:
        return sum(kind is not LoopKind.SERIAL for kind in self._loops)

    def _assign(self, assign: Assign) -> None:
        symbol = self._scope.scalar(assign.name)
        if not symbol.mutable:
            raise RuleError(f"'{assign.name}' is assigned but not mutable")
        combined = self._scope.reducing.get(assign.name)
        if combined is not None and assign.reduce != combined:
            raise RuleError(f"'{assign.name}' may only be combined with '{combined}' inside the loop that reduces it")
        if isinstance(assign.value, LaneSum) and assign.reduce == "+":
            self._lane_sum(assign.value, symbol.dtype)
        else:
            self._update(symbol.dtype, assign.value, assign.reduce, f"'{assign.name}'")
        check_assigned(assign, symbol.dtype, self._scope.lanes)

    def _lane_sum(self, value: LaneSum, dtype: str) -> None:
        """The lanes of a vector are read outside of lanes, by this one expression."""
        check_lane_sum(value)
        scalar = self._scope.scalar(value.operand.name).dtype  # type: ignore[union-attr]
        if scalar != dtype_of(value.operand) or lane_dtype(scalar) != dtype:
            raise RuleError(f"the lanes of {scalar} are added to {dtype}")

    def _store(self, store: Store) -> None:
        self._scope.array(store.array, written=True)
        self._scope.expect(store.index, INDEX, f"the index of '{store.array.name}'")
        if store.atomic and store.reduce is None:
            raise RuleError("an atomic store without a reduction")
        self._update(element_dtype(store.array), store.value, store.reduce, f"'{store.array.name}'")

    def _update(self, dtype: str, value: Expr, reduce: str | None, target: str) -> None:
        self._scope.expect(value, dtype, f"the value for {target}")
        if reduce is not None:
            _check_reduction(reduce, dtype)
            if lanes_of(dtype) is not None:
                check_reduction(reduce, dtype)

    def _for(self, loop: For) -> None:
        scope = self._scope
        scope.expect(loop.lower, INDEX, "a loop bound")
        scope.expect(loop.upper, INDEX, "a loop bound")
        parallel = loop.kind is not LoopKind.SERIAL
        if loop.unroll is not None and (parallel or not 1 <= loop.unroll <= MAXIMAL_UNROLL):
            raise RuleError(f"only a serial loop is unrolled, by 1 to {MAXIMAL_UNROLL}")
        if loop.step < 1 or (loop.step != 1 and parallel):
            raise RuleError(f"a parallel loop, or one without an end, in steps of {loop.step}")
        if loop.reductions and not parallel:
            raise RuleError("a serial loop has no reduction")
        for reduction in loop.reductions:
            symbol = scope.scalar(reduction.name)
            if not symbol.mutable:
                raise RuleError(f"'{reduction.name}' is reduced but not mutable")
            if lanes_of(symbol.dtype) is not None:
                raise RuleError(f"the loop reduces the vector '{reduction.name}'")
            _check_reduction(reduction.operator, symbol.dtype)
        outer = scope.reducing
        scope.enter()
        check_private(scope, loop, self._depth() + 1)
        self._declare(loop.variable, Symbol(INDEX, mutable=False))
        scope.reducing = outer | {reduction.name: reduction.operator for reduction in loop.reductions}
        self._loop(loop.kind, loop.body)
        scope.reducing = outer
        scope.leave()

    def _lanes(self, lanes: Lanes) -> None:
        scope = self._scope
        check_lanes(lanes)
        scope.lanes = lanes.count
        self._loop(LoopKind.CPU_VECTOR, lanes.body)
        scope.lanes = None

    def _vector_store(self, store: VectorStore | Scatter) -> None:
        array, lanes = store.array, self._scope.lanes
        if lanes is None:
            raise RuleError(f"a vector is stored to '{array.name}' outside of lanes")
        self._scope.array(array, written=True)
        self._update(vector_dtype(element_dtype(array), lanes), store.value, store.reduce, f"'{array.name}'")

    def _combine(self, name: str, operator: str) -> None:
        symbol = self._scope.scalar(name)
        if not symbol.mutable:
            raise RuleError(f"'{name}' is combined but not mutable")
        _check_reduction(operator, symbol.dtype)

    def _loop(self, kind: LoopKind, body: Stmt) -> None:
        self._loops.append(kind)
        self._body(body)
        self._loops.pop()


def _check_reduction(operator: str, dtype: str) -> None:
    if operator not in REDUCTIONS:
        raise RuleError(f"unknown reduction '{operator}'")
    dtype = lane_dtype(dtype)
    if (operator in ("&&", "||") and dtype != BOOL) or (operator in ("min", "max") and dtype.startswith("complex")):
        raise RuleError(f"the reduction '{operator}' does not take {dtype}")


def _check_identifier(name: str) -> None:
    if not _IDENTIFIER.match(name):
        raise RuleError(f"the name {name!r} is not an identifier")


def _check_requirements(function: Function) -> None:
    """The listed requirements are those of the body, so that every status has its message and none is forgotten."""
    listed = {requirement.code for requirement in function.requirements}
    checked = {statement.code for statement in all_statements(function) if isinstance(statement, Require)}
    checked -= {INDEX_OVERFLOW}
    if listed != checked:
        raise RuleError(f"the requirements list the statuses {sorted(listed)}, the body checks {sorted(checked)}")
