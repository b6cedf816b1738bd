"""What programs compute, on C and in the interpreter, is what they mean on NumPy arrays."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest

import heddle as hd
from heddle.diagnostics import CompileError
from heddle.frontends.table import front_end_of
from heddle.runtime.kernels.kernel import Kernel
from tests.compiler.comprehensions.programs import CASES, Case, operands

SIZES = ("odd", "one", "empty")


@cache
def kernel(name: str, target: str, formats: tuple[tuple[str, str], ...] = ()) -> Kernel:
    case = CASES[name]
    return hd.compile(case.text, language="comprehension", target=target, sizes=case.fixed, formats=dict(formats))


def check_program(name: str, case: Case, kernel: Kernel, sizes: dict[str, int]) -> None:
    front_end = front_end_of("comprehension")
    given = operands(case, sizes)
    refused = None
    try:
        expected = front_end.reference(front_end.read(case.text, case.fixed), given, {})
    except CompileError as error:
        refused = str(error)
    if refused is not None:
        with pytest.raises(CompileError, match=re.escape(refused)):
            kernel(**given)
        return
    result = kernel(**given)
    found = dict(result) if len(expected) > 1 else {next(iter(expected)): result}
    assert list(found) == list(expected)
    for output, values in expected.items():
        actual = found[output].to_numpy()
        assert actual.dtype == values.dtype
        np.testing.assert_allclose(actual, values, rtol=1e-4, atol=1e-4, err_msg=f"{name}: {output}")


@pytest.mark.combinations(4, "name")
@pytest.mark.parametrize("target", ["c", "interpreter"])
@pytest.mark.parametrize("name", CASES)
def test_a_program_computes_what_it_says(name: str, target: str) -> None:
    case = CASES[name]
    for sizes in (
        dict(case.sizes),
        dict.fromkeys(case.sizes, 1),
        {size: 0 if size in ("K", "I", "L", "R2", "IP") else 2 for size in case.sizes},
    ):
        check_program(name, case, kernel(name, target), sizes)


@pytest.mark.combinations(8, "name")
@pytest.mark.parametrize("target", ["c", "interpreter"])
@pytest.mark.parametrize(
    ("name", "formats"),
    [
        ("mv", {"A": "csr", "x": "compressed"}),
        ("sgemm", {"A": "csr"}),
        ("fcrelu", {"weight": "csr"}),
        ("conv2d", {"weight": "csf"}),
        ("conv2d", {"in": "csf"}),
        ("maxpool", {"in": "csf"}),
        ("gather", {"X": "compressed"}),
        ("sconv2d", {"I": "csf"}),
        ("conv1d", {"I": "compressed", "W": "compressed"}),
        ("tmm", {"A": "csr", "B": "csr"}),
        ("dconv", {"W1": "csf"}),
        ("2LUT", {"LUT1": "csr", "LUT2": "csc"}),
        ("softmax", {"I": "csr"}),
        ("concat", {"A": "csr"}),
        ("argmin", {"S": "compressed"}),
        ("backward", {"dO": "csf"}),
    ],
)
def test_any_operand_may_be_sparse(name: str, formats: dict[str, str], target: str) -> None:
    check_program(name, CASES[name], kernel(name, target, tuple(formats.items())), dict(CASES[name].sizes))


def test_schedules_apply() -> None:
    case = CASES["conv2d"]
    made = hd.compile(
        case.text,
        language="comprehension",
        schedule="parallelize(b, CPUThread, NoRaces); split(w, w0, w1, 4); parallelize(w1, CPUVector, NoRaces)",
    )
    check_program("conv2d", case, made, dict(case.sizes))
    assert "#pragma omp" in made.source


def test_several_results_are_a_mapping_in_the_order_of_the_text() -> None:
    case = CASES["softmax"]
    result = kernel("softmax", "c")(**operands(case, dict(case.sizes)))
    assert list(result) == ["O", "expsum", "most"]
    assert all(isinstance(tensor, hd.Tensor) for tensor in result.values())
    assert repr(result) == "Outputs(O, expsum, most)"


def test_a_size_that_is_fixed_must_be_that_of_the_operands() -> None:
    made = hd.compile(CASES["tmm"].text, language="comprehension", sizes={"K": 4}, target="interpreter")
    ones = np.ones((3, 4), "float32")
    np.testing.assert_array_equal(made(A=ones, B=ones).to_numpy(), np.full((3, 3), 4.0, "float32"))
    with pytest.raises(CompileError, match="A has 5 in dimension 1, but K is 4 from sizes"):
        made(A=np.ones((3, 5), "float32"), B=np.ones((3, 5), "float32"))
