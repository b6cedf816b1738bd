"""Memory in C: workspaces of blocks and of workers, results that the kernel allocates, and ways out without a leak."""

from __future__ import annotations

from dataclasses import dataclass, field

from heddle.codegen.c import map_support, memory_support, sort_support
from heddle.codegen.c.expressions import CExpressions
from heddle.codegen.expressions import ADDITIVE
from heddle.codegen.printer import KernelPrinter, MemoryStatement, comment
from heddle.diagnostics import InternalError
from heddle.loop_ir.nodes import (
    BOOL,
    INDEX,
    INDEX_OVERFLOW,
    OUT_OF_MEMORY,
    Allocate,
    AllocateMap,
    AllocateResult,
    Array,
    Break,
    ClearMap,
    Const,
    Continue,
    For,
    Function,
    Grow,
    Require,
    Scan,
    Slot,
    Sort,
    SortMap,
    Stmt,
)
from heddle.loop_ir.walk import all_statements
from heddle.origin import Origin

STACK_BYTES = 4096  # a workspace of constant size up to this lives on the stack


@dataclass(frozen=True, slots=True)
class _Owned:
    """What a scope must free at its end."""

    free: str
    origin: Origin


@dataclass(slots=True)
class _ParallelBody:
    """The body of a parallel loop, which cannot be left: a failure jumps to ``label`` at its end. ``scopes`` is the
    number of scopes around it."""

    scopes: int
    label: str | None = field(default=None)


