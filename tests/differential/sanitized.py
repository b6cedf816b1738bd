"""Runs the generated C of many programs with gcc's sanitizers on; started by a test in its own process.

``python -m tests.differential.sanitized PART PARTS address`` takes every PARTS-th program, with ``thread`` every
PARTS-th of those that a schedule shares out to threads; ``unatomic`` behind it leaves their atomic updates out. All
kernels of a run are compiled as one text: the functions that several of them use stand in it once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

import heddle as hd
from benchmarks.codegen import APPENDIX
from heddle.codegen.c.printer import generate
from heddle.notation.parser import parse
from heddle.plan import plan_from_arguments
from heddle.result import replace_function
from heddle.runtime.native import cache
from tests.cases.program import read_cases
from tests.compiler.codegen.built_kernels import kernels_in
from tests.compiler.codegen.sanitizers import watched
from tests.differential.operands import operand_sets
from tests.differential.results.test_precompute import MATRIX_VECTOR, SPMV
from tests.differential.results.test_sparse_results import KERNELS, MATRICES, ORDER_THREE, SCHEDULES, TENSORS
from tests.fuzz.schedules import draw_program
from tests.golden.cases import CASES as GOLDEN

RANDOM_PROGRAMS = 60


def plans() -> Iterator[hd.Plan]:
    """Every program of the suite that is a row of a table, and some random ones."""
    for case in read_cases():
        if case.target == "cpu" and case.expect == "right":
            yield plan_from_arguments(case.expression, case.formats, case.schedule, dtypes=case.dtypes)
    for golden in GOLDEN:
        yield plan_from_arguments(golden.expression, golden.formats, golden.schedule)
    for expression, formats, schedule in APPENDIX.values():
        yield plan_from_arguments(expression, formats, schedule.replace(";", "\n"))
    for expression, formats in KERNELS:
        yield from (plan_from_arguments(expression, {**formats, "C": result}) for result in MATRICES)
    for expression, formats in ORDER_THREE:
        yield from (plan_from_arguments(expression, {**formats, "D": result}) for result in TENSORS)
    for expression, formats, schedule in SCHEDULES:
        yield plan_from_arguments(expression, formats, schedule)
    for schedule in MATRIX_VECTOR:
        yield plan_from_arguments(SPMV, {"A": "csr"}, schedule)
    yield from (draw_program(seed).plan() for seed in range(RANDOM_PROGRAMS))


def programs(part: int, parts: int, threads: bool) -> list[hd.CompileResult]:
    """Those of the part that compile, each kernel with its own name."""
    found: list[hd.CompileResult] = []
    wanted = [plan for plan in plans() if not threads or "CPUThread" in str(plan.schedule)]
    for number, plan in enumerate(wanted):
        if number % parts != part:
            continue
        result = hd.lower(plan)
        if result.ok and result.function is not None:
            function = replace(result.function, name=f"kernel{number}")
            found.append(replace_function(result, function, generate(function)))
    return found


def together(results: list[hd.CompileResult]) -> str:
    """One text: what is before the kernels once, in the order of first use, then the kernels."""
    shared: dict[str, None] = {}
    kernels: list[str] = []
    for result in results:
        assert result.source is not None
        assert result.function is not None
        before, start, after = result.source.text.partition(f"int32_t {result.function.name}(")
        shared.update(dict.fromkeys(before.strip().split("\n\n")))
        kernels.append(start + after)
    includes = sorted(block for block in shared if block.startswith("#"))
    others = [block for block in shared if not block.startswith("#")]
    text = "\n\n".join((*includes, *others, *kernels))
    # The sanitizers take loop conditions apart, and gcc then warns that it cannot see which loop a pragma is about.
    return "\n".join(line for line in text.splitlines() if not line.strip().startswith("#pragma GCC unroll"))


REFUSALS = {"runtime/refused", "runtime/result-shape", "runtime/too-narrow"}
"""Of data that breaks what the schedule or a format claims of it."""


def run(result: hd.CompileResult) -> None:
    """On every kind of operands; claims of the schedule may refuse some."""
    kernel = hd.Kernel(result)
    assignment = parse(result.plan.expression)
    for operands in operand_sets(assignment):
        arrays = {
            name: array.astype(spec.dtype if (spec := result.plan.tensors.get(name)) and spec.dtype else "float64")
            for name, array in operands.arrays.items()
        }
        if assignment.operator != "=":
            shape = [operands.sizes[index] for index in assignment.target.indices]
            arrays[assignment.target.tensor] = np.ones(shape, result.signature.result.dtype)
        try:
            kernel(**arrays)
        except hd.CompileError as error:
            if not {one.code for one in error.diagnostics} <= REFUSALS:
                raise


def main() -> None:
    os.environ.pop("LD_PRELOAD", None)  # what the compiler does need not be watched
    part, parts, sanitizer, *fault = sys.argv[1:]
    results = programs(int(part), int(parts), sanitizer == "thread")
    text = together(results)
    library = watched(text.replace("#pragma omp atomic", "//") if fault == ["unatomic"] else text, sanitizer, "-O0")

    cache.shared_library = kernels_in(library)
    for result in results:
        print(result.plan.expression, result.plan.schedule, file=sys.stderr, flush=True)
        run(result)
    print(len(results), "clean")


if __name__ == "__main__":
    main()
