"""Loop IR -> CUDA C++: one kernel for each launch, compiled by NVRTC or nvcc.

A block has whole warps of 32 threads, so that warps may shuffle; threads beyond those that the schedule asks for do
nothing but take part in the combinations of the block.
"""

from __future__ import annotations

from pathlib import Path

from heddle.codegen.device.cuda_support import CudaSupport
from heddle.codegen.device.expressions import DeviceExpressions
from heddle.codegen.device.printer import DevicePrinter
from heddle.codegen.device.program import Argument, DeviceProgram, WarpForm
from heddle.codegen.function_text import FunctionFile
from heddle.diagnostics import InternalError
from heddle.loop_ir.analysis.launch_shape import WARP_SIZE, WORD_BYTES, shared_room
from heddle.loop_ir.dtypes import NARROW
from heddle.loop_ir.nodes import (
    Allocate,
    Combine,
    CombineRuns,
    Const,
    For,
    Function,
    GroupScope,
    LoopKind,
)

_TYPES = FunctionFile(Path(__file__).with_name("functions") / "types.cu")


def generate(function: Function, short: bool | None = None) -> DeviceProgram:
    """The CUDA text of a verified ``function`` for a GPU, with its kernels in the order of their launches. ``short``:
    with indices of 32 bits; None: unless a tensor has positions of 64."""
    return _CudaPrinter(function, short).generate()


def statement_lines(function: Function) -> tuple[int, ...]:
    """The 1-based line of each statement in the text, in the order of :func:`heddle.loop_ir.walk.statements`."""
    printer = _CudaPrinter(function, None)
    printer.generate()
    return tuple(printer.lines)


class _CudaPrinter(DevicePrinter):
    support: CudaSupport

    def __init__(self, function: Function, short: bool | None) -> None:
        super().__init__(function, CudaSupport(), WarpForm.SHUFFLES, short)

    def device_expressions(self) -> DeviceExpressions:
        return DeviceExpressions(self.identifiers, self.support)

    def heading(self) -> list[str]:
        warps = any(kernel.shape.warps for kernel in self.kernels)
        form = ["// Warps: 32 threads that exchange values by shuffles."] if warps else []
        return [*form, *self.index_heading(), *_TYPES.text("types").splitlines()]

    def kernel_head(self, threads: int) -> str:
        return f'extern "C" __global__ void __launch_bounds__({threads})'

    def group_size(self, loop: For) -> tuple[int, int]:
        return -(-self.shape.threads // WARP_SIZE) * WARP_SIZE, 1

    def parameter(self, argument: Argument, written: bool) -> str:
        name, element = self.identifiers.spell(argument.name), self.support.element(argument.dtype)
        if argument.array is None:
            return f"{element} {name}"
        return f"{'' if written else 'const '}{element}* __restrict__ {name}"

    def place(self, kind: LoopKind) -> str:
        match kind:
            case LoopKind.GPU_BLOCK:
                return "blockIdx.x"
            case LoopKind.GPU_WARP:
                return f"threadIdx.x / {WARP_SIZE}"
            case LoopKind.GPU_THREAD:
                return f"threadIdx.x % {WARP_SIZE}" if self.warps else "threadIdx.x"
            case _:
                raise InternalError(f"a GPU has no {kind}")

    def first(self, scope: GroupScope) -> str:
        return f"threadIdx.x % {WARP_SIZE} == 0" if scope is GroupScope.WARP else "threadIdx.x == 0"

    def barrier(self, scope: GroupScope) -> str:
        return "__syncwarp();" if scope is GroupScope.WARP else "__syncthreads();"

    def combine(self, combine: Combine) -> str:
        dtype, name = self.scalar_dtype(combine.name), self.identifiers.spell(combine.name)
        if combine.scope is GroupScope.WARP:
            return f"{self.support.warp(combine.operator, dtype)}({name})"
        declare = f"__shared__ {self.support.type(dtype)} {{}}[{WARP_SIZE}];"
        scratch = self.scratch(f"of_warps_{dtype}", declare)
        return f"{self.support.block(combine.operator, dtype)}({name}, {scratch})"

    def combine_runs(self, runs: CombineRuns) -> None:
        dtype, name = self.scalar_dtype(runs.name), self.identifiers.spell(runs.name)
        heads, head = self.identifiers.fresh("heads"), self.identifiers.spell(runs.head)
        key = self.identifiers.spell(runs.key)
        self.out.line(
            f"const uint32_t {heads} = {self.support.heads(self.scalar_dtype(runs.key))}({key});", runs.origin
        )
        self.out.line(f"const bool {head} = {heads} >> threadIdx.x % {WARP_SIZE} & 1;", runs.origin)
        self.out.line(f"{name} = {self.support.runs(runs.operator, dtype)}({name}, {heads});", runs.origin)

    def declare_shared(self, allocate: Allocate, warp: For | None) -> str:
        array = allocate.array
        name, element = self.identifiers.spell(array.name), self.support.element(array.dtype)
        assert isinstance(allocate.size, Const)
        size = shared_room(allocate)
        shared = f"__shared__ __align__({WORD_BYTES})" if array.dtype in NARROW else "__shared__"
        if warp is None:
            self.hoisted[array.name] = f"{shared} {element} {name}[{size}];"
            return f"// {name}: {int(allocate.size.value.real)} elements that the block shares"
        whole = self.identifiers.fresh(f"{name}_of_warps")
        self.hoisted[whole] = f"{shared} {element} {whole}[{self.shape.warps} * {size}];"
        return f"{element}* {name} = {whole} + {self.identifiers.spell(warp.variable)} * {size};"

    def unroll(self, factor: int) -> str:
        return f"#pragma unroll {factor}"
