"""Commands for several statements that are refused: the whole text, what it underlines, and a repair that compiles."""

from __future__ import annotations

import pytest

import heddle as hd
from heddle.diagnostics import Diagnostic, Severity
from tests.compiler.comprehensions.programs import CASES

STENCIL = """def stencil(float(N) A) -> (y) {
    t(i) = 2 * A(i)
    y(i) = t(i) + t(i+1) }"""
BACK = """def back(float(N) A) -> (y) {
    t(i) = 2 * A(i)
    y(i) = t(i-1) + A(i) }"""
ROWS = """def rows(float(M,N) A) -> (y) {
    s(i) +=! A(i,j)
    y(i) +=! A(i,j) * s(i) }"""
COLUMNS = """def columns(float(M,N) A) -> (y) {
    s(j) +=! A(i,j)
    y(i) +=! A(i,j) * s(j) }"""
TURNED = """def turned(float(N,N) A) -> (y) {
    t(i,j) = 2 * A(i,j)
    y(i,j) = t(j,i) }"""
GUARDED = """def guarded(float(M,N) A) -> (y) {
    s(i) +=! A(i,k)
    y(i) = (i - 1 >= 0) ? s(i-1) : 0 where i in 0:M }"""
AGAIN = """def again(float(M,K) A, float(M,N) B) -> (y) {
    s(i) +=! A(i,k)
    y(i,j) = s(i) * B(i,j) }"""
MOMENTS = """def moments(float(N) x) -> (a, b) {
    a +=! x(i)
    b max=! x(i) }"""
GATHER = """def gather(float(N,H) X, int(M) I, float(H,K) W) -> (Y) {
    T(m,h) = X(I(m),h)
    Y(m,k) +=! T(m,h) * W(h,k) }"""
INDEX = """def index(int(N) I, float(M) X) -> (y) {
    p(i) = I(i) + 1
    y(i) = X(p(i)) }"""

