"""Loop IR -> text for the threads of a GPU: what CUDA and OpenCL have in common.

Each loop over blocks becomes a function of its own, executed by every thread of each block. What the host does around
these launches stands behind them as a comment, line by line with its origins.
"""

from __future__ import annotations

from abc import abstractmethod

from compiler.codegen.device_program import Argument, DeviceKernel, DeviceProgram, WarpForm, captured
from compiler.codegen.device_support import DeviceSupport
from compiler.codegen.expressions import PRIMARY, ExpressionPrinter
from compiler.codegen.host_text import HostText
from compiler.codegen.identifiers import is_identifier
from compiler.codegen.printer import CollectiveStatement, KernelPrinter, MemoryStatement
from compiler.diagnostics import InternalError
from compiler.loop_ir.dtypes import dtype_of
from compiler.loop_ir.launch import LaunchShape, launch_shape, trip_count
from compiler.loop_ir.nodes import (
    INDEX,
    Allocate,
    Array,
    Barrier,
    Combine,
    CombineRuns,
    Const,
    Continue,
    Declare,
    Fill,
    For,
    Function,
    GroupScope,
    LoopKind,
    MemorySpace,
    Require,
    SearchKind,
    Single,
    Sort,
    Stmt,
    Store,
    Var,
    While,
)
from compiler.loop_ir.source_text import SourceBuilder, signature_text
from compiler.loop_ir.walk import children, statements


