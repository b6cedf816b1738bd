"""Calling kernels: every kind of operand, and the text of every refusal."""

from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp

from heddle.diagnostics import CompileError, InternalError, OperandError
from heddle.loop_ir.interpreter.interpreter import interpret
from heddle.loop_ir.nodes import OUT_OF_MEMORY
from heddle.plan import TensorSpec
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.packing.pack import pack
from tests.compiler.runtime.spmv import CSR, HandMade, scale, spmv

MATRIX = np.array([[0.0, 1, 2, 0], [0, 0, 0, 0], [3, 0, 0, 4]])
VECTOR = np.array([1.0, 2, 3, 4])


@pytest.fixture(scope="module", params=["c", "interpreter"])
def kernel(request: pytest.FixtureRequest) -> Kernel:
    return Kernel(spmv(request.param))


def test_every_kind_of_operand(kernel: Kernel) -> None:
    coordinates = np.nonzero(MATRIX)
    for operand in (
        MATRIX,
        MATRIX.tolist(),
        sp.csr_array(MATRIX),
        sp.csc_matrix(MATRIX),
        sp.coo_array(MATRIX),
        (coordinates, MATRIX[coordinates], MATRIX.shape),
        pack(MATRIX, CSR),
    ):
        result = kernel(A=operand, x=VECTOR)
        np.testing.assert_array_equal(result.to_numpy(), MATRIX @ VECTOR)
    np.testing.assert_array_equal(kernel(A=MATRIX, x=[1, 2, 3, 4]).to_numpy(), MATRIX @ VECTOR)


def test_operands_may_change_shape_between_calls(kernel: Kernel) -> None:
    for shape in ((2, 5), (0, 3), (4, 0), (1, 1)):
        matrix, vector = np.arange(float(shape[0] * shape[1])).reshape(shape), np.ones(shape[1])
        np.testing.assert_array_equal(kernel(A=matrix, x=vector).to_numpy(), matrix @ vector)


def test_results_do_not_share_memory_while_they_live(kernel: Kernel) -> None:
    first = kernel(A=MATRIX, x=VECTOR)
    second = kernel(A=2 * MATRIX, x=VECTOR)
    np.testing.assert_array_equal(first.to_numpy(), MATRIX @ VECTOR)
    np.testing.assert_array_equal(second.to_numpy(), 2 * (MATRIX @ VECTOR))
    assert first.vals.ctypes.data % 64 == 0


def test_a_bound_call_sees_changed_values(kernel: Kernel) -> None:
    vector = VECTOR.copy()
    call = kernel.bind(A=sp.csr_array(MATRIX), x=vector)
    for factor in (1.0, 2.0):
        vector[:] = factor * VECTOR
        call.run()
        np.testing.assert_array_equal(call.output.to_numpy(), factor * (MATRIX @ VECTOR))


def test_a_call_of_some_operands_waits_for_the_others(kernel: Kernel) -> None:
    matrix = sp.csr_array(MATRIX)
    call = kernel.bind(A=matrix)
    assert repr(call) == "<PartialCall of A: 3 × 4 csr, borrowed, which waits for the other operands>"
    with pytest.raises(OperandError, match=r"^x\(j\) is missing"):
        call.run()
    with pytest.raises(OperandError, match="z is not an operand"):
        call(z=VECTOR)
    with pytest.raises(OperandError, match=r"out is not an operand .*\nhint: out and validate are options of kernel"):
        call(x=VECTOR, out=np.empty(3))
    with pytest.raises(AttributeError, match="output: this call waits for operands"):
        _ = call.output
    for vector in (VECTOR, [1, 2, 3, 4], VECTOR.astype("float32"), np.repeat(VECTOR, 2)[::2]):
        np.testing.assert_array_equal(call(x=vector).to_numpy(), MATRIX @ VECTOR)
    matrix.data *= 2
    np.testing.assert_array_equal(call.run().to_numpy(), 2 * MATRIX @ VECTOR)
    assert repr(call) == "<PartialCall y: 3 from A: 3 × 4 csr, borrowed, x: 4>"
    with pytest.raises(OperandError, match="stored as SciPy's csc"):
        kernel.bind(A=sp.csc_array(MATRIX))


@pytest.mark.parametrize("dtype", ["float32", "int32", "int64"])
def test_other_value_types(dtype: str) -> None:
    result = Kernel(spmv(dtype=dtype))(A=MATRIX.astype(dtype), x=VECTOR.astype(dtype))
    assert result.dtype == dtype
    np.testing.assert_array_equal(result.to_numpy(), (MATRIX @ VECTOR).astype(dtype))


@pytest.mark.parametrize("dtype", ["float64", "float32", "int32", "int64", "complex64", "complex128"])
def test_scalars_are_passed_by_value(dtype: str) -> None:
    alpha = 2 + 1j if dtype.startswith("complex") else 3
    vector = np.array([1, 2, 3], dtype=dtype)
    result = Kernel(scale(dtype))(alpha=np.array(alpha, dtype=dtype), x=vector)
    np.testing.assert_array_equal(result.to_numpy(), np.array(alpha, dtype=dtype) * vector)


