"""A kernel as a ``scipy.sparse.linalg.LinearOperator``: for SciPy's solvers and eigenvalues."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.runtime.extras import require_scipy
from heddle.runtime.kernels.call_inspector import CallInspector, VariedKernel
from heddle.runtime.kernels.compiled import Compiled
from heddle.runtime.kernels.single_calls import VariedCalls
from heddle.runtime.packing.pack import pack_operands
from heddle.runtime.tensors.shapes import Shape
from heddle.signature import Signature, TensorSignature
from heddle.wrong_arguments import require_text

if TYPE_CHECKING:
    from scipy.sparse.linalg import LinearOperator

    from heddle.runtime.kernels.binding import Binding

Array = NDArray[Any]


class LinearKernel(VariedKernel, Protocol):
    """What is asked of the kernel that is made an operator."""

    result: Compiled
    signature: Signature
    inspector: CallInspector | None


def operator_over(
    kernel: LinearKernel, binding: Binding, over: str, operands: Mapping[str, object]
) -> LinearOperator[Any]:
    """``kernel`` as a map of its operand ``over``.

    Raises
    ------
    OperandError
        see :meth:`heddle.runtime.kernels.kernel.Kernel.as_linear_operator`.
    """
    require_scipy("as_linear_operator", "Call the kernel in the solver yourself.")
    require_text(over, "over")
    signature, result = kernel.signature.tensors.get(over), kernel.signature.result
    if signature is None or signature.is_result:
        binding.refuse_names({**operands, over: None})
    if over in operands:
        raise _passed(over)
    if not signature.format.is_dense or not result.format.is_dense or kernel.signature.accumulates:
        raise _not_dense(over, kernel.result.plan.expression)
    packed: dict[str, Any] = pack_operands(operands, kernel.signature)
    if packed.keys() != {tensor.name for tensor in kernel.signature.inputs} - {over}:
        binding.refuse_names({**packed, over: None})
    shape, result_shape = binding.shapes_over(over, {name: tensor.shape for name, tensor in packed.items()})
    return _build(LinearMap(kernel, over, packed, shape, result_shape))


class LinearMap:
    """The products of an operator with vectors, and with its adjoint. What a solver's process sends to another is the
    kernel and the packed operands; calls are prepared anew where it arrives."""

    def __init__(
        self, kernel: LinearKernel, over: str, packed: dict[str, Any], shape: Shape, result_shape: Shape
    ) -> None:
        self.kernel, self.over, self.packed = kernel, over, packed
        self.shape, self.result_shape = shape, result_shape
        self._apply = _apply_over(kernel, over, packed)

    def __reduce__(self) -> tuple[Any, ...]:
        return LinearMap, (self.kernel, self.over, self.packed, self.shape, self.result_shape)

    @property
    def size(self) -> tuple[int, int]:
        """Elements of the result, elements of ``over``."""
        return prod(self.result_shape), prod(self.shape)

    @property
    def dtype(self) -> Any:
        """Of the result."""
        return np.dtype(self.kernel.signature.result.dtype)

    @cached_property
    def _apply_transpose(self) -> Callable[[Array], Array]:
        """Compiled when it is first asked for."""
        inspector = self.kernel.inspector
        turned = None if inspector is None else inspector.transpose(self.over)
        if turned is None:
            raise _not_linear(self.over, self.kernel.result.plan.expression)
        return _apply_over(turned, self.kernel.signature.result.name, self.packed)

    def multiply(self, vector: Array) -> Array:
        """The map of a vector."""
        return self._apply(_as(vector, self.kernel.signature.tensors[self.over], self.shape))

    def multiply_adjoint(self, vector: Array) -> Array:
        """The adjoint of a complex map is the conjugate of its transpose, applied to the conjugate."""
        result = self.kernel.signature.result
        return np.conj(self._apply_transpose(np.conj(_as(vector, result, self.result_shape))))


def _build(linear: LinearMap) -> LinearOperator[Any]:
    """SciPy's operator, which is pickled as its products: SciPy's own keeps no arguments of ``__new__``."""
    from scipy.sparse.linalg import LinearOperator

    build: Any = LinearOperator
    operator: LinearOperator[Any] = build(
        linear.size, matvec=linear.multiply, rmatvec=linear.multiply_adjoint, dtype=linear.dtype
    )
    return operator


def _apply_over(kernel: VariedKernel, over: str, packed: Mapping[str, Any]) -> Callable[[Array], Array]:
    """The values of the result as a function of those of ``over``. The first call looks at all operands, and warns of
    what they cost."""
    known: list[VariedCalls | None] = []

    def apply(operand: Array) -> Array:
        if known and known[0] is not None and (computed := known[0].compute(operand)) is not None:
            return computed
        operands = {**packed, over: operand}
        values: Array = kernel(**operands).to_numpy()
        if not known:
            known.append(kernel.vary(operands, over))
        return values.reshape(-1)

    return apply


def _as(vector: Array, signature: TensorSignature, shape: Shape) -> Array:
    """What a solver passes, in the type that the kernel computes with."""
    if not np.can_cast(vector.dtype, signature.dtype, "same_kind"):
        raise OperandError(
            Diagnostic(
                "runtime/dtype-mismatch",
                f"The solver passes {vector.dtype} values, and the kernel takes {signature.name} as {signature.dtype}.",
                Location(Part.INPUT, tensor=signature.name),
                expected=signature.dtype,
                actual=str(vector.dtype),
                hint=f'Compile with dtypes={{"{signature.name}": "{vector.dtype}"}} and operands of that type.',
            )
        )
    return np.ascontiguousarray(vector, dtype=signature.dtype).reshape(shape)


def _passed(over: str) -> OperandError:
    return OperandError(
        Diagnostic(
            "runtime/unknown-operand",
            f"{over} is passed, and is what the operator will be applied to.",
            Location(Part.INPUT, tensor=over),
            expected="the other operands",
            actual=over,
            hint=f"Leave out {over}=.",
        )
    )


def _not_dense(over: str, expression: str) -> OperandError:
    return OperandError(
        Diagnostic(
            "runtime/no-operator",
            f"{expression} is not an operator over {over}: both {over} and the result must be dense, and the result "
            "assigned by =.",
            Location(Part.INPUT, tensor=over),
            expected="a dense operand, a dense result, and =",
            actual=expression,
        )
    )


def _not_linear(over: str, expression: str) -> OperandError:
    """The refusal of an adjoint that is not known."""
    return OperandError(
        Diagnostic(
            "runtime/no-adjoint",
            f"The adjoint over {over} is unknown: {expression} is not a sum of products with {over} as a factor once.",
            Location(Part.INPUT, tensor=over),
            expected=f"an expression that is linear in {over}",
            hint="Use a solver without rmatvec, such as cg, gmres or eigsh.",
        )
    )
