"""CUDA text -> registers and occupancy of each kernel, read from NVIDIA's machine code; no GPU is needed."""

from __future__ import annotations

from heddle.codegen.device import cuda
from heddle.diagnostics import CompileError, InternalError
from heddle.explorer.views.code.gpu_schema import KernelFiguresView
from heddle.explorer.views.diagnostics import diagnostic_view
from heddle.explorer.views.diagnostics_schema import DiagnosticView
from heddle.explorer.views.typed_dict import TypedDict
from heddle.plan import plan_hash
from heddle.result import CompileResult
from heddle.runtime.devices import nvrtc, occupancy

ARCHITECTURES = ("sm_80", "sm_90")
"""A100 and H100: the GPUs of data centres that most people can rent."""


class OccupancyView(TypedDict):
    """``kernels`` in the order of the launches, for each architecture in turn. Empty for a plan of the CPU, and when
    ``diagnostics`` says why nothing is known."""

    hash: str
    ok: bool
    diagnostics: list[DiagnosticView]
    kernels: list[KernelFiguresView]


def occupancy_view(result: CompileResult) -> OccupancyView:
    """The figures of the plan's kernels as CUDA, whatever target of a GPU it has."""
    try:
        result.raise_errors()
        kernels = _figures(result) if result.launches else []
    except CompileError as error:
        diagnostics = [diagnostic_view(diagnostic) for diagnostic in error.diagnostics]
        return OccupancyView(hash=plan_hash(result.plan), ok=False, diagnostics=diagnostics, kernels=[])
    return OccupancyView(hash=plan_hash(result.plan), ok=True, diagnostics=[], kernels=kernels)


def _figures(result: CompileResult) -> list[KernelFiguresView]:
    if result.function is None:
        raise InternalError("A compile without errors has a function")
    program = cuda.generate(result.function)
    views = []
    for architecture in ARCHITECTURES:
        compiled = nvrtc.compile_text(program.source.text, architecture)
        by_name = {figure.name: figure for figure in occupancy.figures(compiled.cubin)}
        for kernel in program.kernels:
            figures = by_name[kernel.name]
            views.append(
                KernelFiguresView(
                    kernel=kernel.name,
                    architecture=architecture,
                    registers=figures.registers,
                    shared_bytes=figures.shared_bytes,
                    local_bytes=figures.local_bytes,
                    occupancy=occupancy.occupancy(figures, kernel.threads, architecture),
                )
            )
    return views
