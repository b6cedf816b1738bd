"""``hd.evaluate``: formats, dtypes, kernels and the order of contraction follow the operands."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import heddle as hd
from heddle.formats.printer import format_text
from heddle.library.costs.contraction_order import Factor, cheapest_order
from heddle.library.einsum.evaluate import EVALUATIONS

SPGEMM = "C(i,j) = A(i,k) * B(k,j)"


def sparse(*shape: int, format: str = "csr", seed: int = 0, dtype: Any = float) -> Any:
    make: Any = scipy.sparse.random_array
    return make(shape, density=0.2, format=format, rng=np.random.default_rng(seed), dtype=dtype)


def test_the_contract() -> None:
    a, b = sparse(6, 7), sparse(7, 5, seed=1)
    result = hd.evaluate(SPGEMM, A=a, B=b)
    assert format_text(result.format) == "csr"
    np.testing.assert_allclose(result.to_numpy(), (a @ b).toarray())


FORMATS = {
    "sparse + sparse": ("C(i,j) = A(i,j) + B(i,j)", {"B": sparse(6, 6, seed=1)}, "csr"),
    "sparse + dense": ("C(i,j) = A(i,j) + B(i,j)", {"B": np.ones((6, 6))}, "dense"),
    "scaled rows": ("C(i,j) = A(i,j) * x(i)", {"x": np.ones(6)}, "csr"),
    "a function of zero that is not zero": ("C(i,j) = exp(A(i,j))", {}, "dense"),
    "a function of zero that is zero": ("C(i,j) = sqrt(A(i,j))", {}, "csr"),
    "divided by the sum of the row": ("C(i,j) = A(i,j) / sum(k, A(i,k))", {}, "csr"),
    "a comparison": ("C(i,j) = A(i,j) > 0.5", {}, "csr"),
    "rows added up": ("y(i) = A(i,j)", {}, "dense"),
    "two statements": ("t(i) = A(i,j) * x(j); y(i) = t(i) * x(i)", {"x": np.ones(6)}, "dense"),
}


@pytest.mark.parametrize("case", FORMATS)
def test_the_format_of_the_result_follows_from_what_is_stored(case: str) -> None:
    expression, others, expected = FORMATS[case]
    result = hd.evaluate(expression, A=sparse(6, 6), **others)
    assert (format_text(result.format) if not result.format.is_dense else "dense") == expected


def test_types_are_those_of_the_operands_and_numbers_follow() -> None:
    a, x = sparse(6, 7, dtype=np.float32), np.ones(7, np.float32)
    assert hd.evaluate("y(i) = alpha * A(i,j) * x(j)", A=a, x=x, alpha=2).dtype == "float32"
    assert hd.evaluate("y(i) = alpha * A(i,j) * x(j)", A=a, x=x, alpha=2j).dtype == "complex64"
    assert hd.evaluate("y(i) = A(i,j) * x(j)", A=a, x=x.astype(float)).dtype == "float64"


def test_kernels_are_found_again() -> None:
    EVALUATIONS.clear()
    a, x = sparse(6, 7), np.ones(7)
    first = hd.evaluate("y(i) = A(i,j) * x(j)", A=a, x=x)
    known = EVALUATIONS.count
    a.data *= 2
    np.testing.assert_allclose(hd.evaluate("y(i) = A(i,j) * x(j)", A=a, x=x).vals, 2 * first.vals)
    assert EVALUATIONS.count == known == 1
    hd.evaluate("y(i) = A(i,j) * x(j)", A=a.tocsc(), x=x)
    hd.evaluate("y(i) = A(i,j) * x(j)", A=a, x=x, schedule="split(i, i0, i1, 2)")
    assert EVALUATIONS.count == 3


def test_formats_that_are_built_anew_find_the_kernels_of_equal_ones() -> None:
    EVALUATIONS.clear()
    t: Any = hd.asarray(sparse(6, 7))
    x, column = np.ones(6), np.ones((6, 1))
    first, scaled = t.T @ x, t * column
    known = EVALUATIONS.count
    np.testing.assert_allclose((t.T @ (2 * x)).vals, 2 * first.vals)
    np.testing.assert_allclose((t * (2 * column)).vals, 2 * scaled.vals)
    np.testing.assert_allclose((t.T.T @ np.ones(7)).vals, t.todense().sum(axis=1))
    assert EVALUATIONS.count == known + 1  # columns of the transpose, rows of its transpose


def test_an_option_is_a_tensor_where_the_expression_has_it() -> None:
    np.testing.assert_array_equal(hd.evaluate("y(i) = 2 * out(i)", out=np.ones(3)).vals, [2, 2, 2])
    with pytest.raises(hd.OperandError, match="form is not an operand of this kernel"):
        hd.evaluate("y(i) = x(i)", x=np.ones(3), form="csr")


def test_operands_that_are_missing_are_named() -> None:
    with pytest.raises(hd.OperandError, match=r"x\(j\) is missing; the kernel takes A, x"):
        hd.evaluate("y(i) = A(i,j) * x(j)", A=sparse(3, 3))


def test_accumulation_takes_the_result_as_an_operand() -> None:
    y = np.ones(3)
    result = hd.evaluate("y(i) += A(i,j) * x(j)", A=scipy.sparse.eye_array(3, format="csr"), x=np.ones(3), y=y)
    np.testing.assert_array_equal(result.vals, [2, 2, 2])
    np.testing.assert_array_equal(y, [1, 1, 1])


def test_dense_factors_are_multiplied_first(caplog: pytest.LogCaptureFixture) -> None:
    a, x, w = sparse(40, 40), np.ones((40, 8)), np.ones((8, 2))
    with caplog.at_level(logging.INFO, "heddle"):
        result = hd.evaluate("H(i,f) = A(i,j) * X(j,k) * W(k,f)", A=a, X=x, W=w)
    np.testing.assert_allclose(result.to_numpy(), a @ x @ w)
    assert "is computed as t3(j,f) = X(j,k) * W(k,f); H(i,f) = A(i,j) * t3(j,f)" in caplog.text


SIZES = {"i": 1000, "j": 1000, "k": 16, "f": 16, "l": 1000}


def orders(*factors: Factor, result: tuple[str, ...]) -> list[str]:
    return [step.expression for step in cheapest_order(factors, Factor("R", result), SIZES, "t")]


def test_a_sampled_product_stays_one_kernel() -> None:
    found = orders(Factor("S", ("i", "j"), 0.01), Factor("A", ("i", "k")), Factor("B", ("k", "j")), result=("i", "j"))
    assert found == ["R(i,j) = S(i,j) * A(i,k) * B(k,j)"]


def test_a_product_of_a_tensor_with_two_matrices_stays_one_kernel() -> None:
    found = orders(
        Factor("X", ("i", "j", "l"), 1e-5), Factor("B", ("j", "k")), Factor("C", ("l", "k")), result=("i", "k")
    )
    assert len(found) == 1


def test_a_chain_of_matrices_with_a_vector_begins_at_the_vector() -> None:
    found = orders(Factor("A", ("i", "j")), Factor("B", ("j", "l")), Factor("x", ("l",)), result=("i",))
    assert found == ["t3(j) = B(j,l) * x(l)", "R(i) = A(i,j) * t3(j)"]


def test_many_factors_are_ordered_in_pairs() -> None:
    names = "abcdefgh"
    sizes = dict.fromkeys(names, 10)
    chain = [Factor(f"M{n}", (names[n], names[n + 1])) for n in range(7)]
    found = cheapest_order(chain, Factor("R", ("a",)), sizes, "t")
    assert len(found) == 6
    assert found[-1].result.name == "R"


def test_equal_factors_are_told_apart() -> None:
    found = orders(*[Factor("A", ("i", "j"))] * 3, result=("i", "j"))
    assert found == ["R(i,j) = A(i,j) * A(i,j) * A(i,j)"]


def test_rows_times_columns_become_rows_times_rows() -> None:
    make: Any = scipy.sparse.random_array
    rng = np.random.default_rng(0)
    a, b = (make((300, 300), density=0.01, format=format, rng=rng) for format in ("csr", "csc"))
    EVALUATIONS.clear()
    for _ in range(2):
        np.testing.assert_allclose(hd.evaluate(SPGEMM, A=a, B=b).to_numpy(), (a @ b).toarray())
    (evaluation,) = EVALUATIONS.known()
    assert evaluation.steps[0].conversions == (("B", "csr"),)
    packed = hd.pack(b, "csc")
    np.testing.assert_allclose(hd.evaluate(SPGEMM, A=a, B=packed).to_numpy(), (a @ b).toarray())


def test_like_says_what_nobody_declared() -> None:
    a, x = sparse(6, 7, dtype=np.float32), np.ones(7, np.float32)
    kernel = hd.compile("C(i,j) = A(i,j) * x(j)", like={"A": a, "x": x}, schedule="auto")
    assert format_text(kernel.signature.result.format) == "csr"
    assert kernel(A=a, x=x).dtype == "float32"
    declared = hd.compile("C(i,j) = A(i,j) * x(j)", {"A": "csc", "C": "dense"}, like={"A": a, "x": x})
    assert format_text(declared.signature.tensors["A"].format) == "csc"
    assert declared.signature.result.format.is_dense
    with pytest.raises(hd.CompileError, match="like has B, which the expression does not read") as refused:
        hd.compile("y(i) = A(i,j) * x(j)", like={"B": a})
    assert refused.value.diagnostics[0].expected == "A, x"
    with pytest.raises(hd.OperandError, match=r"A\(i,j\) has 2 dimensions, but the operand has 1: its shape is 7"):
        hd.compile("y(i) = A(i,j) * x(j)", like={"A": x})


def test_a_mistake_is_told_once_and_formats_that_nobody_asked_for_are_not() -> None:
    a = sparse(6, 6)
    with pytest.raises(hd.CompileError) as unknown:
        hd.evaluate("C(i,j) = A(i,k) * A(k,j)", A=a, format="crs")
    assert [mistake.message for mistake in unknown.value.diagnostics] == [
        "there is no format `crs` (format of C); did you mean csr?"
    ]
    with pytest.raises(hd.CompileError) as flat:
        hd.evaluate("y(i) = A(i)", A=a)
    assert flat.value.messages == "A has 1 dimension, but `csr` stores 2"


def test_what_is_no_program_is_named() -> None:
    nothing: Any = None
    with pytest.raises(hd.OperandError, match="the program must be an expression, a plan or its document, but is None"):
        hd.compile(nothing)


def test_like_takes_the_formats_of_a_comprehension() -> None:
    program = "def f(float(N,M) A, float(M) x) -> (y) { y(i) +=! A(i,j) * x(j) }"
    a = sparse(6, 7, dtype=np.float32)
    kernel = hd.compile(program, language="comprehension", like={"A": a})
    assert format_text(kernel.signature.tensors["A"].format) == "csr"


ARGUMENTS: dict[str, tuple[dict[str, Any], str]] = {
    "a format": ({"format": 3}, "the format must be a text or a Format, but is 3."),
    "a schedule": (
        {"schedule": 3},
        'the schedule must be "auto", or commands in a text or one text each, but is 3.',
    ),
    "a dtype": ({"dtype": "flot"}, "the dtype must be one of float64, float32"),
    "a format that does not exist": ({"format": "cssr"}, "there is no format `cssr` (format of y)"),
    "auto in capitals": (
        {"schedule": "Auto"},
        'there is no command Auto. Did you mean auto? schedule="auto" alone is for hd.compile, hd.evaluate and '
        "hd.einsum, which look at the operands of a call.",
    ),
    "auto misspelled": ({"schedule": "automatic"}, "there is no command automatic. Did you mean auto?"),
    "auto among commands": ({"schedule": ["auto"]}, 'auto is not a command: schedule="auto" alone is for hd.compile'),
}


@pytest.mark.parametrize("case", ARGUMENTS)
def test_wrong_options_are_named(case: str) -> None:
    options, message = ARGUMENTS[case]
    with pytest.raises(hd.CompileError) as refused:
        hd.evaluate("y(i) = 2 * x(i)", x=np.ones(3), **options)
    assert message in str(refused.value)


def test_a_product_inside_a_program_is_computed_in_the_cheapest_order(caplog: pytest.LogCaptureFixture) -> None:
    """A layer of a graph network, as people write it: features times weights first."""
    generator = np.random.default_rng(5)
    adjacency = scipy.sparse.random_array((300, 300), density=0.1, format="csr", rng=generator)
    features, weights = generator.random((300, 40)) - 0.5, generator.random((40, 4)) - 0.5
    program = "T(i,f) = A(i,j) * X(j,k) * W(k,f); Z(i,f) = relu(T(i,f))"
    caplog.set_level("INFO", "heddle")
    result = hd.evaluate(program, A=adjacency, X=features, W=weights)
    assert np.allclose(result.to_numpy(), np.maximum(adjacency @ (features @ weights), 0))
    assert f"{program} is computed as t3(j,f) = X(j,k) * W(k,f); T(i,f) = " in caplog.text


def test_an_intermediate_has_a_name_of_its_own() -> None:
    generator = np.random.default_rng(6)
    A, B, c = generator.random((60, 60)), generator.random((60, 60)), generator.random(60)
    result = hd.evaluate("t1(i) = A(i,j) * B(j,k) * c(k); y(i) = t1(i) + 1", A=A, B=B, c=c)
    assert np.allclose(result.to_numpy(), A @ (B @ c) + 1)
    sums = hd.evaluate("t1(i) = 2 * A(i,j) * B(j,k) * c(k); y(i) = t1(i) + c(i)", A=A, B=B, c=c)
    assert np.allclose(sums.to_numpy(), 2 * A @ (B @ c) + c)
