"""The rules for launches: what may be on the host, in uniform code, in loops over threads."""

from __future__ import annotations

import pytest

from heddle.diagnostics import InternalError
from heddle.loop_ir.analysis.launch_shape import LaunchShape, launch_shape, shared_bytes
from heddle.loop_ir.nodes import (
    Allocate,
    Array,
    ArrayRole,
    Barrier,
    Break,
    Combine,
    CombineRuns,
    Const,
    Declare,
    Fill,
    For,
    Function,
    If,
    LoopKind,
    MemorySpace,
    Reduction,
    Stmt,
    Store,
)
from heddle.loop_ir.passes.simplify import simplify
from heddle.loop_ir.printing.printer import print_flat
from heddle.loop_ir.verification.verify import verify
from tests.compiler.loop_ir import gpu_kernels as gpu
from tests.compiler.loop_ir.gpu_kernels import BLOCK, HERE, WARP, ZERO, blocks, kernel, one, threads, warps

HALF = Const(0.5, "float64")
WRITE = Store(gpu.Y, ZERO, HALF, HERE)
INNER_BLOCKS = For("c", ZERO, Const(2), gpu.block(), HERE, LoopKind.GPU_BLOCK)
INNER_WARPS = For("v", ZERO, Const(2), gpu.block(), HERE, LoopKind.GPU_WARP)
KEY = Declare("k", "int64", ZERO, HERE, mutable=True)
KERNELS = {
    "vector sums": gpu.vector_sums(),
    "warp sums": gpu.warp_sums(),
    "reversed": gpu.reversed_in_shared(),
    "by key": gpu.sums_by_key(),
    "registers": gpu.register_array(),
}


@pytest.mark.parametrize("function", KERNELS.values(), ids=KERNELS)
def test_kernels_keep_the_rules(function: Function) -> None:
    verify(function)
    verify(simplify(function))


def _loop(*body: Stmt) -> For:
    return For("r", ZERO, Const(3), gpu.block(*body), HERE)


BROKEN: tuple[tuple[str, tuple[Stmt, ...]], ...] = (
    ("a Single without a launch", (one(BLOCK, WRITE),)),
    ("a For on GPUThread outside every launch", (threads(4, WRITE),)),
    ("a For on NotParallel outside every launch", (blocks(threads(4)), _loop(WRITE))),
    ("a Store outside every launch", (blocks(threads(4)), WRITE)),
    (
        "a Declare outside every launch",
        (Declare("v", "float64", HALF, HERE, mutable=True), blocks(threads(4))),
    ),
    ("a For on GPUBlock in uniform code of a block", (blocks(INNER_BLOCKS),)),
    ("a Store in uniform code of a block", (blocks(WRITE),)),
    ("a Store in uniform code of a warp", (blocks(warps(2, WRITE)),)),
    ("a Fill in uniform code of a block", (blocks(gpu.shared(4), Fill(gpu.S, Const(4), HALF, HERE)),)),
    ("a For on GPUWarp in uniform code of a warp", (blocks(warps(2, INNER_WARPS)),)),
    ("a For on GPUThread in a loop over threads", (blocks(threads(4, threads(4, variable="u"))),)),
    (
        "a For on GPUThread without a constant trip count from 0 in uniform code of a block",
        (blocks(For("t", ZERO, gpu.N, gpu.block(), HERE, LoopKind.GPU_THREAD)),),
    ),
    (
        "a loop on GPUThread of a launch has reductions or private workspaces",
        (
            blocks(
                gpu.sum_of_zero(),
                For("t", ZERO, Const(4), gpu.block(), HERE, LoopKind.GPU_THREAD, reductions=(Reduction("sum", "+"),)),
            ),
        ),
    ),
    ("a Barrier of the block in uniform code of a warp", (blocks(warps(2, Barrier(BLOCK, HERE))),)),
    ("a Barrier of the warp in uniform code of a block", (blocks(Barrier(WARP, HERE)),)),
    ("a Barrier of the warp in a loop over threads", (blocks(warps(2, threads(4, Barrier(WARP, HERE)))),)),
    ("a Single of the warp in uniform code of a block", (blocks(one(WARP, WRITE)),)),
    (
        "a Combine of the block in the code of one thread",
        (blocks(gpu.sum_of_zero(), one(BLOCK, Combine("sum", "+", BLOCK, HERE))),),
    ),
    (
        "a CombineRuns in uniform code of a block",
        (blocks(gpu.sum_of_zero(), KEY, CombineRuns("sum", "k", "h", "+", HERE)),),
    ),
    ("a break or continue leads past a barrier or a combination", (blocks(_loop(Barrier(BLOCK, HERE), Break(HERE))),)),
    ("a Allocate in a loop over threads", (blocks(threads(4, gpu.shared(4))),)),
    ("a Allocate in uniform code of a block", (blocks(gpu.shared(4, MemorySpace.GLOBAL)),)),
    ("'k' is combined but not mutable", (blocks(Declare("k", "int64", ZERO, HERE), Combine("k", "+", BLOCK, HERE)),)),
    ("a block of 1056 threads; at most 1024 are possible", (blocks(warps(33, threads(32))),)),
    ("a block with 80000 bytes of shared memory", (blocks(gpu.shared(10000)),)),
)


