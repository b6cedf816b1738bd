"""Loop IR -> OpenCL C: one kernel for each launch.

The lanes of a warp exchange values by sub-group shuffles, or through local memory on devices without sub-groups
(:class:`~heddle.codegen.device.program.WarpForm`). In local memory they must wait for one another with barriers of
the work-group; so that warps may go different ways, each warp is then a work-group of its own, unless the threads of
the whole block share memory or wait for one another.
"""

from __future__ import annotations

import re

from heddle.codegen.device.expressions import DeviceExpressions
from heddle.codegen.device.opencl_support import SPACES, OpenClSupport
from heddle.codegen.device.printer import DevicePrinter
from heddle.codegen.device.program import Argument, DeviceProgram, WarpForm
from heddle.codegen.device.warp_convergence import meets, parts_threads, shares_block, waits_in_cases, warps_agree
from heddle.diagnostics import InternalError
from heddle.loop_ir.analysis.launch_shape import WARP_SIZE, WORD_BYTES, shared_room
from heddle.loop_ir.dtypes import FLOATS, NARROW, dtype_of
from heddle.loop_ir.functions import FUNCTIONS
from heddle.loop_ir.nodes import (
    Allocate,
    Barrier,
    Call,
    Combine,
    CombineRuns,
    Const,
    For,
    Function,
    GroupScope,
    If,
    LoopKind,
    MemorySpace,
    Single,
    Stmt,
    While,
)


class DivergentWarpsError(Exception):
    """Without sub-groups this kernel cannot run: its warps go different ways, and its block waits as a whole."""


class WaitingCasesError(Exception):
    """Without sub-groups this kernel cannot run: threads wait in a loop of one of several cases."""


def generate(function: Function, form: WarpForm = WarpForm.SUB_GROUPS, short: bool | None = None) -> DeviceProgram:
    """The OpenCL text of a verified ``function`` for a GPU, with its kernels in the order of their launches. ``short``:
    with indices of 32 bits; None: unless a tensor has positions of 64.

    Raises
    ------
    DivergentWarpsError, WaitingCasesError
        with the form ``LOCAL_MEMORY`` alone.
    """
    return _OpenClPrinter(function, form, short).generate()


def statement_lines(function: Function) -> tuple[int, ...]:
    """The 1-based line of each statement in the text, in the order of :func:`heddle.loop_ir.walk.statements`."""
    printer = _OpenClPrinter(function, WarpForm.SUB_GROUPS, None)
    printer.generate()
    return tuple(printer.lines)


class _Expressions(DeviceExpressions):
    def integer_suffix(self, text: str) -> str:
        return re.sub(r"LL\b", "L", text)

    def _call(self, call: Call) -> str:
        """OpenCL's functions are named alike for all types of floats."""
        if dtype_of(call.arguments[0]) not in FLOATS:
            return super()._call(call)
        return f"{FUNCTIONS[call.function].c}({', '.join(self.text(argument) for argument in call.arguments)})"


