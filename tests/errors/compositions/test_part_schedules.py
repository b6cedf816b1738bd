"""Commands over the parts of an operand that cannot be: each mistake with its code, words, place and repair."""

from __future__ import annotations

import pytest

import heddle as hd

SPMM = "C(i,k) = A(i,j) * B(j,k)"
WIDE = "pieces(8) where length <= 8 + pieces(128) where length <= 128 + csr"
CONCAT = "concat(t, A[*])"
PARALLEL = "parallelize(t, CPUThread, NoRaces)"
REFUSED = [
    (
        "hyb(1,2)",
        ["A[ell8]: split(k, k0, k1, 4)"],
        "schedule/unknown-part",
        "A has no part ell8. Its parts are ell1, ell2, ell4, with the numbers 0 to 2.",
        "A[ell8]",
        ["A[ell4]: split(k, k0, k1, 4)"],
    ),
    (
        "hyb(1,2)",
        ["B[*]: split(k, k0, k1, 4)"],
        "schedule/no-parts",
        "B is not stored as a sum of parts. Only A is.",
        "B[*]",
        ["A[*]: split(k, k0, k1, 4)"],
    ),
    ("csr", [CONCAT], "schedule/no-parts", "A is not stored as a sum of parts.", "A[*]", []),
    (
        WIDE,
        ["A[0..1]: split(k, k0, k1, 64/width)"],
        "schedule/bad-size",
        "in part pieces128, the size of a tile must be an integer between 1 and 2147483647, not 0.",
        "64/width",
        ["A[0..1]: split(k, k0, k1, 16)"],
    ),
    (
        WIDE,
        ["A[*]: split(k, k0, k1, width)"],
        "schedule/no-constant",
        "csr has no width. Select A[0, 1].",
        "width",
        ["A[0, 1]: split(k, k0, k1, width)"],
    ),
    (
        "hyb(1,2)",
        ["A[*]: split(k, k0, k1, 8 / part)"],
        "schedule/bad-arithmetic",
        "in part ell1, 8 / part has no value: a division by 0.",
        "8 / part",
        [],
    ),
    (
        "hyb(1,2)",
        ["A[*]: split(k, k0, k1, 8 * widht)"],
        "schedule/bad-argument",
        "must be an integer, or arithmetic with width, height, part, parts, widest, found `8 * widht`.",
        "8 * widht",
        [],
    ),
    (
        "csr where length <= 2 + dcsr",
        ["A[*]: parallelize(i, CPUThread, NoRaces)", "A[*]: unroll(i, 4)"],
        "schedule/already-tagged",
        "in part csr, i_csr is already parallelized by command 1.",
        "i",
        ["A[*]: parallelize(i, CPUThread, NoRaces)"],
    ),
    (
        "csr where length <= 2 + csc",
        ["A[*]: parallelize(j, CPUThread, NoRaces)"],
        "schedule/race",
        "in part csr, two iterations of j_csr add into the same C(i_csr, k_csr).",
        "NoRaces",
        ["A[*]: parallelize(j, CPUThread, Atomics)"],
    ),
    (
        "hyb(1,1)",
        ["share(i, A[*])"],
        "schedule/stored-range",
        "i_ell1 visits what ell1 stores, which differs from part to part. Share a loop over ranges of coordinates: "
        "write A[*]: split(i, i0, i1, 256) and share(i0, A[*]).",
        "i",
        ["A[*]: split(i, i0, i1, 256)", "share(i0, A[*])"],
    ),
    (
        "hyb(1,1)",
        ["A[0]: split(i, i0, i1, 64)", "A[1]: split(i, i0, i1, 32)", "share(i0, A[*])"],
        "schedule/unlike-ranges",
        "i0_ell1 of ell1 runs over i0 of split(i, i0, i1, 64), the range of i, but i0_ell2 of ell2 over i0 of "
        "split(i, i0, i1, 32), the range of i.",
        "A[*]",
        None,
    ),
    (
        "csr where row < 3 + csr",
        ["share(k, A[*])"],
        "schedule/not-outermost",
        "the outermost loop of csr is i_csr, not k_csr.",
        "k",
        None,
    ),
    (
        "csr where row < 3 + csr",
        ["A[0]: parallelize(i, CPUThread, NoRaces)", "share(i, A[*])"],
        "schedule/already-tagged",
        "i_csr is already parallelized by command 1.",
        "A[*]",
        None,
    ),
    (
        "csr where row < 3 + csr",
        ["share(i, A[0])"],
        "schedule/one-part",
        "A[0] selects csr alone, and share makes one loop of several.",
        "A[0]",
        ["share(i, A[*])"],
    ),
    (
        "hyb(1,1)",
        [CONCAT, "concat(u, A[*])"],
        "schedule/joined-before",
        "ell1 has one loop with another part already.",
        "A[*]",
        [CONCAT],
    ),
    (
        "hyb(1,1)",
        ["A[*]: bound(i, ib, 64, MaxConstraint)", CONCAT],
        "schedule/uncounted-loop",
        "ib_ell1 of ell1 visits the coordinates i_ell1 that the part stores",
        "A[*]",
        None,
    ),
    (
        "csr where row < 3 + csr",
        ["A[0]: precompute(A(i,j) * B(j,k), {i, k}, {iw, kw})", CONCAT],
        "schedule/no-outer-loop",
        "the statement of csr has no outermost loop",
        "A[*]",
        None,
    ),
    (
        "hyb(4,3)",
        [CONCAT, PARALLEL],
        "schedule/parts-race",
        "two parts of A may add into the same C(i_ell1, k_ell1): the tests of A may divide one C(i_ell1, k_ell1) among "
        "parts, and t runs through the parts side by side. Use Atomics, store A so that the tests ask for whole "
        "rows, as in hyb(1,3,whole), or give the parts one loop over ranges of rows with share, as "
        "hyb(4,3,64) has them.",
        "NoRaces",
        [CONCAT, "parallelize(t, CPUThread, Atomics)"],
    ),
    (
        "ell(4) where length <= 4 + csr",
        [CONCAT, PARALLEL],
        "schedule/parts-race",
        "ell4 and csr of A visit places where other parts have entries",
        "NoRaces",
        [CONCAT, "parallelize(t, CPUThread, Atomics)"],
    ),
    (
        "csr where row < 3 + csr",
        ["A[0]: parallelize(j, CPUThread, Atomics)", "A[1]: parallelize(j, GPUThread, Atomics)", CONCAT],
        "schedule/unlike-units",
        "csr runs on CPUThread, but csr_2 on GPUThread: one loop over both would run on a CPU and on a GPU.",
        "A[*]",
        None,
    ),
    (
        "hyb(1,1)",
        ["A[*] split(i, i0, i1, 4)"],
        "schedule/selector",
        "before a command come the parts of a tensor and a colon, such as A[*]: or A[ell4, csr]: or A[0..2]:, "
        "found `A[*]`.",
        "A[*]",
        [],
    ),
    (
        "hyb(1,1)",
        ["A[*]: concat(t, A[*])"],
        "schedule/selector",
        "concat says by itself which parts it is for: concat(whole, parts). Leave out A[*]: before it.",
        "A[*]: ",
        [],
    ),
    (
        "csr",
        ["sparse_fuse(i, j)"],
        "schedule/unknown-command",
        "sparse_fuse of SparseTIR is fuse here",
        "sparse_fuse(i, j)",
        ["fuse(i, j, ij)"],
    ),
    (
        "csr",
        ["sparse_reorder(k, j)"],
        "schedule/unknown-command",
        "sparse_reorder of SparseTIR is reorder here",
        "sparse_reorder",
        ["reorder(k, j)"],
    ),
]


