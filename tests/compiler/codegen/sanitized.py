"""Runs every hand-written kernel with gcc's sanitizers on; started by a test in its own process."""

from __future__ import annotations

import numpy as np

from tests.compiler.codegen.native import call, call_assembling
from tests.compiler.loop_ir.assembly_kernels import KERNELS
from tests.compiler.loop_ir.problems import PROBLEMS
from tests.compiler.loop_ir.sparse_sums import arguments as assembly_arguments
from tests.compiler.loop_ir.sparse_sums import assert_sum, operands

FLAGS = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def main() -> None:
    for problem in PROBLEMS:
        if problem.name.startswith("histogram") and "float" not in problem.name:
            continue  # the same text except for its types
        arguments = problem.fresh()
        assert call(problem.function, arguments, *FLAGS) == 0
        for name, expected in problem.expected.items():
            np.testing.assert_allclose(arguments[name], expected, rtol=1e-6)
    # Short rows, rows of near coordinates, and rows long enough for a radix sort on the stack and on the heap.
    for matrices in (operands(40, 60), operands(5, 900, 0.5), operands(3, 90_000, 0.005), operands(3, 200_000, 0.01)):
        for kernel in KERNELS.values():
            status, obtained, _ = call_assembling(kernel, assembly_arguments(matrices), *FLAGS)
            assert status == 0
            assert_sum(obtained, matrices)
    print("all clean")


if __name__ == "__main__":
    main()
