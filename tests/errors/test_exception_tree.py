"""The exceptions that a caller may rely on: one tree, which pickle keeps."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import heddle as hd
from heddle.diagnostics import Fix


def test_the_tree() -> None:
    assert issubclass(hd.CompileError, hd.HeddleError)
    assert issubclass(hd.CompileError, ValueError)
    assert issubclass(hd.OperandError, hd.HeddleError)
    assert issubclass(hd.OperandError, ValueError)
    assert issubclass(hd.InternalError, hd.HeddleError)
    assert not issubclass(hd.InternalError, ValueError)


def test_whoever_catches_compile_errors_catches_those_of_operands() -> None:
    assert issubclass(hd.OperandError, hd.CompileError)


def test_a_wrong_program_is_no_error_of_operands() -> None:
    with pytest.raises(hd.CompileError) as caught:
        hd.compile("y(i) = A(i,j) *")
    assert not isinstance(caught.value, hd.OperandError)


def test_data_that_does_not_fit_is_an_error_of_operands() -> None:
    kernel = hd.compile("y(i) = A(i,j) * x(j)", target="interpreter")
    with pytest.raises(hd.OperandError, match="x"):
        kernel(A=np.ones((2, 3)), x=np.ones(2))
    with pytest.raises(hd.OperandError, match="cannot be packed"):
        hd.pack(object(), "csr")


@pytest.mark.parametrize(
    ("program", "operands", "code"),
    [
        ("y(i) = x(t(i))", {"x": [0.0, 1.0, 2.0], "t": [2, 5]}, "runtime/index-range"),
        ("y(i) +=! x(i + k) where k in 0:8, i in 0:N", {"x": [0.0, 1.0, 2.0], "t": [0]}, "runtime/precondition"),
    ],
)
def test_data_that_a_comprehension_cannot_take_is_an_error_of_operands(
    program: str, operands: dict[str, object], code: str
) -> None:
    """An index is in the data, a size in the operands: the program is right."""
    kernel = hd.compile(
        f"def f(float(N) x, int32(M) t) -> (y) {{ {program} }}", language="comprehension", target="interpreter"
    )
    arrays = {name: np.array(values, np.int32 if name == "t" else np.float32) for name, values in operands.items()}
    with pytest.raises(hd.OperandError) as caught:
        kernel(**arrays)
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == [code]


@pytest.mark.parametrize("class_", [hd.CompileError, hd.OperandError])
def test_pickle_keeps_the_class_and_the_diagnostics(class_: type[hd.CompileError]) -> None:
    error = class_(hd.Diagnostic("runtime/missing-operand", "There is no x."))
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is class_
    assert copy.diagnostics == error.diagnostics
    assert str(copy) == "There is no x."


def test_the_text_says_what_to_do_and_the_messages_what_is_wrong() -> None:
    with pytest.raises(hd.OperandError) as caught:
        hd.pack(np.ones(2, np.float16))
    (diagnostic,) = caught.value.diagnostics
    assert str(caught.value) == f"{diagnostic.message}\nhint: {diagnostic.hint}"
    assert caught.value.messages == diagnostic.message
    assert not hasattr(caught.value, "__notes__")  # a traceback would print the hint again
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_each_remedy_is_said_behind_the_last_message_that_it_mends() -> None:
    fix = Fix("Name them apart")
    error = hd.CompileError(
        hd.Diagnostic("a", "There is no ii.", hint="Declare it.", candidates=("i", "j")),
        hd.Diagnostic("b", "There is no kk.", hint="Declare it."),
        hd.Diagnostic("c", "x is not y.", candidates=("y",), fixes=(fix,)),
    )
    assert str(error).splitlines() == [
        "There is no ii.",
        "did you mean: i, j",
        "There is no kk.",
        "hint: Declare it.",
        "x is not y.",
        "fix: Name them apart",
    ]


def test_an_operand_may_be_named_self() -> None:
    kernel = hd.compile("y(i) = self(i) * 2", target="interpreter")
    np.testing.assert_array_equal(kernel(self=np.ones(2)).to_numpy(), [2, 2])
    np.testing.assert_array_equal(kernel.bind(self=np.ones(2)).run().to_numpy(), [2, 2])