class DevicePrinter(KernelPrinter):
    """One object prints one function. ``support`` collects what all its launches need."""

    form: WarpForm
    support: DeviceSupport

    def __init__(self, function: Function, support: DeviceSupport, form: WarpForm) -> None:
        super().__init__(function)
        if not is_identifier(function.name):
            raise InternalError(f"the name {function.name!r} is not an identifier")
        self.support, self.form = support, form
        self.expressions = self.device_expressions()
        self.kernels: list[DeviceKernel] = []
        self.shape, self.launched = LaunchShape(0, 1), 1
        self.hoisted: dict[str, str] = {}  # declarations at the top of a kernel, by what they declare
        self._scratch: dict[str, str] = {}  # names of shared memory that collectives need, by what they wish for
        self.spaces: dict[str, MemorySpace] = {}  # of the arrays that are not in global memory
        self.dtypes = {one.name: one.dtype for one in statements(function.body) if isinstance(one, Declare)}
        self._warps: list[For] = []
        self._own = 0  # the number in ``lines`` of the loop that is being printed

    # ---------------------------------------------------------------------------------- what a language spells

    @abstractmethod
    def device_expressions(self) -> ExpressionPrinter: ...

    @abstractmethod
    def heading(self) -> list[str]:
        """The first lines of the text: which form was chosen, what must be switched on."""

    @abstractmethod
    def kernel_head(self, threads: int) -> str:
        """What stands in front of a kernel's name."""

    @abstractmethod
    def parameter(self, argument: Argument, written: bool) -> str:
        """Its declaration; ``written``: an array of the result, or of the kernel's own."""

    @abstractmethod
    def place(self, kind: LoopKind) -> str:
        """The number of the block, of the warp in its block, or of the thread: in its warp inside a loop over warps,
        else in its block."""

    @abstractmethod
    def first(self, scope: GroupScope) -> str:
        """The condition that holds in the first thread of the group alone."""

    @abstractmethod
    def barrier(self, scope: GroupScope) -> str: ...

    @abstractmethod
    def combine(self, combine: Combine) -> str:
        """The expression of what all threads of the group get."""

    @abstractmethod
    def combine_runs(self, runs: CombineRuns) -> None: ...

    @abstractmethod
    def shared(self, allocate: Allocate, warp: For | None) -> str:
        """Declares an array of the block, or of each warp, at the top; the statement that stands at its place."""

    @abstractmethod
    def unroll(self, factor: int) -> str: ...

    @abstractmethod
    def group_size(self, loop: For) -> tuple[int, int]:
        """Threads of a group, and groups for each block."""

    # ----------------------------------------------------------------------------------------------- the text

    def generate(self) -> DeviceProgram:
        host = HostText(self.function, self.expressions, self.identifiers, self.support.type)
        launches = SourceBuilder()
        places: list[tuple[SourceBuilder, int]] = []
        for statement in self.function.body.statements:
            if isinstance(statement, For):
                before = len(self.lines)
                kernel = self._kernel(statement, launches)
                places += [(launches, line) for line in self.lines[before:]]
                host.launch(kernel)
            else:
                places.append((host.out, host.out.next_line))
                host.statement(statement)
        text = SourceBuilder()
        for line in self.heading():
            text.line(line)
        for function in self.support.functions:
            text.unmapped("\n" + function.rstrip())
        first = {id(launches): text.next_line}
        text.include(launches)
        text.unmapped("")
        first[id(host.out)] = text.next_line
        text.include(host.out)
        self.lines = [line + first[id(builder)] - 1 for builder, line in places]
        return DeviceProgram(self.function, text.build(), tuple(self.kernels), self.form)

    def _kernel(self, loop: For, launches: SourceBuilder) -> DeviceKernel:
        if loop.kind is not LoopKind.GPU_BLOCK:
            raise InternalError(f"the host of a GPU runs no {loop.kind} loop: {loop.variable}")
        self.shape, self.hoisted, self._scratch, self.out = launch_shape(loop), {}, {}, SourceBuilder()
        threads, groups = self.group_size(loop)
        self.launched = threads * groups
        name = self.identifiers.fresh(f"{self.function.name}_{len(self.kernels) + 1}")
        arguments = captured(loop, self.function)
        before = len(self.lines)
        self.statement(loop)
        operands = {one.name for one in self.function.parameters if not one.output}
        parameters = [self.parameter(one, one.name not in operands) for one in arguments]
        launches.unmapped("\n" + signature_text(f"{self.kernel_head(threads)} {name}", parameters, " {"))
        launches.indent()
        for line in self.hoisted.values():
            launches.line(line)
        offset = launches.next_line - 1
        launches.dedent()
        launches.include(self.out)
        launches.unmapped("}")
        self.lines[before:] = [line + offset for line in self.lines[before:]]
        kernel = DeviceKernel(name, loop, arguments, self.shape, threads, groups)
        self.kernels.append(kernel)
        return kernel

    # ------------------------------------------------------------------------------------------------- loops

    def for_loop(self, loop: For) -> None:
        match loop.kind:
            case LoopKind.SERIAL:
                header = self.serial_header(loop)
                if loop.unroll:
                    self.out.line(self.unroll(loop.unroll), loop.origin)
                self.lines[self._own] = self.out.line(header, loop.origin)
                self.loop_body(loop.body)
                self.out.line("}", loop.origin)
            case LoopKind.GPU_BLOCK:
                self.out.indent()
                lower = "" if loop.lower == Const(0) else f"{self.expressions.text(loop.lower)} + "
                self._number(loop, lower)
                self._once(loop)
                self.out.dedent()
            case LoopKind.GPU_WARP | LoopKind.GPU_THREAD:
                self._group(loop)
            case _:
                raise InternalError(f"a GPU has no {loop.kind} loops: {loop.variable}")

    def statement(self, statement: Stmt) -> None:
        if isinstance(statement, For):
            # Lines in front of a loop's header are its own; the header is the line that counts.
            outer, self._own = self._own, len(self.lines)
            super().statement(statement)
            self._own = outer
        else:
            super().statement(statement)

    def _number(self, loop: For, lower: str = "") -> None:
        name = self.identifiers.spell(loop.variable)
        text = f"const {self.support.type(INDEX)} {name} = {lower}{self.place(loop.kind)};"
        self.lines[self._own] = self.out.line(text, loop.origin)

    def _group(self, loop: For) -> None:
        """Every thread executes the body at most once, with the number of its warp or its own."""
        self.out.line("{", loop.origin)
        self.out.indent()
        self._number(loop)
        count = trip_count(loop)
        if loop.kind is LoopKind.GPU_WARP:
            there = self.shape.warps
        else:
            there = self.shape.lanes if self._warps else self.launched
        whole = count == there
        if not whole:
            self.out.line(f"if ({self.identifiers.spell(loop.variable)} < {count}) {{", loop.origin)
            self.out.indent()
        if loop.kind is LoopKind.GPU_WARP:
            self._warps.append(loop)
        self._once(loop)
        if loop.kind is LoopKind.GPU_WARP:
            self._warps.pop()
        if not whole:
            self.out.dedent()
            self.out.line("}", loop.origin)
        self.out.dedent()
        self.out.line("}", loop.origin)

    def _once(self, loop: For) -> None:
        """The body of a loop whose iterations are threads: ``continue`` ends it."""
        if not _continues(loop.body):
            self.out.dedent()
            self.indented(loop.body)
            self.out.indent()
            return
        self.out.line("do {", loop.origin)
        self.loop_body(loop.body)
        self.out.line("} while (0);", loop.origin)

    # -------------------------------------------------------------------------------------------- collectives

    def collective(self, statement: CollectiveStatement) -> None:
        match statement:
            case Barrier(scope=scope, origin=origin):
                self.out.line(self.barrier(scope), origin)
            case Single(scope=scope, body=body, origin=origin):
                self.out.line(f"if ({self.first(scope)}) {{", origin)
                self.indented(body)
                self.out.line("}", origin)
            case Combine(name=name, origin=origin):
                self.out.line(f"{self.identifiers.spell(name)} = {self.combine(statement)};", origin)
            case CombineRuns():
                self.combine_runs(statement)
            case _:
                raise InternalError(f"unexpected node {statement!r}")

    # ------------------------------------------------------------------------------------------------- memory

    def scratch(self, wish: str, declaration: str) -> str:
        """The name of shared memory for a collective; ``declaration`` has ``{}`` in the place of the name."""
        if wish not in self._scratch:
            self._scratch[wish] = self.identifiers.fresh(wish)
            self.hoisted[wish] = declaration.format(self._scratch[wish])
        return self._scratch[wish]

    def space(self, array: str) -> MemorySpace:
        return self.spaces.get(array, MemorySpace.GLOBAL)

    def atomic(self, store: Store) -> None:
        target = self.expressions.subscript(store.array.name, store.index)
        space = self.space(store.array.name)
        if store.reduce is None:
            raise InternalError(f"an atomic store without a reduction: {target}")
        if space is MemorySpace.REGISTER:  # no other thread sees it
            self.out.line(self.update(target, store.reduce, store.value), store.origin)
            return
        function = self.support.atomic_in(store.reduce, store.array.dtype, space)
        self.out.line(f"{function}(&{target}, {self.expressions.text(store.value)});", store.origin)

    def search_function(self, kind: SearchKind, array: Array) -> str:
        return self.support.search_in(kind, array.dtype, self.space(array.name))

    def allocate(self, allocate: Allocate) -> None:
        array, size = allocate.array, allocate.size
        if allocate.space is MemorySpace.GLOBAL or not isinstance(size, Const):
            raise InternalError(f"a workspace of a launch has a constant size and no global memory: {array.name}")
        self.spaces[array.name] = allocate.space
        if allocate.space is MemorySpace.SHARED:
            self.out.line(self.shared(allocate, self._warps[-1] if self._warps else None), allocate.origin)
            return
        start = " = {0}" if allocate.zero else ""
        name, count = self.identifiers.spell(array.name), max(1, int(size.value.real))
        self.out.line(f"{self.support.element(array.dtype)} {name}[{count}]{start};", allocate.origin)

    def fill(self, fill: Fill) -> None:
        """Of an array that the thread has to itself."""
        index = self.identifiers.fresh("p")
        header = self.serial_header(For(index, Const(0), fill.size, fill, fill.origin))
        value = f"({self.support.element(fill.array.dtype)}){self.expressions.text(fill.value, PRIMARY)}"
        if dtype_of(fill.value) == fill.array.dtype:
            value = self.expressions.text(fill.value)
        self.out.line(header, fill.origin)
        self.out.indent()
        self.out.line(f"{self.expressions.subscript(fill.array.name, Var(index))} = {value};", fill.origin)
        self.out.dedent()
        self.out.line("}", fill.origin)

    def memory(self, statement: MemoryStatement) -> None:
        if not isinstance(statement, Sort):
            raise InternalError(f"a GPU has no {type(statement).__name__}")
        array, text = statement.array, self.expressions.text
        arguments = ", ".join([self.identifiers.spell(array.name), text(statement.lower), text(statement.upper)])
        self.out.line(f"{self.support.sort_in(array.dtype, self.space(array.name))}({arguments});", statement.origin)

    def require(self, require: Require) -> None:
        raise InternalError(f"a launch cannot check a claim: {require.message}")


def _continues(body: Stmt) -> bool:
    """Whether a ``continue`` in ``body`` belongs to the loop around it."""
    if isinstance(body, Continue):
        return True
    return any(_continues(child) for child in children(body) if not isinstance(child, For | While))
