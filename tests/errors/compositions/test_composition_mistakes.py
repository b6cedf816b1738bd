"""The mistakes that a person makes with sums of parts, one row each: what was expected, what was found, and the repair
that compiles; at the compile, or where only the data can tell, at the call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pytest

import heddle as hd
from heddle.explorer.quick_fixes.fixes import find_fixes, with_fix
from heddle.runtime.tensors.composite import Composite

SPMM = "C(i,k) = A(i,j) * B(j,k)"
WIDE = "pieces(8) where length <= 8 + pieces(128) where length <= 128 + csr"
WHOLE = "a whole number from 1 to 4096"
HYB = "hyb(2,3), hyb(2,3,64) or hyb(1,3,whole)"
COMPARED = "<, <=, >, >=, == or != and a whole number, or `in 3..4`"


@dataclass(frozen=True, slots=True)
class Mistake:
    """A program, and the one diagnostic that it gets: ``says`` is in its message, and one of its repairs is called
    ``fix``."""

    format: str
    code: str
    says: str
    expected: str
    found: str
    fix: str
    schedule: tuple[str, ...] = ()
    expression: str = SPMM
    others: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] | None = None
    left: str | None = None
    """A mistake beside it, which the repair leaves."""
    unread: bool = False
    """There is no plan: its document is refused."""


MISTAKES: dict[str, Mistake] = {
    "1 no range": Mistake(
        "hyb(0,2)", "format/parts-count", "`0` cannot be the number of column", WHOLE, "`0`", "Use hyb(1,2) for A"
    ),
    "1 too many ranges": Mistake(
        "hyb(2000000,2)",
        "format/parts-count",
        "`2000000` cannot be the number",
        WHOLE,
        "`2000000`",
        "Use hyb(4096,2) for A",
    ),
    "2 bucket": Mistake(
        "hyb(1,31)",
        "format/bucket",
        "be the largest bucket",
        "a whole number from 0 to 12",
        "`31`",
        "Use hyb(1,12) for A",
    ),
    "3 one number": Mistake("hyb(2)", "format/hyb", "hyb has two numbers", HYB, "hyb(2)", "Use hyb(1,3) for A"),
    "3 four numbers": Mistake(
        "hyb(1,2,3,4)", "format/hyb", "hyb has two numbers", HYB, "hyb(1,2,3,4)", "Use hyb(1,3,whole) for A"
    ),
    "4 order": Mistake(
        "hyb(1,2)",
        "format/order-mismatch",
        "hyb is a format of matrices, but A has 3 dimensions",
        "a matrix",
        "3 dimensions",
        "Use ell3d(4,8) where length <= 8 + csf for A",
        expression="y(i) = A(i,j,k) * x(k)",
    ),
    "5 unreached": Mistake(
        "csr + coo",
        "format/unreached-part",
        "part 2 of A never gets an entry, because csr before it takes all: it has no `where`",
        "a `where` in every part but the last",
        "csr",
        "Use csr for A",
    ),
    "6 left over": Mistake(
        "ell(4) where length <= 4",
        "format/left-over",
        "entries of A that fail the tests have no place to be stored in",
        "a last part without `where`",
        "ell(4) where length <= 4",
        "Use ell(4) where length <= 4 + csr for A",
    ),
    "7 too narrow": Mistake(
        "ell(4) where length <= 8 + csr",
        "format/too-narrow",
        "ell4 has 4 slots for each row of A, but its test admits rows of up to 8 entries",
        "rows of at most 4 entries",
        "up to 8",
        "Use pieces(4) where length <= 8 + csr for A",
    ),
    "8 quantity": Mistake(
        "csr where lenght < 3 + csr",
        "format/quantity",
        "did you mean length?",
        "one of length, slot, piece(c,w), tile(a,b), diagonal, depth, row, column, along(d), count(d)",
        "`lenght`",
        "Use csr where length < 3 + csr for A",
    ),
    "9 fraction": Mistake(
        "csr where length < 2.5 + csr",
        "format/comparison",
        "compares with a whole number",
        COMPARED,
        "`< 2.5`",
        "Use csr where length < 3 + csr for A",
    ),
    "9 comparison": Mistake(
        "csr where length ~ 3 + csr",
        "format/comparison",
        "compares with a whole number",
        COMPARED,
        "`~ 3`",
        "Use csr where length == 3 + csr for A",
    ),
    "10 tile": Mistake(
        "csr where tile(3,0) > 1 + csr",
        "format/quantity",
        "tile(a,b) is how many entries its tile of a × b has",
        "2 from 1 to 1024",
        "(3,0)",
        "Use csr where tile(3,1) > 1 + csr for A",
    ),
    "11 two of one name": Mistake(
        "a = csr where row < 3 + a = coo",
        "format/part-name",
        "two parts of A are called a, at characters 1 and 24",
        "a name of its own for each part",
        "a twice",
        "Use a = csr where row < 3 + a_2 = coo for A",
    ),
    "12 too many parts": Mistake(
        "+".join(["csr where row<1"] * 13 + ["coo"] * 4),
        "format/parts",
        "the format of A has 17 parts, the limit is 16",
        "at most 16 parts",
        "17",
        "Use hyb(1,4) for A",
    ),
    "13 result in other parts": Mistake(
        "hyb(1,1)",
        "format/result-composition",
        "S is stored as hyb(1,2) and A is stored as hyb(1,1). Store S as A, or dense.",
        "the parts and the pattern of an operand",
        "hyb(1,2)",
        "Store S as hyb(1,1)",
        expression="S(i,j) = A(i,j) * B(i,j)",
        others={"S": "hyb(1,2)"},
    ),
    "14 not neutral": Mistake(
        "hyb(1,1)",
        "format/not-decomposable",
        "Where A stores nothing, exp(A(i,j)) * x(j) is x(j), which every part would contribute.",
        "an expression that is 0 where A stores nothing",
        "x(j)",
        "Store A as csr",
        expression="y(i) = exp(A(i,j)) * x(j)",
    ),
    "15 read in two ways": Mistake(
        "hyb(1,1)",
        "format/composed",
        "A(i,j) and A(j,k) would each need all parts of A",
        "one way to read it",
        "hyb(1,1)",
        "Store A as csr",
        expression="y(i) = A(i,j) * A(j,k) * x(k)",
    ),
    "16 two sums": Mistake(
        "csr where row < 2 + dcsr",
        "format/composed",
        "A and B are both sums of parts",
        "one operand that is a sum of parts",
        "hyb(1,1)",
        "Store B as csr",
        expression="y(i) = A(i,j) * B(i,j)",
        others={"B": "hyb(1,1)"},
    ),
    "17 sparse result": Mistake(
        "hyb(1,1)",
        "format/composed",
        "each of which adds into C, which is stored as csr",
        "C dense",
        "hyb(1,1)",
        "Store C dense",
        others={"C": "csr"},
    ),
    "18 unknown part": Mistake(
        "hyb(1,2)",
        "schedule/unknown-part",
        "A has no part ell8. Its parts are ell1, ell2, ell4, with the numbers 0 to 2.",
        "parts of A",
        "ell8",
        "Write A[ell4]: split(k, k0, k1, 4)",
        ("A[ell8]: split(k, k0, k1, 4)",),
    ),
    "18 no parts": Mistake(
        "hyb(1,2)",
        "schedule/no-parts",
        "B is not stored as a sum of parts. Only A is.",
        "a tensor that is a sum of parts",
        "B",
        "Write A[*]: split(k, k0, k1, 4)",
        ("B[*]: split(k, k0, k1, 4)",),
    ),
    "19 size of 0": Mistake(
        WIDE,
        "schedule/bad-size",
        "in part pieces128, the size of a tile must be an integer",
        "an integer between 1 and 2147483647",
        "0",
        "Write A[0..1]: split(k, k0, k1, 16)",
        ("A[0..1]: split(k, k0, k1, 64/width)",),
    ),
    "20 no width": Mistake(
        "pieces(8) where length <= 8 + pieces(16) where length <= 128 + csr",
        "schedule/no-constant",
        "csr has no width. Select A[0, 1].",
        "a constant of csr: part, parts, widest",
        "width",
        "Write A[0, 1]: unroll(j, width)",
        ("A[*]: unroll(j, width)",),
    ),
    "21 refused in one part": Mistake(
        "csr where length <= 2 + dcsr",
        "schedule/already-tagged",
        "in part csr, i_csr is already parallelized by command 1",
        "a loop without a tag",
        "i_csr, parallelized",
        "Remove A[*]: unroll(i, 4)",
        ("A[*]: parallelize(i, CPUThread, NoRaces)", "A[*]: unroll(i, 4)"),
    ),
    "22 unlike ranges": Mistake(
        "hyb(1,1)",
        "schedule/unlike-ranges",
        "i0_ell1 of ell1 runs over i0 of split(i, i0, i1, 64), the range of i, but i0_ell2 of ell2 over",
        "i0 of split(i, i0, i1, 64), the range of i",
        "i0 of split(i, i0, i1, 32), the range of i",
        "Remove share(i0, A[*])",
        ("A[0]: split(i, i0, i1, 64)", "A[1]: split(i, i0, i1, 32)", "share(i0, A[*])"),
    ),
    "22 not outermost": Mistake(
        "csr where row < 3 + csr",
        "schedule/not-outermost",
        "the outermost loop of csr is i_csr, not k_csr",
        "the outermost loop of csr",
        "k",
        "Remove share(k, A[*])",
        ("share(k, A[*])",),
    ),
    "22 tagged": Mistake(
        "csr where row < 3 + csr",
        "schedule/already-tagged",
        "i_csr is already parallelized by command 1",
        "a loop without a tag",
        "i_csr, parallelized",
        "Remove share(i, A[*])",
        ("A[0]: parallelize(i, CPUThread, NoRaces)", "share(i, A[*])"),
    ),
    "23 parts that meet": Mistake(
        "hyb(4,3)",
        "schedule/parts-race",
        "two parts of A may add into the same C(i_ell1, k_ell1)",
        "a strategy for C(i_ell1, k_ell1), or parts that never meet there",
        "NoRaces on parts that may meet",
        "Store A as hyb(4,3,64), and write share(i_part, A[*]), parallelize(i_part, CPUThread, NoRaces)",
        ("concat(t, A[*])", "parallelize(t, CPUThread, NoRaces)"),
    ),
    "24 two machines": Mistake(
        "csr where row < 3 + csr",
        "schedule/unlike-units",
        "csr runs on CPUThread, but csr_2 on GPUThread",
        "CPUThread, or GPUThread, in all parts",
        "CPUThread and GPUThread",
        "Remove concat(t, A[*])",
        (
            "A[0]: parallelize(j, CPUThread, Atomics)",
            "A[1]: parallelize(j, GPUThread, Atomics)",
            "concat(t, A[*])",
        ),
        left="schedule/unit-of-target",
    ),
    "25 sparse_fuse": Mistake(
        "csr",
        "schedule/unknown-command",
        "sparse_fuse of SparseTIR is fuse here",
        "fuse",
        "sparse_fuse(i, j)",
        "Write fuse(i, j, ij)",
        ("sparse_fuse(i, j)",),
    ),
    "25 sparse_reorder": Mistake(
        "csr",
        "schedule/unknown-command",
        "sparse_reorder of SparseTIR is reorder here",
        "reorder",
        "sparse_reorder",
        "Write reorder(k, j)",
        ("sparse_reorder(k, j)",),
    ),
    "27 parts of nothing": Mistake(
        "dense, parts(8)",
        "format/misplaced-level",
        "no level below it stores the coordinates inside the parts",
        "a level below it for the same dimension, as in `parts(8), dense, compressed : 0,0,1`",
        "`dense, parts(8)`",
        "Use parts(8), dense, compressed : 0,0,1 for A",
    ),
    "29 conversion": Mistake(
        "csr where row < 3 + dcsr",
        "format/conflicting-orders",
        "A_csr is stored i_csr→j_csr and B is stored j_csr→i_csr",
        "one order of the loops that visits each tensor in its storage order",
        "A_csr is stored i_csr→j_csr and B is stored j_csr→i_csr",
        "Store B as csr",
        expression="C(i,j) = A(i,j) * B(i,j)",
        others={"B": "csc"},
        options={"convert": "automatic"},
    ),
    "30 too long": Mistake(
        " + ".join(["csr where row < 1"] * 13),
        "plan/too-long",
        "tensors.A.format has 257 characters, the limit is 256",
        "at most 256 characters",
        "257 characters",
        "Leave out spaces in the format of A",
        unread=True,
    ),
    "30 much too long": Mistake(
        "+".join([*(f"csr where length == {length}" for length in range(20)), "dcsr"]),
        "plan/too-long",
        "tensors.A.format has 454 characters, the limit is 256",
        "at most 256 characters",
        "454 characters",
        "Keep 12 parts of A, and dcsr for all other entries",
        unread=True,
    ),
    "30 where without +": Mistake(
        "csr where row < 3",
        "format/left-over",
        "entries of A that fail the tests have no place to be stored in. Add a part for them.",
        "a last part without `where`",
        "csr where row < 3",
        "Use csr where row < 3 + csr for A",
    ),
    "30 nothing behind +": Mistake(
        "csr where row < 3 +",
        "format/empty",
        "a part of the format of A is empty",
        "a format on both sides of +, and before where",
        "nothing",
        "Use csr where row < 3 + csr for A",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_says_what_was_expected_what_was_found_and_what_to_do(name: str) -> None:
    """As an exception of the compile; the repair is offered to a person, and what it leads to compiles."""
    mistake = MISTAKES[name]
    formats = {"A": mistake.format, **mistake.others}
    options = dict(mistake.options) if mistake.options else None
    with pytest.raises(hd.CompileError) as caught:
        hd.compile(mistake.expression, formats, list(mistake.schedule), options=options)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == mistake.code
    assert mistake.says in diagnostic.message
    assert (diagnostic.expected, diagnostic.found) == (mistake.expected, mistake.found)
    assert diagnostic.location is not None
    if mistake.unread:
        (fix,) = diagnostic.fixes
        assert (fix.title, fix.formats is not None) == (mistake.fix, True)
        assert hd.lower(mistake.expression, {**formats, **(fix.formats or {})}).ok
        return
    result = hd.lower(mistake.expression, formats, list(mistake.schedule), options=options)
    offered = {fix.title: fix for fix in find_fixes(diagnostic, result)}
    assert mistake.fix in offered
    repaired = hd.lower(with_fix(result.plan, offered[mistake.fix]))
    assert [one.code for one in repaired.diagnostics] == ([] if mistake.left is None else [mistake.left])


def test_the_hint_says_why_nothing_is_converted() -> None:
    mistake = MISTAKES["29 conversion"]
    formats = {"A": mistake.format, **mistake.others}
    (diagnostic,) = hd.lower(mistake.expression, formats, options=dict(mistake.options or {})).diagnostics
    assert diagnostic.hint == "A is a sum of parts, whose operands are not converted automatically."


LONG_ROW = np.outer(np.arange(20) == 17, np.arange(9) < 5).astype(float)
CALLS: dict[str, tuple[str, str, str, str, str, tuple[str, ...]]] = {
    "6 an entry without a part": (
        "csr where length <= 4 + coo where length == 9",
        "runtime/undivided",
        "5 of the 5 entries of A pass the tests of no part, the first one at (17, 0).",
        "a part for every entry",
        "5 entries without one",
        ("csr where length <= 4 + coo where length == 9 + csr",),
    ),
    "26 a row without slots": (
        "dense, padded(4)",
        "runtime/too-narrow",
        "below position 17 of level 1 there are 5 coordinates. Allow for 5, or store A in pieces.",
        "at most 4",
        "5",
        ("ell(5)", "pieces(4)"),
    ),
    "26 a row without slots in a part": (
        "csr where row < 3 + slots = ell(4) where row < 19 + dcsr",
        "runtime/too-narrow",
        "below position 17 of level 1 there are 5 coordinates. Allow for 5, or store A in pieces.",
        "at most 4",
        "5",
        (
            "csr where row <= 2 + slots = ell(5) where row <= 18 + dcsr",
            "csr where row <= 2 + slots = pieces(4) where row <= 18 + dcsr",
        ),
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_what_only_the_data_can_tell(name: str) -> None:
    """At the call; what each of the repairs leads to holds these data."""
    format, code, says, expected, found, stored = CALLS[name]
    with pytest.raises(hd.CompileError) as caught:
        hd.pack(LONG_ROW, format, name="A")
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.code, diagnostic.expected, diagnostic.found) == (code, expected, found)
    assert says in diagnostic.message
    assert [(fix.title, fix.formats) for fix in diagnostic.fixes] == [(f"Use {t} for A", {"A": t}) for t in stored]
    for text in stored:
        np.testing.assert_array_equal(hd.pack(LONG_ROW, text).to_numpy(), LONG_ROW)


def test_28_a_sum_that_was_made_elsewhere_has_an_entry_twice() -> None:
    """And every other mistake that such a sum may have: tests/compiler/runtime/tensors/test_composite.py."""
    packed = hd.pack(np.eye(4, 5), "csr where row < 2 + csr")
    other = hd.pack(np.eye(4, 5) * [0, 1, 1, 1, 0], "csr")
    twice = Composite(packed.shape, packed.format, packed.dtype, (packed.parts[0], other))
    with pytest.raises(hd.CompileError) as caught:
        hd.validate(twice, "A")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "runtime/malformed-tensor"
    assert "entry (1, 1) lies in parts 0 and 1, csr and csr_2, expected each entry in one part." in diagnostic.message


def test_every_row_is_there() -> None:
    numbers = {int(name.split()[0]) for name in (*MISTAKES, *CALLS)}
    elsewhere = {28: test_28_a_sum_that_was_made_elsewhere_has_an_entry_twice}
    assert numbers | elsewhere.keys() == set(range(1, 31))
