"""The operands of a case, packed, with the kernel that chooses its schedule for them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from benchmarks.suite import kernels, matrices, tensors
from benchmarks.suite.case import Case
from benchmarks.suite.kernels import Kernel


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """``operands`` as the opponents take them, ``packed`` as ours does (in ``packing`` seconds); ``reference`` is the
    result in double precision."""

    kernel: Kernel
    operands: dict[str, Any]
    reference: Any
    automatic: Any
    packed: dict[str, Any]
    packing: float


def given(case: Case) -> Given:
    """Everything that is made before something is timed."""
    import heddle as hd

    kernel = kernels.BY_NAME[case.kernel]
    source: Any = matrices if kernel.order == 2 else tensors
    operands = kernel.operands(source.load(source.BY_NAME[case.input], case.nonzeros, case.dtype), case.dtype)
    dtypes = dict.fromkeys(operands, case.dtype)
    automatic: Any = hd.compile(kernel.expression, kernel.formats, dtypes=dtypes, options={"schedule": "auto"})
    formats = {tensor.name: tensor.format for tensor in automatic.signature.inputs}
    start = time.perf_counter()
    packed = {name: hd.pack(_operand(value), formats[name], dtype=case.dtype) for name, value in operands.items()}
    packing = time.perf_counter() - start
    return Given(kernel, operands, kernel.reference(operands), automatic, packed, packing)


def _operand(value: Any) -> Any:
    """Entries as ``pack`` takes them."""
    return (value.columns, value.values, value.shape) if hasattr(value, "columns") else value
