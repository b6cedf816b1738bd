"""Programs as people write them: graphs, networks, solvers, text, and arrays in every state that NumPy allows."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph
from scipy.sparse.linalg import cg, eigsh, gmres

import heddle as hd

pytestmark = pytest.mark.takes_turns(4)

make: Any = scipy.sparse.random_array
RNG = np.random.default_rng(1)


def sparse(*shape: int, density: float = 0.1, dtype: Any = float) -> Any:
    return make(shape, density=density, format="csr", rng=RNG).astype(dtype)


def test_page_rank() -> None:
    links = sparse(60, 60)
    links.data[:] = 1
    out = links.sum(1)
    matrix = (scipy.sparse.diags_array(np.divide(1, out, where=out > 0, out=np.zeros(60))) @ links).T.tocsr()
    tensor, rank, expected = hd.asarray(matrix), np.full(60, 1 / 60), np.full(60, 1 / 60)
    for _ in range(10):
        rank = (0.85 * (tensor @ rank) + 0.15 / 60).to_numpy()
        expected = 0.85 * (matrix @ expected) + 0.15 / 60
    np.testing.assert_allclose(rank, expected)


def test_breadth_first_search_and_shortest_paths() -> None:
    graph = sparse(80, 80, density=0.03)
    edges = graph.astype(bool)
    frontier = np.zeros(80, bool)
    frontier[0] = True
    level, distance = 0, np.where(frontier, 0, -1)
    while frontier.any():
        level += 1
        reached = hd.evaluate("r(j) = any(i, A(i,j) * x(i))", A=edges, x=frontier).to_numpy()
        frontier = reached & (distance < 0)
        distance[frontier] = level
    steps = scipy.sparse.csgraph.shortest_path(graph, unweighted=True, indices=0)
    np.testing.assert_array_equal(distance, np.where(np.isinf(steps), -1, steps))
    weights, length = hd.refill(graph, np.inf), np.where(np.arange(80) == 0, 0, np.inf)
    for _ in range(80):
        length = np.minimum(length, hd.evaluate("y(j) = min(i, W(i,j) + d(i))", W=weights, d=length).to_numpy())
    np.testing.assert_allclose(length, scipy.sparse.csgraph.shortest_path(graph, indices=0))


def test_a_layer_of_a_graph_network() -> None:
    a, x, w = sparse(40, 40, dtype=np.float32), RNG.random((40, 8), np.float32), RNG.random((8, 4), np.float32)
    expected = np.maximum(a @ (x @ w), 0)
    fused = hd.evaluate("H(i,f) = relu(sum(j, A(i,j) * sum(k, X(j,k) * W(k,f))))", A=a, X=x, W=w)
    assert fused.dtype == "float32"
    np.testing.assert_allclose(fused.to_numpy(), expected, rtol=1e-4)
    chain: Any = np.maximum(hd.einsum("ij,jk,kf->if", a, x, w), 0)
    np.testing.assert_allclose(chain.to_numpy(), expected, rtol=1e-4)


def test_solvers_of_scipy() -> None:
    matrix: Any = scipy.sparse.diags_array([-1, 2.5, -1], offsets=[-1, 0, 1], shape=(50, 50)).tocsr()
    right = RNG.random(50)
    kernel = hd.compile("y(i) = A(i,j) * x(j)", like={"A": matrix, "x": right}, schedule="auto")
    operator = kernel.as_linear_operator(A=matrix, over="x")
    for solve in (cg, gmres):
        solution, failed = solve(operator, right, rtol=1e-10)
        assert not failed
        np.testing.assert_allclose(matrix @ solution, right)
    np.testing.assert_allclose(eigsh(operator, 3)[0], eigsh(matrix, 3)[0])
    block, scaled = RNG.random((50, 3)), 2 * operator.T
    np.testing.assert_allclose(operator.matmat(block), matrix @ block)
    np.testing.assert_allclose(scaled.matvec(right), 2 * matrix.T @ right)


def test_triangles_of_a_graph() -> None:
    graph = sparse(40, 40) > 0
    lower = scipy.sparse.tril((graph + graph.T).astype(float), -1, format="csr")
    whole = (lower + lower.T).toarray()
    expected = np.trace(whole @ whole @ whole) / 6
    assert float(hd.einsum("ij,ik,jk->", lower, lower, lower)) == expected
    tensor = hd.asarray(lower)
    assert float(((tensor @ tensor) * lower).sum()) == expected


def test_similar_texts() -> None:
    counts = scipy.sparse.csr_array((RNG.random((30, 50)) < 0.1).astype(np.int64))
    tensor = hd.asarray(counts)
    weights = np.log(31 / (1 + (tensor > 0).sum(0).to_numpy())) + 1
    scaled = tensor * weights
    squares: Any = (scaled**2).sum(1, keepdims=True)
    norms = np.sqrt(squares.to_numpy())
    unit = scaled / np.where(norms == 0, 1, norms)
    dense = counts.toarray() * weights
    dense /= np.where(norms == 0, 1, norms)
    similar = unit @ unit.T
    np.testing.assert_allclose(similar.to_numpy(), dense @ dense.T)
    values, _ = hd.topk(similar, 5, axis=1)
    np.testing.assert_allclose(values.to_numpy(), -np.sort(-(dense @ dense.T), axis=1)[:, :5])


TYPES = ["int8", "uint8", "int16", "int32", "uint32", "int64", "uint64", "bool", "float32", "complex64", "complex128"]


@pytest.mark.parametrize("dtype", TYPES)
def test_every_type_gives_what_numpy_gives(dtype: str) -> None:
    matrix = scipy.sparse.csr_array(((RNG.random((8, 9)) < 0.4) * 3).astype(dtype))
    vector, dense = np.ones(9, dtype), matrix.toarray()
    product = hd.einsum("ij,j->i", matrix, vector)
    assert product.dtype == dtype
    np.testing.assert_array_equal(product.to_numpy(), np.einsum("ij,j->i", dense, vector))
    squares = hd.einsum("ij,kj->ik", matrix, matrix)
    np.testing.assert_array_equal(squares.to_numpy(), np.einsum("ij,kj->ik", dense, dense))


def test_a_type_that_no_kernel_has_is_refused() -> None:
    with pytest.raises(hd.OperandError, match="float16"):
        hd.einsum("ij,j->i", np.ones((2, 2), np.float16), np.ones(2))
    assert hd.einsum("ij,j->i", np.ones((2, 2), ">f8"), np.ones(2, ">i4")).dtype == "float64"


def test_arrays_in_any_order_and_matrices_in_any_format() -> None:
    turned, strided = np.asfortranarray(RNG.random((6, 7))), RNG.random((14, 12))[::2, ::2]
    np.testing.assert_allclose(hd.einsum("ij,jk->ik", turned, strided).to_numpy(), turned @ strided)
    matrix, vector = sparse(6, 7), RNG.random(7)
    for array in (vector, matrix.data, matrix.indices, matrix.indptr):
        array.flags.writeable = False
    for format in ("csr", "csc", "coo", "bsr", "dia", "lil", "dok"):
        result = hd.einsum("ij,j->i", matrix.asformat(format), vector)
        np.testing.assert_allclose(result.to_numpy(), matrix @ vector)


def test_nothing_at_all() -> None:
    empty, vector = scipy.sparse.csr_array((5, 7)), np.ones(7)
    assert not hd.einsum("ij,j->i", empty, vector).to_numpy().any()
    assert hd.einsum("ij,jk->ik", empty, scipy.sparse.csr_array((7, 3))).nnz == 0
    assert hd.einsum("ij,j->i", empty[:0], vector).shape == (0,)
    assert not hd.einsum("ij,jk->ik", np.ones((3, 0)), np.ones((0, 2))).to_numpy().any()
    for tensor in (hd.asarray(empty), hd.asarray(empty[:0])):
        assert (tensor + tensor).T.sum().item() == 0
        assert tensor[:0].prune().shape == (0, 7)
        assert not (tensor @ vector).to_numpy().any()


def test_duplicates_and_rows_out_of_order() -> None:
    twice = scipy.sparse.coo_array(([1.0, 2, 3], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
    np.testing.assert_array_equal(hd.einsum("ij->ij", twice).to_numpy(), twice.toarray())
    assert hd.asarray(twice).nnz == 2
    columns = np.array([2, 0, 1])
    unsorted = scipy.sparse.csr_array((np.array([1.0, 2, 3]), columns, np.array([0, 2, 3])), shape=(2, 3))
    np.testing.assert_array_equal(hd.einsum("ij->ij", unsorted).to_numpy(), unsorted.toarray())
    np.testing.assert_array_equal(unsorted.indices, [2, 0, 1])


def test_memory_that_overlaps() -> None:
    matrix, memory = sparse(20, 20), RNG.random(40)
    expected = matrix @ memory[:20]
    hd.einsum("ij,j->i", matrix, memory[:20], out=memory[10:30])
    np.testing.assert_allclose(memory[10:30], expected)
    dense = RNG.random((20, 20))
    expected = matrix @ dense
    hd.einsum("ij,jk->ik", matrix, dense, out=dense)
    np.testing.assert_allclose(dense, expected)


def test_other_sizes_take_other_schedules() -> None:
    for size in (1, 2, 17, 64, 65):
        matrix, vector = sparse(size, size, density=0.5), RNG.random(size)
        np.testing.assert_allclose(hd.einsum("ij,j->i", matrix, vector).to_numpy(), matrix @ vector)
        np.testing.assert_allclose(hd.einsum("ij,jk->ik", matrix, matrix).to_numpy(), (matrix @ matrix).toarray())


def test_several_threads_call_at_once() -> None:
    matrix, vectors = sparse(50, 50), [RNG.random(50) for _ in range(16)]
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda vector: hd.einsum("ij,j->i", matrix, vector).to_numpy(), vectors))
    for vector, result in zip(vectors, results, strict=True):
        np.testing.assert_allclose(result, matrix @ vector)