class MemoryPrinter(KernelPrinter):
    """Prints what obtains, moves and frees memory."""

    def __init__(self, function: Function) -> None:
        super().__init__(function)
        self.expressions = CExpressions(self.identifiers, self.support)
        self._scopes: list[list[_Owned]] = []  # what to free, innermost block last
        self._loop_scopes: list[int] = []  # the number of blocks around the body of each loop
        self._parallel: list[_ParallelBody] = []
        self._grown = {statement.array.name for statement in all_statements(function) if isinstance(statement, Grow)}
        self._capacities: dict[str, str] = {}
        self._status: str | None = None
        self._failures = 0  # places inside parallel loops that may fail

    # ------------------------------------------------------------------------------------------------ scopes

    def sequence(self, block: tuple[Stmt, ...]) -> None:
        self._scopes.append([])
        super().sequence(block)
        owned = self._scopes.pop()
        if not (block and isinstance(block[-1], Break | Continue)):
            self._free(owned)

    def _free(self, owned: list[_Owned]) -> None:
        for allocation in reversed(owned):
            self.out.line(allocation.free, allocation.origin)

    def loop_body(self, body: Stmt) -> None:
        self._loop_scopes.append(len(self._scopes))
        super().loop_body(body)
        self._loop_scopes.pop()

    def parallel_body(self, loop: For, first: str | None = None) -> None:
        """The body of a parallel loop, with the line ``first`` in front."""
        self._parallel.append(_ParallelBody(len(self._scopes)))
        self.out.indent()
        if first is not None:
            self.out.line(first, loop.origin)
        self.out.dedent()
        self.loop_body(loop.body)
        label = self._parallel.pop().label
        if label is not None:
            self.out.line(f"{label}:;", loop.origin)

    def cleanup_before_jump(self) -> list[str]:
        return self._frees(self._loop_scopes[-1])

    def _frees(self, outermost: int) -> list[str]:
        """What frees all scopes from number ``outermost`` on, the youngest first."""
        return [owned.free for scope in reversed(self._scopes[outermost:]) for owned in reversed(scope)]

    # ---------------------------------------------------------------------------------------------- failures

    def require(self, require: Require) -> None:
        condition = self.expressions.negation(require.condition)
        self.fail_if(condition, require.code, require.origin, f"  {comment(require.message)}")

    def fail_if(self, condition: str, code: int | str, origin: Origin, remark: str = "") -> None:
        """Frees everything and returns ``code``. Inside a parallel loop: notes ``code`` and ends the iteration."""
        body = self._parallel[-1] if self._parallel else None
        frees = self._frees(body.scopes if body else 0)
        if body is None and not frees:
            self.out.line(f"if ({condition}) return {code};{remark}", origin)
            return
        self.out.line(f"if ({condition}) {{{remark}", origin)
        self.out.indent()
        if body is not None:
            self.note_failure(code, origin)
        for text in frees:
            self.out.line(text, origin)
        if body is None:
            self.out.line(f"return {code};", origin)
        else:
            body.label = body.label or self.identifiers.fresh("next")
            self.out.line(f"goto {body.label};", origin)
        self.out.dedent()
        self.out.line("}", origin)

    def note_failure(self, code: int | str, origin: Origin) -> None:
        if self._status is None:
            self._status = self.identifiers.fresh("status")
        self._failures += 1
        self.out.line("#pragma omp atomic write", origin)
        self.out.line(f"{self._status} = {code};", origin)

    def return_failures(self, before: int, origin: Origin) -> None:
        """After a parallel loop: returns when one of the failures that were printed since ``before`` happened."""
        if self._failures > before and not self._parallel:
            assert self._status is not None
            self.fail_if(self._status, self._status, origin)

    # -------------------------------------------------------------------------------------------- workspaces

    def allocate(self, allocate: Allocate) -> None:
        """On the stack when small, else on the heap; a kernel out of memory frees everything and returns."""
        name = self._obtain(allocate)
        if name is not None:
            self.fail_if(f"!{name}", OUT_OF_MEMORY, allocate.origin)
            self._scopes[-1].append(_Owned(f"free({name});", allocate.origin))

    def _obtain(self, allocate: Allocate) -> str | None:
        """Declares a workspace; its name when it may be out of memory."""
        array, origin = allocate.array, allocate.origin
        name, element = self.identifiers.spell(array.name), self.support.type(array.dtype)
        if isinstance(allocate.size, Const) and array.name not in self._grown:
            count = max(1, int(allocate.size.value.real))
            if count * 16 <= STACK_BYTES:
                self.out.line(f"{element} {name}[{count}]{' = {0}' if allocate.zero else ''};", origin)
                return None
        size = self.expressions.text(allocate.size)
        function = memory_support.allocate(self.support, allocate.zero)
        self.out.line(f"{element}* restrict {name} = {function}({size}, sizeof({element}));", origin)
        self._declare_capacity(array, size, origin)
        return name

    def private(self, loop: For) -> str | None:
        """Declares a worker's own workspaces, in a new scope. Returns a scalar that is false when one is missing."""
        names: list[str] = []
        owned: list[_Owned] = []
        for workspace in loop.private:
            if isinstance(workspace, AllocateMap):
                owned.append(self._declare_map(workspace))
            elif (name := self._obtain(workspace)) is not None:
                names.append(name)
                owned.append(_Owned(f"free({name});", workspace.origin))
        self._scopes.append(owned)
        if not names:
            return None
        ready = self.identifiers.fresh("ready")
        self.out.line(f"{self.support.type(BOOL)} {ready} = {' && '.join(names)};", loop.origin)
        self.out.line(f"if (!{ready}) {{", loop.origin)
        self.out.indent()
        self.note_failure(OUT_OF_MEMORY, loop.origin)
        self.out.dedent()
        self.out.line("}", loop.origin)
        return ready

    def private_in_iteration(self, loop: For) -> None:
        """The private workspaces of a loop that runs serially inside an iteration of another one."""
        self._scopes.append([])
        for workspace in loop.private:
            if isinstance(workspace, AllocateMap):
                self._scopes[-1].append(self._declare_map(workspace))
            else:
                self.allocate(workspace)

    def free_private(self) -> None:
        self._free(self._scopes.pop())

    # ----------------------------------------------------------------------------------------------- results

    def memory(self, statement: MemoryStatement) -> None:
        text, origin = self.expressions.text, statement.origin
        match statement:
            case AllocateResult():
                self._allocate_result(statement)
            case Grow():
                self._grow(statement)
            case Scan(array=array, size=size):
                call = f"{memory_support.scan(self.support, array.dtype)}({self.identifiers.spell(array.name)}"
                self.fail_if(f"!{call}, {text(size)})", INDEX_OVERFLOW, origin)
            case Sort(array=array, lower=lower, upper=upper):
                function, name = sort_support.sort(self.support, array.dtype), self.identifiers.spell(array.name)
                if lower == Const(0):
                    self.out.line(f"{function}({name}, {text(upper)});", origin)
                else:
                    start = f"{name} + {text(lower, ADDITIVE)}"
                    count = f"{text(upper, ADDITIVE)} - {text(lower, ADDITIVE + 1)}"
                    self.out.line(f"{function}({start}, {count});", origin)
            case AllocateMap():
                self._scopes[-1].append(self._declare_map(statement))
            case Slot():
                self._slot(statement)
            case SortMap(map=table):
                self.out.line(f"map_{table.dtype}_sort(&{self.identifiers.spell(table.name)});", origin)
            case ClearMap(map=table):
                self.out.line(f"map_{table.dtype}_clear(&{self.identifiers.spell(table.name)});", origin)
            case _:
                raise InternalError(f"unexpected node {statement!r}")

    def _allocate_result(self, allocate: AllocateResult) -> None:
        array, origin = allocate.array, allocate.origin
        name, element = self.identifiers.spell(array.name), self.support.type(array.dtype)
        size, function = self.expressions.text(allocate.size), memory_support.allocate_result(self.support)
        obtained = f"*{self.result_name(array)} = {function}({size}, sizeof({element}))"
        self.out.line(f"{element}* restrict {name} = {obtained};", origin)
        self.fail_if(f"!{name}", OUT_OF_MEMORY, origin)
        self._declare_capacity(array, size, origin)

    def _declare_capacity(self, array: Array, size: str, origin: Origin) -> None:
        if array.name in self._grown:
            capacity = self._capacities[array.name] = self.identifiers.fresh(f"{array.name}_capacity")
            self.out.line(f"{self.support.type(INDEX)} {capacity} = {size};", origin)

    def _grow(self, grow: Grow) -> None:
        array, origin, index = grow.array, grow.origin, self.support.type(INDEX)
        name, element = self.identifiers.spell(array.name), self.support.type(array.dtype)
        capacity, needed = self._capacities[array.name], self.expressions.text(grow.needed)
        result = any(parameter.allocated and parameter.array == array for parameter in self.function.parameters)
        wanted, grown = self.identifiers.fresh(f"{array.name}_wanted"), self.identifiers.fresh(f"{array.name}_grown")
        if result:
            call = f"{memory_support.grow_result(self.support)}({name}, {capacity}, {wanted}, sizeof({element}))"
        else:
            call = f"{memory_support.grow(self.support)}({name}, {wanted}, sizeof({element}))"
        lines = (
            f"{index} {wanted} = {memory_support.more(self.support)}({capacity}, {needed});",
            f"{element}* {grown} = {call};",
        )
        self.out.line(f"if ({capacity} < {self.expressions.text(grow.needed, ADDITIVE)}) {{", origin)
        self.out.indent()
        for line in lines:
            self.out.line(line, origin)
        self.fail_if(f"!{grown}", OUT_OF_MEMORY, origin)
        value = f"*{self.result_name(array)} = {grown}" if result else grown
        self.out.line(f"{name} = {value};", origin)
        self.out.line(f"{capacity} = {wanted};", origin)
        self.out.dedent()
        self.out.line("}", origin)

    # -------------------------------------------------------------------------------------------------- maps

    def _declare_map(self, allocate: AllocateMap) -> _Owned:
        """Without memory until its first entry, so that this cannot fail."""
        table, origin = allocate.map, allocate.origin
        name, kind = self.identifiers.spell(table.name), map_support.map_type(self.support, table.dtype)
        for array in (table.keys, table.vals):
            self.identifiers.alias(array.name, f"{name}.{array.name.rpartition('_')[2]}")
        self.out.line(f"{kind} {name} = {{0}};", origin)
        return _Owned(f"{kind}_free(&{name});", origin)

    def _slot(self, slot: Slot) -> None:
        origin, index = slot.origin, self.support.type(INDEX)
        table, name = self.identifiers.spell(slot.map.name), self.identifiers.spell(slot.name)
        before = self.identifiers.fresh(f"{slot.map.name}_size") if slot.new is not None else None
        if before is not None:
            self.out.line(f"{index} {before} = {table}.size;", origin)
        self.out.line(
            f"{index} {name} = map_{slot.map.dtype}_slot(&{table}, {self.expressions.text(slot.key)});", origin
        )
        self.fail_if(f"{name} < 0", OUT_OF_MEMORY, origin)
        if before is not None and slot.new is not None:
            new = f"{self.support.type(BOOL)} {self.identifiers.spell(slot.new)}"
            self.out.line(f"{new} = {table}.size > {before};", origin)