@pytest.mark.parametrize(("message", "body"), BROKEN, ids=[message for message, _ in BROKEN])
def test_what_breaks_a_rule_is_named(message: str, body: tuple[Stmt, ...]) -> None:
    with pytest.raises(InternalError, match=message):
        verify(kernel(*body))


def test_the_shape_of_a_launch() -> None:
    def shape(*body: Stmt) -> LaunchShape:
        return launch_shape(blocks(*body))

    assert shape(threads(96)) == LaunchShape(0, 96)
    assert shape(threads(96)).threads == 96
    assert shape(warps(8, threads(32))) == LaunchShape(8, 32)
    assert shape(warps(2, threads(5))).threads == 64
    assert shape(warps(2, threads(5)), threads(100)) == LaunchShape(4, 32)
    assert shape(one(BLOCK, WRITE)).threads == 1


def test_each_warp_has_its_own_shared_array() -> None:
    assert shared_bytes(blocks(gpu.shared(10), threads(4))) == 80
    assert shared_bytes(blocks(warps(3, gpu.shared(10)))) == 240


def test_narrow_shared_arrays_take_whole_words() -> None:
    def room(dtype: str, size: int) -> int:
        array = Array("s", dtype, ArrayRole.WORKSPACE)
        return shared_bytes(blocks(Allocate(array, Const(size), gpu.HERE, space=MemorySpace.SHARED), threads(4)))

    assert [room("uint8", 3), room("bool", 5), room("int16", 3), room("float32", 3)] == [4, 8, 8, 12]


def test_the_text_says_who_acts() -> None:
    body = blocks(
        gpu.shared(4),
        gpu.sum_of_zero(),
        warps(2, Combine("sum", "max", WARP, HERE), one(WARP, If(Const(True, "bool"), gpu.block(WRITE), HERE))),
        Barrier(BLOCK, HERE),
    )
    assert print_flat(kernel(body)).text.splitlines()[1:] == [
        "    for b in [0, 1) on GPUBlock:",
        "        s = allocate(float64, 4, shared)",
        "        var sum = 0.0",
        "        for w in [0, 2) on GPUWarp:",
        "            combine(max: sum) over the warp",
        "            one thread of the warp:",
        "                if True:",
        "                    y[0] = 0.5",
        "        barrier(block)",
    ]
    runs = warps(1, gpu.sum_of_zero(), KEY, CombineRuns("sum", "k", "h", "+", HERE))
    assert "h = combine(+: sum) over lanes with equal k" in print_flat(kernel(blocks(runs))).text


def test_what_no_thread_uses_is_dropped() -> None:
    used = blocks(gpu.sum_of_zero(), Combine("sum", "+", BLOCK, HERE), one(BLOCK, WRITE))
    assert simplify(kernel(used)) == kernel(used)
    assert simplify(kernel(blocks(one(BLOCK)))) == kernel()