class _OpenClPrinter(DevicePrinter):
    support: OpenClSupport

    def __init__(self, function: Function, form: WarpForm, short: bool | None) -> None:
        if form is WarpForm.SHUFFLES:
            raise InternalError("OpenCL has sub-groups or local memory for warps")
        super().__init__(function, OpenClSupport(form), form, short)
        self._split = False  # each warp is a work-group
        self._meeting = 0  # loops and branches around with barriers in them
        self._awaited = False  # a barrier of the loops is after the statement that is printed

    def statement(self, statement: Stmt) -> None:
        """In a loop or branch with barriers, PoCL 3.0 lets the first work-item decide for all about a condition in
        front of the loop's end: a barrier in between keeps their ways apart. It must be the only one: with two in a
        row, work-items get the values of others there."""
        awaited, self._awaited = self._awaited, False
        around = isinstance(statement, If | While) or (isinstance(statement, For) and statement.kind is LoopKind.SERIAL)
        serial = around and self.form is WarpForm.LOCAL_MEMORY and meets(statement)
        self._meeting += serial
        super().statement(statement)
        self._meeting -= serial
        if (
            self._meeting
            and self.form is WarpForm.LOCAL_MEMORY
            and isinstance(statement, Single | For)
            and parts_threads(statement)
            and not awaited
        ):
            self.out.line("barrier(CLK_LOCAL_MEM_FENCE);", statement.origin)

    def sequence(self, block: tuple[Stmt, ...]) -> None:
        for statement, following in zip(block, (*block[1:], None), strict=True):
            self._awaited = isinstance(following, Barrier)
            self.statement(statement)

    def device_expressions(self) -> DeviceExpressions:
        return _Expressions(self.identifiers, self.support)

    def heading(self) -> list[str]:
        lines = []
        if any(kernel.shape.warps for kernel in self.kernels):
            how = {
                WarpForm.SUB_GROUPS: "sub-groups of 32 work-items that exchange values by shuffles",
                WarpForm.LOCAL_MEMORY: "32 work-items that exchange values through local memory; "
                "this device has no sub-groups",
            }[self.form]
            lines = [f"// Warps: {how}."]
        return [*lines, *self.index_heading()] + [
            f"#pragma OPENCL EXTENSION {name} : enable" for name in sorted(self.support.extensions)
        ]

    def group_size(self, loop: For) -> tuple[int, int]:
        warps = self.shape.warps
        self._split = False
        if self.form is WarpForm.LOCAL_MEMORY and waits_in_cases(loop):
            raise WaitingCasesError(loop.variable)
        if self.form is WarpForm.LOCAL_MEMORY and warps > 1 and not warps_agree(loop):
            if shares_block(loop):
                raise DivergentWarpsError(loop.variable)
            self._split = True
        return (WARP_SIZE, warps) if self._split else (self.shape.threads, 1)

    def kernel_head(self, threads: int) -> str:
        size = f"__attribute__((reqd_work_group_size({threads}, 1, 1)))"
        if self.shape.warps and self.form is WarpForm.SUB_GROUPS:
            size += f" __attribute__((intel_reqd_sub_group_size({WARP_SIZE})))"
        return f"{size}\n__kernel void"

    def parameter(self, argument: Argument, written: bool) -> str:
        name, element = self.identifiers.spell(argument.name), self.support.element(argument.dtype)
        if argument.array is None:
            return f"{element} {name}"
        return f"__global {'' if written else 'const '}{element}* restrict {name}"

    def place(self, kind: LoopKind) -> str:
        # Converted at once: Intel's runtime takes (int)(get_local_id(0) / 32) for the same in all sub-groups.
        group, item, warps = "get_group_id(0)", "(int)get_local_id(0)", self.shape.warps
        match kind:
            case LoopKind.GPU_BLOCK:
                return f"{group} / {warps}" if self._split else group
            case LoopKind.GPU_WARP:
                return f"{group} % {warps}" if self._split else f"{item} / {WARP_SIZE}"
            case LoopKind.GPU_THREAD if self.warps:
                return item if self._split else f"{item} % {WARP_SIZE}"
            case LoopKind.GPU_THREAD:
                return f"{group} % {warps} * {WARP_SIZE} + {item}" if self._split else item
            case _:
                raise InternalError(f"a GPU has no {kind}")

    def first(self, scope: GroupScope) -> str:
        if scope is GroupScope.WARP:
            return f"get_local_id(0) % {WARP_SIZE} == 0"
        return f"get_global_id(0) % {self.shape.threads} == 0" if self._split else "get_local_id(0) == 0"

    def barrier(self, scope: GroupScope) -> str:
        warp = scope is GroupScope.WARP and self.form is WarpForm.SUB_GROUPS
        return f"{'sub_group_' if warp else ''}barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"

    def combine(self, combine: Combine) -> str:
        dtype, name = self.scalar_dtype(combine.name), self.identifiers.spell(combine.name)
        if combine.scope is GroupScope.BLOCK:
            return f"{self.support.block(combine.operator, dtype)}({name}, {self._lanes(dtype)})"
        return f"{self.support.warp(combine.operator, dtype)}({', '.join([name, *self._local_lanes(dtype)])})"

    def combine_runs(self, runs: CombineRuns) -> None:
        dtype, name = self.scalar_dtype(runs.name), self.identifiers.spell(runs.name)
        heads, head = self.identifiers.fresh("heads"), self.identifiers.spell(runs.head)
        key = self.scalar_dtype(runs.key)
        keys = ", ".join([self.identifiers.spell(runs.key), *self._local_lanes(key)])
        self.out.line(f"const uint {heads} = {self.support.heads(key)}({keys});", runs.origin)
        self.out.line(f"const bool {head} = {heads} >> get_local_id(0) % {WARP_SIZE} & 1;", runs.origin)
        arguments = ", ".join([name, heads, *self._local_lanes(dtype)])
        self.out.line(f"{name} = {self.support.runs(runs.operator, dtype)}({arguments});", runs.origin)

    def _local_lanes(self, dtype: str) -> list[str]:
        return [self._lanes(dtype)] if self.form is WarpForm.LOCAL_MEMORY else []

    def _lanes(self, dtype: str) -> str:
        """Local memory with an element for each work-item of the group."""
        count = WARP_SIZE if self._split else self.shape.threads
        return self.scratch(f"lanes_{dtype}", f"__local {self.support.element(dtype)} {{}}[{count}];")

    def declare_shared(self, allocate: Allocate, warp: For | None) -> str:
        array, space = allocate.array, SPACES[MemorySpace.SHARED]
        name, element = self.identifiers.spell(array.name), self.support.element(array.dtype)
        assert isinstance(allocate.size, Const)
        size = shared_room(allocate)
        aligned = f" __attribute__((aligned({WORD_BYTES})))" if array.dtype in NARROW else ""
        if warp is None or self._split:
            self.hoisted[array.name] = f"{space}{element} {name}[{size}]{aligned};"
            return f"// {name}: {int(allocate.size.value.real)} elements that the {'warp' if warp else 'block'} shares"
        whole = self.identifiers.fresh(f"{name}_of_warps")
        self.hoisted[whole] = f"{space}{element} {whole}[{self.shape.warps} * {size}]{aligned};"
        return f"{space}{element}* {name} = {whole} + {self.identifiers.spell(warp.variable)} * {size};"

    def unroll(self, factor: int) -> str:
        return f"__attribute__((opencl_unroll_hint({factor})))"
