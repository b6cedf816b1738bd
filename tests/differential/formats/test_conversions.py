"""Operands whose storage order the loops cannot follow: converted when the kernel is called, where the Plan says so."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import heddle as hd
from heddle.diagnostics import CompileError
from heddle.formats.printer import format_text
from heddle.notation.evaluation import evaluate
from heddle.notation.parser import parse
from tests.cases.program import AUTOMATIC, outcome, read_cases
from tests.differential.operands import operand_sets

TWICE = "J(j,l) = A(l,j) + A(j,l)"
SUM = "C(i,j) = A(i,j) + B(i,j)"
BY_TILES = "split(i, i0, i1, 4)\nreorder(i0, j, i1)\nparallelize(i0, CPUThread, NoRaces)"
PROGRAMS = [
    ("y(i) = A(i,j) * x(j)", {"A": "csr"}, "reorder(j, i)", {"A": "csc"}),
    ("y(i) = A(i,j) * x(j)", {"A": "csr"}, BY_TILES, {"A": "csc"}),
    ("y(i) = A(i,j) * x(j)", {"A": "csr"}, "reorder(j, i)\nreorder(i, j)", {}),
    ("y(i) = A(i,j) * x(j)", {"A": "coo"}, "reorder(j, i)", {"A": "compressed(nonunique), singleton : 1,0"}),
    ("y(i) = A(i,j) * x(j)", {"A": "ell"}, "reorder(j, i)", {"A": "dense, padded : 1,0"}),
    (SUM, {"A": "csr", "B": "csc"}, "", {"B": "csr"}),
    (SUM, {"A": "csr", "B": "csc", "C": "csc"}, "", {"A": "csc"}),
    (SUM, {"A": "dcsr", "B": "dcsc", "C": "csr"}, "", {"B": "dcsr"}),
    ("C(i,j) = A(i,j) + B(j,i) + D(i,j)", {"A": "csr", "B": "csr", "D": "csr"}, "", {"B": "csc"}),
    (TWICE, {"A": "csr"}, "", {"Acopy": "csc"}),
    (TWICE, {"A": "csr"}, "parallelize(j, CPUThread, NoRaces)", {"Acopy": "csc"}),
    (TWICE, {"A": "dcsr"}, "", {"Acopy": "dcsc"}),
    (TWICE, {"A": "csr", "J": "csr"}, "", {"Acopy": "csc"}),
    ("s = A(i,j) * A(j,i)", {"A": "csr"}, "", {"Acopy": "csc"}),
    ("T(i) = sum(j, A(i,j)) + sum(j, A(j,i))", {"A": "csr"}, "", {"Acopy": "csc"}),
    ("y(i) = A(i,j) * A(j,i) * Acopy(i,j)", {"A": "csr", "Acopy": "csr"}, "", {"Acopy2": "csc"}),
    ("s = A(i,j) * A(j,i)", {"A": "dcsr"}, "reorder(j, i)", {"Acopy": "dcsc"}),
    ("y(j) = B(i,j,k) * x(k)", {"B": "csf"}, "reorder(j, i, k)", {"B": "csf : 1,0,2"}),
]


@pytest.mark.combinations(4)
@pytest.mark.parametrize(("expression", "formats", "schedule", "converted"), PROGRAMS)
@pytest.mark.parametrize("target", ["interpreter", "c"])
def test_right_with_converted_operands(
    expression: str, formats: dict[str, str], schedule: str, converted: dict[str, str], target: str
) -> None:
    kernel = hd.compile(expression, formats, schedule, target, options={"convert": "automatic"})
    found = {one.name: one.format for one in kernel.conversions}
    assert found == {name: kernel_format(text, found[name].dimensions) for name, text in converted.items()}
    assignment = parse(expression)
    for operands in operand_sets(assignment):
        result = kernel(**operands.arrays).to_numpy()
        np.testing.assert_array_equal(result, evaluate(assignment, operands.arrays, operands.sizes), operands.label)


def kernel_format(text: str, order: int) -> object:
    from heddle.formats.parser import parse_format

    if text == "csf : 1,0,2":
        text = "compressed, compressed, compressed : 1,0,2"
    return parse_format(text, order, "A")


@pytest.mark.combinations(4, "target", "id")
@pytest.mark.parametrize("id", ["C0536", "C0594", "C0595", "C0616"])
@pytest.mark.parametrize("target", ["interpreter", "c"])
def test_programs_that_need_a_conversion_are_right_with_one(id: str, target: str) -> None:
    case = next(case for case in read_cases() if case.id == id)
    assert outcome(case, "interpreter").startswith("refused: ")
    assert outcome(case, target, AUTOMATIC) == "right"


def test_a_packed_operand_is_converted_once_and_the_call_says_what_that_took() -> None:
    matrix = sp.random_array((30, 20), density=0.2, rng=np.random.default_rng(0), format="csr")
    kernel = hd.compile(SUM, {"A": "csr", "B": "csc"}, options={"convert": "automatic"})
    first, second = hd.pack(matrix, "csr"), hd.pack(matrix, "csc")
    call = kernel.bind(A=first, B=second)
    (done,) = call.preparation
    assert (done.conversion.tensor, done.conversion.name, format_text(done.conversion.format)) == ("B", "B", "csr")
    assert done.seconds > 0
    again = kernel.bind(A=first, B=second)
    assert again.preparation[0].seconds == 0
    assert again.operands["B"] is call.operands["B"]
    call.run()
    np.testing.assert_allclose(call.output.to_numpy(), 2 * matrix.toarray())


def test_one_operand_for_both_of_its_orders() -> None:
    square = sp.random_array((25, 25), density=0.2, rng=np.random.default_rng(1), format="csr")
    kernel = hd.compile(TWICE, {"A": "csr"}, options={"convert": "automatic"})
    np.testing.assert_allclose(kernel(A=square).to_numpy(), (square + square.T).toarray())
    with pytest.raises(CompileError, match="along j"):
        kernel(A=np.ones((3, 4)))


def test_without_the_option_the_conversions_stay_in_the_diagnostic() -> None:
    (diagnostic,) = hd.lower(SUM, {"A": "csr", "B": "csc"}).diagnostics
    assert diagnostic.code == "format/conflicting-orders"
    assert [fix.title for fix in diagnostic.fixes] == ["Store B as csr", "Convert automatically at each call"]
    assert diagnostic.fixes[1].options == {"convert": "automatic"}
    (twice,) = hd.lower(TWICE, {"A": "csr"}).diagnostics
    assert [fix.options for fix in twice.fixes] == [{"convert": "automatic"}]


def test_what_no_conversion_mends_is_refused_as_before() -> None:
    options = {"convert": "automatic"}
    (strided,) = hd.lower(
        "y(i) = A(i,j) * x(j)", {"A": "csr"}, "split(j, j0, j1, 4)\nreorder(j1, j0)", options=options
    ).diagnostics
    assert strided.code == "schedule/strided"
    blocks = {"A": "bcsr(2,2)"}
    (ordered,) = hd.lower("y(i) = A(i,j) * x(j)", blocks, "reorder(j_block, i_block)", options=options).diagnostics
    assert ordered.code == "schedule/storage-order"
    assert [fix.options for fix in ordered.fixes] == [None]
