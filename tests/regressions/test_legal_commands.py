"""Lists of commands that failed, or that offered what the compile refused."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray

import heddle as hd
from heddle.schedule.legal import legal
from tests.differential.check import check

Array = NDArray[np.float64]
SPMV_BY_NUMBER = "y(i) = alpha * A(i,j) * x(j)"
PRODUCT = "C(i,k) = A(i,j) * B(j,k)"
ALL_CSR = dict.fromkeys("ABC", "csr")
TWO_STATEMENTS = """def f(float(M,N) A, float(N) x, float(M) b) -> (t,y) {
    t(i) +=! A(i,j) * x(j)
    y(i) = t(i) * b(i)
}"""
ALL_ROUTES = ("y(i) = a * A(i,j) * x(j)", "C(i,k) = a*A(i,j)*B(j,k)", "C(i,j) = a*A(i,j) + b*B(i,j)", "s = a*A(i,j)")
PATTERN = "nFun(n => fun(xs: [float]_n => xs :>> map(fun(x => x * 2.0))))"
AUTOMATIC = {"schedule": "auto"}
PARTS = {"A": "hyb(1,2)", "C": "hyb(1,2)"}


def offered(result: hd.CompileResult) -> list[str]:
    return [one.text for command in hd.legal(result) for one in command.candidates if one.why_not is None]


def matrix(seed: int = 0) -> sp.csr_array:
    return sp.csr_array(sp.random(20, 20, 0.2, format="csr", random_state=seed))


def test_rows_are_balanced_beside_a_scalar() -> None:
    A, x = matrix(), np.arange(20.0)
    kernel = hd.compile(SPMV_BY_NUMBER, formats={"A": "csr"}, schedule="balance(i, i0, i1, A, 4)")
    np.testing.assert_allclose(kernel(A=A, x=x, alpha=2.0).to_numpy(), 2 * (A @ x))


def test_a_program_with_a_scalar_has_next_commands() -> None:
    assert "balance(i, i0, i1, A, 2)" in offered(hd.lower(SPMV_BY_NUMBER, formats={"A": "csr"}))


@pytest.mark.parametrize("expression", ALL_ROUTES)
def test_rules_choose_a_schedule_beside_scalars(expression: str) -> None:
    formats = {name: "csr" for name in "ABC" if f"{name}(" in expression}
    kernel = hd.compile(expression, formats=formats, options={"schedule": "auto"})
    operands = {"A": matrix(), "B": matrix(1), "x": np.arange(20.0), "a": 2.0, "b": 3.0}
    kernel(**{name: value for name, value in operands.items() if f"{name}(" in expression or f"{name}*" in expression
              or f"{name} *" in expression})  # fmt: skip


def test_commands_are_listed_behind_a_precompute_of_two_statements() -> None:
    schedule = "precompute(A(i,j) * x(j), j, jw, w)"
    result = hd.lower(TWO_STATEMENTS, schedule=schedule, language="comprehension")
    assert result.ok
    assert legal(result.graph, (schedule,))
    refused = hd.lower(TWO_STATEMENTS, schedule=f"{schedule}\ntogether(jw, i2)", language="comprehension")
    assert refused.diagnostics[0].code == "schedule/together-siblings"


def test_commands_are_listed_where_a_subscript_is_a_number() -> None:
    text = "def f(float(N,M) A, float(M,N) B) -> (O) { O(i) +=! A(0,j) * B(j,i) }"
    assert offered(hd.lower(text, formats={"A": "csr"}, language="comprehension"))


@pytest.mark.parametrize(
    "schedule",
    [
        "A[*]: precompute(A(i,j) * P(i,k) * Q(k,j), k, kw, w)",
        "A[*]: fuse(i, j, f)\nA[*]: precompute(A(i,j) * P(i,k) * Q(k,j), f, fw)",
    ],
)
def test_a_result_in_parts_is_not_assigned_outside_of_the_loops_over_its_operand(schedule: str) -> None:
    expression = "C(i,j) = A(i,j) * P(i,k) * Q(k,j)"
    A = np.diag(np.arange(1.0, 6))
    result = hd.lower(expression, formats=PARTS, schedule=schedule)
    if not result.ok:
        assert result.diagnostics[0].code == "schedule/parts-positions"
        return
    kernel = hd.compile(expression, formats=PARTS, schedule=schedule)
    np.testing.assert_array_equal(kernel(A=A, P=np.ones((5, 2)), Q=np.ones((2, 5))).to_numpy(), 2 * A)


def test_a_part_without_the_operand_in_parts_is_computed_first() -> None:
    expression, schedule = "C(i,j) = A(i,j) * P(i,k) * Q(k,j)", "A[*]: precompute(P(i,k) * Q(k,j), j, jw, w)"
    A = np.diag(np.arange(1.0, 6))
    kernel = hd.compile(expression, formats=PARTS, schedule=schedule)
    np.testing.assert_array_equal(kernel(A=A, P=np.ones((5, 2)), Q=np.ones((2, 5))).to_numpy(), 2 * A)


def test_all_that_is_offered_for_a_sparse_product_compiles() -> None:
    result = hd.lower(PRODUCT, formats=ALL_CSR)
    texts = offered(result)
    assert len(texts) > 90
    assert [text for text in texts if not hd.lower(PRODUCT, formats=ALL_CSR, schedule=text).ok] == []


@pytest.mark.parametrize(
    "schedule",
    [
        ("parallelize(i, CPUThread, NoRaces)",),
        ("balance(i, i0, i1, A, 4)", "parallelize(i0, CPUThread, NoRaces)"),
        ("split(kw, k0, k1, 8)", "split(k, k2, k3, 8)"),
        ("precompute(A(i,j), j, jw)",),
        ("precompute(A(i,j) * B(j,k), k, kk, v)", "parallelize(i, CPUThread, NoRaces)"),
        ("split(i, i0, i1, 4)", "precompute(A(i,j) * B(j,k), k, kk, v)"),
    ],
)
def test_commands_find_the_workspace_of_a_sparse_product(schedule: tuple[str, ...]) -> None:
    A, B = matrix(), matrix(1)
    product = hd.compile(PRODUCT, formats=ALL_CSR, schedule=schedule)(A=A, B=B)
    np.testing.assert_allclose(product.to_numpy(), (A @ B).toarray())


def test_a_workspace_of_ones_own_takes_the_place_of_the_automatic_one() -> None:
    """Plans that named it mean what they meant, whatever their version."""
    mine = hd.lower(PRODUCT, formats=ALL_CSR, schedule="split(i, i0, i1, 4); precompute(A(i,j) * B(j,k), k, kk, v)")
    assert mine.graph is not None
    assert list(mine.graph.workspaces) == ["v"]
    automatic = hd.lower(PRODUCT, formats=ALL_CSR, schedule="split(i, i0, i1, 4)")
    assert automatic.graph is not None
    assert list(automatic.graph.workspaces) == ["w"]
    assert [one.name for one in automatic.passes][:4] == ["notation", "graph", "workspace", "command-0"]
    assert "workspace" not in [one.name for one in hd.lower(PRODUCT, formats=ALL_CSR).passes]


def test_conversions_come_before_the_automatic_workspace() -> None:
    """A transposed copy into csr converts the operand, as it did before commands found a workspace."""
    expression, formats = "B(j,i) = A(i,j)", {"A": "csr", "B": "csr"}
    converted = hd.lower(expression, formats, "unroll(i, 4)", options={"convert": "automatic"})
    assert converted.ok
    assert converted.conversions
    assert converted.graph is not None
    assert not converted.graph.workspaces
    assert hd.lower(expression, formats, "unroll(i, 4)").graph.workspaces  # type: ignore[union-attr]


def test_the_list_of_a_graph_goes_on_from_its_commands() -> None:
    result = hd.lower("y(i) = A(i,j) * x(j)", {"A": "csr"}, "pos(j, p, A); split(p, p0, p1, 4)")
    assert result.graph is not None
    assert result.graph.commands == ("pos(j, p, A)", "split(p, p0, p1, 4)")
    (coord,) = (command for command in hd.legal(result.graph) if command.name == "coord")
    refused = next(one for one in coord.candidates if one.why_not is not None)
    assert refused.why_not is not None
    assert refused.why_not.fixes[0].schedule == ("pos(j, p, A)", "split(p, p0, p1, 4)", "coord(p1, icrd)")


def test_a_list_knows_the_target_of_a_result() -> None:
    texts = offered(hd.lower("y(i) = A(i,j) * x(j)", {"A": "csr"}))
    assert not any("GPU" in text for text in texts)
    on_gpu = hd.lower("y(i) = A(i,j) * x(j)", {"A": "csr"}, target="cuda")
    assert not any("prefetch" in text or "CPU" in text for text in offered(on_gpu))


def test_a_workspace_in_a_definition_survives_the_loops_that_inline_takes_away() -> None:
    expression = "t(i) = A(j,i) * x(j); s = t(i) / alpha; y(i) = s * t(i) - 2 * (s * t(i))"
    schedule = "precompute(x(j), i, iw, v); precompute(t(i2), i2, i2, w); inline(t)"
    A, x = np.arange(12.0).reshape(3, 4), np.array([1.0, 0, 2])
    total = A.T @ x
    kernel = hd.compile(expression, schedule=schedule)
    np.testing.assert_allclose(kernel(A=A, x=x, alpha=2.0).to_numpy(), -total.sum() / 2 * total)


def test_rules_leave_a_row_sum_that_nothing_else_multiplies() -> None:
    """Register tiles looked for the factors of a sum that has one alone: an IndexError in each call."""
    A, B = matrix(), np.arange(1280.0).reshape(20, 64)
    kernel = hd.compile("y(i,k) = A(i,j) * B(i,k)", formats={"A": "csr"}, options={"schedule": "auto"})
    np.testing.assert_allclose(kernel(A=A, B=B).to_numpy(), A.toarray().sum(axis=1)[:, None] * B)


@pytest.mark.parametrize(
    ("expression", "formats", "expected"),
    [
        ("y(i) = A(i,j) * A(i,k)", {"A": "bcsr(2,2)"}, lambda A, B: A.sum(axis=1) ** 2),
        ("s = A(i,j) * A(k,l)", {"A": "bcsr(2,2)"}, lambda A, B: A.sum() ** 2),
        (
            "y(i) = A(i,j) * B(i,k)",
            {"A": "csr where row < 3 + csr", "B": "bcsr(2,2)"},
            lambda A, B: A.sum(axis=1) * B.sum(axis=1),
        ),
    ],
)
def test_every_access_to_a_tensor_in_blocks_has_its_dimensions(
    expression: str, formats: dict[str, str], expected: Callable[[Array, Array], Array]
) -> None:
    """The size of a dimension in blocks was known for the variables of one access alone: a KeyError."""
    A, B = matrix().toarray(), matrix(1).toarray()
    kernel = hd.compile(expression, formats=formats)
    found = kernel(A=A, **({"B": B} if "B" in formats else {})).to_numpy()
    np.testing.assert_allclose(found, expected(A, B))


@pytest.mark.parametrize(
    ("text", "language", "options"),
    [("y(i) = A(i,j) * x(j)", "notation", {}), (PATTERN, "patterns", {}), ("y(i) = 2 * x(i)", "notation", AUTOMATIC)],
)
def test_a_kernel_lists_what_its_result_lists(text: str, language: str, options: dict[str, object]) -> None:
    kernel = hd.compile(text, language=language, options=options)
    assert hd.legal(kernel) == hd.legal(kernel.result)
    assert hd.legal(kernel)


def test_a_precomputed_tile_of_an_even_part_ends_where_the_part_does() -> None:
    """The end of the part was declared in code that only looks ahead, and then used: j_inw_end was not declared."""
    formats = {"B": "parts(1, even), dense, compressed : 1,0,1"}
    check("C(i,j) = b(i) + B(i,j)", formats, "split(j_in, v1, w1, 5)\nprecompute(b(i), w1, w1w)")
