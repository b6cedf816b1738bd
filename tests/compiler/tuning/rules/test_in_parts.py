"""Schedules for operands that are sums of parts: each part by its own rule, and what comes of it is right."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import heddle as hd
from heddle.plan import plan_from_arguments
from heddle.tuning.facts.machine import Machine
from heddle.tuning.facts.statistics import statistics_of
from heddle.tuning.search.for_all_parts import PartCommands, for_all_parts
from heddle.tuning.search.suggest import suggest
from tests.compiler.tuning.programs import SPMM, SPMV

pytestmark = pytest.mark.takes_turns(4)

MACHINE = Machine(2, 32, 16, 1 << 25, core_cache_bytes=1 << 20)


def matrix(rows: int = 400, columns: int = 500) -> scipy.sparse.csr_array:
    """Rows of 1 to 60 entries, with a dense corner."""
    rng = np.random.default_rng(4)
    lengths = rng.integers(1, 61, rows)
    cells = [row * columns + np.sort(rng.permutation(columns)[:length]) for row, length in enumerate(lengths)]
    found = np.concatenate(cells)
    made = scipy.sparse.coo_array((rng.random(found.size), (found // columns, found % columns)), shape=(rows, columns))
    made = made.tolil()
    made[:40, :40] = 1
    return made.tocsr()


@pytest.mark.combinations(6, "format", "expression")
@pytest.mark.parametrize(
    "format",
    [
        "hyb(1,5)",
        "hyb(1,3,whole)",
        "hyb(4,3)",
        "bcsr(4,4) where tile(4,4) >= 8 + csr",
        "ell(4) where slot < 4 + coo",
        "dia where depth >= 50 + csr",
    ],
)
@pytest.mark.parametrize("expression", [SPMV, SPMM, "C(i,k) = 2 * D(i,k) + A(i,j) * B(j,k)"])
def test_what_the_rules_make_of_parts_is_right(format: str, expression: str) -> None:
    a, rng = matrix(), np.random.default_rng(5)
    operands = {"A": a, "x": rng.random(500), "B": rng.random((500, 64)), "D": rng.random((400, 64))}
    given = {name: one for name, one in operands.items() if f"{name}(" in expression}
    kernel = hd.compile(expression, {"A": format}, options={"schedule": "auto"})
    found = kernel(**given).to_numpy()
    expected = a @ (operands["x"] if "x" in given else operands["B"])
    np.testing.assert_allclose(found, expected + 2 * operands["D"] if "D" in given else expected, rtol=1e-12)


def test_each_part_has_the_commands_of_its_own_rule() -> None:
    packed = hd.pack(matrix(), "bcsr(4,4) where tile(4,4) >= 8 + csr")
    plan = plan_from_arguments(SPMM, {"A": "bcsr(4,4) where tile(4,4) >= 8 + csr"}, shapes={"B": (500, 64)})
    chosen = suggest(plan, {"A": statistics_of(packed)}, MACHINE)
    assert chosen.rule == "in-parts"
    blocks = [command for command in chosen.schedule if "i_bcsr4x4_inner" in command]
    assert "unroll(i_bcsr4x4_inner, 4)" in blocks
    rows = [command for command in chosen.schedule if "_csr" in command]
    assert rows[:2] == ["bound(k_csr, k_csrb, 64, MaxExact)", "split(k_csrb, k_csr0, k_csr1, 32)"]
    assert "bcsr4x4: 4 rows of A share each row of B while it is in registers." in chosen.reasons
    assert "csr: 32 columns of k stay in registers across the sum over j, and are stored once." in chosen.reasons


def test_parts_that_are_alike_say_it_once() -> None:
    plan = plan_from_arguments(SPMM, {"A": "hyb(1,2)"}, shapes={"B": (500, 64)})
    chosen = suggest(plan, {"A": statistics_of(hd.pack(matrix(), "hyb(1,2)"))}, MACHINE)
    assert chosen.reasons[0].startswith("ell1, ell2, ell4: 32 columns of k stay in registers")


def test_parts_that_are_alike_have_one_command() -> None:
    """Five lines for each part were twenty-six for an hyb of five."""
    plan = plan_from_arguments(SPMM, {"A": "hyb(1,2)"}, shapes={"B": (500, 64)})
    chosen = suggest(plan, {"A": statistics_of(hd.pack(matrix(), "hyb(1,2)"))}, MACHINE)
    assert chosen.schedule[:3] == (
        "A[*]: bound(k, kb, 64, MaxExact)",
        "A[*]: split(kb, k0, k1, 32)",
        "A[*]: reorder(i, k0, j, k1)",
    )
    assert all(command.startswith(("A[*]: ", "share", "parallelize(i0,")) for command in chosen.schedule)


def test_what_threads_share_is_not_said_to_be_sequential() -> None:
    plan = plan_from_arguments(SPMM, {"A": "hyb(1,3)"}, shapes={"B": (500, 64)})
    chosen = suggest(plan, {"A": statistics_of(hd.pack(matrix(3000, 500), "hyb(1,3)"))}, MACHINE)
    assert any("Threads share" in reason for reason in chosen.reasons)
    assert not any("One thread" in reason for reason in chosen.reasons)


def test_rows_that_come_again_have_lanes() -> None:
    """Each range of columns has rows of its own: no sum over a row is whole, so that no register can hold it."""
    plan = plan_from_arguments(SPMM, {"A": "hyb(2,3)"}, shapes={"B": (500, 32)})
    chosen = suggest(plan, {"A": statistics_of(hd.pack(matrix(), "hyb(2,3)"))}, MACHINE)
    assert chosen.schedule == ("A[*]: bound(k, k1, 32, MaxExact)", "A[*]: parallelize(k1, CPUVector, NoRaces)")
    a, others = matrix(), np.random.default_rng(2).random((500, 32))
    np.testing.assert_allclose(hd.Kernel(chosen.result)(A=a, B=others).to_numpy(), a @ others, rtol=1e-12)


def test_parts_that_differ_keep_commands_of_their_own() -> None:
    lanes = "parallelize(i_{0}, CPUVector, NoRaces)"
    split = "split(i_{0}, i_{0}0, i_{0}1, {1})"
    parts = [
        PartCommands(name, f"_{name}", (split.format(name, size), lanes.format(name)))
        for name, size in (("ell1", 8), ("ell2", 4), ("ell4", 8))
    ]
    known = {f"i_{part.label}" for part in parts}
    assert for_all_parts("A", parts, known) == (
        "A[ell1, ell4]: split(i, i0, i1, 8)",
        "A[ell1, ell4]: parallelize(i, CPUVector, NoRaces)",
        "split(i_ell2, i_ell20, i_ell21, 4)",
        "parallelize(i_ell2, CPUVector, NoRaces)",
    )
    assert for_all_parts("A", parts[:2], known) is None


def test_the_statistics_of_a_sum_are_those_of_all_entries_and_of_each_part() -> None:
    a = matrix()
    known = statistics_of(hd.pack(a, "ell(4) where slot < 4 + csr"))
    plain = statistics_of(hd.pack(a, "csr"))
    assert (known.nonzeros, known.longest, known.empty) == (plain.nonzeros, plain.longest, plain.empty)
    first, rest = known.parts
    assert first.longest == 4
    assert first.nonzeros + rest.nonzeros == a.nnz


@pytest.mark.combinations(2)
@pytest.mark.parametrize(
    ("format", "last"),
    [
        ("hyb(4,3,16)", ["share(i_part, A[*])", "parallelize(i_part, CPUThread, NoRaces)"]),
        ("csr where slot < 9 + csr", ["share(i, A[*])", "parallelize(i, CPUThread, NoRaces)"]),
        ("hyb(1,3,whole)", ["concat(t, A[*])", "parallelize(t, CPUThread, NoRaces)"]),
        (
            "hyb(1,3)",
            ["A[*]: split(i, i0, i1, 512)", "share(i0, A[*])", "parallelize(i0, CPUThread, NoRaces)"],
        ),
    ],
)
def test_parts_are_one_loop_on_threads_where_they_never_meet(format: str, last: list[str]) -> None:
    a = matrix(3000, 500)
    plan = plan_from_arguments(SPMM, {"A": format}, shapes={"B": (500, 64)})
    chosen = suggest(plan, {"A": statistics_of(hd.pack(a, format))}, MACHINE)
    assert list(chosen.schedule[-len(last) :]) == last
    others = np.random.default_rng(2).random((500, 64))
    found = hd.Kernel(chosen.result)(A=a, B=others).to_numpy()
    np.testing.assert_allclose(found, a @ others, rtol=1e-12)


def test_parts_that_meet_keep_loops_of_their_own() -> None:
    format = "bcsr(4,4) where tile(4,4) >= 8 + csr"
    plan = plan_from_arguments(SPMM, {"A": format}, shapes={"B": (500, 64)})
    chosen = suggest(plan, {"A": statistics_of(hd.pack(matrix(), format))}, MACHINE)
    assert not any(command.startswith(("share", "concat", "A[")) for command in chosen.schedule)
