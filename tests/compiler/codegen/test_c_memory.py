"""Workspaces of generated C: freed on every way out, and a kernel without memory says so."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from heddle.codegen.c.printer import generate
from heddle.loop_ir.interpreter.interpreter import interpret
from heddle.loop_ir.nodes import (
    BOOL,
    INDEX,
    OUT_OF_MEMORY,
    Allocate,
    Binary,
    Break,
    Const,
    Continue,
    Declare,
    Fill,
    For,
    Function,
    If,
    Load,
    LoopKind,
    Parameter,
    ParameterKind,
    Require,
    Stmt,
    Store,
    Var,
)
from tests.compiler.codegen.native import build
from tests.compiler.codegen.sanitizers import needs_gcc, under
from tests.compiler.loop_ir import kernels
from tests.compiler.loop_ir.kernels import AT_I, AT_J, COMPUTE, ZERO, block, less

N = Var("n")
Y, W, V = kernels.vals("y"), kernels.workspace("w"), kernels.workspace("v", "int32")
ONE_F = Const(1.0, "float64")
DIMENSION = Parameter(ParameterKind.DIMENSION, "n", INDEX, "y", dimension=0)

# Counts the allocations that are alive, and refuses those beyond a limit. Compiled with -Dmalloc=counted_malloc.
COUNTING = """
#undef malloc
#undef free
#include <stdlib.h>
extern void* malloc(size_t);
extern void free(void*);
int64_t alive, remaining;
void* counted_malloc(size_t size) {
  void* result = NULL;
  #pragma omp critical
  if (remaining-- > 0) { alive++; result = malloc(size); }
  return result;
}
void counted_free(void* pointer) {
  #pragma omp critical
  alive--;
  free(pointer);
}
"""


def run(function: Function, size: int, allocations: int = 1000) -> tuple[int, int, np.ndarray]:
    """The status, the allocations that leaked, and the result (-1 where nothing was written)."""
    library = build(generate(function).text + COUNTING, "-Dmalloc=counted_malloc", "-Dfree=counted_free")
    handle = ctypes.CDLL(str(library))
    ctypes.c_int64.in_dll(handle, "remaining").value = allocations
    alive = ctypes.c_int64.in_dll(handle, "alive")
    alive.value = 0
    y = np.full(max(size, 1), -1.0)
    status = handle.kernel(ctypes.c_int64(size), ctypes.c_void_p(y.ctypes.data))
    return status, alive.value, y


def kernel(*body: Stmt, requirements: tuple[Require, ...] = ()) -> Function:
    return Function("kernel", (DIMENSION, kernels.output(Y)), block(*body), requirements)


def fill(array: kernels.Array = W) -> Fill:
    return Fill(array, N, ONE_F, COMPUTE)


def jumping(kind: LoopKind, jump: Stmt) -> Function:
    """Two workspaces per iteration; a jump where ``i == 2``."""
    body = block(
        Allocate(W, N, COMPUTE),
        fill(),
        block(
            Allocate(V, N, COMPUTE),
            If(Binary("==", AT_I, Const(2), BOOL), block(jump), COMPUTE),
            Store(Y, AT_I, Load(W, AT_I), COMPUTE),
        ),
    )
    return kernel(For("i", ZERO, N, body, COMPUTE, kind))


def test_everything_is_freed_at_the_end() -> None:
    function = kernel(Allocate(W, N, COMPUTE), fill(), Store(Y, ZERO, Load(W, ZERO), COMPUTE))
    status, alive, y = run(function, 3)
    assert (status, alive, y[0]) == (0, 0, 1.0)


@pytest.mark.parametrize("kind", [LoopKind.SERIAL, LoopKind.CPU_THREAD])
def test_continue_frees_first(kind: LoopKind) -> None:
    status, alive, y = run(jumping(kind, Continue(COMPUTE)), 5)
    assert (status, alive, y.tolist()) == (0, 0, [1, 1, -1, 1, 1])


def test_break_frees_first() -> None:
    status, alive, y = run(jumping(LoopKind.SERIAL, Break(COMPUTE)), 5)
    assert (status, alive, y.tolist()) == (0, 0, [1, 1, -1, -1, -1])


def test_a_jump_frees_only_what_its_loop_declared() -> None:
    inner = For("j", ZERO, N, block(If(less(AT_I, AT_J), block(Break(COMPUTE)), COMPUTE)), COMPUTE)
    body = block(Allocate(W, N, COMPUTE), fill(), inner, Store(Y, AT_I, Load(W, AT_I), COMPUTE))
    status, alive, y = run(kernel(For("i", ZERO, N, body, COMPUTE)), 4)
    assert (status, alive, y.tolist()) == (0, 0, [1, 1, 1, 1])


def test_a_block_that_ends_with_a_jump_frees_once() -> None:
    body = block(Allocate(W, N, COMPUTE), fill(), Store(Y, AT_I, Load(W, AT_I), COMPUTE), Continue(COMPUTE))
    for kind in (LoopKind.SERIAL, LoopKind.CPU_THREAD):
        status, alive, y = run(kernel(For("i", ZERO, N, body, COMPUTE, kind)), 3)
        assert (status, alive, y.tolist()) == (0, 0, [1, 1, 1])


def test_a_failed_requirement_frees_first() -> None:
    require = Require(less(N, Const(3)), 4, "n is small", COMPUTE)
    function = kernel(Allocate(W, N, COMPUTE), Allocate(V, N, COMPUTE), require, requirements=(require,))
    assert run(function, 2)[:2] == (0, 0)
    assert run(function, 3)[:2] == (4, 0)


def test_without_memory_the_kernel_says_so() -> None:
    function = kernel(Allocate(W, N, COMPUTE), Allocate(V, N, COMPUTE), Store(Y, ZERO, ONE_F, COMPUTE))
    for allocations in (0, 1):
        status, alive, y = run(function, 3, allocations)
        assert (status, alive, y[0]) == (OUT_OF_MEMORY, 0, -1)
    assert run(function, 3, 2)[0] == 0


def test_a_size_beyond_memory_is_refused() -> None:
    function = kernel(Allocate(W, Binary("*", N, Const(2**61)), COMPUTE), Store(Y, ZERO, ONE_F, COMPUTE))
    assert run(function, 3)[:2] == (OUT_OF_MEMORY, 0)


@pytest.mark.parametrize("size", [0, 1])
def test_an_empty_workspace_is_no_failure(size: int) -> None:
    assert run(kernel(Allocate(W, N, COMPUTE)), size)[:2] == (0, 0)


@pytest.mark.parametrize("kind", [LoopKind.CPU_THREAD, LoopKind.CPU_VECTOR])
@pytest.mark.parametrize("allocations", [0, 1, 2, 3, 5])
def test_without_memory_a_parallel_loop_ends_and_the_kernel_says_so(kind: LoopKind, allocations: int) -> None:
    status, alive, _ = run(jumping(kind, Continue(COMPUTE)), 3, allocations)
    assert (status, alive) == (OUT_OF_MEMORY, 0)
    assert run(jumping(kind, Continue(COMPUTE)), 3, 6)[:2] == (0, 0)


def test_small_workspaces_of_constant_size_live_on_the_stack() -> None:
    body = block(
        Allocate(W, Const(8), COMPUTE),
        Allocate(V, ZERO, COMPUTE),
        Fill(W, Const(8), ONE_F, COMPUTE),
        Store(Y, AT_I, Load(W, AT_I), COMPUTE),
    )
    function = kernel(For("i", ZERO, N, body, COMPUTE, LoopKind.CPU_THREAD))
    text = generate(function).text
    assert "double w[8];" in text
    assert "int32_t v[1];" in text
    assert "stdlib" not in text
    assert run(function, 4, 0)[2].tolist() == [1, 1, 1, 1]
    assert "allocate(512, sizeof(double))" in generate(kernel(Allocate(W, Const(512), COMPUTE))).text


@pytest.mark.takes_turns(8, among="sanitizers")
@needs_gcc
def test_generated_code_is_clean_under_sanitizers() -> None:
    """Address and undefined-behaviour sanitizers over the hand-written kernels, in a process of their own."""
    done = under("address", "tests.compiler.codegen.sanitized")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["all", "clean"]


def test_the_interpreter_sees_the_same_jumps() -> None:
    y = np.full(5, -1.0)
    interpret(jumping(LoopKind.SERIAL, Break(COMPUTE)), {"n": 5, "y_vals": y})
    assert y.tolist() == [1, 1, -1, -1, -1]


def test_scoped_declarations_do_not_clash() -> None:
    inner = block(Declare("a", INDEX, N, COMPUTE), Allocate(W, N, COMPUTE), fill(), Store(Y, ZERO, ONE_F, COMPUTE))
    assert run(kernel(inner, inner), 2)[:2] == (0, 0)
