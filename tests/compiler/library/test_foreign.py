"""Arrays of libraries that need not be installed, by what they offer."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import heddle as hd

make: Any = scipy.sparse.random_array
A = make((6, 8), density=0.3, format="csr", rng=np.random.default_rng(0))


@dataclass
class Torch:
    """A tensor of PyTorch: its layout and what it calls its arrays."""

    layout: str
    shape: tuple[int, ...]
    arrays: dict[str, Any] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        if name in self.arrays:
            return lambda: self.arrays[name]
        raise AttributeError(name)

    def coalesce(self) -> Torch:
        return self

    def dense_dim(self) -> int:
        return 0


def in_layout(layout: str) -> Torch:
    match layout:
        case "coo":
            parts: dict[str, Any] = {"indices": np.array(A.tocoo().coords), "values": A.tocoo().data}
        case "csr" | "bsr":
            stored = A if layout == "csr" else A.tobsr((2, 4))
            parts = {"crow_indices": stored.indptr, "col_indices": stored.indices, "values": stored.data}
        case _:
            stored = A.tocsc() if layout == "csc" else A.T.tobsr((4, 2))
            values = stored.data if layout == "csc" else stored.data.transpose(0, 2, 1)
            parts = {"ccol_indices": stored.indptr, "row_indices": stored.indices, "values": values}
    return Torch(f"torch.sparse_{layout}", (6, 8), parts)


@pytest.mark.parametrize("layout", ["coo", "csr", "csc", "bsr", "bsc"])
def test_every_layout_of_pytorch_is_read(layout: str) -> None:
    np.testing.assert_array_equal(hd.asarray(in_layout(layout)).to_numpy(), A.toarray())


def test_rows_of_pytorch_are_read_where_they_are() -> None:
    tensor = hd.pack(in_layout("csr"), "csr", copy=False)
    assert np.shares_memory(tensor.vals, A.data)


def test_a_layout_that_is_not_read_says_so() -> None:
    with pytest.raises(hd.OperandError, match=r"tensors of the layout torch.sparse_csr and 3 dimensions are not read"):
        hd.asarray(Torch("torch.sparse_csr", (2, 3, 4)))


def test_a_frame_of_pandas_with_sparse_columns_stays_sparse() -> None:
    frame = SimpleNamespace(ndim=2, shape=(6, 8), sparse=SimpleNamespace(to_coo=A.tocoo))
    tensor = hd.asarray(frame)
    assert tensor.nnz == A.nnz
    np.testing.assert_array_equal(tensor.to_numpy(), A.toarray())


def test_a_graph_of_networkx_is_its_adjacency(monkeypatch: pytest.MonkeyPatch) -> None:
    class Graph:
        pass

    networkx: Any = ModuleType("networkx")
    networkx.Graph, networkx.to_scipy_sparse_array = Graph, lambda graph: A
    monkeypatch.setitem(sys.modules, "networkx", networkx)
    np.testing.assert_array_equal(hd.asarray(Graph()).to_numpy(), A.toarray())
