"""The kernels of a decomposition: each role has an expression, which follows from algorithm and order, and is a Plan.

The tensor is X, its factors A, B, C, …, the result V; modes are i, j, k, …, components r.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from compiler.algorithms.algorithm import Algorithm, KernelSpec
from compiler.plan import Plan, TensorSpec

MODES = "ijklmnopq"
FACTORS = "ABCDEFGHK"
TENSOR_NORM = "tensor-norm"


@dataclass(frozen=True, slots=True)
class Role:
    """``name`` is what documents call it, ``expression`` what it computes, ``mode`` the one whose factor it is for;
    ``operands`` are the modes of the factors that it reads."""

    name: str
    expression: str
    title: str
    mode: int | None = None
    operands: tuple[int, ...] = ()


def roles_of(order: int, update: Sequence[int]) -> dict[str, Role]:
    """The roles of CP-ALS for a tensor of ``order`` dimensions, by name, in the order of ``update``."""
    roles = [_mttkrp(order, mode) for mode in update]
    x = _tensor(order)
    roles.append(Role(TENSOR_NORM, f"v = {x} * {x}", "Squared norm of the tensor"))
    return {role.name: role for role in roles}


def _mttkrp(order: int, mode: int) -> Role:
    others = tuple(other for other in range(order) if other != mode)
    factors = " * ".join(f"{FACTORS[other]}({MODES[other]},r)" for other in others)
    title = f"Tensor times all factors but {FACTORS[mode]}"
    return Role(f"mttkrp.{mode}", f"V({MODES[mode]},r) = {_tensor(order)} * {factors}", title, mode, others)


def _tensor(order: int) -> str:
    return f"X({','.join(MODES[:order])})"


def plan_of(
    algorithm: Algorithm,
    role: Role,
    kernel: KernelSpec | None = None,
    shape: tuple[int, ...] | None = None,
) -> Plan:
    """The Plan of a role: as pinned in the document, or by ``kernel``. With the ``shape`` of the tensor it says those
    of all operands, so that it opens with the very sizes."""
    chosen = kernel or algorithm.kernels.get(role.name, KernelSpec())
    shapes = shapes_of(role, shape, algorithm.parameters.rank) if shape is not None else {}
    names = sorted({*chosen.formats, *shapes})
    tensors = {name: TensorSpec(chosen.formats.get(name), shape=shapes.get(name)) for name in names}
    inputs = {name: dict(source) for name, source in algorithm.inputs.items()}
    return Plan(role.expression, tensors, chosen.schedule, inputs=inputs)


def shapes_of(role: Role, shape: tuple[int, ...], rank: int) -> dict[str, tuple[int, ...]]:
    """The shapes of a role's operands."""
    return {"X": shape, **{FACTORS[mode]: (shape[mode], rank) for mode in role.operands}}


def formats_text(kernels: Mapping[str, KernelSpec]) -> dict[str, str]:
    """How each role stores the tensor."""
    return {name: kernel.formats.get("X", "dense") for name, kernel in kernels.items()}
