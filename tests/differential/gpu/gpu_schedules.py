"""GPU schedules: those of the appendix of "A Sparse Iteration Space Transformation Framework for Sparse Tensor Algebra"
(2020), those of its evaluation, and others that use every unit, race strategy and memory."""

from __future__ import annotations

from tests.differential.gpu.gpu_matrix_schedules import MATRIX_SCHEDULES
from tests.differential.gpu.gpu_schedule_parts import Case
from tests.differential.gpu.gpu_tensor_schedules import TENSOR_SCHEDULES

SCHEDULES: dict[str, Case] = {**MATRIX_SCHEDULES, **TENSOR_SCHEDULES}


def commands(schedule: str) -> str:
    return "\n".join(part.strip() for part in schedule.split(";") if part.strip())
