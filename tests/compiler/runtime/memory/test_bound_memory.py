"""A bound call computes with the values that its operands have when it runs, or cannot be bound.

The promise is in docs/understand/memory.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import heddle as hd
from heddle.runtime.kernels.bound_call import Outputs
from tests.compiler.patterns.programs import CASES

DENSE = np.array([[7.0, 0, 5, 3], [1, 0, 0, 6], [0, 8, 3, 7]])
SPMV, SCALED = "y(i) = A(i,j) * x(j)", "C(i,j) = A(i,j) * x(j)"


def spmv(format: str = "csr", **options: Any) -> Any:
    return hd.compile(SPMV, formats={"A": format}, **options)


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_new_values_of_bound_operands_are_seen(target: str) -> None:
    matrix, x = sp.csr_array(DENSE), np.zeros(4)
    call = spmv(target=target).bind(A=matrix, x=x)
    for value in (1.0, 2.0):
        x[:] = value
        matrix.data *= 2
        result: Any = call.run()
        assert result is call.output
        np.testing.assert_array_equal(result.to_numpy(), matrix @ x)


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_new_values_of_a_scalar_are_seen(target: str) -> None:
    kernel = hd.compile("y(i) = s * x(i)", target=target)
    number, x = np.array(2.0), np.ones(3)
    total = hd.compile("s = x(i)", target=target).bind(x=x)
    bound, chained = kernel.bind(s=number, x=x), kernel.bind(s=total.run(), x=x)
    for value in (3.0, 4.0):
        number[...] = value
        x[:] = value
        total.run()
        np.testing.assert_array_equal(bound.run().to_numpy(), value * x)
        np.testing.assert_array_equal(chained.run().to_numpy(), 3 * value * x)
    assert kernel.bind(s=2.0, x=x).run().to_numpy()[0] == 8
    assert kernel.bind(s=np.float64(2), x=x).run().to_numpy()[0] == 8


STRIDED = np.zeros((4, 2))[:, 0]
REFUSED = {
    "strided": ("csr", {"x": STRIDED}, "its elements do not lie in memory one after the other in the kernel's order"),
    "swapped": ("csr", {"x": np.zeros(4, ">f8")}, "its elements do not lie in memory one after the other"),
    "float32": ("csr", {"x": np.zeros(4, np.float32)}, "it holds float32 values and the kernel computes with float64"),
    "list": ("csr", {"x": [0.0] * 4}, "it is a list"),
    "csc": ("csr", {"A": sp.csc_array(DENSE)}, "it is stored as SciPy's csc and the kernel reads csr"),
    "coo": ("coo", {"A": sp.coo_array(DENSE)}, "it is stored as SciPy's coo and the kernel reads coo"),
    "dense": ("csr", {"A": DENSE}, "it is dense and the kernel reads csr"),
    "ell": ("ell", {"A": sp.csr_array(DENSE)}, "it is stored as SciPy's csr and the kernel reads ell"),
    "int": ("csr", {"A": sp.csr_array(DENSE.astype(np.int32))}, "it holds int32 values"),
    "unsorted": (
        "csr",
        {"A": sp.csr_array((np.ones(2), np.array([2, 0]), np.array([0, 2, 2, 2])), shape=(3, 4))},
        "its rows are not in ascending order, each coordinate once",
    ),
    "strided data": (
        "csr",
        {"A": sp.csr_array((np.zeros((3, 2))[:, 0], np.array([0, 2, 3]), np.array([0, 2, 2, 3])), shape=(3, 4))},
        "the elements of its data do not lie in memory one after the other in the kernel's order and in the machine's",
    ),
    "swapped data": (
        "csc",
        {"A": sp.csc_array((np.ones(2, ">f8"), np.array([0, 2]), np.array([0, 2, 2, 2, 2])), shape=(3, 4))},
        "the elements of its data do not lie in memory one after the other",
    ),
    "unsorted columns": (
        "csc",
        {"A": sp.csc_array((np.ones(2), np.array([2, 0]), np.array([0, 2, 2, 2, 2])), shape=(3, 4))},
        "its columns are not in ascending order, each coordinate once",
    ),
    "coordinates": ("csr", {"A": (([0], [0]), [1.0], (3, 4))}, "it is given by coordinates"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_operand_that_would_be_copied_is_refused(name: str) -> None:
    format, operands, reason = REFUSED[name]
    kernel, given = spmv(format), {"A": hd.pack(DENSE, format), "x": np.ones(4), **operands}
    with pytest.raises(hd.OperandError) as caught:
        kernel.bind(**given)
    (diagnostic,) = caught.value.diagnostics
    (operand,) = operands
    assert diagnostic.code == "runtime/bound-copy"
    assert diagnostic.message.startswith(f"{operand} would be copied when it is bound, because {reason}")
    assert diagnostic.message.endswith(": a run would not see its new values.")
    layout = "dense" if operand == "x" else format
    assert diagnostic.hint == (
        f'Bind {operand}=hd.pack({operand}, "{layout}", "float64") and replace it by call({operand}=…) when its values '
        "change."
    )
    packed = {operand: hd.pack(operands[operand], layout, "float64")}
    np.testing.assert_array_equal(kernel.bind(**{**given, **packed}).run().to_numpy(), kernel(**given).to_numpy())


def test_an_operand_that_loops_read_in_another_order_is_refused_unless_it_is_a_snapshot() -> None:
    kernel = hd.compile("B(i,j) = A(i,j) + A(j,i)", formats={"A": "csr", "B": "csr"}, options={"convert": "automatic"})
    matrix = sp.csr_array(DENSE[:, :3])
    with pytest.raises(hd.OperandError, match="A would be copied when it is bound, because the loops read it as csc"):
        kernel.bind(A=matrix)
    with pytest.raises(hd.OperandError, match="because the loops read it as csc"):
        kernel.bind(A=hd.pack(matrix, "csr", copy=False))
    call = kernel.bind(A=hd.pack(matrix, "csr"))
    np.testing.assert_array_equal(call.run().to_numpy(), (matrix + matrix.T).toarray())
    matrix.data *= 2
    np.testing.assert_array_equal(call(A=matrix).to_numpy(), (matrix + matrix.T).toarray())
    np.testing.assert_array_equal(call(A=matrix * 2).to_numpy(), 2 * (matrix + matrix.T).toarray())


def test_operands_are_replaced_by_copies_of_any_type_and_layout() -> None:
    x, calls = np.ones(4), []
    kernel = spmv()
    for options in ({}, {"schedule": "auto"}):
        call = spmv(options=options).bind(A=hd.pack(DENSE, "csr"), x=x)
        for new in (np.arange(4.0), np.arange(8.0)[::2], np.arange(4, dtype=np.float32), [1.0, 2, 3, 4], hd.pack(x)):
            expected = kernel(A=DENSE, x=new).to_numpy()
            np.testing.assert_array_equal(call(x=new).to_numpy(), expected)
            np.testing.assert_array_equal(call.run().to_numpy(), expected)
        twice = sp.csc_array(2 * DENSE)
        np.testing.assert_array_equal(call(A=twice, x=x).to_numpy(), twice @ x)
        twice.data[:] = 0
        assert call.run().to_numpy().any()
        calls.append(call)
    assert x.tolist() == [1.0] * 4


def test_the_memory_of_a_replaced_operand_is_used_again() -> None:
    call = spmv().bind(A=hd.pack(DENSE, "csr"), x=np.ones(4))
    call(x=np.arange(4.0))
    memory, output = call.operands["x"].vals, call.output
    new = np.full(4, 2.0)
    np.testing.assert_array_equal(call(x=new).to_numpy(), DENSE @ new)
    assert call.operands["x"].vals is memory
    assert call.output is output
    new[:] = 0
    np.testing.assert_array_equal(call.run().to_numpy(), DENSE @ np.full(4, 2.0))
    with pytest.raises(hd.OperandError, match="x"):
        call(x=np.ones(5))
    with pytest.raises(hd.OperandError, match="z is not an operand of this kernel"):
        call(z=1)
    np.testing.assert_array_equal(call().to_numpy(), DENSE @ np.full(4, 2.0))


def test_what_replaced_an_operand_is_not_written_when_it_is_replaced_again() -> None:
    """The memory that is used again is a copy, and never that of a caller."""
    call = spmv().bind(A=hd.pack(DENSE, "csr"), x=np.ones(4))
    first, second = np.arange(4.0), np.full(4, 7.0)
    for x in (first, second):
        np.testing.assert_array_equal(call(x=x).to_numpy(), DENSE @ x)
    assert first.tolist() == [0.0, 1.0, 2.0, 3.0]
    first[:] = 9
    np.testing.assert_array_equal(call.run().to_numpy(), DENSE @ second)


def test_a_scalar_is_replaced() -> None:
    call = hd.compile("y(i) = s * x(i)").bind(s=2.0, x=np.ones(2))
    assert [call(s=value).to_numpy()[0] for value in (3.0, 4, np.float32(5))] == [3, 4, 5]


def test_a_result_with_copied_coordinates_notices_that_entries_are_gone() -> None:
    matrix, x = sp.csr_array(DENSE), np.array([0.0, 1, 0, 1])
    call = hd.compile(SCALED, formats={"A": "csr", "C": "csr"}).bind(A=matrix, x=x)
    np.testing.assert_array_equal(call.run().to_numpy(), DENSE * x)
    matrix.data[0] = 0
    matrix.eliminate_zeros()
    with pytest.raises(hd.OperandError) as caught:
        call.run()
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "runtime/pattern-changed"
    assert diagnostic.message == (
        "A has 7 entries now and had 8 when it was bound; the result still has its coordinates of then."
    )
    assert diagnostic.hint == ("Values may change between runs. For other coordinates use call(A=…), or bind again.")
    np.testing.assert_array_equal(call(A=matrix).to_numpy(), matrix.toarray() * x)


def test_sizes_that_are_values_are_looked_at_again() -> None:
    text = "def f(double(N) X, int n) -> (O) { O(m) = 2.0 * X(m) where m in 0:n }"
    number = np.array(2, np.int32)
    call = hd.compile(text, language="comprehension").bind(X=np.arange(3.0), n=number)
    assert call.run().to_numpy().tolist() == [0, 2]
    number[...] = 3
    with pytest.raises(hd.OperandError) as caught:
        call.run()
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "runtime/bound-sizes"
    assert diagnostic.message == "n is 3 and was 2 when it was bound, when sizes followed from it."
    assert call(n=np.int32(3)).to_numpy().tolist() == [0, 2, 4]


def test_a_call_says_what_it_is_bound_to() -> None:
    call = hd.compile("y(i) = s * A(i,j) * x(j)", formats={"A": "csr"}).bind(
        s=2.0, A=hd.pack(DENSE, "csr"), x=np.ones(4)
    )
    assert repr(call) == ("<BoundCall y: 3 from s: a number, a snapshot, A: 3 × 4 csr, a snapshot, x: 4, borrowed>")


def test_all_results_of_a_program_are_returned() -> None:
    text = "def f(double(N) X) -> (O, s) { O(i) = 2.0 * X(i)  s +=! X(i) }"
    kernel, x = hd.compile(text, language="comprehension"), np.ones(3)
    call = kernel.bind(X=x)
    x[:] = 2
    for found in (call.run(), call(X=x)):
        assert isinstance(found, Outputs)
        assert (found["O"].to_numpy().tolist(), found["s"].item()) == ([4.0] * 3, 6.0)


def test_values_of_a_kept_pattern_are_bound_in_place() -> None:
    a, b = sp.csr_array(DENSE), sp.csr_array(np.eye(3, 4))
    kept = hd.compile("C(i,j) = A(i,j) + B(i,j)", formats=dict.fromkeys("ABC", "csr")).assemble(A=a, B=b)
    call = kept.bind(A=a, B=b)
    a.data *= 2
    np.testing.assert_array_equal(call.run().to_numpy(), (a + b).toarray())
    np.testing.assert_array_equal(call(A=a * 2).to_numpy(), (2 * a + b).toarray())
    with pytest.raises(hd.OperandError, match="A does not store what it did"):
        call(A=b)
    with pytest.raises(hd.OperandError, match="A would be copied when it is bound"):
        kept.bind(A=a.tocsc(), B=b)


def test_an_operand_that_starts_a_result_is_read_at_each_run() -> None:
    y, x = np.zeros(3), np.ones(4)
    call = hd.compile("y(i) += A(i,j) * x(j)", formats={"A": "csr"}).bind(A=hd.pack(DENSE, "csr"), x=x, y=y)
    y[:] = 5
    np.testing.assert_array_equal(call.run().to_numpy(), DENSE @ x + 5)
    np.testing.assert_array_equal(call(y=np.ones(3)).to_numpy(), DENSE @ x + 1)
    assert y.tolist() == [5.0] * 3


def test_arguments_of_a_program_in_patterns_are_read_in_place_or_refused() -> None:
    kernel = hd.compile(CASES["P1"].text, language="patterns")
    matrix, xs = np.arange(6, dtype=np.float32).reshape(2, 3), np.ones(3, np.float32)
    call: Any = kernel.bind(A=matrix, xs=xs)
    xs[:] = 2
    matrix += 1
    assert call.run().to_numpy().tolist() == (matrix @ xs).tolist()
    for copied in (np.ones(6, np.float32)[::2], np.ones(3, np.int16), [1.0] * 3):
        with pytest.raises(hd.OperandError) as caught:
            kernel.bind(A=matrix, xs=copied)
        (diagnostic,) = caught.value.diagnostics
        assert diagnostic.code == "runtime/bound-copy"
        assert diagnostic.message == "xs would be copied when it is bound: a run would not see its new values."
        assert kernel(A=matrix, xs=copied).to_numpy().tolist() == matrix.sum(axis=1).tolist()