REFUSED = [
    (
        STENCIL,
        ("together(i, i2)",),
        "schedule/together-extents",
        "`together(i, i2)`: one loop has one range, but i over [0, N) and i2 over [0, N - 1).",
        "i2",
        "Remove together(i, i2)",
    ),
    (
        BACK.replace("y(i) = t(i-1) + A(i)", "y(i) = (i - 1 >= 0 ? t(i-1) : 0) + A(i) where i in 0:N"),
        ("together(i, i2)",),
        "schedule/together-dependence",
        "`together(i, i2)`: i2 reads t(i2 - 1), which i computes one iteration earlier: the iterations could no longer "
        "run in any order (t(i) → t(i2 - 1): distance +1). Use inline(t), or leave the loops apart.",
        "i2",
        "Write inline(t)",
    ),
    (
        STENCIL.replace("t(i+1)", "(i + 1 < N ? t(i+1) : 0) where i in 0:N"),
        ("together(i, i2)",),
        "schedule/together-dependence",
        "`together(i, i2)`: i2 reads t(i2 + 1), which i computes one iteration later (t(i) → t(i2 + 1): distance -1). "
        "Use inline(t), or leave the loops apart.",
        "i2",
        "Write inline(t)",
    ),
    (
        TURNED,
        ("together(i, i2)",),
        "schedule/together-dependence",
        "`together(i, i2)`: i2 reads t(j2,i2): which iteration of i computes that is not always the same one (t(i,j) → "
        "t(j2,i2): distance i2 - j2). Use inline(t), or leave the loops apart.",
        "i2",
        "Write inline(t)",
    ),
    (
        COLUMNS,
        ("reorder(i, j)", "together(i, i2)"),
        "schedule/together-dependence",
        "`together(i, i2)`: i2 reads s(j2), which is complete only behind the last iteration of i, that adds into it "
        "(s(j) → s(j2): distance below 0). Use inline(s), or leave the loops apart.",
        "i2",
        "Write inline(s)",
    ),
    (
        ROWS,
        ("together(i, j2)",),
        "schedule/together-siblings",
        "`together(i, j2)`: i and j2 are not loops of two statements of one sequence: each must be the outermost loop "
        "of its statement, inside the same loops. Reorder them to the outside, or put the loops around them together "
        "first. Available: i, j of s; i2, j2 of y.",
        "j2",
        "Remove together(i, j2)",
    ),
    (
        ROWS,
        ("together(i2, i)",),
        "schedule/together-order",
        "`together(i2, i)`: i (of s) runs in front of i2 (of y): name the loop of the earlier statement first.",
        "i2",
        "Write together(i, i2)",
    ),
    (
        CASES["kru"].text,
        ("together(m, m3)",),
        "schedule/together-between",
        "`together(m, m3)`: XW1 lies between them: it reads what m computes, and comes before m3. Put m2 together with "
        "one of them first.",
        "m3",
        "Remove together(m, m3)",
    ),
    (
        CASES["argmin"].text,
        ("together(r, r2)",),
        "schedule/together-dependence",
        "`together(r, r2)`: r2 reads v, which is complete only behind the last iteration of r, that reduces into it. "
        "Leave the loops apart.",
        "r2",
        "Remove together(r, r2)",
    ),
    (
        MOMENTS,
        ("together(i, i2)",),
        "schedule/together-number",
        "`together(i, i2)`: a is one number that all iterations combine into, but under one loop each iteration begins "
        "anew what its statements compute. Leave the loops apart.",
        "i",
        "Remove together(i, i2)",
    ),
    (
        GATHER,
        ("together(m, m2)",),
        "schedule/together-check",
        "`together(m, m2)`: m2 is the loop of X_outside, which counts the indices of X(I(m),h) that lie outside: it "
        "ends before anything is read, and shares no loop. Available: m, h of T; m3, h3, k of Y; m2 of the check of "
        "X(I(m),h). Did you mean m3?",
        "m2",
        "Write together(m, m3)",
    ),
    (
        GATHER,
        ("together(m, m3)", "together(h, h2)"),
        "schedule/unknown-variable",
        "`together(h, h2)`: there is no index variable h2. Available: m, h of T; m, h3, k of Y; m2 of the check of "
        "X(I(m),h). Did you mean h3?",
        "h2",
        "Write together(h, h3)",
    ),
    (
        GATHER,
        ("together(T, Y)",),
        "schedule/unknown-variable",
        "`together(T, Y)`: T is a tensor, and no loop. Available: m, h of T; m3, h3, k of Y; m2 of the check of "
        "X(I(m),h).",
        "T",
        "Remove together(T, Y)",
    ),
    (
        GATHER,
        ("split(M, m0, m1, 4)",),
        "schedule/unknown-variable",
        "`split(M, m0, m1, 4)`: M is a size, and no loop. Available: m, h of T; m3, h3, k of Y; m2 of the check of "
        "X(I(m),h). Did you mean m?",
        "M",
        "Write split(m, m0, m1, 4)",
    ),
    (
        GATHER,
        ("together(m, m3)", "split(m3, m0, m1, 4)"),
        "schedule/unknown-variable",
        "`split(m3, m0, m1, 4)`: command 1 put m3 under the loop m. Available: m, h of T; m, h3, k of Y; m2 of the "
        "check of X(I(m),h). Did you mean m?",
        "m3",
        "Write split(m, m0, m1, 4)",
    ),
    (
        ROWS,
        ("together(i, i)",),
        "schedule/together-siblings",
        "`together(i, i)`: i is named twice. Name the outermost loops of two statements, the earlier one first. "
        "Available: i, j of s; i2, j2 of y.",
        "i",
        "Remove together(i, i)",
    ),
    (
        ROWS,
        ("split(i, i0, i1, 4)", "together(i0, i2)"),
        "schedule/cut-before",
        "`together(i0, i2)`: i0 comes from split by command 1, so that its range is no longer that of a whole loop. "
        "Put together in front of the commands that cut its loops.",
        "i0",
        "Remove together(i0, i2)",
    ),
    (
        ROWS,
        ("parallelize(i, CPUThread, NoRaces)", "together(i, i2)"),
        "schedule/already-tagged",
        "`together(i, i2)`: i is already parallelized by command 1. A loop can be tagged once, after all other "
        "commands on it: remove one of the two, or change the loop before it is tagged.",
        "i",
        "Remove together(i, i2)",
    ),
    (
        CASES["tmm"].text,
        ("together(m, n)",),
        "schedule/one-statement",
        "`together(m, n)`: the program is one statement; this command is about several, of which one reads what "
        "another computes.",
        "together(m, n)",
        "Remove together(m, n)",
    ),
    (
        CASES["softmax"].text,
        ("inline(most)",),
        "schedule/inline-temporary",
        "`inline(most)`: most is a result: the caller gets its values, so that they must be stored. Temporaries: O_1.",
        "most",
        "Write inline(O_1)",
    ),
    (
        ROWS,
        ("inline(A)",),
        "schedule/inline-temporary",
        "`inline(A)`: A is an operand, which no statement computes. Temporaries: s.",
        "A",
        "Write inline(s)",
    ),
    (
        CASES["fcrelu"].text,
        ("inline(out_3)",),
        "schedule/inline-temporary",
        "`inline(out_3)`: there is no temporary out_3. Did you mean out_2?",
        "out_3",
        "Remove inline(out_3)",
    ),
    (
        INDEX,
        ("inline(p)",),
        "schedule/inline-index",
        "`inline(p)`: p holds indices by which other tensors are read; a coordinate is read from memory.",
        "p",
        "Remove inline(p)",
    ),
    (
        CASES["fcrelu"].text,
        ("together(b, b2)", "inline(out_2)"),
        "schedule/inline-shared",
        "`inline(out_2)`: out_2 shares its loops with other temporaries, which its definition would take along. Put "
        "inline in front of together.",
        "out_2",
        "Remove inline(out_2)",
    ),
    (
        GUARDED,
        ("inline(s)",),
        "schedule/inline-guarded",
        "`inline(s)`: s(i2 - 1) is read only where a condition holds, and the sum in s would be added up in front of "
        "that, at coordinates that need not exist.",
        "s",
        "Remove inline(s)",
    ),
    (
        ROWS,
        ("apart(i)",),
        "schedule/apart-single",
        "`apart(i)`: only one statement stands directly inside the loop over i.",
        "i",
        "Remove apart(i)",
    ),
    (
        ROWS,
        ("together(i, i2)", "split(i, i0, i1, 4)", "apart(i1)", "apart(i0)"),
        "schedule/apart-parts",
        "`apart(i0)`: i0 is a part of i, of which i1 lies inside: a copy of i0 alone would not say which i it means. "
        "Take the loop over i1 apart, and leave i0 shared.",
        "i0",
        "Remove apart(i0)",
    ),
]


