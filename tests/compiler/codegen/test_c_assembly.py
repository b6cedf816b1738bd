"""Generated C that assembles sparse results: what the interpreter says, nothing leaked, every failure reported."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray

from heddle.codegen.c.printer import generate
from heddle.loop_ir.interpreter.interpreter import interpret
from heddle.loop_ir.nodes import (
    INDEX_OVERFLOW,
    OUT_OF_MEMORY,
    Allocate,
    AllocateMap,
    AllocateResult,
    Const,
    For,
    Function,
    Grow,
    LoopKind,
    Map,
    Slot,
    Sort,
    SortMap,
    Store,
    Var,
)
from tests.compiler.codegen.native import build, call, call_assembling
from tests.compiler.loop_ir import kernels
from tests.compiler.loop_ir.assembly_kernels import KERNELS, allocated, by_list
from tests.compiler.loop_ir.kernels import AT_I, COMPUTE, ZERO, block
from tests.compiler.loop_ir.sparse_sums import arguments, assert_sum, operands

COUNTED = tuple(f"-D{name}=counted_{name}" for name in ("malloc", "calloc", "realloc", "aligned_alloc", "free"))
# Counts the allocations that are alive and refuses those beyond a limit.
COUNTING = """
#undef malloc
#undef calloc
#undef realloc
#undef aligned_alloc
#undef free
#include <stdlib.h>
#include <stdint.h>
extern void* malloc(size_t);
extern void* calloc(size_t, size_t);
extern void* realloc(void*, size_t);
extern void* aligned_alloc(size_t, size_t);
extern void free(void*);
int64_t alive, remaining;
static int granted(int64_t added) {
  int granted;
  #pragma omp critical
  { granted = remaining-- > 0; alive += granted ? added : 0; }
  return granted;
}
void* counted_malloc(size_t size) { return granted(1) ? malloc(size) : NULL; }
void* counted_calloc(size_t count, size_t size) { return granted(1) ? calloc(count, size) : NULL; }
void* counted_realloc(void* old, size_t size) { return granted(!old) ? realloc(old, size) : NULL; }
void* counted_aligned_alloc(size_t unit, size_t size) { return granted(1) ? aligned_alloc(unit, size) : NULL; }
void counted_free(void* pointer) {
  #pragma omp critical
  alive -= pointer != NULL;
  free(pointer);
}
"""


@pytest.mark.combinations(4, "shape", "name")
@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (7, 5), (40, 300)])
def test_c_and_interpreter_agree(name: str, shape: tuple[int, int]) -> None:
    matrices = operands(*shape)
    status, obtained, _ = call_assembling(KERNELS[name], arguments(matrices))
    assert status == 0
    assert_sum(obtained, matrices)
    expected = interpret(KERNELS[name], arguments(matrices)).obtained
    for array, content in obtained.items():
        np.testing.assert_array_equal(content, expected[array][: content.size])


def test_positions_that_do_not_fit() -> None:
    matrices = {name: sp.csr_array(np.ones((2, 64))) for name in "BC"}
    kernel = by_list(pos_dtype="int8")
    assert call_assembling(kernel, arguments(matrices))[0] == INDEX_OVERFLOW
    half = {name: sp.csr_array(np.ones((1, 64))) for name in "BC"}
    assert call_assembling(kernel, arguments(half))[0] == 0


@pytest.mark.parametrize("name", KERNELS)
def test_nothing_leaks_however_little_memory_there_is(name: str) -> None:
    matrices = operands(30, 90, 0.5)
    library = ctypes.CDLL(str(build(generate(KERNELS[name]).text + COUNTING, *COUNTED)))
    remaining, alive = (ctypes.c_int64.in_dll(library, counter) for counter in ("remaining", "alive"))
    statuses = []
    for allocations in [*range(40), 10_000]:
        remaining.value, alive.value = allocations, 0
        status, obtained, _ = call_assembling(KERNELS[name], arguments(matrices), *COUNTED, appended=COUNTING)
        assert alive.value == 0
        statuses.append(status)
        if status == 0:
            assert_sum(obtained, matrices)
    assert statuses[0] == OUT_OF_MEMORY
    assert statuses[-1] == 0
    assert set(statuses) == {0, OUT_OF_MEMORY}


# ------------------------------------------------------------------------------------- sorting and growing


def sorting(dtype: str) -> Function:
    keys = kernels.workspace("keys", dtype)
    return Function(
        "kernel",
        (kernels.dimension("lower", "keys", 0), kernels.dimension("upper", "keys", 1), kernels.output(keys)),
        block(Sort(keys, Var("lower"), Var("upper"), COMPUTE)),
    )


def _patterns(size: int) -> dict[str, NDArray[Any]]:
    random, rising = np.random.default_rng(size), np.arange(size)
    near = random.permutation(3 * size)[:size]
    return {
        "random": random.permutation(size),
        "few values": random.integers(0, 3, size),
        "equal": np.zeros(size, int),
        "falling": rising[::-1].copy(),
        "organ pipe": np.minimum(rising, rising[::-1]),
        "two runs": np.concatenate([rising[::2], rising[1::2]]),
        "saw": rising % 7,
        "negative": random.permutation(size) - size // 2,
        "near each other": near,
        "near each other, a pair equal": np.concatenate([near[: size - 1], near[:1]]),
        "less than one in a word": random.choice(200 * size + 1, size, replace=False),
        "some in a word": random.permutation(rising // 3 * 400 + rising % 3),
        "many in a word": random.permutation(rising // 30 * 9000 + rising % 30),
        "less than one in a word, a pair equal": np.concatenate([rising[: size - 1] * 200, rising[:1] * 200]),
        "scattered over 65,536": random.choice(2**16, size, replace=False),
        "far apart": random.integers(-(2**63), 2**63 - 1, size, endpoint=True),
    }


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint8"])
@pytest.mark.parametrize("size", [0, 1, 2, 16, 17, 24, 25, 100, 200, 1025, 9000])
def test_sorting(dtype: str, size: int) -> None:
    kernel = sorting(dtype)
    for pattern in _patterns(size).values():
        keys = np.concatenate([[9, 8], pattern, [7, 6]]).astype(dtype)
        expected = np.concatenate([keys[:2], np.sort(keys[2:-2]), keys[-2:]])
        assert call(kernel, {"lower": 2, "upper": size + 2, "keys": keys}) == 0
        np.testing.assert_array_equal(keys, expected)


def test_workers_grow_their_own_lists() -> None:
    """A private list, one of an iteration, and a map inside an inner loop over threads."""
    own, other, y, table = kernels.workspace("own"), kernels.workspace("other"), kernels.vals("y"), Map("t", "float32")
    value = Const(2.0, "float64")
    inner = For(
        "j",
        ZERO,
        Const(3),
        block(Slot("s", table, Var("j"), COMPUTE, "fresh")),
        COMPUTE,
        LoopKind.CPU_THREAD,
        private=(AllocateMap(table, COMPUTE), Allocate(kernels.workspace("more"), Var("n"), COMPUTE)),
    )
    body = block(
        Allocate(other, Const(1), COMPUTE),
        Grow(own, kernels.add(AT_I, Const(1)), COMPUTE),
        Grow(other, kernels.add(AT_I, Const(1)), COMPUTE),
        Store(own, AT_I, value, COMPUTE),
        Store(other, AT_I, value, COMPUTE),
        inner,
        Store(y, AT_I, kernels.Load(other, AT_I), COMPUTE),
        Store(y, AT_I, kernels.Load(own, AT_I), COMPUTE, "+"),
    )
    loop = For("i", ZERO, Var("n"), body, COMPUTE, LoopKind.CPU_THREAD, private=(Allocate(own, Const(0), COMPUTE),))
    kernel = Function("kernel", (kernels.dimension("n", "y", 0), kernels.output(y)), block(loop))
    results = np.zeros(50), np.zeros(50)
    assert call(kernel, {"n": 50, "y_vals": results[0]}) == 0
    assert interpret(kernel, {"n": 50, "y_vals": results[1]}).status == 0
    assert results[0].tolist() == results[1].tolist() == [4.0] * 50


def test_keys_of_a_map_may_be_any_integers() -> None:
    """Negative, huge, and with equal low bits; through the interpreter too."""
    keys, y, table = kernels.vals("keys", "int64"), kernels.vals("y", "int64"), Map("map", "int8")
    body = block(
        AllocateMap(table, COMPUTE),
        For("i", ZERO, Var("n"), block(Slot("s", table, kernels.Load(keys, AT_I), COMPUTE)), COMPUTE),
        SortMap(table, COMPUTE),
        For(
            "i",
            ZERO,
            Var("n"),
            block(Slot("s", table, kernels.Load(keys, AT_I), COMPUTE), Store(y, AT_I, Var("s"), COMPUTE)),
            COMPUTE,
        ),
    )
    kernel = Function("kernel", (kernels.dimension("n", "y", 0), kernels.output(y), kernels.operand(keys)), body)
    chosen = np.concatenate([np.arange(-50, 50) * 2**40, [2**63 - 1, -(2**63), 0, 5]])
    np.random.default_rng(0).shuffle(chosen)
    expected = np.searchsorted(np.unique(chosen), chosen)
    for run in (call, interpret):
        ranks = np.zeros(chosen.size, np.int64)
        run(kernel, {"n": chosen.size, "y_vals": ranks, "keys_vals": chosen})
        np.testing.assert_array_equal(ranks, expected)


def test_text() -> None:
    """A worker's workspaces surround its share of the loop; the kernel returns after it when one is missing."""
    text = generate(by_list()).text
    assert "int32_t** restrict A2_pos_result" in text
    assert "int32_t* restrict A2_pos = *A2_pos_result = allocate_result(A1_dimension + 1, sizeof(int32_t));" in text
    assert "if (!scan_int32(A2_pos, A1_dimension + 1)) return -2;" in text
    start = text.index("  #pragma omp parallel\n")
    assert text[start:].startswith(
        """\
  #pragma omp parallel
  {
    bool* restrict mark = allocate_zero(A2_dimension, sizeof(bool));
    int32_t* restrict list = allocate(A2_dimension, sizeof(int32_t));
    bool ready = mark && list;
    if (!ready) {
      #pragma omp atomic write
      status = -1;
    }
    #pragma omp for schedule(monotonic: guided) nowait
    for (int64_t i = 0; i < A1_dimension; i++) {
      if (!ready) continue;
"""
    )
    assert "    free(list);\n    free(mark);\n  }\n  if (status) return status;\n" in text[start:]


def test_an_allocated_parameter_has_a_name_of_its_own() -> None:
    array = kernels.crd("A", 2)
    taken = kernels.dimension("A2_crd_result", "A", 0)
    kernel = Function("kernel", (taken, allocated(array)), block(AllocateResult(array, Const(1), COMPUTE)))
    assert "int64_t A2_crd_result, int32_t** restrict A2_crd_result2" in generate(kernel).text
