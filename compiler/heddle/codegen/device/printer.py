"""Loop IR -> text for the threads of a GPU: what CUDA and OpenCL have in common.

Each loop over blocks becomes its own function, executed by every thread of each block. What the host does around
these launches is after them as a comment, line by line with its origins.
"""

from __future__ import annotations

from abc import abstractmethod

from heddle.codegen.device.expressions import DeviceExpressions
from heddle.codegen.device.host_text import HostText
from heddle.codegen.device.memory import DeviceMemory
from heddle.codegen.device.program import Argument, DeviceKernel, DeviceProgram, WarpForm, capture
from heddle.codegen.device.short_indices import counts_wide, short_scalars
from heddle.codegen.device.support import DeviceSupport
from heddle.codegen.identifiers import is_identifier
from heddle.codegen.printer import CollectiveStatement
from heddle.codegen.support import Support
from heddle.diagnostics import InternalError
from heddle.loop_ir.analysis.launch_shape import LaunchShape, launch_shape, trip_count
from heddle.loop_ir.nodes import (
    INDEX,
    Barrier,
    Combine,
    CombineRuns,
    Const,
    Continue,
    Declare,
    For,
    Function,
    GroupScope,
    Insert,
    LoopKind,
    Single,
    Stmt,
    While,
)
from heddle.loop_ir.printing.source_text import SourceBuilder, signature_text
from heddle.loop_ir.walk import all_statements, children, statements, written_arrays


