"""Results whose coordinates are kept: the same values as a call gives, in index arrays that are shared."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import heddle as hd
from heddle.diagnostics import CompileError
from heddle.loop_ir.nodes import AllocateResult, Scan, Sort
from heddle.loop_ir.walk import statements
from heddle.lowering.environment.kernel_kind import KernelKind
from heddle.lowering.function import lower
from heddle.lowering.kernel_symbols import allocate_kernel_symbols

PRODUCT, SUM = "C(i,j) = A(i,k) * B(k,j)", "C(i,j) = A(i,j) + B(i,j)"
COLLECTED = "reorder(i, k, j)\nprecompute(A(i,k)*B(k,j), j, jw, w)\n"
THREADS = "assemble(C, Insert)\nparallelize(i, CPUThread, NoRaces)"
CASES = {
    "product": (PRODUCT, "csr", COLLECTED + THREADS),
    "product on one thread": (PRODUCT, "csr", COLLECTED),
    "product in one pass": (PRODUCT, "csr", COLLECTED + "assemble(C, Append)\nparallelize(i, CPUThread, NoRaces)"),
    "product without empty rows": (PRODUCT, "dcsr", COLLECTED),
    "product as coordinates": (PRODUCT, "coo", COLLECTED),
    "product in a hash map": (PRODUCT, "csr", "reorder(k, i, j)\nprecompute(A(i,k)*B(k,j), {i,j}, {iw,jw}, w)"),
    "sum": (SUM, "csr", THREADS),
    "sum without empty rows": (SUM, "dcsr", ""),
    "sum of rows in blocks of columns": (SUM, "compressed, dense", ""),
    "scaled difference": ("C(i,j) = 2 * A(i,j) - B(i,j) * B(i,j)", "csr", THREADS),
    "larger": ("C(i,j) = max(A(i,j), B(i,j))", "csr", ""),
    "product of parts of rows": (PRODUCT, "csr", COLLECTED + "split(i, i0, i1, 4)\nsplit(k, k0, k1, 8)"),
}


def matrix(seed: int, density: float = 0.2) -> Any:
    rng = np.random.default_rng(seed)
    made = sp.random_array((23, 23), density=density, rng=rng, format="csr")
    made.data[:] = rng.integers(1, 9, made.nnz)
    return made


def with_values(matrix: Any, seed: int) -> Any:
    made = matrix.copy()
    made.data[:] = np.random.default_rng(seed).integers(-9, 9, made.nnz)
    return made


def compiled(case: str, target: str = "c") -> hd.Kernel:
    expression, format, schedule = CASES[case]
    operands = "csr" if format in ("csr", "coo") else format
    if "product" in case:
        operands = "csr"
    if "hash map" in case:
        return hd.compile(expression, {"A": "csc", "B": "csr", "C": format}, schedule, target)
    return hd.compile(expression, {"A": operands, "B": operands, "C": format}, schedule, target)


@pytest.mark.combinations(4)
@pytest.mark.parametrize("target", ["c", "interpreter"])
@pytest.mark.parametrize("case", CASES)
def test_values_are_computed_again_in_shared_coordinates(case: str, target: str) -> None:
    kernel, a, b = compiled(case, target), matrix(1), matrix(2)
    kept = kernel.assemble(A=a, B=b)
    np.testing.assert_array_equal(kept.result.to_numpy(), kernel(A=a, B=b).to_numpy())
    for seed in (3, 4):
        given = {"A": with_values(a, seed), "B": with_values(b, seed + 10)}
        found, whole = kept.compute(**given), kernel(**given)
        hd.validate(found)
        for slot, array in whole.arrays().items():
            np.testing.assert_array_equal(found.arrays()[slot], array, str(slot))
            if slot[0] != "vals":
                assert found.arrays()[slot] is kept.result.arrays()[slot]


@pytest.mark.parametrize("case", ["product", "product in one pass", "sum", "sum without empty rows"])
def test_nothing_is_counted_sorted_or_allocated(case: str) -> None:
    graph = compiled(case).result.lowered_graph
    assert graph is not None
    function = lower(allocate_kernel_symbols(graph, kind=KernelKind.COMPUTE))
    assert not [s for s in statements(function.body) if isinstance(s, AllocateResult | Scan | Sort)]
    assert [p.name for p in function.parameters if p.output] == ["C_vals"]
    assert [s for s in statements(lower(allocate_kernel_symbols(graph)).body) if isinstance(s, AllocateResult)]


def test_a_result_with_the_pattern_of_an_operand_shares_it() -> None:
    kernel = hd.compile("C(i,j) = B(i,j) * D(i,k) * E(j,k)", {"B": "csr", "C": "csr"})
    b, dense = hd.pack(matrix(1), "csr"), np.random.default_rng(2).random((23, 5))
    kept = kernel.assemble(B=b, D=dense, E=dense)
    found = kept.compute(B=b, D=2 * dense, E=dense)
    np.testing.assert_allclose(found.to_numpy(), 2 * kept.result.to_numpy())
    assert found.levels[1].crd is b.levels[1].crd


def test_other_coordinates_are_refused_and_equal_ones_in_other_memory_are_not() -> None:
    kernel, a, b = compiled("product"), matrix(1), matrix(2)
    kept = kernel.assemble(A=a, B=b)
    np.testing.assert_array_equal(kept.compute(A=a.copy(), B=b).to_numpy(), kept.result.to_numpy())
    moved = a.copy()
    moved.indices[0] = next(j for j in range(23) if j not in a.indices[: a.indptr[1]] and j < a.indices[1])
    text = "B does not store what it did when the result was assembled: expected the same coordinates, found another"
    with pytest.raises(CompileError, match=f"{text} pos of level 2") as caught:
        kept.compute(A=a, B=matrix(5))
    assert [d.code for d in caught.value.diagnostics] == ["runtime/pattern-changed"]
    with pytest.raises(CompileError, match="found another crd of level 2"):
        kept.compute(A=moved, B=b)


def test_another_shape_is_refused() -> None:
    a = matrix(1)
    kept = hd.compile("C(i,j) = 2 * A(i,j) + 1 * A(i,j)", {"A": "csr", "C": "csr"}, "assemble(C, Insert)").assemble(A=a)
    wider = sp.csr_array((a.data, a.indices, a.indptr), shape=(23, 24))
    with pytest.raises(CompileError, match=r"expected the shape \(23, 23\), found the shape \(23, 24\)"):
        kept.compute(A=wider)


def test_threads_that_append_to_the_outermost_level_are_refused() -> None:
    schedule = "assemble(C, Insert)\nparallelize(i, CPUThread, NoRaces)"
    kernel = hd.compile("C(i,j) = 2 * A(i,j)", {"A": "csr", "C": "dcsr"}, schedule)
    text = "The coordinates of the result cannot be kept: the loop i over threads appends to the outermost level of C"
    with pytest.raises(CompileError, match=text) as caught:
        kernel.assemble(A=matrix(1))
    assert [d.code for d in caught.value.diagnostics] == ["runtime/stationary"]


def test_gpus_assemble_coordinates_anew() -> None:
    kernel = compiled("sum")
    kernel.target = "cuda"
    with pytest.raises(CompileError, match="cannot be kept: cuda assembles them again in each run"):
        kernel.assemble(A=matrix(1), B=matrix(2))


def test_a_bound_call_computes_again_in_the_same_memory() -> None:
    kernel, a, b = compiled("sum"), hd.pack(matrix(1), "csr"), hd.pack(matrix(2), "csr")
    call = kernel.assemble(A=a, B=b).bind(A=a, B=b)
    call.run()
    values = call.output.vals
    values[:] = 0
    call.run()
    assert call.output.vals is values
    np.testing.assert_array_equal(call.output.to_numpy(), kernel(A=a, B=b).to_numpy())


def test_results_with_wide_positions_stay_wide() -> None:
    shape = (3, 2**33)
    operands = {name: (([0, 2], [5, 2**32 + place]), [1.0, 2.0], shape) for place, name in enumerate("AB")}
    kernel = hd.compile(SUM, dict.fromkeys("ABC", "csr"))
    kept = kernel.assemble(**operands)
    found = kept.compute(**operands)
    assert found.wide
    np.testing.assert_array_equal(found.vals, kernel(**operands).vals)


def test_automatic_kernels_keep_the_schedule_for_the_first_operands() -> None:
    kernel = hd.compile(PRODUCT, dict.fromkeys("ABC", "csr"), options={"schedule": "auto"})
    a, b = matrix(1), matrix(2)
    kept = kernel.assemble(A=a, B=b)
    np.testing.assert_array_equal(kept.compute(A=with_values(a, 3), B=b).to_numpy(), (with_values(a, 3) @ b).toarray())