@pytest.mark.parametrize(("format", "schedule", "code", "message", "place", "repaired"), REFUSED)
def test_refused(
    format: str, schedule: list[str], code: str, message: str, place: str, repaired: list[str] | None
) -> None:
    result = hd.lower(SPMM, {"A": format}, schedule)
    (diagnostic,) = result.diagnostics
    assert diagnostic.code == code
    assert message in diagnostic.message
    location = diagnostic.location
    assert location is not None
    assert location.command == len(schedule) - 1
    assert schedule[-1][location.start : location.end] == place
    assert diagnostic.fixes
    if repaired is not None:
        assert list(diagnostic.fixes[0].schedule or ()) == repaired
        assert hd.lower(SPMM, {"A": format}, repaired).ok


def test_a_result_in_parts_is_assigned_where_its_operand_is_visited() -> None:
    command = "A[*]: precompute(A(i,j), j, jw, w)"
    (diagnostic,) = hd.lower("C(i,j) = A(i,j)", dict.fromkeys("AC", "hyb(1,2)"), command).diagnostics
    assert diagnostic.code == "schedule/parts-positions"
    assert diagnostic.message == (
        f"`{command}`: in part ell1, C has a value at the position of each entry of A, but behind this command it is "
        "assigned from w_ell1, in loops that do not visit A. Precompute a part that is without A."
    )
    assert diagnostic.location is not None
    assert command[diagnostic.location.start : diagnostic.location.end] == "A(i,j)"


def test_what_a_selected_command_is_refused_for_in_one_part_is_applied_to_none() -> None:
    result = hd.lower(SPMM, {"A": WIDE}, ["A[*]: split(k, k0, k1, width)"])
    assert not result.ok
    assert len(result.graphs) == 1
