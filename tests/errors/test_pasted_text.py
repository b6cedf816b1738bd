"""Text that comes from PDFs, word processors, web pages and other systems: read as it is meant, or one repair away."""

from __future__ import annotations

import pytest

from heddle.explorer.quick_fixes.fixes import find_fixes, with_fix
from heddle.notation.parser import parse
from heddle.notation.printer import to_text
from heddle.pipeline import lower
from heddle.plan import Plan, TensorSpec
from heddle.schedule.syntax.parser import parse_command
from heddle.typography import plain_characters, plain_spaces
from tests.errors.expect import refusal

SPMV = "y(i) = A(i,j) * x(j)"
LANES = "parallelize(i, CPUThread, NoRaces)"
EINSUM = "einsum lists the indices apart from the operands; here each operand is written with its own"
PRODUCT = "NumPy's product is written with indices here: what is summed over is shared (capitals are taken as matrices)"
DECLARED = "leave out TACO's declarations: formats and types are chosen beside the expression"
COMMENT = "an expression takes no comments; they may stand in the schedule, after `#`"
LATEX = "LaTeX puts indices below a name; here they stand in parentheses, and what is not on the left is summed over"
NAMES = "names are made of the letters a to z, digits and `_`"


@pytest.mark.parametrize(
    "text",
    [
        "y(i)\u00a0=\u00a0A(i,j)\u2009*\u3000x(j)",
        "y(i) = A(i,j)\u200b * x(j)\ufeff",
        "t(i) = A(i,j) * x(j)\u2028y(i) = t(i)",
        "y(i) =\x0b A(i,j) * x(j)\x85",
    ],
)
def test_spaces_of_every_kind_are_spaces(text: str) -> None:
    assert to_text(parse(text)) == to_text(parse(plain_spaces(text)))
    assert len(plain_spaces(text)) == len(text)


@pytest.mark.parametrize(
    ("text", "hint", "meant"),
    [
        ("np.einsum('ij,j->i', A, x)", EINSUM, SPMV),
        ("einsum('ij,jk->ik', A, B)", EINSUM, "C(i,k) = A(i,j) * B(j,k)"),
        ('z = torch.einsum("ij, j", A, x, optimize=True);', EINSUM, "z(i) = A(i,j) * x(j)"),
        ("np.einsum(‘i,i->’, a, b)", EINSUM, "a0 = a(i) * b(i)"),
        (
            "ij,j->i",
            'a string of einsum is for hd.einsum("ij,j->i", A, B); here each operand is written with its own indices',
            "y(i) = A(i,j) * B(j)",
        ),
        ("y = A @ x", PRODUCT, SPMV),
        ("C = A.T @ B", PRODUCT, "C(i,j) = A(k,i) * B(k,j)"),
        ("y = x @ A @ B", PRODUCT, "y(i) = x(j) * A(j,k) * B(k,i)"),
        ("y = 2 * A @ x + b", PRODUCT, "y(i) = 2 * A(i,j) * x(j) + b(i)"),
        ("s = x @ y", PRODUCT, "s = x(i) * y(i)"),
        ("y = A.dot(x)", PRODUCT, SPMV),
        ("np.matmul(A, B)", PRODUCT, "C(i,j) = A(i,k) * B(k,j)"),
        ("f(x) += A(r.x, x) * b(r.x);", "write Halide's `r.x` as an index variable", "f(x) += A(r, x) * b(r)"),
        (
            "f = A(r.x, r.y) * b(r.y)",
            "write Halide's `r.x`, `r.y` as an index variable",
            "f = A(rx, ry) * b(ry)",
        ),
        (r"y_i = \sum_j A_{ij} x_j", LATEX, SPMV),
        (r"$C_{ik} = \sum_{j} A_{i,j} \cdot B_{j k}$", LATEX, "C(i,k) = A(i,j) * B(j,k)"),
        (r"y_i = 2 \sum_{j=1}^{n} A_{ij}\,x_j + z_i", LATEX, "y(i) = 2 * A(i,j) * x(j) + z(i)"),
        (f"Tensor<double> y({{N}}, dense); {SPMV};", DECLARED, SPMV),
        (f"IndexVar i, j; {SPMV}", DECLARED, SPMV),
        (f"{SPMV} // SpMV", COMMENT, SPMV),
        (f"/* SpMV */ {SPMV}", COMMENT, SPMV),
        ("y(i) = A(i，j) × x（j）", "write `,`", SPMV),
        ("y(i) = A(i,j) * \u202ex(j)", None, SPMV),
        ("y(i) = A\u200b1(i,j) * x(j)", "a product needs its `*`", "y(i) = A1(i,j) * x(j)"),
    ],
)
def test_an_expression_of_elsewhere_is_one_repair_away(text: str, hint: str | None, meant: str) -> None:
    diagnostic = refusal(lambda: parse(text))
    assert diagnostic.hint == hint
    assert [fix.expression for fix in diagnostic.fixes] == [meant]
    parse(meant)


