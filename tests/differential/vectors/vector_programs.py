"""Whole programs whose kernels compute with vectors: schedules of the rules, and such as a person writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

import heddle as hd
from heddle.codegen.c.printer import generate
from heddle.plan import plan_from_arguments
from heddle.result import replace_function
from heddle.tuning.facts.machine import Machine
from heddle.tuning.search.suggest import suggest
from tests.compiler.tuning.programs import MTTKRP, SPMM, SPMV
from tests.differential.vectors.test_register_tiles import tiled

MACHINE = Machine(threads=2, vector_bytes=64, registers=32, cache_bytes=32 << 20)
"""What the rules choose for: the same schedules wherever the tests run."""
IN_LANES = "parallelize(j, CPUVector, ParallelReduction)"
COLUMNS = {2: (1, 2, 5), 8: (7, 8, 17), 32: (2, 31, 32, 33, 70, 128), 64: (64, 65), 128: (127, 128)}
"""Columns of the dense matrix, by the size of the tile: tails and full tiles."""

Operands = dict[str, NDArray[np.generic]]


@dataclass(frozen=True, eq=False)
class VectorProgram:
    """``schedule`` is that of the rules where it is None; ``columns`` are the widths of dense operands to run with."""

    name: str
    expression: str
    formats: Mapping[str, str]
    schedule: str | None = None
    columns: tuple[int, ...] = (1,)
    dtype: str = "float64"
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def compiled(self, target: str = "c") -> hd.CompileResult:
        plan = plan_from_arguments(
            self.expression,
            dict(self.formats),
            self.schedule or "",
            target,
            dtypes=dict.fromkeys(_names(self.expression), self.dtype),
            shapes=dict(self.shapes),
        )
        if self.schedule is None:
            plan = replace(plan, schedule=_chosen(self))
        result = hd.lower(plan)
        assert result.ok, (self.name, result.diagnostics)
        return result

    def named(self) -> hd.CompileResult:
        """With a kernel that has its own name, so that several go into one text."""
        result = self.compiled()
        assert result.function is not None
        word = "".join(letter if letter.isalnum() else "_" for letter in f"{self.name}_{self.dtype}")
        function = replace(result.function, name=word)
        return replace_function(result, function, generate(function))

    def operands(self) -> Iterator[Operands]:
        """Small integers, which no order of additions changes."""
        rng = np.random.default_rng(len(self.name))
        for columns in self.columns:
            if self.expression == MTTKRP:
                b = rng.integers(-3, 4, (5, 6, 7)) * (rng.random((5, 6, 7)) < 0.4)
                found = {"B": b, "C": rng.integers(-3, 4, (6, columns)), "D": rng.integers(-3, 4, (7, columns))}
            elif self.expression == SPMV:
                found = {"A": stairs(), "x": rng.integers(-3, 4, 24)}
            else:
                a = rng.integers(-3, 4, (19, 13)) * (rng.random((19, 13)) < 0.4)
                found = {"A": a, "B": rng.integers(-3, 4, (13, columns))}
            yield {name: one.astype(self.dtype) for name, one in found.items()}

    def expected(self, operands: Operands) -> NDArray[np.generic]:
        if self.expression == MTTKRP:
            made: NDArray[np.generic] = np.einsum("ikl,kr,lr->ir", operands["B"], operands["C"], operands["D"])
            return made
        return np.asarray(operands["A"] @ operands["x" if self.expression == SPMV else "B"])


def stairs() -> NDArray[np.int64]:
    """Rows of 0 to 24 entries."""
    return np.tril(np.arange(25 * 24).reshape(25, 24) % 7 + 1, -1)


def _names(expression: str) -> list[str]:
    return sorted({word[-1] for word in expression.split("(")[:-1]} - {expression[0]})


@cache
def _chosen(program: VectorProgram) -> tuple[str, ...]:
    dtypes = dict.fromkeys(_names(program.expression), program.dtype)
    plan = plan_from_arguments(program.expression, dict(program.formats), dtypes=dtypes, shapes=dict(program.shapes))
    return suggest(plan, None, MACHINE).schedule


def programs(dtype: str) -> list[VectorProgram]:
    made = [
        VectorProgram(f"spmm {size}", SPMM, {"A": "csr"}, tiled(size), columns, dtype)
        for size, columns in COLUMNS.items()
    ]
    made.append(VectorProgram("spmv csr", SPMV, {"A": "csr"}, IN_LANES, dtype=dtype))
    for text in ("sell(8)", "sell(16)", "dia(8)", "dia(32)", "sell-runs(8)", *(f"bcsr({size})" for size in (2, 4, 8))):
        made.append(VectorProgram(f"spmv {text}", SPMV, {"A": text}, dtype=dtype))
        made.append(VectorProgram(f"spmm {text}", SPMM, {"A": text}, None, (1, 16, 33), dtype))
    made.append(VectorProgram("mttkrp", MTTKRP, {"B": "csf"}, None, (1, 16, 40), dtype))
    return made
