"""Loop IR -> C99 with OpenMP.

A loop over CPU threads is an OpenMP work-sharing loop; one inside another parallel loop runs serially, as OpenMP itself
would do by default. Threads take iterations as they come to them (``schedule(guided)``); of few, each gets the same in
every call.
"""

from __future__ import annotations

from heddle.codegen.c.vectors import VectorPrinter
from heddle.codegen.expressions import ADDITIVE
from heddle.codegen.identifiers import is_identifier
from heddle.diagnostics import InternalError
from heddle.loop_ir.analysis.wrapping import wrapping_dtypes
from heddle.loop_ir.dtypes import COMPLEX, dtype_of, real_part
from heddle.loop_ir.nodes import (
    BOOL,
    INDEX,
    Const,
    Declare,
    Fill,
    For,
    Function,
    LoopKind,
    Store,
    Var,
)
from heddle.loop_ir.printing.source_text import SourceBuilder, SourceText, signature_text
from heddle.loop_ir.walk import all_statements

FEW_ITERATIONS = 8
"""A constant number of iterations up to which they count as the parts of a schedule, about one for each thread."""

WRAPPING = "// Integers wrap around: compile this with -fwrapv."
"""The first line of texts that compute with integers, whose overflow C leaves undefined. Others go without: compilers
make faster loops where indices cannot wrap around."""

PARALLEL_FILL = 32768
"""Elements of an array that threads fill together, in kernels that run on threads. What has no schedule starts none:
they may have to wait for a core of a busy machine much longer than the array takes."""


def generate(function: Function) -> SourceText:
    """The C text of a verified ``function``: includes, the support functions it calls, and the kernel."""
    if not is_identifier(function.name):
        raise InternalError(f"the name {function.name!r} is not an identifier")
    return _CPrinter(function).print()


def statement_lines(function: Function) -> tuple[int, ...]:
    """The 1-based line of each statement in :func:`generate`'s text, in the order of
    :func:`heddle.loop_ir.walk.statements`: for a loop its header, for a fill and an atomic update the
    line that writes."""
    printer = _CPrinter(function)
    printer.print()
    return tuple(line + printer.first_line - 1 for line in printer.lines)