class DevicePrinter(DeviceMemory):
    """One object prints one function. ``support`` collects what all its launches need. ``short``: indices have 32 bits
    wherever the sizes of operands bound them."""

    form: WarpForm

    def __init__(self, function: Function, support: DeviceSupport, form: WarpForm, short: bool | None) -> None:
        super().__init__(function, support)
        if not is_identifier(function.name):
            raise InternalError(f"the name {function.name!r} is not an identifier")
        self.form = form
        self.expressions: DeviceExpressions = self.device_expressions()
        wants = not counts_wide(function) if short is None else short
        self._short = short_scalars(function) if wants else None
        self.kernels: list[DeviceKernel] = []
        self.shape, self.launched = LaunchShape(0, 1), 1
        self.dtypes = {
            statement.name: statement.dtype for statement in all_statements(function) if isinstance(statement, Declare)
        }
        self._header_line = 0  # the number in ``lines`` of the loop that is being printed

    # ---------------------------------------------------------------------------------- what a language spells

    @abstractmethod
    def device_expressions(self) -> DeviceExpressions: ...

    @abstractmethod
    def heading(self) -> list[str]:
        """The first lines of the text: which form was chosen, what must be switched on."""

    @abstractmethod
    def kernel_head(self, threads: int) -> str:
        """What is before a kernel's name."""

    @abstractmethod
    def parameter(self, argument: Argument, written: bool) -> str:
        """Its declaration; ``written``: an array that the kernel writes."""

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
    def unroll(self, factor: int) -> str: ...

    @abstractmethod
    def group_size(self, loop: For) -> tuple[int, int]:
        """Threads of a group, and groups for each block."""

    # ----------------------------------------------------------------------------------------------- the text

    def index_heading(self) -> list[str]:
        """What the text says of its indices."""
        if self._short is None:
            return []
        return ["// Indices: 32 bits. A launch whose sizes could need more takes the same kernel with 64."]

    def generate(self) -> DeviceProgram:
        # What the host computes needs no function on the device.
        expressions = DeviceExpressions(self.identifiers, Support())
        host = HostText(self.function, expressions, self.identifiers, self.support.type)
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
            text.emit_unmapped("\n" + function.rstrip())
        first = {id(launches): text.next_line}
        text.include(launches)
        text.emit_unmapped("")
        first[id(host.out)] = text.next_line
        text.include(host.out)
        self.lines = [line + first[id(builder)] - 1 for builder, line in places]
        return DeviceProgram(self.function, text.build(), tuple(self.kernels), self.form, self._short is not None)

    def _kernel(self, loop: For, launches: SourceBuilder) -> DeviceKernel:
        if loop.kind is not LoopKind.GPU_BLOCK:
            raise InternalError(f"the host of a GPU runs no {loop.kind} loop: {loop.variable}")
        self.shape, self.hoisted, self.used_scratch, self.out = launch_shape(loop), {}, {}, SourceBuilder()
        threads, groups = self.group_size(loop)
        self.launched = threads * groups
        number = len(self.kernels)
        name = self.identifiers.fresh(f"{self.function.name}_{number + 1}{'_wide' if self._short is None else ''}")
        self.short = self.expressions.short = self._short[number] if self._short is not None else None
        arguments = capture(loop, self.function, self.short)
        before = len(self.lines)
        self.statement(loop)
        written = {array for inner in statements(loop) for array in written_arrays(inner)}
        parameters = [self.parameter(argument, argument.name in written) for argument in arguments]
        launches.emit_unmapped("\n" + signature_text(f"{self.kernel_head(threads)} {name}", parameters, " {"))
        launches.indent()
        for line in self.hoisted.values():
            launches.line(line)
        offset = launches.next_line - 1
        launches.dedent()
        launches.include(self.out)
        launches.emit_unmapped("}")
        self.lines[before:] = [line + offset for line in self.lines[before:]]
        kernel = DeviceKernel(name, loop, arguments, self.shape, threads, groups, self.short)
        self.kernels.append(kernel)
        self.short = self.expressions.short = None
        return kernel

    # ------------------------------------------------------------------------------------------------- loops

    def for_loop(self, loop: For) -> None:
        match loop.kind:
            case LoopKind.SERIAL:
                header = self.serial_header(loop)
                if loop.unroll:
                    self.out.line(self.unroll(loop.unroll), loop.origin)
                self.lines[self._header_line] = self.out.line(header, loop.origin)
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

    def scalar_dtype(self, name: str) -> str:
        """The dtype of the scalar ``name``, of an index in the text."""
        dtype = self.dtypes.get(name, INDEX)
        return "int32" if dtype == INDEX and name in (self.short or ()) else dtype

    def scalar_type(self, name: str, dtype: str) -> str:
        return self.support.type("int32" if dtype == INDEX and name in (self.short or ()) else dtype)

    def statement(self, statement: Stmt) -> None:
        if isinstance(statement, For):
            # Lines before a loop's header are its own; the header is the line that counts.
            outer, self._header_line = self._header_line, len(self.lines)
            super().statement(statement)
            self._header_line = outer
        else:
            super().statement(statement)

    def _number(self, loop: For, lower: str = "") -> None:
        name = self.identifiers.spell(loop.variable)
        text = f"const {self.scalar_type(loop.variable, INDEX)} {name} = {lower}{self.place(loop.kind)};"
        self.lines[self._header_line] = self.out.line(text, loop.origin)

    def _group(self, loop: For) -> None:
        """Every thread executes the body at most once, with the number of its warp or its own."""
        self.out.line("{", loop.origin)
        self.out.indent()
        self._number(loop)
        count = trip_count(loop)
        if loop.kind is LoopKind.GPU_WARP:
            there = self.shape.warps
        else:
            there = self.shape.lanes if self.warps else self.launched
        whole = count == there
        if not whole:
            self.out.line(f"if ({self.identifiers.spell(loop.variable)} < {count}) {{", loop.origin)
            self.out.indent()
        if loop.kind is LoopKind.GPU_WARP:
            self.warps.append(loop)
        self._once(loop)
        if loop.kind is LoopKind.GPU_WARP:
            self.warps.pop()
        if not whole:
            self.out.dedent()
            self.out.line("}", loop.origin)
        self.out.dedent()
        self.out.line("}", loop.origin)

    def _once(self, loop: For) -> None:
        """The body of a loop whose iterations are threads: ``continue`` ends it."""
        if not _continues(loop.body):
            self.out.dedent()
            self.print_indented(loop.body)
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
                self.print_indented(body)
                self.out.line("}", origin)
            case Combine(name=name, origin=origin):
                self.out.line(f"{self.identifiers.spell(name)} = {self.combine(statement)};", origin)
            case CombineRuns():
                self.combine_runs(statement)
            case Insert():
                self.insert(statement)
            case _:
                raise InternalError(f"unexpected node {statement!r}")


def _continues(body: Stmt) -> bool:
    """Whether a ``continue`` in ``body`` belongs to the loop around it."""
    if isinstance(body, Continue):
        return True
    return any(_continues(child) for child in children(body) if not isinstance(child, For | While))