@pytest.mark.parametrize(
    "text",
    [
        "np.einsum('ij,j->i', A)",
        "einsum('i...,i->...', A, x)",
        "y = A @ x @ B",
        "y = A @ x + B",
        "y(i) = A(i,j) @ x(j)",
        "y(i) = a(i) // b(i)",
        "@" + " " * 4000 + "=",
    ],
)
def test_what_is_not_understood_is_not_rewritten(text: str) -> None:
    assert refusal(lambda: parse(text)).fixes == ()


@pytest.mark.parametrize("text", ["矩阵(i) = x(i)", "y(ï) = x(i)", "äußen(i) = x(i)"])
def test_names_have_plain_letters(text: str) -> None:
    assert refusal(lambda: parse(text)).hint == NAMES


@pytest.mark.parametrize(
    ("schedule", "title", "meant"),
    [
        (
            ["split(i, i0, i1, 32); parallelize(i0, CPUThread, NoRaces)"],
            "Write split(i, i0, i1, 32), and 1 more below it",
            ["split(i, i0, i1, 32)", "parallelize(i0, CPUThread, NoRaces)"],
        ),
        (["parallelize(i, CPUThread,", "NoRaces)"], f"Write {LANES}", [LANES]),
        (["parallelize(i, CPU-", "Thread, NoRaces)"], f"Write {LANES}", [LANES]),
        (["parallelize(i, CPUThread, NoRaces"], f"Write {LANES}", [LANES]),
        (["split(i，i0，i1，３２)"], "Write split(i, i0, i1, 32)", ["split(i, i0, i1, 32)"]),
        (["split(i, i0, i1, 32.0)"], "Write split(i, i0, i1, 32)", ["split(i, i0, i1, 32)"]),
        (["fuse(i, j, f)", "pos(f, fpos, A(i,j))"], "Write pos(f, fpos, A)", ["fuse(i, j, f)", "pos(f, fpos, A)"]),
        (["s[y].split(i, factor=32)"], "Write split(i, i0, i1, 32)", ["split(i, i0, i1, 32)"]),
        (["split i, i0, i1, 32"], "Write split(i, i0, i1, 32)", ["split(i, i0, i1, 32)"]),
        (
            ["split i i0 i1 32", "parallelize i0 CPUThread NoRaces"],
            "Write split(i, i0, i1, 32), and 1 more below it",
            ["split(i, i0, i1, 32)", "parallelize(i0, CPUThread, NoRaces)"],
        ),
        (["io, ii = s[y].split(i, nparts=4)"], "Write divide(i, io, ii, 4)", ["divide(i, io, ii, 4)"]),
        (["y.parallel(i);"], f"Write {LANES}", [LANES]),
        (
            [
                "# rows",
                "split(i, i0, i1, 32.0)",
                "parallelize(i0, ParallelUnit::CPUThread, OutputRaceStrategy::NoRaces);",
            ],
            "Write split(i, i0, i1, 32), and 1 more below it",
            ["split(i, i0, i1, 32)", "parallelize(i0, CPUThread, NoRaces)"],
        ),
    ],
)
def test_a_command_of_elsewhere_is_one_repair_away(schedule: list[str], title: str, meant: list[str]) -> None:
    """The repair stands first, is not to remove the line, and the plan compiles after it."""
    written = tuple(text for text in schedule if not text.startswith("#"))
    plan = Plan(SPMV, schedule=written, tensors={"A": TensorSpec("csr")})
    result = lower(plan)
    (diagnostic,) = result.diagnostics
    first = find_fixes(diagnostic, result)[0]
    assert first.title == title
    assert first.schedule == tuple(meant)
    assert lower(with_fix(plan, first)).ok


def test_unseen_characters_of_a_command_are_spaces() -> None:
    assert (
        parse_command("split(i,\u00a0i0, i1, \u200b32)", 0).command == parse_command("split(i, i0, i1, 32)", 0).command
    )


def test_characters_keep_what_they_are_where_nothing_is_meant() -> None:
    assert plain_characters("y(ï) = 矩阵(i)") == "y(ï) = 矩阵(i)"
    assert plain_characters("“a” ，b\u2060－１") == '"a" ,b-1'