class _CPrinter(VectorPrinter):
    def __init__(self, function: Function) -> None:
        super().__init__(function)
        self._threads = 0  # enclosing loops over threads
        self._starts_threads = any(
            isinstance(statement, For) and statement.kind is LoopKind.CPU_THREAD
            for statement in all_statements(function)
        )
        self._lane_loops = 0  # enclosing loops over vector lanes
        self._dtypes: dict[str, str] = {
            statement.name: statement.dtype for statement in all_statements(function) if isinstance(statement, Declare)
        }
        self._fill_index: str | None = None
        self.first_line = 1  # of the body, in the whole text

    def print(self) -> SourceText:
        self.print_indented(self.function.body)
        text = SourceBuilder()
        parameters = self.parameters()  # first: they may ask for a header
        if self.support.wraps or wrapping_dtypes(self.function):
            text.emit_unmapped(WRAPPING)
        for header in self.support.headers:
            text.emit_unmapped(f"#include <{header}>")
        for function in self.support.functions:
            text.emit_unmapped("\n" + function.rstrip())
        text.emit_unmapped("")
        text.emit_unmapped(signature_text(f"int32_t {self.function.name}", parameters or ["void"], " {"))
        text.indent()
        if self._status:
            text.line(f"int32_t {self._status} = 0;")
        self.first_line = text.next_line
        text.include(self.out)
        text.line("return 0;")
        text.dedent()
        text.line("}")
        return text.build()

    # ------------------------------------------------------------------------------------------------- loops

    def for_loop(self, loop: For) -> None:
        number, failures = len(self.lines) - 1, self._failures
        header = self.serial_header(loop)
        threads, lanes = 0, 0
        inside, ready = bool(self._threads or self._lane_loops), None
        if loop.private:
            if not inside:
                self.out.line("#pragma omp parallel", loop.origin)
            self.out.line("{", loop.origin)
            self.out.indent()
            if inside:
                self.private_in_iteration(loop)
            else:
                ready = self.private(loop)
        match loop.kind:
            case LoopKind.SERIAL:
                if loop.unroll:
                    self.out.line(f"#pragma GCC unroll {loop.unroll}", loop.origin)
                elif loop.in_scalar_order and not self._lane_loops:
                    self.out.line(self.support.register_facts("ONE_BY_ONE"), loop.origin)
            case LoopKind.CPU_THREAD:
                threads = 1
                if not inside:
                    region = "#pragma omp for" if loop.private else "#pragma omp parallel for"
                    # Behind the loop a thread frees its workspaces, and needs nobody for that.
                    wait = " nowait" if loop.private else ""
                    pragma = f"{region} schedule({_distribution(loop)})" + self._reduction_clauses(loop) + wait
                    self.out.line(pragma, loop.origin)
            case LoopKind.CPU_VECTOR:
                lanes = 1
                if not self._lane_loops:
                    self.out.line("#pragma omp simd" + self._reduction_clauses(loop), loop.origin)
            case _:
                raise InternalError(f"C has no {loop.kind} loops: {header}")
        self.lines[number] = self.out.line(header, loop.origin)
        self._threads += threads
        self._lane_loops += lanes
        if loop.kind is LoopKind.SERIAL:
            self.loop_body(loop.body)
        else:
            self.parallel_body(loop, f"if (!{ready}) continue;" if ready else None)
        self._threads -= threads
        self._lane_loops -= lanes
        self.out.line("}", loop.origin)
        if loop.private:
            self.free_private()
            self.out.dedent()
            self.out.line("}", loop.origin)
        self.return_failures(failures, loop.origin)

    def _reduction_clauses(self, loop: For) -> str:
        names: dict[str, list[str]] = {}
        for reduction in loop.reductions:
            operator = self.support.reduction(reduction.operator, self._dtypes.get(reduction.name, INDEX))
            names.setdefault(operator, []).append(self.identifiers.spell(reduction.name))
        return "".join(f" reduction({operator}:{', '.join(scalars)})" for operator, scalars in names.items())

    # ------------------------------------------------------------------------------------------------ stores

    def atomic(self, store: Store) -> None:
        """``omp atomic`` for sums and products of real numbers, one per part for complex sums,
        ``omp critical`` for complex products, and a compare-and-exchange loop for all other reductions."""
        target = self.expressions.subscript(store.array.name, store.index)
        dtype, reduce, origin = store.array.dtype, store.reduce, store.origin
        if reduce is None:
            raise InternalError(f"an atomic store without a reduction: {target}")
        if not self._threads and not self._lane_loops:
            self.out.line(self.update(target, reduce, store.value), origin)
        elif dtype in COMPLEX and reduce == "+":
            self._atomic_complex_sum(target, store)
        elif reduce in ("+", "*") and dtype != BOOL:
            pragma = "critical(atomic_update)" if dtype in COMPLEX else "atomic"
            self.out.line(f"#pragma omp {pragma}", origin)
            self.lines[-1] = self.out.line(self.update(target, reduce, store.value), origin)
        else:
            function = self.support.atomic(reduce, dtype)
            self.out.line(f"{function}(&{target}, {self.expressions.text(store.value)});", origin)

    def _atomic_complex_sum(self, target: str, store: Store) -> None:
        dtype, origin = store.array.dtype, store.origin
        part, suffix = self.support.type(real_part(dtype)), "f" if dtype == "complex64" else ""
        value = self.identifiers.fresh("addend")
        self.out.line(f"{self.support.type(dtype)} {value} = {self.expressions.text(store.value)};", origin)
        for offset, function in enumerate(("creal", "cimag")):
            self.out.line("#pragma omp atomic", origin)
            self.out.line(f"(({part}*)&{target})[{offset}] += {function}{suffix}({value});", origin)

    def fill(self, fill: Fill) -> None:
        origin = fill.origin
        if self._fill_index is None:
            self._fill_index = self.identifiers.fresh("p")
        value = fill.value
        if not isinstance(value, Const | Var):
            name = self.identifiers.fresh(f"{fill.array.name}_fill")
            self.out.line(f"{self.support.type(dtype_of(value))} {name} = {self.expressions.text(value)};", origin)
            value = Var(name, dtype_of(value))
        header = self.serial_header(For(self._fill_index, Const(0), fill.size, fill, origin))
        if self._starts_threads and not self._threads and not self._lane_loops:
            if not isinstance(fill.size, Const):
                size = self.expressions.text(fill.size, ADDITIVE)
                self.out.line(f"#pragma omp parallel for schedule(static) if({size} >= {PARALLEL_FILL})", origin)
            elif fill.size.value.real >= PARALLEL_FILL:
                self.out.line("#pragma omp parallel for schedule(static)", origin)
        self.out.line(header, origin)
        self.out.indent()
        self.lines[-1] = self.out.line(
            f"{self.expressions.subscript(fill.array.name, Var(self._fill_index))} = {self.expressions.text(value)};",
            origin,
        )
        self.out.dedent()
        self.out.line("}", origin)


def _distribution(loop: For) -> str:
    """How OpenMP shares out the iterations. A thread that gets the same part in every call finds it in its cache."""
    match loop.lower, loop.upper:
        case Const(value=int(lower)), Const(value=int(upper)) if upper - lower <= FEW_ITERATIONS:
            return "static"
        case _:
            # What an iteration leaves in a private workspace is for those after it.
            return "monotonic: guided" if loop.private else "guided"