def refused(kernel: Kernel, **operands: object) -> tuple[str, str]:
    with pytest.raises(CompileError) as caught:
        kernel(**operands)
    diagnostic = caught.value.diagnostics[0]
    return diagnostic.code, diagnostic.message


def test_wrong_names(kernel: Kernel) -> None:
    assert refused(kernel, A=MATRIX) == ("runtime/missing-operand", "x(j) is missing; the kernel takes A, x.")
    assert refused(kernel, A=MATRIX, x=VECTOR, B=VECTOR) == (
        "runtime/unknown-operand",
        "B is not an operand of this kernel; y(i) takes A, x.",
    )
    assert refused(kernel, A=MATRIX, x=VECTOR, y=VECTOR) == (
        "runtime/unknown-operand",
        "y is the result, which is not passed; y(i) takes A, x.",
    )
    with pytest.raises(CompileError) as caught:
        kernel()
    assert [diagnostic.message for diagnostic in caught.value.diagnostics] == [
        "A(i,j) is missing; the kernel takes A, x.",
        "x(j) is missing; the kernel takes A, x.",
    ]


def test_wrong_shapes(kernel: Kernel) -> None:
    assert refused(kernel, A=MATRIX, x=np.ones(5)) == (
        "runtime/shape-mismatch",
        "x(j) has 5 entries but A(i,j) has 4 columns along j.",
    )
    assert refused(kernel, A=np.ones((2, 1)), x=np.ones(5))[1] == "x(j) has 5 entries but A(i,j) has 1 column along j."
    assert refused(kernel, A=MATRIX, x=MATRIX) == (
        "runtime/order-mismatch",
        "x(j) has 1 dimension, but the operand has 2: its shape is 3 × 4.",
    )
    assert refused(kernel, A=2.0, x=VECTOR)[1] == "A(i,j) has 2 dimensions, but the operand has 0 (a number)."


def test_wrong_types_and_formats(kernel: Kernel) -> None:
    code, text = refused(kernel, A=MATRIX.astype(complex), x=VECTOR)
    assert code == "runtime/dtype-mismatch"
    assert text.startswith("A holds complex128 values, but the kernel computes with float64")
    assert refused(kernel, A=pack(MATRIX, "csc"), x=VECTOR) == (
        "runtime/format-mismatch",
        "A is packed as csc, but this kernel was compiled for csr.",
    )
    assert refused(kernel, A="A", x=VECTOR)[0] == "runtime/unsupported-operand"


def test_shapes_that_the_plan_demands() -> None:
    demanding = Kernel(spmv(x=TensorSpec(shape=(4,))))
    np.testing.assert_array_equal(demanding(A=MATRIX, x=VECTOR).to_numpy(), MATRIX @ VECTOR)
    assert refused(demanding, A=np.ones((2, 3)), x=np.ones(3)) == (
        "runtime/shape-mismatch",
        "x(j) is 3, but the plan says 4.",
    )


def test_a_broken_claim_is_refused() -> None:
    for target in ("c", "interpreter"):
        claiming = Kernel(spmv(target, rows=3))
        np.testing.assert_array_equal(claiming(A=MATRIX, x=VECTOR).to_numpy(), MATRIX @ VECTOR)
        with pytest.raises(CompileError, match="bound claims that i has 3 values") as caught:
            claiming(A=MATRIX[:2], x=VECTOR)
        diagnostic = caught.value.diagnostics[0]
        assert diagnostic.code == "runtime/refused"
        assert diagnostic.location is not None
        assert diagnostic.location.command == 1


def test_a_kernel_without_memory() -> None:
    error = Kernel(spmv()).refusal(OUT_OF_MEMORY)
    assert error.diagnostics[0].code == "runtime/out-of-memory"
    assert "could not allocate its workspace" in str(error)
    with pytest.raises(InternalError, match="unknown status 77"):
        Kernel(spmv()).refusal(77)


def test_a_failed_compile_has_no_kernel() -> None:
    made = spmv()
    with pytest.raises(InternalError, match="A kernel needs a compile without errors"):
        Kernel(HandMade(made.plan, made.signature, None, None))


def test_faults_of_the_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    made = spmv("interpreter")
    kernel = Kernel(made)
    matrix, vector = pack(MATRIX, CSR), VECTOR
    matrix.levels[1].crd.setflags(write=True)
    matrix.levels[1].crd[0] = 77
    with pytest.raises(InternalError, match=r"The checked interpreter found a fault in the kernel: .*77"):
        kernel(A=matrix, x=vector)
    monkeypatch.setattr("heddle.loop_ir.interpreter.interpreter.interpret", partial(interpret, step_limit=3))
    limited = Kernel(made)
    with pytest.raises(CompileError, match="These operands are too large for the interpreter") as caught:
        limited(A=MATRIX, x=VECTOR)
    assert caught.value.diagnostics[0].code == "runtime/too-many-steps"
