"""Who does what on a GPU: lanes add up to the nonzeros; sectors and collisions are those of known access patterns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import heddle as hd
from heddle.explorer.views import compile_view
from heddle.explorer.views.code.gpu_schema import LaunchWorkView, MemoryAccessView
from heddle.explorer.views.trace.gpu_work import SECTOR_BYTES
from heddle.explorer.views.trace.trace import trace_view
from heddle.explorer.views.trace.trace_schema import TraceView
from heddle.plan import plan_from_arguments
from heddle.result import CompileResult
from heddle.tuning.search.suggest import suggest
from tests.differential.gpu.gpu_schedules import SCHEDULES

SPMV = "y(i) = A(i,j) * x(j)"
THREAD_PER_ROW = "A.7 SpMV, thread per row"
WARP_PER_ROW = "A.8 SpMV, warp per row"
SPMVS = [name for name, (expression, _, _) in SCHEDULES.items() if expression == SPMV]


def compiled(name: str, target: str = "cuda") -> CompileResult:
    expression, formats, schedule = SCHEDULES[name]
    result = hd.lower(expression, formats, schedule, target)
    result.raise_errors()
    return result


def traced(name: str, **operands: object) -> TraceView:
    view = trace_view(compiled(name), operands)
    assert view["diagnostics"] == []
    return view


def lanes(launch: LaunchWorkView) -> list[list[int]]:
    return [block["work"] for block in launch["blocks"]]


def access(launch: LaunchWorkView, array: str, kind: str) -> MemoryAccessView:
    (found,) = (one for one in launch["memory"] if (one["array"], one["kind"]) == (array, kind))
    return found


@pytest.mark.parametrize("name", SPMVS)
def test_the_lanes_of_every_spmv_add_up_to_the_nonzeros(name: str) -> None:
    view = traced(name)
    matrix = next(tensor for tensor in view["tensors"] if tensor["tensor"] == "A")
    total = sum(sum(work) for launch in view["launches"] for work in lanes(launch))
    assert total == view["visits"] == matrix["nonzeros"]


def test_a_thread_computes_its_row_and_the_rest_of_the_block_is_idle() -> None:
    (launch,) = traced(THREAD_PER_ROW)["launches"]
    assert lanes(launch) == [[2, 0, 3, 2] + [0] * 252]


def test_a_sparse_product_as_the_rules_schedule_it_is_followed() -> None:
    """All of its launches: those that bound the rows and put them in order, and one for each class of rows."""
    expression, formats = "C(i,j) = A(i,k) * B(k,j)", dict.fromkeys("ABC", "csr")
    rng = np.random.default_rng(3)
    a, b = (np.where(rng.random((6, 6)) < 0.3, 1.0, 0.0) for _ in range(2))
    plan = plan_from_arguments(expression, formats, target="cuda")
    view = trace_view(hd.lower(replace(plan, schedule=suggest(plan, None).schedule)), {"A": a, "B": b})
    assert view["diagnostics"] == []
    product = next(tensor for tensor in view["tensors"] if tensor["tensor"] == "C")
    found = np.zeros((6, 6))
    for (row, column), value in zip(product["coordinates"], product["arrays"]["C_vals"], strict=True):
        found[row, column] = value
    np.testing.assert_array_equal(found, a @ b)
    assert [len(launch["blocks"]) for launch in view["launches"]] == [1, 1, 1, 0, 0] * 2


def test_the_lanes_of_a_warp_share_its_row() -> None:
    matrix = np.zeros((16, 40))
    matrix[0, :40], matrix[1, :3] = 1, 1
    (launch,) = traced(WARP_PER_ROW, A=matrix)["launches"]
    (work,) = lanes(launch)
    assert launch["warp_size"] == 32
    assert work[:32] == [2] * 8 + [1] * 24  # 40 entries of row 0 on 32 lanes
    # Tiles of 32 positions start at multiples of 32: those of row 1 are 40, 41 and 42.
    assert work[32:64] == [0] * 8 + [1] * 3 + [0] * 21
    assert sum(work) == 43


def test_neighbouring_lanes_read_neighbouring_entries() -> None:
    """A warp per row reads 32 values of 8 bytes in 8 sectors, its whole row at once."""
    (launch,) = traced(WARP_PER_ROW, A=np.ones((1, 64)))["launches"]
    values = access(launch, "A_vals", "load")
    assert (values["accesses"], values["requests"]) == (64, 2)
    assert values["sectors"] == values["fewest"] == 64 * 8 // SECTOR_BYTES
    coordinates = access(launch, "A2_crd", "load")
    assert coordinates["sectors"] == 64 * 4 // SECTOR_BYTES


def test_a_thread_for_each_row_reads_entries_far_apart() -> None:
    """32 rows of 4 entries: each of the 4 requests of the warp touches its own sector for each lane."""
    (launch,) = traced(THREAD_PER_ROW, A=np.ones((32, 4)))["launches"]
    values = access(launch, "A_vals", "load")
    assert (values["accesses"], values["requests"], values["sectors"], values["fewest"]) == (128, 4, 128, 32)
    stores = access(launch, "y_vals", "store")
    assert (stores["accesses"], stores["sectors"], stores["collisions"]) == (32, 8, 0)


def test_atomics_of_one_row_collide() -> None:
    """All 8 rows of the transposed matrix add into y(0): one request, 7 lanes wait for another."""
    matrix = np.zeros((8, 2))
    matrix[:, 0] = 1
    (launch,) = traced("SpMV of a transposed matrix", A=matrix)["launches"]
    atomics = access(launch, "y_vals", "atomic")
    assert (atomics["accesses"], atomics["requests"], atomics["collisions"]) == (8, 1, 7)
    assert (atomics["tensor"], atomics["level"]) == ("y", None)


def test_the_shape_of_a_launch_is_in_the_result_and_in_its_view() -> None:
    result = compiled("A.9 SpMV")
    search, main = result.launches
    assert (main.threads, main.warps, main.lanes) == (64, 2, 32)
    assert [(loop.name, loop.unit.value, loop.variable) for loop in main.loops] == [
        ("block", "GPUBlock", "block"),
        ("warp", "GPUWarp", "warp"),
        ("thread", "GPUThread", "thread"),
    ]
    assert main.grid == "(A2_pos[A1_dimension] + 63) // 64"
    assert result.plan.schedule[main.command or 0].startswith("parallelize(block")
    assert search.warps == 0
    view = compile_view(result)
    assert [launch["name"] for launch in view["launches"]] == [search.name, main.name]
    assert view["code"] is not None
    assert f"void __launch_bounds__(64) {main.name}(" in view["code"]["text"]


def test_shared_memory_is_counted_for_each_warp_and_has_no_sectors() -> None:
    name = "SpMM, a row of B in each warp's shared memory"
    (launch,) = compiled(name).launches
    assert launch.shared_bytes == launch.warps * 32 * 8
    (work,) = traced(name)["launches"]
    assert {one["tensor"] for one in work["memory"]} == {"A", "B", "C"}


def test_a_kernel_for_the_cpu_has_no_launches() -> None:
    result = hd.lower(SPMV, {"A": "csr"}, "parallelize(i, CPUThread, NoRaces)")
    assert result.launches == ()
    assert trace_view(result)["launches"] == compile_view(result)["launches"] == []
