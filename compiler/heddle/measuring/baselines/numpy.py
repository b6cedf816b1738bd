"""NumPy: what a person would write with ``einsum`` and broadcasting (results allocated by each call)."""

from __future__ import annotations

from typing import Any

import numpy as np

from heddle.measuring.baselines.dense.array_libraries import NumpyArrays
from heddle.measuring.baselines.dense.programs import DenseProgram, UntranslatedError, translate
from heddle.measuring.contender import Contender, Problem, Stopwatch, Unavailable, not_compared
from heddle.runtime.native.blas_threads import loaded_controls
from heddle.runtime.tensors.coordinates import Entries

LABEL = "NumPy"
_LIBRARIES = ("openblas", "libblis")


def prepare(problem: Problem) -> Contender | Unavailable:
    """The program in NumPy, with the order of contractions planned before."""
    sparse = [name for name, operand in problem.operands.items() if isinstance(operand, Entries)]
    if sparse:
        return Unavailable("numpy", LABEL, f"{sparse[0]} is sparse, and NumPy's arrays are dense.")
    for _, set_threads in loaded_controls(_LIBRARIES):
        set_threads(problem.threads)
    watch = Stopwatch()
    try:
        program = watch.step("plan", lambda: translate(problem, NumpyArrays()))
    except UntranslatedError as error:
        return Unavailable("numpy", LABEL, not_compared(LABEL, str(error)))
    last: list[Any] = [None]

    def call() -> None:
        last[0] = program.run()

    note, threads = _note(problem, program), problem.threads if program.calls else 1
    return Contender("numpy", LABEL, call, lambda: np.asarray(last[0]), watch.steps, note, threads)


def _note(problem: Problem, program: DenseProgram) -> str:
    if not program.calls:
        return "One thread: NumPy's operations by element use only one."
    calls = " and ".join(program.calls)
    chosen = ", whichever was faster in the first call" if "tensordot" in calls else ""
    return (
        f"{calls}{chosen}; the order of contractions was found before; up to {problem.threads} threads in its products."
    )
