"""The kernels of benchmarks/device/gpu_kernels.py that a visit has time for."""

from dataclasses import replace

from benchmarks.device import gpu_kernels as g


def kernels(kind, matrix):
    match kind:
        case "spmv":
            return list(g.spmv(matrix))
        case "spmm32":
            return [g._spmm(matrix, 32)]
        case "spmm128":
            return [g._spmm(matrix, 128)]
        case "sddmm":
            return list(g.sddmm(matrix))
        case "spgemm":
            return list(g.spgemm(matrix))
        case _:
            return [k for k in g.mttkrps(matrix) if k.name.lower().endswith(kind[-3:])]


FEW = {
    "spmv": (
        "thread per row, 256 threads",
        "warp per row, 8 warps",
        "8 entries per thread, combined, 8 warps",
        "8 turns, combined, 8 warps",
        "16 turns, combined, 8 warps",
    ),
    "spmm": (
        "row per 32 lanes of 1 columns",
        "row per 32 lanes of 4 columns",
        "16 entries per 32 lanes of 1 columns",
        "64 entries per 32 lanes of 4 columns",
        "16 entries per warp, 8 warps",
    ),
    "spgemm": (),
    "sddmm": ("8 entries per warp, 8 warps", "16 entries per warp, 8 warps"),
    "mttkrp": (
        "16 entries per warp, 8 warps",
        "32 entries per warp, 8 warps",
        "GenTen A, 32 entries per member",
        "GenTen B, 32 entries per member",
        "GenTen C, 32 entries per member",
        "GenTen C, 128 entries per member",
    ),
}


def few(kind, kernel):
    wanted = next(v for k, v in FEW.items() if kind.startswith(k))
    return replace(kernel, schedules={n: s for n, s in kernel.schedules.items() if n in wanted})
