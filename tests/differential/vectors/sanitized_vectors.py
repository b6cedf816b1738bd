"""Runs every kernel of vectors with gcc's sanitizers on; started by a test in its own process.

``python -m tests.differential.vectors.sanitized_vectors ISA`` builds them for a class of processors that
this one belongs to.
"""

from __future__ import annotations

import ctypes
import os
import sys

import numpy as np

import heddle as hd
from heddle.runtime.native import cache
from tests.compiler.codegen.built_kernels import kernels_in
from tests.compiler.codegen.machines import Compiler, compiler, library, together
from tests.compiler.codegen.native import call_of
from tests.differential.vectors.test_vector_widths import problems
from tests.differential.vectors.vector_programs import programs

# The sanitizers take loop conditions apart, and gcc then warns that it cannot see which loop a pragma is about.
FLAGS = ("-O0", "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-Wno-error")


def by_hand(isa: str, by: Compiler) -> int:
    """The kernels written by hand; how many ran."""
    ran = 0
    for dtypes in (("float64",), ("float32", "int32")):
        each = problems(*dtypes)
        functions = {problem.function.name: problem.function for problem in each}
        built = library(together(list(functions.values())), isa, by, *FLAGS)
        for problem in each:
            arguments = problem.fresh()
            assert call_of(built, problem.function, arguments) == 0
            for name, expected in problem.expected.items():
                np.testing.assert_array_equal(np.asarray(arguments[name]), expected, err_msg=problem.name)
            ran += 1
    return ran


def whole(isa: str, by: Compiler) -> int:
    """The programs of the rules and of people; how many ran."""
    made = [(program, program.named()) for program in programs("float64")]
    functions = [result.function for _, result in made if result.function is not None]
    built = library(together(functions), isa, by, *FLAGS)

    cache.shared_library = kernels_in(built)
    for program, result in made:
        kernel = hd.Kernel(result)
        for operands in program.operands():
            np.testing.assert_array_equal(kernel(**operands).to_numpy(), program.expected(operands), program.name)
    return len(made)


def main() -> None:
    os.environ.pop("LD_PRELOAD", None)  # what the compiler does need not be watched
    assert hasattr(ctypes.CDLL(None), "__asan_init")
    by = compiler("gcc")
    assert by is not None
    (isa,) = sys.argv[1:]
    print(whole(isa, by) + by_hand(isa, by), "clean")


if __name__ == "__main__":
    main()