def lowered(text: str, schedule: tuple[str, ...]) -> hd.CompileResult:
    return hd.lower(text, language="comprehension", schedule=schedule)


def errors(result: hd.CompileResult) -> list[Diagnostic]:
    return [one for one in result.diagnostics if one.severity is Severity.ERROR]


def test_blocks_keep_a_statement_from_sharing_a_loop() -> None:
    for command in ("together(i, i2)", "together(i_block, i2)"):
        result = hd.lower("t(i) = A(i,j) * x(j); y(i) = t(i) * b(i)", {"A": "bcsr(2,2)"}, command)
        (diagnostic,) = errors(result)
        assert diagnostic.code == "schedule/cut-before"
        assert [fix.title for fix in diagnostic.fixes] == [f"Remove {command}"]
        if command == "together(i, i2)":
            assert diagnostic.message == (
                "`together(i, i2)`: the format of A cuts i into i_block and i_inner, and statements share loops over "
                "whole coordinates alone. Store A without blocks, or leave the loops apart."
            )


@pytest.mark.parametrize(
    ("text", "schedule", "code", "message", "at", "fix"), REFUSED, ids=[f"{one[2]} {one[1][-1]}" for one in REFUSED]
)
def test_refused_with_a_text_a_place_and_a_repair(
    text: str, schedule: tuple[str, ...], code: str, message: str, at: str, fix: str
) -> None:
    (diagnostic,) = errors(lowered(text, schedule))
    assert (diagnostic.code, diagnostic.message) == (code, message)
    assert diagnostic.location is not None
    assert diagnostic.location.command == len(schedule) - 1
    assert schedule[-1][diagnostic.location.start : diagnostic.location.end] == at
    assert diagnostic.expected
    assert diagnostic.found
    assert [one.title for one in diagnostic.fixes] == [fix]
    for one in diagnostic.fixes:
        assert one.schedule is not None
        assert not errors(lowered(text, one.schedule)), one


def test_a_sum_that_is_added_up_again_is_a_warning_with_the_factor() -> None:
    (diagnostic,) = lowered(AGAIN, ("inline(s)",)).diagnostics
    assert (diagnostic.code, diagnostic.severity) == ("schedule/inline-again", Severity.WARNING)
    assert diagnostic.message == (
        "`inline(s)`: each element of s is a sum, which is now added up N times instead of once."
    )
    assert not lowered(CASES["fcrelu"].text, ("inline(out_2)",)).diagnostics


def test_parts_are_no_statements_of_a_program() -> None:
    (diagnostic,) = hd.lower("y(i) = A(i,j) * x(j)", {"A": "hyb(1,3)"}, ("together(i_ell1, i_ell2)",)).diagnostics
    assert diagnostic.code == "schedule/one-statement"
    assert "Parts share a loop by share, or run in turn by concat." in diagnostic.message


def test_a_temporary_is_dense_where_a_command_asks_for_that() -> None:
    result = hd.lower("t(i,j) = A(i,j) * x(j); y(i) = t(i,j) * b(i)", {"A": "csr"}, "together(i, i2)")
    (warning,) = result.diagnostics
    assert (warning.code, warning.severity) == ("format/dense-temporary", Severity.WARNING)
    assert warning.message == (
        "t has values only where A stores some, but is stored dense: as csr the program is refused: `together(i, i2)`: "
        "t is stored as csr, whole before another statement reads it, but under one loop an iteration would read what "
        "it has just computed. Store t dense."
    )
    assert warning.fixes[0].title == "Store t dense"


def test_a_chain_of_definitions_ends_before_it_fills_pages() -> None:
    """Each inline doubled the reads; from ten on, asking for the next command ended in a RecursionError."""
    lines = [f"T{n}(i) = T{n - 1}(i) + T{n - 1}(i+1)" for n in range(1, 11)]
    text = "\n".join(["def f(float(N) I) -> (T10) {", "T0(i) = I(i) + I(i+1)", *lines, "}"])
    schedule = [f"inline(T{number})" for number in range(10)]
    result = hd.lower(text, schedule="\n".join(schedule), language="comprehension")
    (diagnostic,) = result.diagnostics
    assert diagnostic.code == "schedule/inline-size"
    assert diagnostic.message == (
        "`inline(T7)`: with the definition of T7 in the place of its reads, T8 would be computed of 512 elements that "
        "are read one by one; the limit is 400. Leave T7 in memory, where each of its values is computed once."
    )
    longest = hd.lower(text, schedule="\n".join(schedule[:7]), language="comprehension")
    assert not longest.diagnostics
    assert len(hd.legal(longest)) > 10
