"""The last tile of a product is computed whole, beside zeros; nothing of them reaches the result."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.loop_ir.nodes import Function
from heddle.loop_ir.passes.whole_tiles import whole_tiles
from heddle.lowering.function import lower
from heddle.lowering.kernel_symbols import allocate_kernel_symbols
from heddle.lowering.passes import PASSES, Context
from tests.differential.vectors.last_tiles import last_tile

PRODUCT = "C(i,j) = A(i,k) * B(k,j)"


def before_the_pass(expression: str, schedule: tuple[str, ...]) -> Function:
    graph = hd.lower(expression, {}, schedule).lowered_graph
    assert graph is not None
    function = lower(allocate_kernel_symbols(graph))
    for row in PASSES[: [row.name for row in PASSES].index("whole-tiles")]:
        function = row.function(function, Context(None, gpu=False))
    return function


@pytest.mark.combinations(4, "columns", "threads", "target")
@pytest.mark.parametrize("target", ["c", "interpreter"])
@pytest.mark.parametrize("threads", [(), ("parallelize(j0, CPUThread, NoRaces)",)])
@pytest.mark.parametrize("columns", [1, 3, 4, 5, 8, 11])
def test_lanes_beyond_the_dimension_leave_no_trace(columns: int, threads: tuple[str, ...], target: str) -> None:
    rng = np.random.default_rng(columns)
    left, right = rng.random((5, 6)), rng.random((6, columns))
    left[1, 2] = np.inf  # its product with the zeros beside the columns is no number
    right[3, 0] = np.nan
    kernel = hd.compile(PRODUCT, schedule=(*last_tile("A(i,k)", 2), *threads), target=target)
    found = kernel(A=left, B=right).to_numpy()
    np.testing.assert_allclose(found, np.einsum("ik,kj->ij", left, right), rtol=1e-12)


def test_sums_of_the_last_tile_stay_in_vectors() -> None:
    source = hd.lower(PRODUCT, {}, last_tile("A(i,k)", 2)).source
    assert source is not None
    text = " ".join(source.text.split())
    assert "P[kp * 4 + j1p] = jw < C2_dimension ? B_vals[jwB] : 0.0;" in text
    assert "if (jw2 <" not in text  # no lane that adds is tested
    assert "C_vals[jC] = w_0_lanes[j1];" in text
    assert text.count("f64v4 w_0[4 / VECTOR_LANES_4];") == 2  # of full tiles, and of the last one


@pytest.mark.parametrize(
    ("expression", "schedule"),
    [
        # Nothing but the operand itself, which has no zeros beside its columns.
        (PRODUCT, ("split(j, j0, j1, 4)", "reorder(i, j0, k, j1)", "precompute(A(i,k) * B(k,j), {j1}, {j1w}, w)",
                   "parallelize(j1w, CPUVector, NoRaces)", "parallelize(j1, CPUVector, NoRaces)")),
        # Lanes that read one more operand at their own place.
        ("C(i,j) = A(i,k) * D(i,j) * B(k,j)", last_tile("A(i,k) * D(i,j)", 2)),
        # No tiles at all.
        (PRODUCT, ("reorder(i, k, j)", "parallelize(j, CPUVector, NoRaces)")),
    ],
)  # fmt: skip
def test_lanes_that_read_beyond_an_operand_keep_their_test(expression: str, schedule: tuple[str, ...]) -> None:
    function = before_the_pass(expression, schedule)
    assert whole_tiles(function) is function


def test_the_pass_has_something_to_do() -> None:
    function = before_the_pass(PRODUCT, last_tile("A(i,k)", 2))
    assert whole_tiles(function) is not function
