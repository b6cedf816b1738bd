"""The generated C computes what NumPy and the interpreter compute, and reads well."""

from __future__ import annotations

import numpy as np
import pytest

from heddle.codegen.c.printer import generate
from heddle.loop_ir.interpreter.interpreter import interpret
from heddle.loop_ir.nodes import Function
from heddle.loop_ir.walk import statements
from tests.compiler.codegen.native import build, call
from tests.compiler.loop_ir import kernels
from tests.compiler.loop_ir.problems import PROBLEMS, Problem


@pytest.mark.combinations(2)
@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.name)
def test_agrees_with_numpy_and_the_interpreter(problem: Problem) -> None:
    native, checked = problem.fresh(), problem.fresh()
    assert call(problem.function, native) == 0
    interpret(problem.function, checked)
    for name, expected in problem.expected.items():
        np.testing.assert_allclose(native[name], expected, rtol=1e-6)
        np.testing.assert_allclose(native[name], checked[name], rtol=1e-6)


def test_spmv_reads_like_a_textbook() -> None:
    assert (
        generate(kernels.spmv(unroll=4)).text
        == """\
#include <stdint.h>

int32_t kernel(
    int64_t y1_dimension, double* restrict y_vals, const int32_t* restrict A2_pos,
    const int32_t* restrict A2_crd, const double* restrict A_vals, const double* restrict x_vals) {
  for (int64_t i = 0; i < y1_dimension; i++) {
    double sum = 0.0;
    #pragma GCC unroll 4
    for (int64_t jA = A2_pos[i]; jA < A2_pos[i + 1]; jA++) {
      int64_t j = A2_crd[jA];
      sum += A_vals[jA] * x_vals[j];
    }
    y_vals[i] = sum;
  }
  return 0;
}
"""
    )


KERNELS = {
    "spmv": kernels.spmv(kernels.LoopKind.CPU_THREAD),
    "by position": kernels.spmv_by_position(8),
    "spmm": kernels.spmm(),
    "union": kernels.vector_union(),
    "workspace": kernels.row_workspace(),
    "minimum": kernels.dot(operator="min"),
}


@pytest.mark.parametrize("function", KERNELS.values(), ids=KERNELS.keys())
def test_every_line_of_the_body_has_its_origin(function: Function) -> None:
    source = generate(function)
    lines = source.text.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("int32_t kernel("))
    start = next(number for number, line in enumerate(lines) if number >= first and line.endswith(") {"))
    mapped = {span.line for span in source.spans}
    own = {"return 0;", "return status;", "int32_t status = 0;", "}"}
    for number, line in enumerate(lines[start + 1 :], start=start + 2):
        assert number in mapped or line.strip() in own, line
    for span in source.spans:
        assert lines[span.line - 1][span.column : span.end_column].strip()
    assert {span.origin for span in source.spans} == {statement.origin for statement in statements(function.body)}  # type: ignore[union-attr]


@pytest.mark.parametrize("function", KERNELS.values(), ids=KERNELS.keys())
def test_compiles_without_openmp_too(function: Function) -> None:
    build(generate(function).text, "-fno-openmp", "-Wno-unknown-pragmas", "-w")


def test_the_same_function_gives_the_same_text() -> None:
    assert generate(kernels.vector_union()) == generate(kernels.vector_union())
