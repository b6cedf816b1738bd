"""GPU schedules give what NumPy gives, at sizes that nothing divides; the checked interpreter finds no race."""

from __future__ import annotations

import pytest

import heddle as hd
from heddle.schedule.gpu_default import default_gpu_schedule
from tests.differential.check import check
from tests.differential.gpu.gpu_schedule_parts import TTV
from tests.differential.gpu.gpu_schedules import SCHEDULES, commands


def small(name: str) -> dict[str, int] | None:
    """The oracle would take long for the usual sizes of six dimensions."""
    return {"k": 2, "l": 3, "m": 2, "n": 3} if name == "MTTKRP of order 5" else None


@pytest.mark.takes_turns(10, among="OpenCL devices")
@pytest.mark.combinations(3)
@pytest.mark.parametrize("name", SCHEDULES)
def test_the_result_is_right(name: str) -> None:
    expression, formats, schedule = SCHEDULES[name]
    check(expression, formats, commands(schedule), targets=("interpreter",), sizes=small(name))


PROGRAMS = {(expression, tuple(formats.items())): name for name, (expression, formats, _) in SCHEDULES.items()}
"""Each program once, by the name of one of its schedules."""


@pytest.mark.combinations(2)
@pytest.mark.parametrize("name", PROGRAMS.values())
def test_a_program_without_a_schedule_gets_one_that_is_right(name: str) -> None:
    expression, formats, _ = SCHEDULES[name]
    graph = hd.lower(expression, formats).graphs[0]
    schedule = default_gpu_schedule(graph)
    assert schedule is not None
    check(expression, formats, "\n".join(schedule), targets=("interpreter",), sizes=small(name))


def test_sums_that_stand_outside_come_inside_for_threads() -> None:
    """Each thread sums what it has in a register; where nothing has to move no command is spent on it."""
    spmm = "C(i,k) = A(i,j) * B(j,k)"
    assert default_gpu_schedule(hd.lower(spmm).graphs[0]) == (
        "reorder(i, k, j)",
        "split(i, block, thread, 256)",
        "parallelize(block, GPUBlock, NoRaces)",
        "parallelize(thread, GPUThread, NoRaces)",
    )
    of_old = hd.lower({"version": 1, "expression": spmm}).graphs[0]
    assert default_gpu_schedule(of_old) == default_gpu_schedule(hd.lower(spmm).graphs[0])[1:]  # type: ignore[index]
    entries = default_gpu_schedule(hd.lower(spmm, {"A": "csr"}).graphs[0])
    assert entries is not None
    assert [command for command in entries if command.startswith("reorder")] == [
        "reorder(i, j, k)",
        "reorder(block, warp, columns, thread, entry)",
    ]


@pytest.mark.parametrize(
    ("format", "warps", "lanes"), [("csr", "Atomics", "ParallelReduction"), ("csc", "IgnoreRaces", "Atomics")]
)
def test_the_entries_of_a_sparse_operand_are_shared_out_evenly(format: str, warps: str, lanes: str) -> None:
    """Neighbours in a row combine; in a column each adds into its own place."""
    graph = hd.lower("y(i) = A(i,j) * x(j)", {"A": format}).graphs[0]
    schedule = default_gpu_schedule(graph)
    assert schedule is not None
    assert schedule[2:] == (
        "split(p, block, p1, 1024)",
        "split(p1, warp, p2, 128)",
        "split(p2, turn, thread, 32)",
        "reorder(block, warp, turn, thread)",
        "parallelize(block, GPUBlock, IgnoreRaces)",
        f"parallelize(warp, GPUWarp, {warps})",
        f"parallelize(thread, GPUThread, {lanes})",
    )


def test_each_block_searches_its_first_row_once() -> None:
    expression, formats, schedule = SCHEDULES["A.9 SpMV"]
    flat = hd.lower(expression, formats, commands(schedule), "interpreter").flat
    assert flat is not None
    lines = [line.strip() for line in flat.text.splitlines()]
    assert "var row = search_before(A2_pos, [0, A1_dimension), block_number * 64)" in lines
    assert "iA_first = iA_starts[block]" in lines
    assert any(line.startswith("var iA = search_before(A2_pos, [iA_first, ") for line in lines)


def test_blocks_search_every_level_above_their_entries() -> None:
    """No thread searches a tensor's whole level: the first row of a block is that of its first fibre."""
    flat = hd.lower(TTV, {"B": "csf"}, target="cuda").flat
    assert flat is not None
    lines = [line.strip() for line in flat.text.splitlines()]
    fibre = lines.index("var row = search_before(B3_pos, [0, B2_pos[B1_pos[1]]), block_number * 1024)")
    assert lines[fibre + 1 : fibre + 4] == [
        "jB_starts[block_number] = row",
        "var row2 = search_before(B2_pos, [0, B1_pos[1]), row)",
        "iB_starts[block_number] = row2",
    ]
    assert "var iB = search_before(B2_pos, [iB_first, min(iB_last + 1, B1_pos[1])), jB)" in lines


def test_a_guard_that_is_not_monotone_only_skips() -> None:
    """A thread whose first slot lies before its row goes on with the next one."""
    expression, formats, schedule = SCHEDULES["A.8 SpMV, warp per row"]
    flat = hd.lower(expression, formats, commands(schedule), "interpreter").flat
    assert flat is not None
    lines = [line.strip() for line in flat.text.splitlines()]
    assert lines[lines.index("if jpos >= A2_pos[i]:") + 1] == "if jpos >= A2_pos[i + 1]:"
    assert lines[lines.index("combine(+: y_sum) over the warp") + 1] == "one thread of the warp:"
